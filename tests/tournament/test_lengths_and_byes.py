"""Matches of single rounds that are longer, and byes that are no win."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.tournament import EventRefusal, apply
from scorer.tournament.changes import changed
from scorer.tournament.events import RecordResult, StartPhase
from scorer.tournament.export import TournamentFile, decode, encode
from scorer.tournament.model import Ending, Result
from tests.tournament.play import Played, built_in, coin, format_of

BRACKET = {"id": "a", "kind": "bracket", "third_place": True, "best_of_last": [5, 3]}
REDRAWN = {"id": "a", "kind": "bracket", "redraw": True, "best_of_last": [3]}
SURVIVORS = {"id": "a", "kind": "bracket", "survivors": 2, "best_of_last": [3]}
DOUBLE = {"id": "a", "kind": "double", "best_of_last": [3], "second_final": True}
SWISS = {"id": "a", "kind": "rounds", "pairing": "swiss", "rounds": 3}


@pytest.mark.parametrize(
    ("phase", "teams", "expected"),
    [
        # The match for third place is as long as the semifinals.
        (BRACKET, 8, {"R1": 1, "R2": 3, "L3": 3, "R3": 5}),
        (BRACKET, 5, {"R1": 1, "R2": 3, "L3": 3, "R3": 5}),
        (BRACKET, 4, {"R1": 3, "L2": 3, "R2": 5}),
        (BRACKET, 2, {"R1": 5}),
        (REDRAWN, 7, {"R1": 1, "R2": 1, "R3": 3}),
        (SURVIVORS, 8, {"R1": 1, "R2": 3}),
        (DOUBLE, 3, {"R1": 1, "R2": 1, "L1": 1, "L2": 1, "F1": 3, "F2": 3}),
        ({**SWISS, "best_of_last": [3, 1, 5]}, 8, {"R1": 5, "R2": 1, "R3": 3}),
    ],
)
def test_the_last_rounds_have_the_games_of_the_format(
    phase: dict[str, Any], teams: int, expected: dict[str, int]
) -> None:
    played = Played(format_of(phase), teams).draw()
    played.play(coin(1))
    reader = played.reader
    rounds = {
        match.id.split("-")[1]: reader.phase_of(match.id).best_of
        for match in reader.state.matches()
    }
    assert rounds == {name: expected[name] for name in rounds}
    assert expected.keys() - rounds.keys() <= {"L1"}


def test_a_result_of_another_length_is_refused() -> None:
    played = Played(format_of(BRACKET), 2).draw()
    played.do(StartPhase("a"))
    for games, is_right in (((1, 0), False), ((2, 1), False), ((3, 1), True)):
        result = Result(0, games, (30 * games[0], 12), Ending.PLAYED)
        after = apply(played.state, RecordResult("a-R1-M1", result))
        assert isinstance(after, EventRefusal) is not is_right


@pytest.mark.parametrize(("bye", "is_won"), [(None, True), (2, True), (1, False), (0, False)])
def test_a_bye_counts_its_points_and_is_a_win_if_it_counts_as_much(
    bye: int | None, *, is_won: bool
) -> None:
    values = {} if bye is None else {"bye": bye}
    tiebreaks = ["score", "wins", "buchholz", "sonneborn_berger", "draw"]
    played = Played(format_of({**SWISS, **values, "tiebreaks": tiebreaks}), 5).draw()
    played.play(coin(3))
    reader, (stage,) = played.reader, played.state.stages.values()
    score = 2 if bye is None else bye
    assert len({each.bye for each in stage.rounds}) == 3
    for team in stage.entrants:
        byes = [each for each in reader.outings("a", team) if not each.opponent]
        assert [(each.score, each.is_won) for each in byes] == [(score, is_won)] * len(byes)
        (row,) = (each for each in reader.standings("a") if each.team == team)
        won = [reader.winner(match) for match in stage.matches].count(team)
        points, wins, *_ = row.values
        assert points == reader.scores("a")[team] == 2 * won + score * len(byes)
        assert wins == won + is_won * len(byes)


def test_a_file_keeps_them_and_an_older_one_has_none() -> None:
    changes = {"suizo": {"bye": 1, "best_of_last": [3], "tiebreaks": ["score", "draw"]}}
    format_ = changed(built_in("swiss"), {"phase": changes})
    played = Played(format_, 6).draw()
    played.play(coin(1))
    data = encode(format_, played.log)
    found = decode(data)
    assert isinstance(found, TournamentFile) and found.state == played.state
    assert encode(found.state.format, found.log) == data
    plain = encode(built_in("swiss"), [])
    assert b"bye" not in plain and b"best_of_last" not in plain
