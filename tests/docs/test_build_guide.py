"""The build guide has the words, pins and settings of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorer.config import pin_map
from scorer.config.loader import parse_config
from scorer.i18n import sentences
from scorer.makers.wiring.header import header_pins
from scorer.session.values.settings import Layout
from tests.docs.reading import blocks, rows_with, tables, words
from tests.paths import ROOT
from tools.drawings.pages import FOLDER, drawings

GUIDE = ROOT / "docs" / "makers" / "build"
LANGUAGES = {"": "en", ".es": "es-AR", ".pt": "pt-BR"}
# Findings that a builder may meet; the others are about the games and about programs.
PARTS = (
    "panel",
    "buttons",
    "button",
    "lamp",
    "buzzer",
    "light",
    "pins",
    "bus",
    "power",
    "service",
    "rights",
)
GOOD = ("fine", "shown", "heard", "active", "off")


def page(name: str, suffix: str) -> str:
    return (GUIDE / f"{name}{suffix}.md").read_text(encoding="utf-8")


def doctor(suffix: str, *parts: str) -> dict[str, re.Pattern[str]]:
    """The messages of the doctor about these parts, by key."""
    wanted = tuple(f"doctor.{part}." for part in parts) or ("doctor.",)
    texts = sentences(LANGUAGES[suffix], *wanted)
    return {key: pattern(text) for key, text in texts.items()}


def pattern(message: str) -> re.Pattern[str]:
    """A message whose fields may be anything."""
    parts = re.split(r"\{[^}]*\}", " ".join(message.split()))
    return re.compile(".+".join(map(re.escape, parts)))


def quoted(suffix: str) -> list[str]:
    """The messages in the first columns of the page of faults."""
    columns = (
        next(iter(row.values())) for table in tables(page("faults", suffix)) for row in table
    )
    return [message for cell in columns for message in words(cell)]


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_every_quoted_message_is_one_of_the_doctor(suffix: str) -> None:
    known = doctor(suffix).values()
    strange = [text for text in quoted(suffix) if not any(each.fullmatch(text) for each in known)]
    assert strange == []
    assert len(quoted(suffix)) > 20


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_every_fault_of_a_part_is_on_the_page(suffix: str) -> None:
    texts = quoted(suffix)
    missing = [
        key
        for key, message in doctor(suffix, *PARTS).items()
        if key.rpartition(".")[2] not in GOOD and not any(map(message.fullmatch, texts))
    ]
    assert missing == []


@pytest.mark.parametrize("suffix", LANGUAGES)
@pytest.mark.parametrize("name", ["card", "assembly"])
def test_every_configuration_of_the_guide_is_valid(name: str, suffix: str) -> None:
    examples = blocks(page(name, suffix), "toml")
    assert len(examples) == 2
    for example in examples:
        parse_config(example)


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_the_third_console_has_the_pins_of_the_program(suffix: str) -> None:
    numbers = {pin.gpio: pin.number for pin in header_pins(Layout.FULL)}
    rows = [list(row.values()) for row in rows_with(page("assembly", suffix), "GPIO")]
    assert [(int(gpio), int(number)) for _, gpio, number in rows] == [
        (gpio, numbers[gpio]) for gpio in pin_map.THIRD_CONSOLE.values()
    ]


def milliamperes(cell: str) -> int:
    return int(re.sub(r"\D", "", cell))


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_the_currents_add_up(suffix: str) -> None:
    budget = next(
        table for table in tables(page("parts", suffix)) if "mA" in list(table[0].values())[-1]
    )
    rows = [list(row.values()) for row in budget]
    for volts in ("3.3 V", "5 V"):
        written = {volts, volts.replace(".", ",")}
        parts = [row[2:] for row in rows if row[0] in written]
        total = next(row[2:] for row in rows if row[0].strip("*") in written and "*" in row[0])
        for column in (0, 1):
            assert sum(milliamperes(part[column]) for part in parts) == milliamperes(total[column])


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_the_guide_says_that_no_box_has_been_built(suffix: str) -> None:
    sentence = {
        "": "**We have not built one yet.**",
        ".es": "**Nosotros todavía no armamos\nninguna.**",
        ".pt": "**Nós ainda não montamos\nnenhuma.**",
    }[suffix]
    assert " ".join(sentence.split()) in " ".join(page("index", suffix).split())


def test_the_package_is_installed_before_the_bus_is_used() -> None:
    for suffix in LANGUAGES:
        text = page("card", suffix)
        assert text.index("sudo apt install ./truco-scorer") < text.index("sudo scorer setup"), (
            suffix
        )


# ---- drawings -----------------------------------------------------------------------------------


def test_the_drawings_are_those_that_the_program_makes() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
    assert kept == dict(drawings()), "make drawings"


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_every_drawing_is_on_the_page_in_its_language(suffix: str) -> None:
    shown = re.findall(r"\]\([./]+/images/build/([^)]+)\)", page("assembly", suffix))
    names = {name for name, _ in drawings()}
    assert set(shown) == {
        name for name in names if Path(name).stem.endswith(suffix or name[:-4])
    } - {name for name in names if not suffix and Path(name).stem.count(".")}


# The words by which the English steps name a part, where they are not those of the list.
IN_STEPS = {
    "numeric keypad": "keypad",
    "screen": "television",
    "oled panel": "panel",
    "arcade button with microswitch": "microswitch|button",
    "crimp connector": "crimp|connector",
    "push button, power": "power button",
    "capacitor, electrolytic": "100 µF",
    "capacitor 1 µF": "1 µF",
    "resistor 10k at RES": "10k",
    "resistor 1k": "1k",
    "resistor 10k": "10k",
    "resistor 3k3": "3k3",
    "resistor 470R": "470R",
    "capacitor 100 nF": "100 nF",
    "tvs array": "TVS",
    "adapter sot-23-6 to dip": "adapter",
    "wire, stranded": "wire",
    "heat-shrink tube": "heat-shrink",
    "screws and spacers": "screws and spacers",
    "spacer m3": "M3 spacers",
    "screw m3": "M3\nscrews",
    "microsd card": "card",
    "power supply": "supply",
    "screw-terminal board for 40 pins": "screw-terminal|terminal board|terminal",
    "strain relief": "strain relief",
}
# Values of parts, as both pages write them: resistors, capacitors, threads.
VALUE = re.compile(r"\b(?:\d+k\d*|\d+R|\d+ (?:µF|nF)|M\d(?:[.,]\d)?|RJ45|SRV05-4|1N4148|BC337)\b")
# Pull-ups that a panel is sold with.
OF_BOUGHT_PANELS = {"2k2"}


def parts_of_levels() -> list[str]:
    """The names in the lists of the three levels."""
    levels = page("parts", "").partition("## Optional")[0]
    return [row["part"] for table in tables(levels) for row in table]


def test_every_part_of_the_lists_is_used_by_a_step() -> None:
    steps = (page("assembly", "") + page("card", "")).lower()
    names = {name.lower(): name for name in parts_of_levels()}
    ways = {key.lower(): way.lower() for key, way in IN_STEPS.items()}
    unused = [
        name for key, name in names.items() if not re.search(ways.get(key, re.escape(key)), steps)
    ]
    assert unused == []
    assert len(names) > 25


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_every_value_in_a_step_is_in_the_lists(suffix: str) -> None:
    listed = set(VALUE.findall(page("parts", suffix)))
    used = set(VALUE.findall(page("assembly", suffix)))
    assert used - listed == OF_BOUGHT_PANELS
    assert {"3k3", "470R", "M3"} <= used
