"""The page about batteries: its sums, hours, addresses and defaults."""

from __future__ import annotations

import re

import pytest

from scorer.config.battery_section import BatterySection
from scorer.config.loader import default_config, parse_config
from scorer.hw.outputs import hd44780, pca9685
from tests.paths import ROOT

LANGUAGES = ("", ".es", ".pt")
ADDED = {1: ("lit buttons", "words"), 2: ("3 B+",), 3: ("Pi 4",), 4: ("Pi 5",)}
ROW = {"lit buttons": 0, "words": 1, "3 B+": 3, "Pi 4": 4, "Pi 5": 5}
BANK_MAH, CELL_V, CONVERTED = 10_000, 3.7, 0.85


def page(suffix: str) -> str:
    return (ROOT / f"docs/makers/power{suffix}.md").read_text(encoding="utf-8")


def tables(text: str) -> list[list[list[str]]]:
    """The cells of each table, without its heading and its line."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    rows = (
        [[c.strip() for c in line.strip("|\n").split("|")] for line in t.splitlines()]
        for t in found
    )
    return [table[2:] for table in rows]


def number(cell: str) -> float:
    return float(re.sub(r"[^\d.]", "", cell.replace(",", ".")))


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_currents_add_up_and_hours_follow_from_them(suffix: str) -> None:
    parts, added, hours = tables(page(suffix))[:3]
    for column in (1, 2):
        assert sum(number(row[column]) for row in parts[:-1]) == number(parts[-1][column])
    for at, row in enumerate(hours):
        more = [added[ROW[name]] for name in ADDED.get(at, ())]
        usual, most = (
            number(parts[-1][column]) + sum(number(each[column]) for each in more)
            for column in (1, 2)
        )
        assert number(row[1]) == usual, row
        capacity = BANK_MAH * CELL_V / 5 * CONVERTED
        assert number(row[2]) == pytest.approx(capacity / usual, abs=0.06), row
        assert number(row[3]) == pytest.approx(capacity / most, abs=0.06), row
    assert "6290 mAh" in page(suffix)
    assert round(BANK_MAH * CELL_V / 5 * CONVERTED) == 6290


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_our_addresses_are_those_of_the_program_and_no_board_takes_one_unsaid(suffix: str) -> None:
    ours = [panel.options["address"] for panel in default_config().panels]
    ours += [pca9685.Options().address, hd44780.Options().address]
    rows = tables(page(suffix))[4]
    found = [[int(each, 16) for each in re.findall(r"0x[0-9A-F]{2}", row[1])] for row in rows]
    assert [each for row in found[:3] for each in row] == ours
    for row, addresses in zip(rows[3:], found[3:], strict=True):
        assert bool({*addresses} & {*ours}) == ("**" in row[2]), row


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_the_example_has_the_defaults(suffix: str) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", page(suffix), re.DOTALL)
    assert parse_config(example).battery == BatterySection()
