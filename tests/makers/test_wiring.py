"""wiring.md and its drawings agree with the pins that the table uses."""

from __future__ import annotations

import errno
import math
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scorer.config import loader, pin_map
from scorer.config.input_boxes import CONSOLE_KEYS
from scorer.hw import gpio_chip
from scorer.hw import pins as hw_pins
from scorer.hw.displays import luma_oled
from scorer.hw.displays.buses import I2cBus
from scorer.hw.ports import DeviceError
from scorer.i18n import translator
from scorer.makers.plates import Face, Use, centre_box, console_box
from scorer.makers.wiring import main
from scorer.makers.wiring.circuits import cells
from scorer.makers.wiring.header import (
    Pin,
    PinKind,
    button_text,
    default_claims,
    header_pins,
    markdown_table,
)
from scorer.makers.wiring.page import draw_page
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from tests.docs.reading import tables, translation_of
from tests.paths import ROOT
from tools.drawings.pages import IMAGES, WIRING, translated, wiring_pages
from tools.drawings.words import WORDS

DOCUMENT = (ROOT / "wiring.md").read_text(encoding="utf-8")
GUIDE = ROOT / "docs" / "makers" / "build"
FAULTS = (GUIDE / "faults.md").read_text(encoding="utf-8")
LAYOUTS = tuple(Layout)
BOXES = [(layout, consoles) for consoles in (2, 3) for layout in LAYOUTS]
TRANSLATIONS = {
    suffix: (ROOT / translation_of("wiring.md", suffix)).read_text(encoding="utf-8")
    for suffix in WORDS
}
CONSOLES = (PinKind.A, PinKind.B, PinKind.C, PinKind.SHARED)
OUTPUTS = {**{f"LAMP {side}": pin for side, pin in pin_map.LAMPS.items()}, "BUZZER": pin_map.BUZZER}


def wanted(layout: Layout, consoles: int) -> dict[int, str]:
    """Every pin that the program uses, and its label."""
    buttons = {pin: button_text(name) for name, pin in pin_map.pins_for(layout, consoles).items()}
    return buttons | {pin: name for name, pin in OUTPUTS.items()}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)


def rows(first: str) -> Iterator[list[str]]:
    """The rows of the table whose heading begins with this cell."""
    _, _, after = DOCUMENT.partition(f"\n| {first} |")
    for line in after.split("\n\n")[0].splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("| ").split("|")]


def section(title: str) -> str:
    return DOCUMENT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


# ---- the header --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "revision", ["902120", "a02082", "c03111", "c04170"], ids=["Zero 2 W", "3", "4", "5"]
)
def test_the_header_matches_every_supported_pi(revision: str) -> None:
    from gpiozero.pins.pi import PiBoardInfo

    theirs = PiBoardInfo.from_revision(int(revision, 16)).headers["J8"].pins
    ours = {pin.number: pin.name.replace(" ", "") for pin in header_pins(Layout.FULL)}
    assert ours == {number: pin.name for number, pin in theirs.items()}


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_every_used_pin_is_on_the_header_with_its_label(layout: Layout, consoles: int) -> None:
    kinds = {*CONSOLES, PinKind.LAMP, PinKind.BUZZER}
    pins = header_pins(layout, consoles)
    found = {pin.gpio: pin.use.label for pin in pins if pin.use.kind in kinds}
    assert found == wanted(layout, consoles)


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_the_drawing_check_and_doctor_use_one_table_of_wires(layout: Layout, consoles: int) -> None:
    config = loader.parse_config(f'table.layout = "{layout}"\nconsoles.count = {consoles}\n')
    drawn = {(claim.pin, claim.text) for claim in default_claims(layout, consoles)}
    assert {(claim.pin, claim.text) for claim in config.claims} == drawn


def test_a_pin_used_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pin_map, "BUZZER", pin_map.BUTTONS["undo"])
    with pytest.raises(ValueError, match="GPIO 20 is already the button undo"):
        header_pins(Layout.FULL)


