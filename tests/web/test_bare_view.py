"""The view of a state alone, beside the view of the game with its history."""

from __future__ import annotations

import pytest

from scorer.i18n import translator
from scorer.session.values.shown import SeriesGame
from scorer.session.view.build_view import view_of_game
from scorer.session.view.state_view import offered_game
from scorer.web.bare_view import bare_view
from tests.web.fake_reports import Report, report


@pytest.mark.parametrize("lines", [[], ["A concede"], ["B concede"]])
@pytest.mark.parametrize("won", [None, (0, 0), (1, 0), (0, 1), (1, 1)])
def test_a_game_of_a_series_has_the_same_name_and_games(
    won: tuple[int, ...] | None, lines: list[str]
) -> None:
    _compare(report(lines=lines, rematches=won))


@pytest.mark.parametrize("losers", ["", "A", "B", "AB", "AA", "ABA"])
def test_a_game_of_best_of_has_the_same_name_and_games(losers: str) -> None:
    lines = [line for loser in losers for line in (f"{loser} concede", "- new_hand")]
    for shown in (lines, lines[:-1]):
        _compare(report(lines=shown, best_of=5))


def _compare(told: Report) -> None:
    bare = bare_view(told["state"], translator("es-AR"))
    whole = view_of_game(told["game"], ("", ""))
    assert (bare.series_game, bare.best_of) == (whole.series_game, whole.best_of)
    assert bare.next_game == whole.next_game
    assert [side.games for side in bare.sides] == [side.games for side in whole.sides]


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
