"""Headers of games keep all but the names that are blanked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scorer.hub.store.blanked_headers import (
    mask_in,
    names_in,
    with_mask,
    with_names,
    without_mask,
)
from scorer.rules import Header
from scorer.rules.sheet import read_sheet

HEADER = '[Variant "argentine"]\n[NameA "Iñaki"]\n[NameB "Los \\"Tres\\""]\n[Options "target=30"]\n'


@pytest.mark.parametrize(
    ("names", "found", "lines"),
    [
        ({}, {"NameA": "Iñaki", "NameB": 'Los "Tres"'}, 4),
        ({"NameA": "···"}, {"NameA": "···", "NameB": 'Los "Tres"'}, 4),
        ({"NameB": 'a "b" \\'}, {"NameA": "Iñaki", "NameB": 'a "b" \\'}, 4),
        ({"NameA": ""}, {"NameB": 'Los "Tres"'}, 3),
        ({"NameA": "", "NameB": ""}, {}, 2),
        ({"NameC": "Otros"}, {"NameA": "Iñaki", "NameB": 'Los "Tres"'}, 4),
    ],
)
def test_names_are_replaced_by_their_tags(
    names: Mapping[str, str], found: Mapping[str, str], lines: int
) -> None:
    changed = with_names(HEADER, names)
    assert names_in(changed) == found
    assert len(changed.splitlines()) == lines
    (header,) = read_sheet(line.encode() for line in changed.splitlines(keepends=True))
    assert isinstance(header, Header)
    assert list(header.names.values()) == list(found.values())
    assert changed.startswith('[Variant "argentine"]\n')
    assert changed.endswith('[Options "target=30"]\n')


def test_a_header_has_the_mask_of_what_it_was_first() -> None:
    masked = with_mask(HEADER, "first")
    assert (mask_in(HEADER), mask_in(masked)) == ("", "first")
    assert with_mask(masked, "second") == masked
    assert without_mask(masked) == HEADER
