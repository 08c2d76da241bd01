"""Results: which of them a phase allows, and who wins."""

from __future__ import annotations

from scorer.tournament.format import PhaseFormat
from scorer.tournament.model import Ending, EventRefusal, Pair, Reason, Result

_IMPOSSIBLE = EventRefusal(Reason.IMPOSSIBLE)


def played(phase: PhaseFormat, games: Pair, points: Pair) -> Result | EventRefusal:
    """The result of a match played to its end.

    Legs that are level: a draw where the phase allows it, else more points, else one more game.
    """
    most = phase.games_to_win
    if not _points_are_possible(phase, games, points):
        return _IMPOSSIBLE
    if not phase.legs:
        return _win(games, points) if max(games) == most > min(games) else _IMPOSSIBLE
    if sum(games) == phase.legs:
        if games[0] != games[1]:
            return _win(games, points)
        if phase.draws:
            return Result(None, games, points)
        if points[0] != points[1]:
            return Result(_leader(points), games, points)
        return _IMPOSSIBLE
    level_before = min(games) == phase.legs // 2 and phase.legs % 2 == 0
    if sum(games) == phase.legs + 1 and level_before and not phase.draws:
        return _win(games, points)
    return _IMPOSSIBLE


def is_level(phase: PhaseFormat, games: Pair, points: Pair) -> bool:
    """Whether all legs are played and one more game has to decide."""
    is_played = bool(phase.legs) and sum(games) == phase.legs
    return is_played and not phase.draws and games[0] == games[1] and points[0] == points[1]


def capped(phase: PhaseFormat, games: Pair, points: Pair) -> Result | EventRefusal:
    """The result at the end of the time: the leader in games, then points, wins."""
    if not phase.cap or max(games) > phase.games_to_win:
        return _IMPOSSIBLE
    leads = [each for each in (games, points) if each[0] != each[1]]
    if leads:
        return Result(_leader(leads[0]), games, points, Ending.CAP)
    return Result(None, games, points, Ending.CAP) if phase.draws else _IMPOSSIBLE


def walkover(phase: PhaseFormat, winner: int) -> Result:
    """A match lost by absence: all games, and the target in each or no points."""
    games = phase.games_to_win
    points = games * phase.target if phase.walkover_points else 0
    return Result(winner, _for(winner, games), _for(winner, points), Ending.WALKOVER)


def double_walkover() -> Result:
    """A match that both teams lost by their absence."""
    return Result(None, (0, 0), (0, 0), Ending.WALKOVER)


def check(phase: PhaseFormat, result: Result) -> EventRefusal | None:
    """The refusal of a result that no match of this phase has."""
    if result.winner not in (None, 0, 1) or min(*result.games, *result.points) < 0:
        return _IMPOSSIBLE
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
            decided = result.winner is not None or phase.draws
            right = result if decided and max(result.games) <= phase.games_to_win else _IMPOSSIBLE
    return None if right == result else _IMPOSSIBLE


def _points_are_possible(phase: PhaseFormat, games: Pair, points: Pair) -> bool:
    """Each game won has at most the target, each lost one less; 0 to 0: not recorded."""
    target = phase.target
    one, other = (won * target + lost * (target - 1) for won, lost in (games, games[::-1]))
    return points[0] <= one and points[1] <= other


def _win(games: Pair, points: Pair) -> Result:
    return Result(_leader(games), games, points)


def _leader(pair: Pair) -> int:
    return 0 if pair[0] > pair[1] else 1


def _for(winner: int, value: int) -> Pair:
    return (value, 0) if winner == 0 else (0, value)
