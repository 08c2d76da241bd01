"""Standings of the evening by pair: games, streaks, calls, comebacks.

A pair is a side by its name, without case and accents. Unfinished and undone games do not count.
Reading starts at the game where the evening was last cleared, so that the cost does not grow with
the journal.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby, takewhile
from typing import NamedTuple

from scorer.plain_values.names import pair_id
from scorer.records.game_facts import GameFacts, game_facts
from scorer.records.replay import GameReader, JournalRow, local_time, read_stored_header
from scorer.session.values.night_view import NightStanding, NightView
from scorer.session.values.record import JournalLine, replay_lines

_MAX_GAME_MINUTES = 24 * 60  # maximum minutes of a game across a power cut
MAX_GAMES = 60  # games of one evening; older ones are left out


class Competitor(NamedTuple):
    """A side by its name, or by its letter without one."""

    name: str
    key: str = ""

    @property
    def id(self) -> str:
        """What identifies the pair."""
        return pair_id(self.name) or self.key


class GameResult(NamedTuple):
    """The result of one won game, with its facts by side.

    ``winner``: its place among the sides; ``minutes``: 0 if unknown.
    """

    competitors: tuple[Competitor, ...]
    winner: int
    minutes: int
    facts: GameFacts = GameFacts()


class EveningStandings:
    """The results of the games since ``first``; each game is read once."""

    def __init__(self, reader: GameReader, first: int) -> None:
        self._reader, self._first = reader, first
        self._cache: dict[int, tuple[int, GameResult | None]] = {}  # with the seq of its last row

    def view(self, renamed: Mapping[str, str]) -> NightView:
        """The standings page, with new names by id. Raises what the journal raises."""
        recent = takewhile(lambda number: number >= self._first, self._reader.games())
        numbers = [number for number, _ in zip(recent, range(MAX_GAMES), strict=False)]
        for old in self._cache.keys() - set(numbers):
            del self._cache[old]
        results = list[GameResult]()
        for number in reversed(numbers):
            rows = self._reader.rows(number)
            last = rows[-1].seq if rows else 0
            known = self._cache.get(number)
            if known is None or known[0] != last:
                known = last, game_result(self._reader.header(number), rows)
                self._cache[number] = known
            if known[1] is not None:
                results.append(known[1])
        return rank(results, renamed)


def game_result(header: str, rows: Sequence[JournalRow]) -> GameResult | None:
    """The result of one game, None if it has no winner or this program cannot read it."""
    try:
        read = read_stored_header(header)
        record = replay_lines(
            read.game(), [JournalLine(row.press, row.line, local_time(row)) for row in rows]
        )
    except ValueError:
        return None
    winner = record.game.winner
    if record.taken_back or winner is None:
        return None
    sides = record.game.rules.scoring_sides
    named = ((read.names.get(side, ""), side) for side in sides)
    players = tuple(Competitor(name, "" if name else side) for name, side in named)
    return GameResult(players, sides.index(winner), game_minutes(rows), game_facts(record))


def game_minutes(rows: Sequence[JournalRow]) -> int:
    """Minutes from the first press to the last, by the monotonic clock if possible.

    0 if unknown: a wall clock that was set in between may give years.
    """
    first, last = rows[0], rows[-1]
    if first.boot == last.boot:
        return (last.monotonic_ms - first.monotonic_ms) // 60_000
    if first.trusted and last.trusted:
        # A time may be invalid, or one with a time zone and one without.
        with suppress(ValueError, TypeError, OverflowError):
            span = datetime.fromisoformat(last.wall) - datetime.fromisoformat(first.wall)
            return max(0, int(span.total_seconds())) // 60
    return 0


class _PairGame(NamedTuple):
    """One game of one pair: its place among the sides."""

    result: GameResult
    at: int

    @property
    def is_won(self) -> bool:
        return self.at == self.result.winner


def rank(results: Sequence[GameResult], renamed: Mapping[str, str] | None = None) -> NightView:
    """Rank by most games won, then fewest lost, then first to play.

    ``renamed``: new names by id; two pairs that get one name are one pair, except in games that
    they played against each other. A name is spelled as in the newest game.
    """
    shown: dict[str, Competitor] = {}
    games: dict[str, list[_PairGame]] = {}
    for result in results:
        for at, (name_id, player) in enumerate(_identify(result, renamed or {})):
            shown[name_id] = player
            games.setdefault(name_id, []).append(_PairGame(result, at))
    rows = [_standing(name_id, shown[name_id], games[name_id]) for name_id in games]
    rows.sort(key=lambda row: (-row.won, row.played))
    longest = max((result.minutes for result in results), default=0)
    return NightView(tuple(rows), len(results), longest)


def _identify(result: GameResult, renamed: Mapping[str, str]) -> list[tuple[str, Competitor]]:
    """The sides of a game by id, always distinct."""
    own = result.competitors
    new = [Competitor(name) if (name := renamed.get(c.id, "")) else c for c in own]
    chosen = new if len({c.id for c in new}) == len(own) else own
    ids = [c.id for c in chosen]
    if len(set(ids)) < len(ids):
        ids = [f"{name_id} ({letter})" for name_id, letter in zip(ids, "ABC", strict=False)]
    return list(zip(ids, chosen, strict=True))


def shown_names(result: GameResult, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the sides of a game as ``rank`` shows them; "" without one."""
    return tuple(player.name for _, player in _identify(result, renamed))


def _standing(name_id: str, shown: Competitor, games: Sequence[_PairGame]) -> NightStanding:
    won = [game.is_won for game in games]
    facts = [(game.result.facts, game.at) for game in games if game.result.facts.sides]
    sides = [fact.sides[at] for fact, at in facts]
    deficits = (game.result.facts.largest_deficit(game.at) for game in games if game.is_won)
    return NightStanding(
        shown.name,
        shown.key,
        sum(won),
        len(won),
        streak=sum(1 for _ in takewhile(bool, reversed(won))),
        id=name_id,
        best_streak=max((len(list(run)) for is_won, run in groupby(won) if is_won), default=0),
        called=sum(side.called for side in sides),
        refused=sum(side.refused for side in sides),
        envidos=sum(side.envidos for side in sides),
        comeback=max(deficits, default=0),
        longest=max(game.result.minutes for game in games),
        hands=max(game.result.facts.hands for game in games),
    )