def test_no_reserved_pin_is_used() -> None:
    used = {**pin_map.BUTTONS, **OUTPUTS}
    assert {name for name, pin in used.items() if hw_pins.problem(pin) or pin in range(4)} == set()


def test_outputs_are_on_pins_pulled_down_at_power_on() -> None:
    # GPIO 0 to 8 are pulled up at power-on, all others down.
    assert {name for name, pin in OUTPUTS.items() if pin < 9} == set()


def test_the_configuration_has_the_same_lamps_and_buzzer() -> None:
    assert loader.default_config().lamps.pins == pin_map.LAMPS
    assert loader.default_config().sound.pin == pin_map.BUZZER


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_each_button_returns_to_the_ground_of_its_console(layout: Layout, consoles: int) -> None:
    row = {pin.number: pin for pin in header_pins(layout, consoles)}
    grounds = {PinKind.SHARED: "MIDDLE GND"}
    grounds |= {kind: f"{kind.upper()} GND" for kind in (PinKind.A, PinKind.B, PinKind.C)}
    for pin in row.values():
        if pin.use.kind in grounds:
            back = row[int(pin.use.note.rpartition(" ")[2])]
            assert (back.name, back.use.label) == ("GND", grounds[pin.use.kind]), pin


# ---- the drawings ------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def test_the_stored_drawings_are_current() -> None:
    kept = {path.name: path.read_text("utf-8") for path in IMAGES.glob("wiring-*.svg")}
    assert kept == dict(wiring_pages()), "make drawings"
    assert kept["wiring-full-3.svg"] == draw_page(Layout.FULL, 3), "scorer wiring draws the same"


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_each_pin_is_drawn_once_with_number_name_and_use(layout: Layout, consoles: int) -> None:
    tree = ElementTree.fromstring(draw_page(layout, consoles))
    groups = [group for group in tree.iter(f"{SVG}g") if "data-use" in group.attrib]
    drawn = [[text.text for text in group.iter(f"{SVG}text")] for group in groups]
    assert drawn == [_words(pin) for pin in header_pins(layout, consoles)]


def _words(pin: Pin) -> list[str | None]:
    return [str(pin.number), pin.name, pin.use.label, pin.use.note or None]


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_the_consoles_are_drawn_with_the_same_pins(layout: Layout, consoles: int) -> None:
    tree = ElementTree.fromstring(draw_page(layout, consoles))
    words = [text.text or "" for text in tree.iter(f"{SVG}text")]
    drawn = words[words.index("6  The buttons and their pins") :]
    for pin in header_pins(layout, consoles):
        if pin.use.kind in CONSOLES:
            label = re.sub(r"^[ABC] ", "", pin.use.label)
            at = drawn.index(str(pin.number))
            assert " ".join(drawn[at + 1 : at + 3]).startswith(label)


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_the_texts_of_a_row_fit(layout: Layout, consoles: int) -> None:
    # Measured: a label has 180 units for letters of 10, a note 200 for letters of 5.5.
    for pin in header_pins(layout, consoles):
        for label, note in _in_languages(pin):
            assert len(label) <= 18, pin
            assert len(note) <= 36, pin


def _in_languages(pin: Pin) -> Iterator[tuple[str, str]]:
    yield pin.use.label, pin.use.note
    for suffix in WORDS:
        yield translated(pin.use.label, suffix), translated(pin.use.note, suffix)


