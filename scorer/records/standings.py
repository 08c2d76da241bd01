"""Standings of the evening: won games, winning streak, longest game.

Unfinished and undone games do not count. Reading starts at the game where the evening was last
cleared, so that the cost does not grow with the journal.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import takewhile
from typing import NamedTuple

from scorer.records.replay import GameReader, JournalRow, local_time
from scorer.rules import read_header
from scorer.session.record import JournalLine, replay_lines
from scorer.session.view.view import NightStanding, NightView

_MAX_GAME_MINUTES = 24 * 60  # maximum minutes of a game across a power cut
MAX_GAMES = 60  # games of one evening; older ones are left out


class Competitor(NamedTuple):
    """A side by its name, or by its letter without one."""

    name: str
    key: str = ""


class GameResult(NamedTuple):
    """The result of one won game. ``minutes`` is 0 if unknown."""

    competitors: tuple[Competitor, ...]
    winner: Competitor
    minutes: int


class EveningStandings:
    """The results of the games since ``first``; each game is read once."""

    def __init__(self, reader: GameReader, first: int) -> None:
        self._reader, self.first = reader, first
        self._cache: dict[int, tuple[int, GameResult | None]] = {}  # with the seq of its last row

    def view(self) -> NightView:
        """The standings page. Raises what the journal raises."""
        return rank(tuple(self._results()))

    def clear(self, first: int) -> None:
        """From now on count only games from ``first`` on."""
        self.first = first
        self._cache.clear()

    def _results(self) -> Iterator[GameResult]:
        recent = takewhile(lambda number: number >= self.first, self._reader.games())
        numbers = [number for number, _ in zip(recent, range(MAX_GAMES), strict=False)]
        for old in self._cache.keys() - set(numbers):
            del self._cache[old]
        for number in reversed(numbers):
            result = self._result(number)
            if result is not None:
                yield result

    def _result(self, number: int) -> GameResult | None:
        rows = self._reader.rows(number)
        last = rows[-1].seq if rows else 0
        known = self._cache.get(number)
        if known is None or known[0] != last:
            known = (last, game_result(self._reader.header(number), rows))
            self._cache[number] = known
        return known[1]


def game_result(header: str, rows: Sequence[JournalRow]) -> GameResult | None:
    """The result of one game, None if it has no winner."""
    read = read_header(header)
    record = replay_lines(
        read.game(), [JournalLine(row.press, row.line, local_time(row)) for row in rows]
    )
    winner = record.game.winner
    if record.taken_back or winner is None:
        return None
    sides = record.game.rules.scoring_sides
    players = {side: _competitor(read.names.get(side, ""), side) for side in sides}
    return GameResult(tuple(players.values()), players[winner], game_minutes(rows))


def _competitor(name: str, key: str) -> Competitor:
    return Competitor(name) if name else Competitor("", key)


def game_minutes(rows: Sequence[JournalRow]) -> int:
    """Minutes from the first press to the last, by the monotonic clock if possible.

    0 if unknown: a wall clock that was set in between may give years.
    """
    first, last = rows[0], rows[-1]
    if first.boot == last.boot:
        return (last.monotonic_ms - first.monotonic_ms) // 60_000
    if first.trusted and last.trusted:
        return max(0, _seconds(first.wall, last.wall)) // 60
    return 0


def _seconds(first: str, last: str) -> int:
    """Seconds between two timestamps; 0 if either is invalid."""
    try:
        return int((datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        # Invalid, or an aware timestamp compared with a naive one.
        return 0


def rank(results: Sequence[GameResult]) -> NightView:
    """Rank by most games won, then fewest lost, then first to play."""
    players = dict.fromkeys(player for result in results for player in result.competitors)
    rows = [_standing(player, results) for player in players]
    rows.sort(key=lambda row: (-row.won, row.played))
    longest = max((result.minutes for result in results), default=0)
    return NightView(tuple(rows), len(results), longest)


def _standing(competitor: Competitor, results: Sequence[GameResult]) -> NightStanding:
    own = [result.winner == competitor for result in results if competitor in result.competitors]
    streak = sum(1 for _ in takewhile(bool, reversed(own)))
    return NightStanding(competitor.name, competitor.key, sum(own), len(own), streak)
