"""No cell of an exported table is a formula, whatever parts the cells."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.plain_values.spreadsheet import Cell, csv_text, neutral

# English; Spanish and Portuguese, where the comma is in numbers; a file that is pasted.
SEPARATORS = (",", ";", "\t")
FORMULAS = (
    "=HYPERLINK(A1)", "x;=cmd|'/c calc'!A1", "x,=1+1", 'x;"=1+1"', 'x,"" @SUM(A1)', "; +1",
    "-1;-A1", "\uff1dHYPERLINK(A1)", "x;\uff0b1", "  =1+1", '"=1', '";=1', "x;;;=1", "A,=B;=C",
)  # fmt: skip


def formulas(text: str) -> list[str]:
    """The cells that a spreadsheet would calculate, with each separator."""
    found = []
    for separator in SEPARATORS:
        rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
        found += [cell for row in rows for cell in row if _is_formula(cell)]
    return found


def _is_formula(cell: str) -> bool:
    begin = unicodedata.normalize("NFKC", cell.lstrip(" \t\r\n")[:1])
    try:
        float(cell)  # a sign before a number is no formula
    except ValueError:
        return begin[:1] in tuple("=+-@")
    return False


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=HYPERLINK(A1)", "'=HYPERLINK(A1)"),
        ("+1", "'+1"),
        ("-Los Pibes", "'-Los Pibes"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1+1", "'  =1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\t=1", "\t'=1"),
        ("\x07=1", "'\x07=1"),
        ("x;=1,+2", "x;'=1,'+2"),
        ('x;"=1"', 'x;\'"=1"'),
        ('Ñandú, "B"', 'Ñandú, "B"'),
        ("A = B", "A = B"),
        ("", ""),
        (" ", " "),
    ],
)
def test_a_part_that_would_be_calculated_gets_an_apostrophe(name: str, cell: str) -> None:
    assert neutral(name) == cell


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("name", FORMULAS)
def test_no_separator_makes_a_formula(name: str, separator: str) -> None:
    rows: list[list[Cell]] = [["a", name, 7], [name, name, -7]]
    text = csv_text(rows, separator)
    assert formulas(text) == []
    assert [len(row) for row in csv.reader(io.StringIO(text), delimiter=separator)] == [3, 3]


@given(st.lists(st.text(alphabet=" \t\";,=+-@'ax\uff1d", max_size=8), min_size=1, max_size=4))
def test_no_row_of_texts_has_a_formula(row: list[str]) -> None:
    for separator in SEPARATORS:
        assert formulas(csv_text([row], separator)) == []


def test_texts_without_formulas_arrive_as_they_were() -> None:
    row = ["Los Pibes, del Fondo", 'Ñandú "B"; C', "a-b=c", "7"]
    for separator in SEPARATORS:
        text = csv_text([row], separator)
        assert list(csv.reader(io.StringIO(text), delimiter=separator)) == [row]