# ---- wiring.md ---------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_table_in_the_document_is_the_commands_output(layout: Layout) -> None:
    command = [sys.executable, "-m", "scorer.makers.wiring", "--layout", layout, "--table"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == markdown_table(header_pins(layout))
    assert markdown_table(header_pins(layout)) in section(f"The pins: {layout} layout")


def third_console_table(layout: Layout) -> str:
    """The buttons of console C and their ground, in the order of their pins."""
    lines = ["| what | name | pin |", "|:---|:---|---:|"]
    for pin in header_pins(layout, 3):
        if pin.use.kind is PinKind.C:
            lines.append(f"| **{pin.use.label}** | {pin.name} | {pin.number} |")
        elif pin.use.label == "CONSOLE C GND":
            lines.append(f"| {pin.use.label} | {pin.name} | {pin.number} |")
    return "\n".join(lines)


# Heads of the tables of pins, beside the words of the drawings.
HEADS = {
    "es": {"what": "qué", "name": "nombre", "pin": "pin"},
    "pt": {"what": "o quê", "name": "nome", "pin": "pino"},
}


def in_language(table: str, suffix: str) -> str:
    """A table of pins with its words in another language."""

    def other(found: re.Match[str]) -> str:
        return HEADS[suffix].get(found[0]) or translated(found[0], suffix)

    return re.sub(r"[^\s|*():-](?:[^|*()]*[^\s|*()])?", other, table)


@pytest.mark.parametrize("suffix", TRANSLATIONS)
def test_the_tables_of_pins_are_in_the_translations(suffix: str) -> None:
    for layout in LAYOUTS:
        for table in (markdown_table(header_pins(layout)), third_console_table(layout)):
            assert in_language(table, suffix) in TRANSLATIONS[suffix]


@pytest.mark.parametrize("suffix", TRANSLATIONS)
def test_every_label_of_a_pin_is_translated(suffix: str) -> None:
    english = {"PANELS", "LAMP", "LAMPS", "BUZZER", "POWER", "BUTTON", "MIDDLE", "free"}
    labels = {pin.use.label for box in BOXES for pin in header_pins(*box)}
    words = {word for label in labels for word in translated(label, suffix).split()}
    assert words & english == set()


def test_the_table_of_the_third_console_is_in_the_document() -> None:
    about = section("A third console")
    for layout in LAYOUTS:
        assert third_console_table(layout) in about
    (example,) = re.findall(r"```toml\n(.*?)```", about, flags=re.DOTALL)
    assert set(pin_map.THIRD_CONSOLE) <= set(loader.parse_config(example).pins)


def test_every_picture_of_the_document_exists() -> None:
    found = re.findall(r"!\[[^]]*\]\(([^)]+)\)", DOCUMENT)
    assert found == [f"docs/images/{name}.svg" for name in WIRING]
    assert all((ROOT / path).is_file() for path in found)


PAIRS = 4  # in a CAT5 cable


def pairs_needed(layout: Layout) -> dict[str, int]:
    """The pairs of a console's cables: one for each button, and one for its lamp."""
    buttons = Counter(name.partition(".")[0] for name in pin_map.pins_for(layout) if "." in name)
    return {side: count + (side in pin_map.LAMPS) for side, count in buttons.items()}


@pytest.mark.parametrize(("column", "layout"), [(1, Layout.FULL), (2, Layout.COMPACT)])
def test_the_part_counts_match_the_pins(column: int, layout: Layout) -> None:
    buttons, driven = len(pin_map.pins_for(layout)), len(OUTPUTS)
    glands = sum(
        hole.use is Use.CABLE
        for box in (console_box(layout), console_box(layout), centre_box(layout))
        for plate in box.plates.values()
        for hole in plate.holes
    )
    needed = {
        "arcade button with microswitch": buttons,
        "lamp": len(pin_map.LAMPS),
        "transistor": driven,
        "resistor 1k": buttons + driven + 1,
        "resistor 10k": driven,
        "resistor 3k3": buttons,
        "resistor 470R": buttons,
        "polyfuse": len(pin_map.LAMPS),
        "capacitor, electrolytic": len(loader.default_config().panels),
        "capacitor 100 nF": buttons,
        "TVS array": math.ceil(buttons / 4),
        "cable": sum(math.ceil(count / PAIRS) for count in pairs_needed(layout).values()),
        "strain relief": glands,
    }
    _, second, third, _ = guide_lists("")
    listed = {row[0]: row[column] for row in (*second, *third)}
    assert {part: int(listed[part]) for part in needed} == needed


def test_the_levels_of_the_input_circuits_match_the_calculation() -> None:
    for pull_up, series, capacitor, pressed, current, after in rows("pull-up"):
        up, below = ohms(pull_up), ohms(series)
        low = 3.3 * below / (up + below)
        assert low < 0.9
        assert pressed == f"{low:.2f} V"
        assert current == f"{3300 / (up + below):.2f} mA"
        if capacitor == "100 nF":
            rising = up * 100e-9 * math.log((3.3 - low) / (3.3 - 1.6))
            assert after == f"{1000 * rising:.2f} ms"


def test_the_pull_ups_of_the_panels_match_the_calculation() -> None:
    for panels, together, current in rows("on the panels"):
        count = {"one": 1, "two": 2}[panels.split()[0]]
        parallel = 1 / (1 / 1800 + count / ohms(panels.split()[-1]))
        assert together == f"{parallel / 1000:.2f}k"
        at_limit = (3.3 - 0.4) / parallel
        assert current == f"{1000 * at_limit:.1f} mA"
        # The limit of the bus: 3 mA at 0.4 V.
        assert (at_limit > 0.003) is (panels == "two with 2k2")
    assert "Only the last line is too much" in section("Panels (circuit 5)")


def ohms(words: str) -> float:
    """3300 of ``3k3``, 470 of ``470R``, 50000 of ``50k (inside the Pi)``."""
    whole, unit, rest = re.match(r"(\d+)([Rk])(\d?)", words).groups()  # type: ignore[union-attr]
    return float(f"{whole}.{rest or 0}") * {"R": 1, "k": 1000}[unit]


def test_the_lines_of_config_txt_name_the_used_pins() -> None:
    inputs = [numbers(line) for line in re.findall(r"^gpio=(.*)=ip,pu$", DOCUMENT, re.MULTILINE)]
    assert inputs == [set(pin_map.pins_for(*box).values()) for box in BOXES]
    outputs = [numbers(line) for line in re.findall(r"^gpio=(.*)=op,dl$", DOCUMENT, re.MULTILINE)]
    assert outputs == [set(OUTPUTS.values())]


@pytest.mark.parametrize(("layout", "consoles"), BOXES)
def test_the_command_prints_the_lines_of_config_txt(
    layout: Layout, consoles: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--layout", layout, "--consoles", str(consoles), "--config-txt"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    about = section("config.txt").splitlines()
    assert [line for line in lines if line not in about] == []
    if (layout, consoles) == (Layout.FULL, 2):
        assert "\n".join(lines) in section("config.txt")


def numbers(line: str) -> set[int]:
    """{5, 19, 20} of ``5,19-20``."""
    ends = (part.partition("-") for part in line.split(","))
    return {n for first, _, last in ends for n in range(int(first), int(last or first) + 1)}


def test_the_power_button_is_on_the_pin_that_config_txt_names() -> None:
    (pin,) = (pin for pin in header_pins(Layout.FULL) if pin.use.kind is PinKind.POWER)
    assert f"dtoverlay=gpio-shutdown,gpio_pin={pin.gpio}," in DOCUMENT


def test_buses_of_other_panels_use_free_pins() -> None:
    for layout in LAYOUTS:
        free = {pin.gpio for pin in header_pins(layout) if pin.use.kind is PinKind.FREE}
        keys = "i2c_gpio_sda|i2c_gpio_scl|gpio_dc|gpio_rst"
        spare = re.findall(rf"\b(?:{keys})\s*=\s*(\d+)", DOCUMENT)
        assert spare
        assert {int(pin) for pin in spare} <= free


@pytest.mark.parametrize("number", range(len(blocks("toml"))))
def test_each_configuration_example_is_valid(number: int) -> None:
    text = blocks("toml")[number]
    assert tomllib.loads(text)
    loader.parse_config(text)


@pytest.mark.parametrize("document", [DOCUMENT, *TRANSLATIONS.values()], ids=["en", *TRANSLATIONS])
def test_header_pins_and_bcm_numbers_in_the_text_match(document: str) -> None:
    named = {pin.gpio: pin.number for pin in header_pins(Layout.FULL)}
    pairs = re.findall(r"GPIO\s(\d+)\s\((?:header\s)?pino?\s(\d+)", document)
    pairs += re.findall(r"GPIO\s(\d+),\spino?\s(\d+)", document)
    assert {("24", "18"), ("25", "22")} <= set(pairs), "the pins that other instructions name"
    assert [pair for pair in pairs if named[int(pair[0])] != int(pair[1])] == []


SENTENCES = [
    (errno.EREMOTEIO, "no panel answers on I2C bus 1 at 0x3d"),
    (errno.ENOENT, "I2C bus 1 is not there"),
    (errno.EACCES, "I2C bus 1 is forbidden"),
    (errno.ETIMEDOUT, "I2C bus 1 hangs"),
]


@pytest.mark.parametrize(("number", "beginning"), SENTENCES)
def test_panel_errors_are_in_the_table_of_faults(number: int, beginning: str) -> None:
    panel = luma_oled.create(luma_oled.Options(address=0x3D), bus=broken(number))
    with pytest.raises(DeviceError) as caught:
        panel.open()
    assert str(caught.value).startswith(beginning)
    assert f'"{caught.value}"' in FAULTS


def test_the_missing_header_is_in_the_table_of_faults() -> None:
    message = str(gpio_chip.NoHeaderChipError([])).partition(",")[0]
    assert f'"{message}"' in FAULTS


def test_the_permission_error_of_buttons_is_in_the_table_of_faults() -> None:
    message = str(hw_pins.device_error("the buttons", PermissionError("no")))
    assert message.rpartition("(")[2].rstrip(")") in FAULTS


def broken(number: int) -> Callable[[int], I2cBus]:
    def bus(port: int) -> I2cBus:
        raise OSError(number, "broken on purpose")

    return bus


# ---- the command -------------------------------------------------------------------------------


def test_writing_the_drawing_prints_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "box.svg"
    assert main(["--layout", "compact", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == draw_page(Layout.COMPACT)
    assert capsys.readouterr().out == ""


def test_a_third_console_is_printed_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "box.svg"
    assert main(["--consoles", "3", "--out", str(out), "--table"]) == 0
    assert out.read_text(encoding="utf-8") == draw_page(Layout.FULL, 3)
    printed = capsys.readouterr().out
    assert printed.strip() == markdown_table(header_pins(Layout.FULL, 3))
    assert "| **C TRUCO** | GPIO 10 | 19 | 20 | GND | CONSOLE C GND |" in printed


def test_the_table_is_printed_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(tmp_path / "box.svg"), "--table"]) == 0
    assert capsys.readouterr().out.strip() == markdown_table(header_pins(Layout.FULL))


def test_a_missing_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "nowhere" / "box.svg")]) == 1
    assert "cannot write" in capsys.readouterr().err


