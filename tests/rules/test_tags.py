"""Misspelt tags are refused; other unknown tags are kept."""

from __future__ import annotations

import pytest

from scorer.rules import SheetError, read_header


@pytest.mark.parametrize(
    ("tag", "told"),
    [
        ('[Option "target=12"]', "no tag 'Option'; did you mean 'Options'?"),
        ('[Strat "A=1"]\n[start "A=1"]', "no tag 'start'; did you mean 'Start'?"),
        ('[Definiton "{}"]', "no tag 'Definiton'; did you mean 'Definition'?"),
        ('[Tarjet "30"]', "no tag 'Tarjet'; target is an option, write [Options \"target=...\"]"),
        ('[Target "30"]', "no tag 'Target'; target is an option, write [Options \"target=...\"]"),
    ],
)
def test_a_misspelt_tag_is_refused_with_the_right_one(tag: str, told: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_header(f'[Variant "argentine"]\n{tag}\n')
    assert str(refused.value) == told


def test_tags_of_other_programs_are_kept() -> None:
    tags = (("Variant", "argentine"), ("Date", "2026.11.22"), ("Site", "x"), ("Round", "3"),
            ("Table", "4"), ("Result", "1-0"), ("Time", "21:00"), ("Annotator", "z"))  # fmt: skip
    assert read_header("".join(f'[{name} "{value}"]\n' for name, value in tags)).tags == tags
