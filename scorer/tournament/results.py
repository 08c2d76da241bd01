"""Results: which of them a phase allows, and who wins."""

from __future__ import annotations

import operator
from enum import StrEnum

from scorer.tournament.format import PhaseFormat
from scorer.tournament.model import Ending, EventRefusal, Pair, Reason, Result, ResultFault


class Doubt(StrEnum):
    """What is unusual in a result that its phase allows."""

    NO_POINTS = "no_points"  # they count as 0 in the standings
    SHORT = "short"  # a game was won below the target: the other team gave up


def played(phase: PhaseFormat, games: Pair, points: Pair) -> Result | EventRefusal:
    """The result of a match played to its end.

    Legs that are level: a draw where the phase allows it, else more points, else one more game.
    """
    if not any(games):
        # Who has won one game follows from its points.
        return _impossible(ResultFault.NO_GAMES if phase.is_series else ResultFault.LEVEL)
    if not _games_are_possible(phase, games):
        return _impossible(ResultFault.GAMES)
    # Each game won has at most the target, each lost one less; 0 to 0: not recorded.
    one, other = (
        won * phase.target + lost * (phase.target - 1) for won, lost in (games, games[::-1])
    )
    if points[0] > one or points[1] > other:
        return _impossible(ResultFault.POINTS)
    if games[0] != games[1]:
        return Result(_leader(games), games, points)
    if phase.draws:
        return Result(None, games, points)
    if points[0] != points[1]:
        return Result(_leader(points), games, points)
    return _impossible(ResultFault.LEVEL)


def is_level(phase: PhaseFormat, games: Pair, points: Pair) -> bool:
    """Whether all legs are played and one more game has to decide."""
    is_played = bool(phase.legs) and sum(games) == phase.legs
    return is_played and not phase.draws and games[0] == games[1] and points[0] == points[1]


def capped(phase: PhaseFormat, games: Pair, points: Pair) -> Result | EventRefusal:
    """The result at the end of the time: the leader in games, then points, wins."""
    if not phase.cap or max(games) > phase.games_to_win:
        return _impossible(ResultFault.GAMES)
    leads = [each for each in (games, points) if each[0] != each[1]]
    if leads:
        return Result(_leader(leads[0]), games, points, Ending.CAP)
    if phase.draws:
        return Result(None, games, points, Ending.CAP)
    return _impossible(ResultFault.LEVEL)


def walkover(phase: PhaseFormat, winner: int) -> Result:
    """A match lost by absence: all games, and the target in each or no points."""
    games = phase.games_to_win
    points = games * phase.target if phase.walkover_points else 0
    return Result(winner, _for(winner, games), _for(winner, points), Ending.WALKOVER)


def double_walkover() -> Result:
    """A match that both teams lost by their absence."""
    return Result(None, (0, 0), (0, 0), Ending.WALKOVER)


def annulled(stored: Result | None) -> Result:
    """What is left of a match that counts for no team: the numbers it had."""
    if stored is None:
        return Result(None, (0, 0), (0, 0), Ending.ANNULLED)
    return stored._replace(winner=None, ending=Ending.ANNULLED)


def check(phase: PhaseFormat, result: Result) -> EventRefusal | None:
    """The refusal of a result that no match of this phase has."""
    if result.winner not in (None, 0, 1) or min(*result.games, *result.points) < 0:
        return _impossible(ResultFault.WINNER)
    right: Result | EventRefusal
    match result.ending:
        case Ending.PLAYED:
            right = played(phase, result.games, result.points)
        case Ending.CAP:
            right = capped(phase, result.games, result.points)
        case Ending.WALKOVER:
            is_double = result.winner is None
            right = double_walkover() if is_double else walkover(phase, int(result.winner or 0))
        case Ending.DECIDED:
            is_decided = result.winner is not None or phase.draws
            right = result if is_decided else _impossible(ResultFault.LEVEL)
            if max(result.games) > phase.games_to_win:
                right = _impossible(ResultFault.GAMES)
        case Ending.ANNULLED:  # it is no result of its own
            right = _impossible(ResultFault.WINNER)
    if right == result:
        return None
    return right if isinstance(right, EventRefusal) else _impossible(ResultFault.WINNER)


def doubt(phase: PhaseFormat, result: Result) -> Doubt | None:
    """What to ask of a result that the phase allows before it counts; None: nothing."""
    if result.ending not in (Ending.PLAYED, Ending.CAP):
        return None
    if not any(result.points):
        return Doubt.NO_POINTS
    least = (games * phase.target for games in result.games)
    is_short = any(map(operator.lt, result.points, least))
    return Doubt.SHORT if is_short else None


def _games_are_possible(phase: PhaseFormat, games: Pair) -> bool:
    if not phase.legs:
        return max(games) == phase.games_to_win > min(games)
    was_level = min(games) == phase.legs // 2 and phase.legs % 2 == 0
    is_extra = sum(games) == phase.legs + 1 and was_level and not phase.draws
    return sum(games) == phase.legs or is_extra


def _impossible(fault: ResultFault) -> EventRefusal:
    return EventRefusal(Reason.IMPOSSIBLE, fault=fault)


def _leader(pair: Pair) -> int:
    return 0 if pair[0] > pair[1] else 1


def _for(winner: int, value: int) -> Pair:
    return (value, 0) if winner == 0 else (0, value)