# ---- one order of buttons ------------------------------------------------------------------------


def drawn_words(svg: str) -> list[str]:
    """The words of the buttons of console A in a drawing, in reading order."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+)<', svg)
    names = {"TRUCO", "ENVIDO", "FLOR", "QUIERO", "NO", "TANTOS"}
    left = [(float(y), float(x), word) for x, y, word in found if word in names and float(x) < 155]
    return [word for _, _, word in sorted(left)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_drawings_plates_and_labels_have_one_order_of_buttons(layout: Layout) -> None:
    keys = [name.removeprefix("A.") for name in buttons(layout) if name.startswith("A.")]
    assert [key for key in (*CONSOLE_KEYS,) if key in keys] == keys
    lid = console_box(layout).plates[Face.LID].holes
    holes = sorted((hole.y, hole.x, hole.button) for hole in lid if hole.use is Use.BUTTON)
    assert [key for _, _, key in holes] == keys
    drawn = drawn_words(cells(header_pins(layout))[5])
    words = [button_text(key).split()[0] for key in keys]
    # The second word of NO QUIERO is below the first.
    assert [word for at, word in enumerate(drawn) if at < len(keys)] == words


# ---- the lists of the build guide ----------------------------------------------------------------


def guide_lists(suffix: str) -> list[list[list[str]]]:
    """The lists of parts as cells by row: levels 1 to 3, then the light."""
    text = (GUIDE / f"parts{suffix}.md").read_text(encoding="utf-8")
    found = [[list(row.values()) for row in table] for table in tables(text)]
    return [table for table in found if len(table[0]) >= 5]


@pytest.mark.parametrize("suffix", [".es", ".pt"])
def test_the_lists_are_the_same_in_every_language(suffix: str) -> None:
    def quantities(language: str) -> list[list[str]]:
        light = [row[1:3] for row in guide_lists(language)[3]]
        return [row[1:3] for table in guide_lists(language)[1:3] for row in table] + light

    assert quantities(suffix) == quantities("")


@pytest.mark.parametrize("suffix", ["", ".es", ".pt"])
@pytest.mark.parametrize(("column", "layout"), [(1, Layout.FULL), (2, Layout.COMPACT)])
def test_no_level_needs_more_conductors_than_are_bought(
    suffix: str, column: int, layout: Layout
) -> None:
    _, second, third, _ = guide_lists(suffix)
    cables = next(int(row[column]) for row in third if "CAT5e" in row[3])
    for side, needed in pairs_needed(layout).items():
        assert needed <= cables // len(pin_map.LAMPS) * PAIRS, side
    # Level 2: two wires of 30 cm for each part, four of 50 cm for each panel.
    parts = len(pin_map.pins_for(layout)) + len(OUTPUTS) + 1
    metres = 2 * 0.3 * parts + 4 * 0.5 * len(loader.default_config().panels)
    bought = next(row[column] for row in second if row[column].endswith(" m"))
    assert metres <= int(bought.removesuffix(" m"))


@pytest.mark.parametrize("suffix", ["", ".es", ".pt"])
def test_every_part_has_a_price_and_words_to_search(suffix: str) -> None:
    text = (GUIDE / f"parts{suffix}.md").read_text(encoding="utf-8")
    priced = {}
    for table in tables(text):
        if len(table[0]) == 3 and "€" in list(table[0].values())[1]:
            priced = {cells[0]: cells[1:] for cells in (list(row.values()) for row in table)}
    parts = {row[0] for table in guide_lists(suffix) for row in table}
    assert set(priced) == parts
    assert all(re.fullmatch("€{1,4}", price) and words for price, words in priced.values())


def test_the_gates_of_the_level_shifter_are_all_connected() -> None:
    """The pins of a DIP-14 with four gates: each is named once."""
    about = section("A light in team colours")
    part = about.partition("- A pin gives 3.3 V")[2].partition("- 330R")[0]
    named = re.findall(r"pins? (\d+(?:(?:, | and )\d+)*)", part)
    numbers = [int(number) for words in named for number in re.findall(r"\d+", words)]
    assert sorted(numbers) == list(range(1, 15))


@pytest.mark.parametrize(("suffix", "language"), [("", "en"), (".es", "es-AR"), (".pt", "pt-BR")])
def test_the_button_without_envido_has_one_name(suffix: str, language: str) -> None:
    label = translator(language)("label.no_quiero")
    page = (ROOT / f"docs/players/play{suffix}.md").read_text(encoding="utf-8")
    assert re.search(rf"ENVIDO (is|es|é) {label}", " ".join(page.split()))
    assert "the ENVIDO button is NO QUIERO" in DOCUMENT
    assert "CORRO" not in page + DOCUMENT
