"""The circuit board: its circuits are those of wiring.md, its copper has no fault."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from hardware.board import __main__ as command
from hardware.board import files, kicad
from hardware.board.copper import faults
from hardware.board.files import Entry, Item, Part, children, values
from hardware.board.lists import ORDER_NUMBERS, bill_of_materials
from hardware.board.picture import picture
from scorer.config import pin_map
from scorer.config.pin_claims import Claim, ClaimKind, device_claims
from scorer.hw.displays.luma_oled import Options as PanelOptions
from scorer.makers.plates import PI_SCREWS
from scorer.makers.wiring.header import button_text, default_claims
from scorer.session.values.settings import Layout
from tests.docs.reading import rows_with
from tests.paths import ROOT

GND, V3, V5 = "GND", "3V3", "5V"
# D/C of an SPI panel beside the full layout, as in wiring.md.
SPI_DC = 7
LAMPS = {f"lamp.{side}": pin for side, pin in pin_map.LAMPS.items()}
TERMINALS = {
    "J2": ("A.truco", "A.envido", "A.flor", "A.quiero"),
    "J3": ("A.no_quiero", "A.tantos", "lamp.A"),
    "J4": ("undo", "menu"),
    "J5": ("B.truco", "B.envido", "B.flor", "B.quiero"),
    "J6": ("B.no_quiero", "B.tantos", "lamp.B"),
}
PLUGS = {
    "J7": (GND, V3, "I2C_SCL", "I2C_SDA"),
    "J8": (GND, V3, "I2C_SCL", "I2C_SDA"),
    "J9": (GND, V3, "SPI_SCLK", "SPI_MOSI", "SPI_RES", "SPI_DC", "SPI_CE0"),
    "J10": (V5, "BUZZER_WIRE"),
    "J11": ("POWER_WIRE", GND),
}


def board() -> Item:
    return files.read(files.BOARD)


@cache
def parts() -> dict[str, Part]:
    return {ref: part for ref, part in files.parts(board()).items() if part.nets.keys() != {""}}


def entries() -> dict[str, Entry]:
    return files.entries(files.read(files.SCHEMATIC))


@cache
def nets() -> dict[str, set[tuple[str, str]]]:
    """The pads of each net: reference and number."""
    found: dict[str, set[tuple[str, str]]] = {}
    for ref, part in parts().items():
        for number, net in part.nets.items():
            if net is not None:
                found.setdefault(net, set()).add((ref, number))
    return found


def on(net: str) -> Counter[str]:
    """How many pads of parts of each value a net has."""
    return Counter(parts()[ref].value for ref, _ in nets()[net])


def the(value: str, net: str) -> Part:
    """The only part of this value on a net."""
    (ref,) = {ref for ref, _ in nets()[net] if parts()[ref].value == value}
    return parts()[ref]


def other_end(part: Part, net: str) -> str:
    (far,) = (each for each in part.nets.values() if each != net)
    assert far is not None
    return far


def net_name(end: str) -> str:
    """``A.no_quiero`` is ``A_NO_QUIERO``."""
    return button_text(end).replace(" ", "_")


def net_of(claim: Claim) -> str:
    match claim.kind:
        case ClaimKind.POWER:
            return "POWER"
        case ClaimKind.BUS:
            # "D/C of SPI 0.0", "SDA of I2C bus 1"
            signal, _, bus = claim.name.partition(" of ")
            return f"{bus.partition(' ')[0]}_{signal.replace('/', '')}"
        case ClaimKind.LAMP:
            return net_name(f"lamp.{claim.name}")
        case _:
            return net_name(claim.name)


# ---- circuits -----------------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_each_pin_of_the_header_has_the_net_of_the_table_of_pins() -> None:
    spi = device_claims([(("panel", "1"), PanelOptions(interface="spi", gpio_dc=SPI_DC).wires, ())])
    claimed = {claim.pin: net_of(claim) for claim in (*default_claims(Layout.FULL), *spi)}
    assert parts()["J1"].nets == {
        str(number): pin if isinstance(pin, str) else claimed.get(pin)
        for number, pin in enumerate(pin_map.HEADER, start=1)
    }


@pytest.mark.sampled(7)
@pytest.mark.parametrize("button", pin_map.pins_for(Layout.FULL))
def test_a_button_has_circuit_1_between_its_pin_and_its_terminal(button: str) -> None:
    line = net_name(button)
    assert on(line) == {"socket 2x20": 1, "470R": 1, "3k3": 1, "100nF": 1}
    assert other_end(the("3k3", line), line) == V3
    assert other_end(the("100nF", line), line) == GND
    wire = other_end(the("470R", line), line)
    terminals = {value for value in on(wire) if value.startswith("screw ")}
    assert on(wire) == {"470R": 1, "SRV05-4": 1, **dict.fromkeys(terminals, 1)}
    assert len(terminals) == 1
    assert wire == f"{line}_WIRE"


@pytest.mark.parametrize(("end", "gpio"), [*LAMPS.items(), ("buzzer", pin_map.BUZZER)])
def test_a_lamp_and_the_buzzer_have_a_transistor(end: str, gpio: int) -> None:
    line, wire = net_name(end), f"{net_name(end)}_WIRE"
    assert on(line) == {"socket 2x20": 1, "1k": 1}
    base = other_end(the("1k", line), line)
    assert on(base) == {"1k": 1, "10k": 1, "BC817-40": 1}
    assert other_end(the("10k", base), base) == GND
    assert the("BC817-40", base).nets == {"1": base, "2": GND, "3": wire}
    # The wires of a lamp leave the box.
    at_end = {"1N4148W": 1, "XH 2": 1} if end == "buzzer" else {"screw 6": 1, "SRV05-4": 1}
    assert on(wire) == {"BC817-40": 1, **at_end}


@pytest.mark.parametrize("lamp", LAMPS)
def test_the_5_volts_of_each_lamp_pass_through_a_polyfuse(lamp: str) -> None:
    fused = f"5V_{net_name(lamp)}"
    assert on(fused) == {"0.25A": 1, "screw 6": 1}
    assert other_end(the("0.25A", fused), fused) == V5


@pytest.mark.parametrize("ref", TERMINALS)
def test_a_terminal_has_its_ends_in_their_order(ref: str) -> None:
    pairs = [
        (f"5V_{net_name(end)}", f"{net_name(end)}_WIRE")
        if end in LAMPS
        else (f"{net_name(end)}_WIRE", GND)
        for end in TERMINALS[ref]
    ]
    pads = [net for pair in pairs for net in pair]
    assert parts()[ref].nets == {str(number): net for number, net in enumerate(pads, start=1)}


def test_the_plugs_have_the_nets_in_the_order_of_the_print() -> None:
    for ref, pads in PLUGS.items():
        assert parts()[ref].nets == {str(number): net for number, net in enumerate(pads, 1)}


def test_a_tvs_array_has_its_ground_at_pad_2_and_its_supply_open() -> None:
    arrays = [part.nets for part in parts().values() if part.value == "SRV05-4"]
    assert [(each["2"], each["5"]) for each in arrays] == [(GND, None)] * 4


def test_the_ring_of_the_diode_and_the_plus_of_the_capacitors_are_at_their_supplies() -> None:
    assert parts()["D1"].nets == {"1": V5, "2": "BUZZER_WIRE"}
    bulk = [part.nets for part in parts().values() if part.value == "100uF"]
    assert bulk == [{"1": V3, "2": GND}] * 2


def test_a_panel_on_spi_has_a_reset_and_the_power_button_circuit_2() -> None:
    assert on("SPI_RES") == {"XH 7": 1, "10k": 1, "1uF": 1}
    assert other_end(the("10k", "SPI_RES"), "SPI_RES") == V3
    assert other_end(the("1uF", "SPI_RES"), "SPI_RES") == GND
    assert on("POWER") == {"socket 2x20": 1, "1k": 1}
    assert other_end(the("1k", "POWER"), "POWER") == "POWER_WIRE"
    assert on("POWER_WIRE") == {"1k": 1, "XH 2": 1}


def test_the_supplies_go_to_these_circuits_alone() -> None:
    assert on(V5) == {"socket 2x20": 2, "0.25A": 2, "1N4148W": 1, "XH 2": 1}
    assert on(V3) == {"socket 2x20": 2, "3k3": 14, "100uF": 2, "10k": 1, "XH 4": 2, "XH 7": 1}
    assert on(GND) == {
        "socket 2x20": 8, "screw 8": 8, "screw 6": 4, "screw 4": 2, "XH 2": 1, "XH 4": 2, "XH 7": 1,
        "100nF": 14, "100uF": 2, "1uF": 1, "10k": 3, "BC817-40": 3, "SRV05-4": 4,
    }  # fmt: skip


# ---- lists and schematic ------------------------------------------------------------------------


def test_the_list_of_parts_is_that_of_the_schematic() -> None:
    kept = command.LIST.read_text(encoding="utf-8")
    assert kept == bill_of_materials(entries()), "make board"


def test_each_part_can_be_ordered() -> None:
    parts_to_order = [*csv.DictReader(command.LIST.read_text(encoding="utf-8").splitlines())]
    assert all(part["Order number"] for part in parts_to_order)
    kinds = {(each.value, each.package) for each in entries().values()}
    assert kinds == ORDER_NUMBERS.keys(), "a number is of no part, or a part has none"


def test_print_and_sheet_have_the_revision_of_the_board() -> None:
    told = set()
    for path in (files.BOARD, files.SCHEMATIC):
        (title,) = children(files.read(path), "title_block")
        told.add((*values(title, "rev"), *values(title, "date")))
    ((revision, date),) = told
    printed = [each[1] for each in children(files.read(files.BOARD), "gr_text")]
    assert f"rev {revision}, {date}" in printed


@pytest.mark.parametrize(
    ("row", "value", "also"),
    [
        ("resistor 3k3", "3k3", 0),
        ("resistor 470R", "470R", 0),
        ("resistor 1k", "1k", -14),  # of the buttons in one box
        ("resistor 10k", "10k", 1),  # the reset of a panel on SPI
        ("capacitor 100 nF", "100nF", 0),
        ("transistor", "BC817-40", 0),
        ("diode", "1N4148W", 0),
    ],
)
def test_the_list_agrees_with_that_of_the_guide(row: str, value: str, also: int) -> None:
    text = (ROOT / "docs/makers/build/parts.md").read_text(encoding="utf-8")
    full = {part["part"]: part["full"] for part in rows_with(text, "part", "full", "compact")}
    placed = Counter(part.value for part in entries().values())
    assert placed[value] == int(full[row]) + also


def test_schematic_and_board_have_the_same_parts_and_names_of_nets() -> None:
    in_schematic = {ref: (each.value, each.package) for ref, each in entries().items()}
    assert in_schematic == {ref: (each.value, each.package) for ref, each in parts().items()}
    labels = children(files.read(files.SCHEMATIC), "label", "global_label")
    assert {each[1] for each in labels} == nets().keys()


def test_the_project_has_every_symbol_and_package_that_it_uses() -> None:
    symbols = children(files.read(files.FOLDER / "board.kicad_sym"), "symbol")
    used = {
        name
        for each in children(files.read(files.SCHEMATIC), "symbol")
        for name in values(each, "lib_id")
    }
    assert used <= {f"board:{each[1]}" for each in symbols}
    packages = {path.stem for path in (files.FOLDER / "board.pretty").iterdir()}
    assert {each.package for each in files.parts(board()).values()} == packages


# ---- board --------------------------------------------------------------------------------------


def test_the_outline_and_the_holes_are_those_of_a_hat() -> None:
    left, top, right, bottom = files.outline(board()).bounds
    assert (right - left, bottom - top) == (65.0, 56.5)
    holes = [each for each in children(board(), "footprint") if each[1] == "board:Hole_2.7"]
    at = {tuple(values(each, "at")) for each in holes}
    assert at == {(left + x, top + y) for x, y in PI_SCREWS}


def test_pin_1_of_the_header_is_the_inner_one_beside_the_card() -> None:
    left, top, *_ = files.outline(board()).bounds
    middles = {each.name: each.shape.centroid for each in files.copper(board())}
    at = {
        name: (middles[name].x - left, middles[name].y - top) for name in ("J1.1", "J1.2", "J1.40")
    }
    assert at["J1.1"] == pytest.approx((8.37, 4.77))
    assert at["J1.2"] == pytest.approx((8.37, 2.23))
    assert at["J1.40"] == pytest.approx((56.63, 2.23))


@pytest.mark.sampled(0)
def test_the_board_has_no_fault() -> None:
    assert faults(board()) == []


def number_of(net: str) -> int:
    return next(int(each[1]) for each in children(board(), "net") if each[2] in (net, f"/{net}"))


def without_areas() -> Item:
    return [each for each in board() if each[0] != "zone"]


def track(net: str, start: tuple[float, float], end: tuple[float, float]) -> Item:
    return [
        "segment", ["start", *start], ["end", *end], ["width", 0.25], ["layer", "F.Cu"],
        ["net", number_of(net)],
    ]  # fmt: skip


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        ((108.4, 64.8), (110.9, 64.8), "J1.1 of 3V3 and track at 108.4, 64.8 of POWER: 0.00 mm"),
        ((100.3, 80.0), (100.3, 90.0), "track at 100.3, 80 of POWER is too near to the edge"),
        ((103.5, 65.05), (106.0, 65.05), "H1. of None and track at 103.5, 65.05 of POWER: 0.08 mm"),
    ],
)
def test_copper_in_a_wrong_place_is_found(
    start: tuple[float, float], end: tuple[float, float], sentence: str
) -> None:
    assert sentence in faults([*without_areas(), track("POWER", start, end)])


def test_a_missing_track_is_found() -> None:
    wire = number_of("POWER_WIRE")
    left = [each for each in without_areas() if each[0] != "segment" or ["net", wire] not in each]
    assert "POWER_WIRE is in 2 pieces" in faults(left)


def test_the_picture_in_the_documents_is_that_of_the_board() -> None:
    assert command.PICTURE.read_text(encoding="utf-8") == picture(board()), "make board"


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command writes; KiCad is not installed."""
    monkeypatch.setenv("KICAD", "no-such-program")
    monkeypatch.setattr(command, "LIST", tmp_path / "parts.csv")
    monkeypatch.setattr(command, "PICTURE", tmp_path / "board.svg")
    return tmp_path


