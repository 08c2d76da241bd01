"""The running games of all tables, replayed from their rows for the wall."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.engine import Connection

from scorer.hall.rows import Opening, Row
from scorer.hall.wire import Shown
from scorer.hub.intake import Stored
from scorer.hub.store.blanked_headers import names_in, tag_in
from scorer.hub.store.projections import DeviceState
from scorer.hub.store.tables import DEVICE, LOG, OPENING, PRESENCE, RESULT, ROW, STREAM
from scorer.hub.times import Clock
from scorer.rules import Refusal, games_won, parse_step, read_header, split_comment
from scorer.rules.deal import is_match_over, is_timed
from scorer.rules.model import Match
from scorer.rules.score import shown_scores
from scorer.rules.stored_header import with_rules_of_then
from scorer.session.values.record import Record, append_press, new_record

_KEPT_RESULTS = 50  # shown at the desk
_KEPT_GAMES = 3  # of a table: the running one, and those that undo may lead back to
_KEPT_LEGS = 12  # of matches of several games, which may go on at another table


class Box(NamedTuple):
    """A box as the desk knows it."""

    device: int
    table: int
    name: str
    machine: str
    state: str


class SideScore(NamedTuple):
    """One side of a game."""

    name: str  # "" for its default name
    side: str  # A, B or C
    score: int
    games: int


class GameScore(NamedTuple):
    """The running game of a table."""

    game: int
    variant: str
    target: int
    best_of: int
    sides: tuple[SideScore, ...]
    winner: str | None  # a side


class AcceptedResult(NamedTuple):
    """A result read from a panel; ``games`` and ``points`` of each side."""

    rev: int
    device: int
    match: str
    hall: str  # the tag Hall of its assignment
    seq: int
    phase: str
    names: tuple[str, ...]
    games: tuple[int, ...]
    points: tuple[int, ...]
    who: str
    at: str


class Agreement(StrEnum):
    """Whether the rows of a table agree with a result."""

    WAITING = "waiting"  # the rows have not arrived
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"  # the game is too old to be in memory


class Sitting(NamedTuple):
    """One attempt to play a match: the tags Match and Hall of its games.

    A match that is played anew, as after an annulment, has another tag Hall.
    """

    match: str
    hall: str


Legs = Mapping[int, Sequence[Record]]  # games of each leg; the one that counts stands last


@dataclass(slots=True)
class Run:
    """Games of a sitting in a row at one table, which its clock counts as one.

    ``ended``: when its last row was written, in monotonic seconds of this process.
    """

    match: Match
    first: Row
    last: Row
    ended: float

    @property
    def seconds(self) -> float:
        """From its first row to the last one; 0 if it is unknown."""
        if self.first.boot == self.last.boot:
            return (self.last.monotonic_ms - self.first.monotonic_ms) / 1000
        began, ended = _time_of(self.first), _time_of(self.last)
        return 0 if began is None or ended is None else max(0, ended - began)

    @property
    def began(self) -> float:
        """When its first row was written, in monotonic seconds of this process."""
        return self.ended - self.seconds


def _time_of(row: Row) -> float | None:
    """When a row was written, in seconds since 1970; None if it is unknown."""
    try:
        return datetime.fromisoformat(row.wall).timestamp() if row.trusted else None
    except ValueError:
        return None


class MatchProgress(NamedTuple):
    """How far a sitting is at its table.

    ``games`` and ``points`` of each side, over all games; ``running``: the points of the game in
    play, (0, 0) between two games. ``state``: ``offered``, ``accepted``, ``playing``, ``ended``,
    ``agreed`` or ``contested``. ``by_time``: its time was over before. ``misses_leg``: a leg before
    the newest one is not known here.
    """

    games: tuple[int, ...]
    points: tuple[int, ...]
    state: str
    by_time: bool = False
    misses_leg: bool = False
    running: tuple[int, ...] = (0, 0)


class _Game:
    """One game, row after row; ``record`` is None if it cannot be replayed."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.rows: tuple[Row, Row] | None = None  # the first and the last one
        self.ended = 0.0
        self.record: Record | None = None
        self.names: dict[str, str] = {}
        try:
            header = read_header(with_rules_of_then(opening.header))
            self.names = {side.value: name for side, name in header.names.items()}
            self.record = new_record(header.game())
        except ValueError:
            # A newer table may play by rules that this hub does not know.
            pass

    def add(self, row: Row, written: float) -> None:
        self.rows = (row if self.rows is None else self.rows[0], row)
        self.ended = written
        if self.record is None:
            return
        try:
            step = parse_step(split_comment(row.line)[0], self.record.game.rules)
        except ValueError:
            self.record = None
            return
        after = append_press(self.record, (step,))
        self.record = None if isinstance(after, Refusal) else after

    def score(self) -> GameScore | None:
        if self.record is None:
            return None
        game = self.record.game
        sides = (
            SideScore(self.names.get(side.value, ""), side.value, score, games)
            for side, score, games in zip(
                game.rules.scoring_sides, shown_scores(game), games_won(game), strict=True
            )
        )
        return GameScore(
            self.opening.game,
            game.rules.variant.title,
            game.rules.target,
            game.rules.best_of,
            tuple(sides),
            game.winner.value if game.winner is not None else None,
        )


