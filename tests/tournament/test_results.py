"""Results: which of them each kind of match allows, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.tournament import Result
from scorer.tournament.format import PhaseFormat
from scorer.tournament.model import Ending, ResultFault
from scorer.tournament.results import Doubt, capped, check, double_walkover, doubt, played, walkover
from tests.tournament.play import format_of

MATCHES: dict[str, dict[str, Any]] = {
    "one": {},
    "best of 3": {"best_of": 3},
    "legs": {"legs": 2},
    "legs, draws": {"legs": 2, "kind": "zones", "draws": True},
    "cap": {"best_of": 3, "cap": 90},
    "cap, draws": {"legs": 2, "kind": "zones", "draws": True, "cap": 90},
}
A, B, DRAW, NO = 0, 1, None, "no"  # the winner, or no possible result


def phase_of(name: str) -> PhaseFormat:
    return format_of(MATCHES[name]).phases[0]


PLAYED = [
    # match, games, points, winner
    ("one",         (1, 0), (30, 12), A),
    ("one",         (0, 1), (29, 30), B),
    ("one",         (1, 0), (0, 0),   A),  # the points were not noted
    ("one",         (1, 0), (31, 12), NO),
    ("one",         (1, 0), (30, 30), NO),
    ("one",         (1, 1), (30, 30), NO),
    ("one",         (0, 0), (0, 0),   NO),
    ("best of 3",   (2, 0), (60, 40), A),
    ("best of 3",   (1, 2), (70, 80), B),
    ("best of 3",   (1, 0), (30, 10), NO),
    ("best of 3",   (3, 0), (90, 10), NO),
    ("best of 3",   (2, 2), (60, 60), NO),
    ("legs",        (2, 0), (60, 40), A),
    ("legs",        (1, 1), (50, 40), A),  # level in games: more points win
    ("legs",        (1, 1), (50, 50), NO), # level in both: a third game is played
    ("legs",        (1, 2), (70, 80), B),
    ("legs",        (3, 0), (90, 20), NO),
    ("legs",        (1, 0), (30, 20), NO),
    ("legs, draws", (1, 1), (50, 40), DRAW),
    ("legs, draws", (0, 2), (50, 60), B),
    ("legs, draws", (2, 1), (80, 60), NO),
]  # fmt: skip


@pytest.mark.parametrize(("match", "games", "points", "winner"), PLAYED)
def test_a_played_match_has_the_winner_of_its_kind(
    match: str, games: tuple[int, int], points: tuple[int, int], winner: int | str | None
) -> None:
    found = played(phase_of(match), games, points)
    if winner == NO:
        assert not isinstance(found, Result)
        for claimed in (0, 1, None):
            assert check(phase_of(match), Result(claimed, games, points)) is not None
    else:
        assert found == Result(winner, games, points)  # type: ignore[arg-type]
        assert isinstance(found, Result)
        assert check(phase_of(match), found) is None
        other = 1 - found.winner if found.winner is not None else 0
        assert check(phase_of(match), found._replace(winner=other)) is not None


CAPPED = [
    ("cap",        (1, 0), (30, 20), A),
    ("cap",        (1, 1), (50, 55), B),
    ("cap",        (0, 0), (12, 5),  A),
    ("cap",        (0, 0), (5, 5),   NO),
    ("cap",        (3, 0), (5, 5),   NO),
    ("one",        (0, 0), (12, 5),  NO),  # a phase without a cap
    ("cap, draws", (1, 1), (40, 40), DRAW),
]  # fmt: skip


@pytest.mark.parametrize(("match", "games", "points", "winner"), CAPPED)
def test_at_the_cap_the_leader_wins(
    match: str, games: tuple[int, int], points: tuple[int, int], winner: int | str | None
) -> None:
    found = capped(phase_of(match), games, points)
    if winner == NO:
        assert not isinstance(found, Result)
        assert check(phase_of(match), Result(0, games, points, Ending.CAP)) is not None
    else:
        assert found == Result(winner, games, points, Ending.CAP)  # type: ignore[arg-type]
        assert isinstance(found, Result)
        assert check(phase_of(match), found) is None


def test_a_walkover_counts_all_games_and_the_target_or_nothing() -> None:
    phase = phase_of("best of 3")
    assert walkover(phase, 1) == Result(1, (0, 2), (0, 60), Ending.WALKOVER)
    bare = format_of({"walkover_points": False}).phases[0]
    assert walkover(bare, 0) == Result(0, (1, 0), (0, 0), Ending.WALKOVER)
    for result in (walkover(phase, 0), walkover(phase, 1), double_walkover()):
        assert check(phase, result) is None
    assert check(phase, Result(0, (1, 0), (30, 0), Ending.WALKOVER)) is not None


def test_the_director_decides_within_the_kind_of_the_match() -> None:
    phase = phase_of("best of 3")
    assert check(phase, Result(1, (1, 0), (30, 3), Ending.DECIDED)) is None
    assert check(phase, Result(None, (1, 1), (30, 30), Ending.DECIDED)) is not None
    assert check(phase, Result(1, (3, 0), (30, 3), Ending.DECIDED)) is not None
    assert check(phase, Result(2, (1, 0), (30, 3), Ending.DECIDED)) is not None
    assert check(phase, Result(1, (1, 0), (30, -3), Ending.DECIDED)) is not None
    assert check(phase_of("legs, draws"), Result(None, (1, 1), (9, 9), Ending.DECIDED)) is None


FAULTS = [
    ("one",         Result(0, (0, 0), (30, 4)),   ResultFault.LEVEL),
    ("one",         Result(0, (2, 0), (30, 4)),   ResultFault.GAMES),
    ("one",         Result(0, (1, 0), (31, 4)),   ResultFault.POINTS),
    ("one",         Result(1, (1, 0), (30, 4)),   ResultFault.WINNER),
    ("one",         Result(None, (0, 0), (9, 9), Ending.DECIDED), ResultFault.LEVEL),
    ("best of 3",   Result(0, (0, 0), (60, 4)),   ResultFault.NO_GAMES),
    ("best of 3",   Result(0, (1, 0), (30, 4)),   ResultFault.GAMES),
    ("best of 3",   Result(0, (2, 1), (90, 40)),  ResultFault.POINTS),
    ("legs",        Result(None, (1, 1), (40, 40)), ResultFault.LEVEL),
    ("cap",         Result(None, (1, 1), (40, 40), Ending.CAP), ResultFault.LEVEL),
]  # fmt: skip


@pytest.mark.parametrize(("name", "result", "fault"), FAULTS)
def test_an_impossible_result_has_its_fault(name: str, result: Result, fault: ResultFault) -> None:
    refusal = check(phase_of(name), result)
    assert refusal is not None and refusal.fault is fault


DOUBTS = [
    ("one",         Result(0, (1, 0), (30, 29)),  None),
    ("one",         Result(0, (1, 0), (29, 8)),   Doubt.SHORT),
    ("one",         Result(0, (1, 0), (5, 5)),    Doubt.SHORT),
    ("one",         Result(0, (1, 0), (0, 0)),    Doubt.NO_POINTS),
    ("one",         Result(0, (1, 0), (0, 0), Ending.DECIDED), None),
    ("one",         walkover(phase_of("one"), 0), None),
    ("best of 3",   Result(0, (2, 1), (80, 54)),  None),
    ("best of 3",   Result(0, (2, 1), (80, 29)),  Doubt.SHORT),
    ("cap",         Result(0, (1, 0), (41, 12), Ending.CAP), None),
    ("cap",         Result(0, (1, 0), (0, 0), Ending.CAP), Doubt.NO_POINTS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "result", "found"), DOUBTS)
def test_what_is_unusual_in_a_possible_result(
    name: str, result: Result, found: Doubt | None
) -> None:
    assert check(phase_of(name), result) is None
    assert doubt(phase_of(name), result) is found