@pytest.mark.sampled(0)
def test_without_kicad_the_missing_checks_are_named(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(kept / "out") == 0
    assert "no ERC, no DRC, no gerbers" in capsys.readouterr().out
    assert {path.name for path in kept.iterdir()} == {"parts.csv", "board.svg"}


def test_a_board_with_a_fault_has_no_picture(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "faults", lambda _: ["POWER is in 2 pieces"])
    assert command.main(kept) == 1
    assert capsys.readouterr().err == "POWER is in 2 pieces\n"
    assert list(kept.iterdir()) == []


@pytest.mark.skipif(bool(kicad.lack()), reason=kicad.lack() or "-")
def test_kicad_finds_no_fault_and_in_the_schematic_the_nets_of_the_board(tmp_path: Path) -> None:
    assert kicad.check(tmp_path).splitlines() == [
        "Found 0 violations",
        "Found 0 violations",
        "Found 0 unconnected items",
        "Found 0 schematic parity issues",
    ]
    path = tmp_path / "schematic.net"
    kicad.run("sch", "export", "netlist", "--output", path, files.SCHEMATIC)
    of_schematic = {
        values(net, "name")[0].removeprefix("/"): {
            (values(node, "ref")[0], values(node, "pin")[0]) for node in children(net, "node")
        }
        for net in children(["", *values(files.read(path), "nets")], "net")
    }
    assert {net: pads for net, pads in of_schematic.items() if len(pads) > 1} == nets()