class TableScore:
    """The games of one stream."""

    def __init__(self, epoch: str) -> None:
        self.epoch = epoch
        self.last = 0
        self._games: dict[int, _Game] = {}
        self._running: GameScore | None = None
        self._is_current = False  # ``_running`` is that of the newest row
        self._by_sitting: dict[Sitting, dict[int, Record]] | None = None
        self._runs: dict[Sitting, list[Run]] | None = None

    def add(self, openings: Iterable[Opening], rows: Sequence[Row], written: float = 0.0) -> None:
        """Rows and openings in order; ``written``: of the last row, monotonic seconds."""
        self._is_current, self._by_sitting, self._runs = False, None, None
        for opening in openings:
            self._games.setdefault(opening.game, _Game(opening))
        for row in rows:
            if row.game in self._games:
                self._games[row.game].add(row, written)
            self.last = row.seq
        if len(self._games) > _KEPT_GAMES:
            openings = [each.opening for _, each in sorted(self._games.items())]
            self._games = {each.game: self._games[each.game] for each in _kept(openings)}

    def running(self) -> GameScore | None:
        """The newest game that was not undone as a whole."""
        if not self._is_current:
            newest = self._newest()
            self._running = None if newest is None else newest.score()
            self._is_current = True
        return self._running

    def sitting(self) -> Sitting | None:
        """The sitting of that game; None of a game of no match."""
        newest = self._newest()
        return _sitting_of(newest.record) if newest is not None and newest.record else None

    def _newest(self) -> _Game | None:
        for number in sorted(self._games, reverse=True):
            record = self._games[number].record
            if record is None or not record.taken_back:
                return self._games[number]
        return None

    def result_of(self, sitting: Sitting) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Games and points of the newest game of a sitting; None if it is not known here."""
        for number in sorted(self._games, reverse=True):
            record = self._games[number].record
            if record is not None and _sitting_of(record) == sitting:
                return games_won(record.game), tuple(record.game.score)
        return None

    def sittings(self) -> Mapping[Sitting, Mapping[int, Record]]:
        """The newest game of each leg by sitting, the oldest sitting first."""
        if self._by_sitting is None:
            self._by_sitting = {}
            for record in self._match_records():
                if (match := record.game.match) is not None:
                    sitting = Sitting(match.id, match.hall)
                    self._by_sitting.setdefault(sitting, {})[match.leg] = record
        return self._by_sitting

    def records_of(self, sitting: Sitting) -> Mapping[int, Record]:
        """The newest game of each leg of a sitting."""
        return self.sittings().get(sitting, {})

    def runs_of(self, sitting: Sitting) -> Sequence[Run]:
        """The games of a sitting at this table, the newest run last."""
        if self._runs is None:
            self._runs = self._find_runs()
        return self._runs.get(sitting, ())

    def _find_runs(self) -> dict[Sitting, list[Run]]:
        found: dict[Sitting, list[Run]] = {}
        before: Run | None = None
        for _, game in sorted(self._games.items()):
            record = game.record
            if record is None or record.taken_back or game.rows is None:
                continue
            if (match := record.game.match) is None:
                before = None
            elif before is not None and match.follows(before.match):
                before.match, before.last, before.ended = match, game.rows[1], game.ended
            else:
                before = Run(match, *game.rows, game.ended)
                found.setdefault(Sitting(match.id, match.hall), []).append(before)
        return found

    def _match_records(self) -> Iterator[Record]:
        for _, each in sorted(self._games.items()):
            if each.record is not None and not each.record.taken_back:
                yield each.record

    def last_match(self) -> Sitting | None:
        """The newest sitting; None without one."""
        found = (_sitting_of(record) for record in reversed([*self._match_records()]))
        return next((sitting for sitting in found if sitting is not None), None)

    def names_of(self, sitting: Sitting) -> list[str]:
        """The names of both sides in the games of a sitting; empty without one."""
        for game in self._games.values():
            if game.record is not None and _sitting_of(game.record) == sitting:
                sides = game.record.game.rules.scoring_sides
                return [game.names.get(side.value, "") for side in sides]
        return []

    def is_replayed(self, game: int) -> bool:
        """False if its rules or one of its rows were refused."""
        return game not in self._games or self._games[game].record is not None

    def contradicts(self, shown: Shown) -> bool:
        """Whether the panel shows another score than follows from the same rows."""
        game = self._games.get(shown.game)
        if shown.seq != self.last or game is None or game.record is None:
            return False
        found = game.record.game
        score = dict(zip((s.value for s in found.rules.scoring_sides), found.score, strict=True))
        return score != shown.score


class Scores:
    """The score of every table, by device.

    Another process of the hub may have stored rows that this one has not seen. ``changes`` grows
    with every row. What a row does not concern is not computed again: a hall has a hundred tables,
    and each of them sends a row every few seconds.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, clock: Clock | None = None
    ) -> None:
        """``clock``: of the hub; None: it is not known to be right."""
        self.changes = 0
        self._monotonic, self._clock = monotonic, clock
        self._tables: dict[int, TableScore] = {}
        self._devices: dict[Sitting, set[int]] = {}  # the boxes with games of a sitting
        self._progress: dict[Sitting, dict[tuple[int, int], MatchProgress]] = {}
        self._changed: dict[Sitting, int] = {}  # at which change; the newest last

    def changed_since(self, changes: int) -> Iterator[Sitting]:
        """The sittings that may be otherwise since ``changes`` was so many."""
        for sitting, at in reversed(self._changed.items()):
            if at <= changes:
                return
            yield sitting

    def is_continued_by(self, stored: Stored) -> bool:
        """Whether it follows what is known; if not, ``put`` it from the database."""
        table = self._of_epoch(stored)
        return table is not None and (not stored.rows or stored.rows[0].seq == table.last + 1)

    def includes(self, stored: Stored) -> bool:
        """Whether it is known already, as the table was read after it was stored."""
        table = self._of_epoch(stored)
        return table is not None and bool(stored.rows) and stored.rows[-1].seq <= table.last

    def add(self, stored: Stored) -> None:
        """Replay what was stored."""
        if (table := self._of_epoch(stored)) is not None:
            before = table.sittings()
            table.add(stored.openings, stored.rows, self.written(stored.rows))
            self._follow(stored.device, before)

    def written(self, rows: Sequence[Row]) -> float:
        """When the last of these rows was written, in monotonic seconds.

        That is now, unless the clocks of the table and of the hub are both right.
        """
        now, clock = self._monotonic(), self._clock
        at = _time_of(rows[-1]) if rows else None
        if at is None or clock is None or not clock.is_trusted:
            return now
        return now - max(0, clock.time() - at)

    def put(self, device: int, table: TableScore) -> None:
        """Know a table as it was read from the database."""
        old = self._tables.get(device)
        self._tables[device] = table
        self._follow(device, old.sittings() if old is not None else {})

    def _follow(self, device: int, before: Iterable[Sitting]) -> None:
        """Forget what was computed of the sittings of a table, before and now."""
        self.changes += 1
        now = self._tables[device].sittings()
        for sitting in {*before, *now}:
            self._progress.pop(sitting, None)
            self._changed.pop(sitting, None)
            self._changed[sitting] = self.changes
            devices = self._devices.setdefault(sitting, set())
            if sitting in now:
                devices.add(device)
            else:
                devices.discard(device)

    def agrees(self, stored: Stored) -> bool:
        """Whether the table plays by the hub's rules.

        It does not if a row is refused, or if the panel shows another score.
        """
        table = self._of_epoch(stored)
        if table is None:
            return True
        if not all(map(table.is_replayed, {row.game for row in stored.rows})):
            return False
        return stored.shown is None or not table.contradicts(stored.shown)

    def legs_of(self, sitting: Sitting, device: int = 0) -> Legs:
        """The games of each leg of a sitting, at whichever tables they were played.

        Those of the box ``device`` count, else those that are furthest.
        """
        found: dict[int, list[tuple[bool, Record]]] = {}
        for at in sorted(self._devices.get(sitting, ())):
            for leg, record in self._tables[at].records_of(sitting).items():
                found.setdefault(leg, []).append((at == device, record))
        return {
            leg: [record for _, record in sorted(games, key=_by_progress)]
            for leg, games in found.items()
        }

    def progress_of(self, device: int, sitting: Sitting, leg: int) -> MatchProgress:
        """How far a sitting is at the table of a box that was assigned this leg."""
        known = self._progress.setdefault(sitting, {})
        if (device, leg) not in known:
            known[device, leg] = self._progress_of(device, sitting, leg)
        return known[device, leg]

    def _progress_of(self, device: int, sitting: Sitting, leg: int) -> MatchProgress:
        table = self._tables.get(device)
        own = table.records_of(sitting) if table is not None else {}
        legs = self.legs_of(sitting, device)
        games, points = totals(legs)
        newest = max(own, default=0)
        if newest < leg:
            return MatchProgress(games, points, "offered")
        game = own[newest].game
        state, by_time = _state_of(own[newest]), is_timed(game)
        running = (0, 0) if game.winner is not None else shown_scores(game)
        # The new epoch of a salvaged store begins with the running game.
        misses_leg = any(each not in legs for each in range(1, newest))
        return MatchProgress(games, points, state, by_time, misses_leg, running)

    def run_of(self, device: int, sitting: Sitting) -> Run | None:
        """The newest games of a sitting at the table of a box; None without one."""
        table = self._tables.get(device)
        runs = table.runs_of(sitting) if table is not None else ()
        return runs[-1] if runs else None

    def runs_of(self, sitting: Sitting) -> Mapping[int, Sequence[Run]]:
        """The games of a sitting by box, the newest run last."""
        devices = self._devices.get(sitting, ())
        return {device: self._tables[device].runs_of(sitting) for device in sorted(devices)}

    def unknown_hall(
        self, match: str, known: Container[str], names: Sequence[str] | None = None
    ) -> str:
        """The tag Hall of games of a match that a lost log has assigned, or "".

        ``names``: only of games of these teams; several tournaments have such a match.
        """
        for table in self._tables.values():
            for sitting in table.sittings():
                if sitting.match != match or sitting.hall in known:
                    continue
                if names is None or table.names_of(sitting) == [*names]:
                    return sitting.hall
        return ""

    def is_behind(self, device: int, epoch: str, last: int) -> bool:
        """Whether the newest stream of a box has other rows than are known."""
        table = self._tables.get(device)
        return table is None or (table.epoch, table.last) != (epoch, last)

    def _of_epoch(self, stored: Stored) -> TableScore | None:
        table = self._tables.get(stored.device)
        return table if table is not None and table.epoch == stored.epoch else None

    def of(self, device: int) -> GameScore | None:
        table = self._tables.get(device)
        return table.running() if table is not None else None

    def sitting_of(self, device: int) -> Sitting | None:
        """The sitting of the game that a table shows; None of a game of no match."""
        table = self._tables.get(device)
        return table.sitting() if table is not None else None

    def last_match(self, device: int) -> Sitting | None:
        """The sitting that a table has played last; None without one."""
        table = self._tables.get(device)
        return table.last_match() if table is not None else None

    def agreement(self, result: AcceptedResult) -> Agreement:
        """Whether the rows of the box say the same as the code that the desk accepted."""
        table = self._tables.get(result.device)
        if table is None or table.last < result.seq:
            return Agreement.WAITING
        found = table.result_of(Sitting(result.match, result.hall))
        if found is None:
            return Agreement.UNKNOWN
        return Agreement.EQUAL if found == (result.games, result.points) else Agreement.DIFFERENT

    def load(self, connection: Connection) -> None:
        """Read the newest games of every box from the database."""
        for device, epoch in newest_streams(connection).items():
            self.put(device, read_table(connection, device, epoch, self.written))


