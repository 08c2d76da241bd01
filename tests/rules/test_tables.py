"""The table of every variant equals its reviewed snapshot.

A failure means that a title, word, call, option, value or their order has changed. If intended,
write the table again and review the difference. Correctness is covered by the article tests, and
by docs/reference/rules.md, which test_rules_reference.py compares with the tables.
"""

from __future__ import annotations

import pytest

from scorer.commands.perft import table_path
from scorer.rules import Action, RulesError, find_variant, rules_for, variant_ids
from scorer.rules.table_text import table_text

NUMBERS = {"target": (1, 99), "best_of": (1, 99), "pica_from": (0, 99), "pica_until": (0, 99)}


@pytest.mark.parametrize("name", variant_ids())
def test_the_table_is_as_it_was_written(name: str) -> None:
    path, hint = table_path(name), f"scorer perft {name} --write"
    assert path.exists(), f"{name} has no table: run  {hint}  and read it"
    text = path.read_text(encoding="utf-8")
    assert table_text(find_variant(name)) == text, f"if the change is meant: {hint}"


def test_every_written_table_belongs_to_a_variant() -> None:
    written = {path.stem for path in table_path("any").parent.glob("*.table")}
    others = written - set(variant_ids())
    assert not others, f"remove tests/rules/variants/*.table of {sorted(others)}"


@pytest.mark.parametrize("name", variant_ids())
def test_the_default_is_one_of_the_values(name: str) -> None:
    for option in find_variant(name).options:
        assert option.default in (option.choices or range(option.low, option.high + 1)), option.key


def test_an_unlisted_word_is_the_name_of_its_action() -> None:
    assert find_variant("argentine").word(Action.HAND_WON) == "hand won"


@pytest.mark.parametrize(("key", "bounds"), NUMBERS.items())
def test_a_number_has_these_bounds(key: str, bounds: tuple[int, int]) -> None:
    """A target is any from 1 to 99: rules.md#targets."""
    least, most = bounds
    for variant in map(find_variant, variant_ids()):
        option = variant.option(key)
        if option is None:
            continue
        assert (option.low, option.high) == bounds
        for value in (least, most):
            assert rules_for(variant, {key: value}) is not None
        for value in (least - 1, most + 1):
            with pytest.raises(RulesError):
                rules_for(variant, {key: value})
