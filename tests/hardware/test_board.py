"""The circuit board: its circuits are those of wiring.md, its copper has no fault."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import shapely
from shapely import Polygon

from hardware.board import kicad, pcb, schematic
from hardware.board.__main__ import files, main
from hardware.board.circuit import (
    Part,
    banks,
    driver_net,
    gpio_nets,
    header_nets,
    net_name,
    nets,
    parts,
)
from hardware.board.copper import faults, stitched
from hardware.board.footprints import FOOTPRINTS
from hardware.board.lists import bill_of_materials, netlist, project
from hardware.board.pcb import without_holes
from hardware.board.picture import picture
from hardware.board.placement import HEIGHT, WIDTH, Placed, placed
from hardware.board.router import FRONT, Track, Via, Wiring, route
from hardware.board.rules import CLEARANCE
from hardware.board.sexpr import Item, children, dump, parse, value
from hardware.board.symbols import SYMBOLS
from scorer.config import pin_map
from scorer.makers.plates import PI_SCREWS
from scorer.makers.wiring.header import PinKind, header_pins
from scorer.session.values.settings import Layout
from tests.docs.reading import rows_with
from tests.paths import ROOT
from tests.sampling import EXHAUSTIVE, sample

PARTS = {part.ref: part for part in parts()}
NETS = {net: set(pads) for net, pads in nets(PARTS.values()).items()}
BUTTONS = tuple(pin_map.pins_for(Layout.FULL))
GND, V3, V5 = "GND", "3V3", "5V"
IF_EXHAUSTIVE = pytest.mark.skipif(
    not EXHAUSTIVE, reason="draws the board: make exhaustive MORE=tests/hardware"
)


def routes_the_board(test: Callable[[], None]) -> Callable[[], None]:
    """Mark a test that needs the tracks, which take ten seconds of each worker."""
    marked: Callable[[], None] = pytest.mark.sampled(IF_EXHAUSTIVE(test))
    return marked


@cache
def routed() -> Wiring:
    """The wiring of the board; a worker of the tests makes it once (some seconds)."""
    there = placed()
    return stitched(there, route(there))


def header_pin(gpio: int) -> tuple[str, str]:
    return "J1", str(pin_map.HEADER.index(gpio) + 1)


def on(net: str, value: str) -> Part:
    """The only part of this value on a net."""
    (found,) = {ref for ref, _ in NETS[net] if PARTS[ref].kind.value == value}
    return PARTS[found]


def other_end(part: Part, net: str) -> str | None:
    (far,) = (each for each in part.nets if each != net)
    return far


def beside(pad: tuple[str, str]) -> str | None:
    """The net of the second wire of a pair."""
    ref, number = pad
    return PARTS[ref].nets[int(number)]


# ---- circuits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("button", BUTTONS)
def test_a_button_has_circuit_1_between_its_pin_and_its_terminal(button: str) -> None:
    line = net_name(button)
    series, pull_up, filter_ = (on(line, value) for value in ("470R", "3k3", "100nF"))
    assert {ref for ref, _ in NETS[line]} == {"J1", series.ref, pull_up.ref, filter_.ref}
    assert header_pin(pin_map.BUTTONS[button]) in NETS[line]
    assert other_end(pull_up, line) == V3
    assert other_end(filter_, line) == GND
    wire = other_end(series, line)
    assert wire is not None
    array = on(wire, "SRV05-4")
    pads = NETS[wire] - {(series.ref, "1"), (series.ref, "2")}
    (tvs,) = (pad for ref, pad in pads if ref == array.ref)
    assert tvs in ("1", "3", "4", "6")
    (terminal,) = (pad for pad in pads if pad[0] != array.ref)
    assert "screw" in PARTS[terminal[0]].kind.value
    assert beside(terminal) == GND


def test_a_tvs_array_has_its_ground_at_pad_2_and_its_supply_open() -> None:
    arrays = [part for part in PARTS.values() if part.kind.value == "SRV05-4"]
    assert [(part.nets[1], part.nets[4]) for part in arrays] == [(GND, None)] * 4


@pytest.mark.parametrize(
    ("end", "gpio"),
    [*((f"lamp.{side}", pin) for side, pin in pin_map.LAMPS.items()), ("buzzer", pin_map.BUZZER)],
)
def test_a_lamp_and_the_buzzer_have_a_transistor(end: str, gpio: int) -> None:
    line = net_name(end)
    assert header_pin(gpio) in NETS[line]
    base = other_end(on(line, "1k"), line)
    assert base is not None
    assert other_end(on(base, "10k"), base) == GND
    assert on(base, "BC817-40").nets == (base, GND, driver_net(end))


@pytest.mark.parametrize("side", pin_map.LAMPS)
def test_the_5_volts_of_each_lamp_pass_through_a_polyfuse(side: str) -> None:
    wire = driver_net(f"lamp.{side}")
    (terminal,) = ((ref, pad) for ref, pad in NETS[wire] if PARTS[ref].kind.symbol != "NPN")
    ref, pad = terminal
    fused = PARTS[ref].nets[int(pad) - 2]
    assert fused is not None
    assert other_end(on(fused, "0.25A"), fused) == V5
    assert NETS[fused] == {(ref, str(int(pad) - 1)), (on(fused, "0.25A").ref, "2")}


def test_no_5_volts_leave_the_board_without_a_polyfuse_but_at_the_buzzer() -> None:
    refs = {ref for ref, _ in NETS[V5] if ref[0] == "J"}
    assert refs == {"J1", "J10"}
    assert PARTS["J10"].nets == (V5, driver_net("buzzer"))


def test_the_ring_of_the_diode_is_at_5_volts() -> None:
    assert PARTS["D1"].nets == (V5, driver_net("buzzer"))


def test_the_panels_have_the_pins_of_their_bus_and_a_capacitor_each() -> None:
    names = {2: "SDA", 3: "SCL", 10: "SDA", 11: "SCL", 7: "DC", 8: "CS"}
    orders = {"J7": "GND VCC SCL SDA", "J8": "GND VCC SCL SDA", "J9": "GND VCC SCL SDA RES DC CS"}
    for ref, order in orders.items():
        expected = {"GND": GND, "VCC": V3, "RES": "SPI_RES"}
        gpios = (2, 3) if len(order.split()) == 4 else (7, 8, 10, 11)
        expected |= {names[gpio]: gpio_nets()[gpio] for gpio in gpios}
        assert PARTS[ref].nets == tuple(expected[name] for name in order.split())
    for gpio, net in gpio_nets().items():
        assert header_pin(gpio) in NETS[net]
    bulk = [part.nets for part in PARTS.values() if part.kind.value == "100uF"]
    assert bulk == [(V3, GND)] * 2
    assert {other_end(on("SPI_RES", value), "SPI_RES") for value in ("10k", "1uF")} == {V3, GND}


def test_the_power_button_has_circuit_2() -> None:
    assert header_pin(pin_map.POWER_BUTTON) in NETS["POWER"]
    wire = other_end(on("POWER", "1k"), "POWER")
    assert PARTS["J11"].nets == (wire, GND)


def test_the_header_is_that_of_the_wiring_table() -> None:
    spi = {10, 11, 8, 7}
    for pin, net in zip(header_pins(Layout.FULL), header_nets(), strict=True):
        if pin.gpio is None:
            assert net == pin.name
        elif pin.use.kind in (PinKind.FREE, PinKind.EMPTY):
            assert (net is not None) == (pin.gpio in spi)
        else:
            assert net is not None


def test_no_two_pins_share_a_net_and_no_net_has_two_pins() -> None:
    used = [net for net in header_nets() if net not in (GND, V3, V5, None)]
    assert len(used) == len(set(used)) == len(gpio_nets())


def test_two_wires_on_one_pin_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pin_map, "BUZZER", pin_map.BUTTONS["A.truco"])
    with pytest.raises(ValueError, match="GPIO 5 is already the button A\\.truco"):
        gpio_nets()


def test_a_moved_button_moves_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pin_map.BUTTONS, "A.truco", 14)
    assert header_nets()[7] == "A_TRUCO"
    assert header_nets()[28] is None


def test_a_cable_of_a_console_has_four_pairs_at_most() -> None:
    ends = [cable.ends for bank in banks() for cable in bank.cables]
    assert max(map(len, ends)) == 4
    assert sorted(end for each in ends for end in each) == sorted([*BUTTONS, "lamp.A", "lamp.B"])


# ---- lists --------------------------------------------------------------------------------------


def test_the_list_has_every_part_once_with_value_and_package() -> None:
    rows = list(csv.DictReader(io.StringIO(bill_of_materials(parts()))))
    refs = [ref for row in rows for ref in row["References"].split()]
    assert sorted(refs) == sorted(PARTS)
    for row in rows:
        assert int(row["Quantity"]) == len(row["References"].split())
        assert row["Value"] and row["Description"]
        assert row["Package"] in FOOTPRINTS


@pytest.mark.parametrize(
    ("row", "value", "also"),
    [
        ("resistor 3k3", "3k3", 0),
        ("resistor 470R", "470R", 0),
        ("resistor 1k", "1k", 0),
        ("resistor 10k", "10k", 1),  # the reset of a panel on SPI
        ("capacitor 100 nF, ceramic", "100nF", 0),
        ("transistor BC337", "BC817-40", 0),
        ("diode 1N4148", "1N4148W", 0),
    ],
)
def test_the_list_agrees_with_that_of_wiring_md(row: str, value: str, also: int) -> None:
    text = (ROOT / "wiring.md").read_text(encoding="utf-8")
    full = {each["part"]: int(each["full"]) for each in rows_with(text, "part", "full", "compact")}
    count = Counter(part.kind.value for part in PARTS.values())
    assert count[value] == full[row] + also


def test_the_netlist_has_the_nets_of_the_parts() -> None:
    names = {net if net in (GND, V3, V5) else f"/{net}": pads for net, pads in NETS.items()}
    assert kicad.read_nets(dump(netlist(parts()))) == names


def test_the_rules_for_kicad_are_those_of_the_router() -> None:
    rules = json.loads(project())["board"]["design_settings"]["rules"]
    assert rules["min_clearance"] == CLEARANCE


# ---- schematic ----------------------------------------------------------------------------------


def test_the_schematic_has_every_unit_of_every_part_once() -> None:
    drawn: Counter[tuple[str, str]] = Counter()
    for each in children(parse(dump(schematic.schematic())), "symbol"):
        ref = next(p[2] for p in children(each, "property") if p[1] == "Reference")
        if not str(ref).startswith("#"):
            drawn[str(ref), value(each, "unit")] += 1
    units = {
        (part.ref, str(unit))
        for part in PARTS.values()
        for unit in range(1, len(SYMBOLS[part.kind.symbol].units) + 1)
    }
    assert drawn == Counter(units)


def test_the_pins_of_a_symbol_are_the_pads_of_its_package() -> None:
    for part in PARTS.values():
        pins = [pin.number for unit in SYMBOLS[part.kind.symbol].units for pin in unit.pins]
        pads = [pad.name for pad in FOOTPRINTS[part.kind.footprint].pads]
        assert sorted(pins) == sorted(pads), part.ref


def test_the_labels_of_the_schematic_are_nets() -> None:
    sheet = parse(dump(schematic.schematic()))
    names = {str(each[1]) for head in ("label", "global_label") for each in children(sheet, head)}
    assert names == set(NETS)


# ---- board --------------------------------------------------------------------------------------


def test_the_outline_and_the_holes_are_those_of_a_hat() -> None:
    assert (WIDTH, HEIGHT) == (65.0, 56.5)
    board = pcb.board(placed(), Wiring((), ()), schematic.paths())
    holes = [each for each in children(board, "footprint") if each[1] == "board:Hole_2.7"]
    x, y = pcb.ORIGIN
    at = {numbers(each, "at")[:2] for each in holes}
    assert at == {(x + dx, y + dy) for dx, dy in PI_SCREWS}


def test_pin_1_of_the_header_is_the_inner_one_beside_the_card() -> None:
    (socket,) = (each for each in placed() if each.part.ref == "J1")
    pads = {pad.name: (pad.x, pad.y) for pad, _ in socket.pads()}
    assert pads["1"] == pytest.approx((8.37, 4.77))
    assert pads["2"] == pytest.approx((8.37, 2.23))
    assert pads["40"] == pytest.approx((56.63, 2.23))


@routes_the_board
def test_the_board_has_no_fault() -> None:
    assert faults(placed(), routed()) == []


def moved(ref: str, x: float, y: float) -> tuple[Placed, ...]:
    return tuple(
        each._replace(place=each.place._replace(x=x, y=y)) if each.part.ref == ref else each
        for each in placed()
    )


MISPLACED = [
    ("R1", 41.9, 38.9, "R1 and Q1 overlap"),
    ("R1", 64.0, 38.0, "R1 is not on the board"),
    ("R1", 60.0, 4.0, "R1 is under the head of a screw"),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("ref", "x", "y", "sentence"), sample(MISPLACED, 1))
def test_a_part_in_a_wrong_place_is_found(ref: str, x: float, y: float, sentence: str) -> None:
    assert sentence in faults(moved(ref, x, y), Wiring((), ()))


WRONG_COPPER = [
    (Track("POWER", FRONT, (8.4, 4.8), (10.9, 4.8), 0.25), "J1.1 of 3V3 and track"),
    (Track(GND, FRONT, (0.3, 20.0), (0.3, 30.0), 0.25), "too near to an edge"),
    (Via("POWER", 3.5, 3.5), "too near to an edge"),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("more", "sentence"), sample(WRONG_COPPER, 1))
def test_copper_in_a_wrong_place_is_found(more: Track | Via, sentence: str) -> None:
    tracks, vias = ((more,), ()) if isinstance(more, Track) else ((), (more,))
    assert any(sentence in line for line in faults(placed(), Wiring(tracks, vias)))


@routes_the_board
def test_a_missing_track_is_found() -> None:
    tracks = [each for each in routed().tracks if each.net != "POWER_WIRE"]
    assert faults(placed(), routed()._replace(tracks=tuple(tracks))) == [
        "POWER_WIRE is in 2 pieces"
    ]


def test_a_cut_to_each_hole_leaves_the_area_as_it_is() -> None:
    square = shapely.box(0, 0, 10, 10)
    holes = [shapely.box(x, y, x + 2, y + 2) for x, y in ((1, 1), (4, 1.5), (4, 5), (7, 7))]
    area = square - shapely.union_all(holes)
    assert isinstance(area, Polygon)
    ring = without_holes(area)
    assert Polygon(ring).area == pytest.approx(area.area)
    corners = {*area.exterior.coords, *(at for each in area.interiors for at in each.coords)}
    assert corners <= set(ring)


# ---- files --------------------------------------------------------------------------------------


def numbers(item: tuple[Item, ...], head: str) -> tuple[float, ...]:
    return tuple(float(str(each)) for each in next(children(item, head))[1:])


@routes_the_board
def test_the_file_of_the_board_has_every_pad_track_and_via() -> None:
    board = parse(dump(pcb.board(placed(), routed(), schematic.paths())))
    names = {each[1]: each[2] for each in children(board, "net")}
    found: dict[str, set[tuple[str, str]]] = {}
    for shape in children(board, "footprint"):
        ref = str(next(p[2] for p in children(shape, "property") if p[1] == "Reference"))
        for pad in children(shape, "pad"):
            for net in children(pad, "net"):
                assert names[net[1]] == net[2]
                found.setdefault(str(net[2]), set()).add((ref, str(pad[1])))
    connected = {net: pads for net, pads in found.items() if not net.startswith("unconnected-")}
    assert connected == kicad.read_nets(dump(netlist(parts())))
    assert len(list(children(board, "segment"))) == len(routed().tracks)
    assert len(list(children(board, "via"))) == len(routed().vias)
    assert {numbers(each, "size") for each in children(board, "via")} == {(0.7,)}


@routes_the_board
def test_the_picture_in_the_documents_is_that_of_the_board() -> None:
    kept = (ROOT / "docs" / "images" / "board.svg").read_text(encoding="utf-8")
    assert kept == picture(placed(), routed()), "copy build/board/truco-board.svg"


@routes_the_board
def test_the_files_are_the_same_each_time() -> None:
    one, two = (dict(files(placed(), routed())) for _ in range(2))
    assert one == two
    assert {f"board.pretty/{name}.kicad_mod" for name in FOOTPRINTS} <= set(one)


def identifiers(item: tuple[Item, ...]) -> Iterator[str]:
    if item[0] == "uuid":
        yield str(item[1])
    for each in item:
        if isinstance(each, tuple):
            yield from identifiers(each)


@routes_the_board
def test_every_identifier_of_a_file_is_its_own() -> None:
    board = pcb.board(placed(), routed(), schematic.paths())
    for tree in (board, schematic.schematic(), *(content for _, content in pcb.library())):
        used = Counter(identifiers(tree))
        assert [each for each, count in used.items() if count > 1] == []


def without_routing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICAD", "no-such-program")
    monkeypatch.setattr("hardware.board.__main__.route", lambda _: Wiring((), ()))


def test_a_board_with_a_fault_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_routing(monkeypatch)
    assert main(["--out", str(tmp_path / "board")]) == 1
    assert "POWER_WIRE is in 2 pieces" in capsys.readouterr().err
    assert not (tmp_path / "board").exists()


def test_an_impossible_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_routing(monkeypatch)
    monkeypatch.setattr("hardware.board.__main__.faults", lambda *_: [])
    (tmp_path / "taken").write_text("a file")
    assert main(["--out", str(tmp_path / "taken")]) == 1
    assert "cannot write to" in capsys.readouterr().err


@pytest.mark.sampled
@IF_EXHAUSTIVE
def test_without_kicad_the_files_are_written_and_the_missing_checks_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_routing(monkeypatch)
    monkeypatch.setattr("hardware.board.__main__.faults", lambda *_: [])
    assert main(["--out", str(tmp_path)]) == 0
    assert "no ERC, no DRC, no gerbers" in capsys.readouterr().out
    names = {path.name for path in tmp_path.iterdir()}
    assert {f"truco-board.kicad_{kind}" for kind in ("pro", "sch", "pcb")} <= names