def totals(legs: Legs) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Games and points of each side over all legs; (0, 0) before the first one."""
    games = [games_won(records[-1].game) for records in legs.values()]
    points = []
    for records in legs.values():
        # Of each game of the series; older records have those before a move.
        ended = sum(records[-1].game.games)
        by_game = _points_by_game(records).items()
        points += [each for game, each in by_game if game <= ended]
    return _sums(games or [(0, 0)]), _sums(points or [(0, 0)])


def _sitting_of(record: Record) -> Sitting | None:
    match = record.game.match
    return None if match is None else Sitting(match.id, match.hall)


def _by_progress(found: tuple[bool, Record]) -> tuple[bool, int, int]:
    is_own, record = found
    return is_own, sum(games_won(record.game)), sum(record.game.score)


def points_before(records: Sequence[Record], games: int) -> tuple[int, ...] | None:
    """The points of the first games of a series; None if one of them is not known."""
    found = _points_by_game(records)
    known = [found[game] for game in range(games) if game in found]
    return _sums([(0, 0), *known]) if len(known) == games else None


def _points_by_game(records: Iterable[Record]) -> dict[int, tuple[int, ...]]:
    """The points of each game of a series, by the number of games before it."""
    found: dict[int, tuple[int, ...]] = {}
    for record in records:
        last = {sum(each.before.games): each.before for each in record.past}
        last[sum(record.game.games)] = record.game
        found |= {game: shown_scores(each) for game, each in last.items()}
    return found


def _sums(values: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*values, strict=True)))


def _state_of(record: Record) -> str:
    game, match = record.game, record.game.match
    assert match is not None
    if not is_match_over(game) or not match.is_last_leg:
        return "playing" if record.past or match.leg > 1 else "accepted"
    if match.contested:
        return "contested"
    return "agreed" if len(match.agreed) == len(game.rules.speaking_sides) else "ended"


def newest_streams(connection: Connection) -> dict[int, str]:
    """The newest epoch of each box."""
    return {device: epoch for device, (epoch, _) in newest_ends(connection).items()}


def newest_ends(connection: Connection) -> dict[int, tuple[str, int]]:
    """The newest epoch of each box, and its last row; 0 without one."""
    columns = STREAM.c.device, STREAM.c.epoch, STREAM.c.first, STREAM.c.last
    query = select(*columns).order_by(STREAM.c.device, STREAM.c.ordinal)
    return {
        device: (epoch, last if last >= first else 0)
        for device, epoch, first, last in connection.execute(query)
    }


def newest_greetings(connection: Connection) -> dict[int, int]:
    """The last greeting of each box, at any process; milliseconds since 1970."""
    query = select(PRESENCE.c.device, PRESENCE.c.greeted_ms)
    return {device: at for device, at in connection.execute(query)}


def read_table(
    connection: Connection, device: int, epoch: str, written: Callable[[Sequence[Row]], float]
) -> TableScore:
    """The newest games of a stream; ``written``: as ``Scores`` has it."""
    table = TableScore(epoch)
    of_stream = and_(OPENING.c.device == device, OPENING.c.epoch == epoch)
    query = select(OPENING.c.game, OPENING.c.opened, OPENING.c.header).where(of_stream)
    newest = connection.execute(query.order_by(OPENING.c.game.desc()).limit(_KEPT_LEGS))
    openings = _kept([Opening(*found) for found in newest][::-1])
    if openings:
        columns = [ROW.c[name] for name in Row._fields]
        rows = connection.execute(
            select(*columns)
            .where(
                ROW.c.device == device,
                ROW.c.epoch == epoch,
                ROW.c.seq >= min(each.opened for each in openings),
            )
            .order_by(ROW.c.seq)
        )
        listed = [Row(*found) for found in rows]
        table.add(openings, listed, written(listed))
    return table


def _kept(openings: Sequence[Opening]) -> list[Opening]:
    """The newest of these games, which are in order, and the legs among those before."""
    older, newest = openings[-_KEPT_LEGS:-_KEPT_GAMES], openings[-_KEPT_GAMES:]
    matches = ((each, match_in(each.header)) for each in older)
    return [*(each for each, match in matches if match and match.legs > 1), *newest]


@lru_cache(maxsize=1000)
def match_in(header: str) -> Match | None:
    """The tags of a match in a header."""
    try:
        return read_header(header).start.match
    except ValueError:
        return None


def find_sittings(connection: Connection, hall: str) -> dict[Sitting, list[str]]:
    """The sittings of all games whose tags Hall begin with ``hall``, with their names."""
    tagged = OPENING.c.header.like(f'%[Hall "{hall}-%')
    headers = connection.execute(select(OPENING.c.header).where(tagged)).scalars()
    return {
        Sitting(tag_in(each, "Match"), tag_in(each, "Hall")): [*names_in(each).values()]
        for each in headers
    }


def read_boxes(connection: Connection, state: DeviceState = DeviceState.ACTIVE) -> list[Box]:
    """The boxes in a state, by table: those of the hall, or others."""
    columns = (
        DEVICE.c.id,
        DEVICE.c.table_number,
        DEVICE.c.name,
        DEVICE.c.machine,
        DEVICE.c.state,
    )
    wanted = DEVICE.c.state == state.value
    query = select(*columns).where(wanted).order_by(DEVICE.c.table_number, DEVICE.c.id)
    return [Box(*found) for found in connection.execute(query)]


def read_results(connection: Connection) -> list[AcceptedResult]:
    """The newest results that the desk has read from panels, newest first."""
    query = select(RESULT, LOG.c.body).join(LOG, LOG.c.seq == RESULT.c.rev)
    query = query.order_by(RESULT.c.at.desc(), RESULT.c.rev.desc()).limit(_KEPT_RESULTS)
    found = []
    for each in connection.execute(query):
        match = match_in(json.loads(each.body)["document"].get("header") or "")
        result = AcceptedResult(
            rev=each.rev,
            device=each.device,
            match=each.match_id,
            hall="" if match is None else match.hall,
            seq=each.seq,
            phase=each.phase,
            names=tuple(json.loads(each.names)),
            games=tuple(json.loads(each.games)),
            points=tuple(json.loads(each.points)),
            who=each.who,
            at=each.at,
        )
        found.append(result)
    return found


def machines_of(text: str) -> list[str]:
    """The machines of an alarm, without duplicates."""
    return [*dict.fromkeys(each for each in json.loads(text) if each)]
