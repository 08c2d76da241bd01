"""What the pages draw without phrases is what the panels show."""

from __future__ import annotations

import pytest

from scorer.session.values.shown import SeriesGame
from scorer.session.view.state_view import offered_game
from tests.web.fake_reports import Report, report


def board(variant: str, *lines: str) -> Report:
    told: Report = report(variant, lines)["board"]
    return told


def test_the_ladder_says_which_rung_holds_and_which_is_called() -> None:
    rungs = board("argentine", "A truco", "B quiero", "B retruco")["ladder"]
    assert [(rung["word"], rung["state"]) for rung in rungs] == [
        ("",            "past"),
        ("truco",       "current"),
        ("retruco",     "called"),
        ("vale cuatro", "ahead"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("variant", "line", "owes"),
    [
        ("argentine", "A truco", ["B"]),
        ("destantado", "A truco", ["B", "C"]),
        ("pata_gallo", "gallo truco", ["pair"]),
        ("pata_gallo", "pair truco", ["A"]),
    ],
)
def test_the_sides_that_owe_an_answer_are_named(variant: str, line: str, owes: list[str]) -> None:
    assert board(variant)["owes"] == []
    assert board(variant, line)["owes"] == owes


def test_a_hand_that_is_over_names_the_next_mano_and_the_gallo() -> None:
    over = board("pata_gallo", "gallo truco", "pair no_quiero")
    assert (over["gallo"], over["mano"], over["next_mano"]) == ("A", "B", "C")
    assert board("pata_gallo")["next_mano"] is None


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        ({}, None),
        ({"next_game": "rematch"}, SeriesGame.REMATCH),
        ({"next_game": "decider"}, SeriesGame.DECIDER),
        ({"next_game": "of a newer table"}, None),
    ],
)
def test_the_offered_game_is_that_of_the_table(
    state: dict[str, str], offered: SeriesGame | None
) -> None:
    assert offered_game(state) == offered
