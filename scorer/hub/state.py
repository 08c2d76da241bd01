"""What one process of a hub knows: boxes, alarms, scores, tournaments.

All of it is read from the database, and every decision is written there before it counts. After
each change ``HubState.announce`` calls the subscribers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import select

from scorer.hall.events import Desired, Event, Release
from scorer.hub.alarms import NewAlarm, raise_alarm
from scorer.hub.decisions import Desk, desired_of, require_unchanged
from scorer.hub.forgetting import scrub
from scorer.hub.matches import AssignedMatch
from scorer.hub.presence import Presence
from scorer.hub.scores import (
    AcceptedResult,
    Box,
    Scores,
    TableScore,
    machines_of,
    match_in,
    newest_streams,
    read_boxes,
    read_results,
    read_table,
)
from scorer.hub.store import log
from scorer.hub.store.database import Connection, Database, DatabaseError
from scorer.hub.store.log import Author
from scorer.hub.store.projections import DeviceState
from scorer.hub.store.tables import ALARM, DESIRED, HOLD
from scorer.hub.times import Clock
from scorer.hub.tournaments import (
    RunningTournament,
    TournamentDesk,
    Tournaments,
    follow,
    keep_summaries,
    read_closed,
)
from scorer.hub.turns import StoreThread
from scorer.rules.assigned import LIMITS
from scorer.serving.prices import Rank

Json = dict[str, Any]
Found = TypeVar("Found")


class TableWish(NamedTuple):
    """What the table of a box should play.

    ``tournament``: of the match; 0 without one. ``more_time``: seconds that the match gets with it.
    """

    device: int
    document: Json
    tournament: int = 0
    more_time: int = 0


# A disk that is full is found by writing; monitors ask more often than it has to be known.
TRIAL_SECONDS = 20.0
_KEPT = 4  # closed tournaments that were asked for last


class Alarm(NamedTuple):
    """An open alarm."""

    id: int
    device: int
    kind: str
    text: str
    machines: tuple[str, ...]
    at: str


class HubView(NamedTuple):
    """What was read from the database last."""

    boxes: tuple[Box, ...] = ()
    replaced: tuple[Box, ...] = ()  # boxes that gave up their tables
    removed: tuple[Box, ...] = ()  # boxes that were taken out of the hall
    alarms: tuple[Alarm, ...] = ()
    held: frozenset[int] = frozenset()
    results: tuple[AcceptedResult, ...] = ()
    assigned: tuple[AssignedMatch, ...] = ()
    log_seq: int = 0


class ChangeSignal(asyncio.Event):
    """Set by every change; ``count`` names what is shown between two of them."""

    count = 0

    def set(self) -> None:
        self.count += 1
        super().set()


class HubState:
    """The state of one hub process. Coroutines raise DatabaseError."""

    def __init__(self, database: Database, clock: Clock, monotonic: Callable[[], float]) -> None:
        """``monotonic``: seconds, for the presence of boxes."""
        self.clock = clock
        self.presence = Presence(monotonic)
        self.scores = Scores(monotonic, clock)
        self.view = HubView()
        self.tournaments = Tournaments()
        # By id and newest entry; what was asked for last is last.
        self._closed: dict[tuple[int, int], RunningTournament] = {}
        self.thread = StoreThread()
        self.changed = ChangeSignal()  # the wall shows something else now
        self._database, self._monotonic = database, monotonic
        self._tried_at = -TRIAL_SECONDS
        self._assigned_at: dict[int, float] = {}  # by rev, when it was read first
        self._subscribers: list[Callable[[], Awaitable[None]]] = []
        self._forgotten = 0  # the newest entry that forgets a name, of the scores
        self._reported: set[str] = set()  # subjects whose alarm was raised

    def subscribe(self, subscriber: Callable[[], Awaitable[None]]) -> None:
        """Call ``subscriber`` after each change of what is known."""
        self._subscribers.append(subscriber)

    async def announce(self) -> None:
        """Call the subscribers, and let the wall make a new report."""
        self.changed.set()
        for subscriber in self._subscribers:
            await subscriber()

    # ---- reading

    async def load(self) -> None:
        """Read everything; called once before serving."""
        self._show(await self.read(partial(self._read_view, before=self.scores.load)))
        self._forgotten = self.tournaments.forgotten
        with suppress(DatabaseError):  # the next start is slower
            await self._commit(partial(keep_summaries, known=self.tournaments))

    async def refresh(self) -> None:
        """Read boxes, alarms and the tournaments again."""
        view = await self.read(self._read_view)
        if self.tournaments.forgotten != self._forgotten:
            await self._forget_names()
        if view != self.view:
            self._show(view)
            await self.announce()

    async def _forget_names(self) -> None:
        """Read the games in memory again: their headers have names that are forgotten."""
        self._forgotten = self.tournaments.forgotten

        def read(connection: Connection) -> dict[int, TableScore]:
            return {
                device: read_table(connection, device, epoch, self.scores.written)
                for device, epoch in newest_streams(connection).items()
            }

        for device, table in (await self.read(read)).items():
            self.scores.put(device, table)

    def _show(self, view: HubView) -> None:
        self.view, now = view, self._monotonic()
        self._assigned_at = {
            each.rev: self._assigned_at.get(each.rev, now) for each in view.assigned
        }

    async def read(self, query: Callable[[Connection], Found], rank: Rank = Rank.DESK) -> Found:
        """Run a query on the database and return its result. ``rank``: of the client."""

        def find() -> Found:
            with self._database.read() as connection:
                return query(connection)

        return await self.thread.run(find, rank)

    async def read_beside(self, query: Callable[[Connection], Found]) -> Found:
        """Run a query that takes long in a thread of its own."""

        def find() -> Found:
            with self._database.read_beside() as connection:
                return query(connection)

        return await asyncio.to_thread(find)

    def _read_view(
        self, connection: Connection, before: Callable[[Connection], None] | None = None
    ) -> HubView:
        if before is not None:
            before(connection)
        self.tournaments = follow(connection, self.tournaments)
        return read_view(connection)

    async def read_closed(self, tournament: int) -> None:
        """Read a closed tournament.

        ``tournament`` knows it until the next await, as the newest few are kept.
        """
        closed = self.tournaments.archive.get(tournament)
        if closed is None:
            return
        found = self._closed.pop((tournament, closed.until), None)
        if found is None:
            found = await self.read(partial(read_closed, closed=closed))
        self._closed[tournament, closed.until] = found
        for each in [*self._closed][:-_KEPT]:
            del self._closed[each]

    def tournament(self, tournament: int = 0) -> RunningTournament | None:
        """The tournament with an id, a closed one if it was read; 0: the first open one."""
        closed = self.tournaments.archive.get(tournament)
        if closed is None:
            return self.tournaments.get(tournament)
        return self._closed.get((tournament, closed.until))

    async def require_unchanged(self, seen: int | None, subjects: AbstractSet[str]) -> None:
        """Refuse a decision whose page shows something else. Raises DecisionError."""
        await self.read(partial(require_unchanged, seen=seen, subjects=subjects))

    async def store_problem(self, rank: Rank = Rank.DESK) -> DatabaseError | None:
        """Why nothing can be stored, by a trial each ``TRIAL_SECONDS``; None if it can."""
        now = self._monotonic()
        if self._database.problem or now >= self._tried_at + TRIAL_SECONDS:
            self._tried_at = now
            return await self.thread.run(self._database.try_write, rank)
        return None

    def seconds_assigned(self, rev: int) -> float:
        """Since this process knows an assignment: the wall clock may be set meanwhile."""
        now = self._monotonic()
        return now - self._assigned_at.get(rev, now)

    # ---- deciding

    async def write(self, change: Callable[[Connection], Found]) -> Found:
        """Change the database in one transaction, and know what has changed."""
        made = await self._commit(change)
        await self.refresh()
        return made

    async def _commit(self, change: Callable[[Connection], Found]) -> Found:
        def run() -> Found:
            with self._database.write() as connection:
                return change(connection)

        return await self.thread.run(run)

    async def decide(self, author: Author, decision: Callable[[Desk], Found]) -> Found:
        """Run one decision in a transaction. Raises DecisionError."""
        return await self.write(lambda connection: decision(Desk(connection, self.clock, author)))

    async def forget(self, forget: Callable[[Connection], Found]) -> Found:
        """Blank names, and the bytes that are left. Raises DecisionError."""
        found = await self.write(forget)
        await self.thread.run(partial(scrub, self._database))
        return found

    async def direct(
        self, author: Author, decision: Callable[[TournamentDesk], Found], tournament: int = 0
    ) -> Found:
        """Run one decision on a tournament in a transaction. Raises DecisionError.

        ``tournament`` 0: the first open one.
        """

        def decide(connection: Connection) -> tuple[Found, Tournaments]:
            desk = self.desk_of(connection, author, tournament)
            return decision(desk), desk.tournaments

        made, known = await self._commit(decide)
        # What it has folded is true now, and is not folded again.
        if known.seq > self.tournaments.seq:
            self.tournaments = known
        await self.refresh()
        return made

    def desk_of(
        self, connection: Connection, author: Author, tournament: int = 0
    ) -> TournamentDesk:
        """The desk of a tournament in an open transaction."""
        return TournamentDesk(connection, self.clock, author, self.tournaments, tournament)

    async def desire(
        self,
        author: Author,
        wishes: Sequence[TableWish],
        before: Callable[[Desk], None] | None = None,
    ) -> None:
        """Set what the tables of boxes should play, in one decision.

        ``before``: what is decided with it, or refuses it. Raises DecisionError.
        """

        def decide(connection: Connection) -> list[int]:
            desk = Desk(connection, self.clock, author)
            if before is not None:
                before(desk)
            return [desk.desire(*wish) for wish in wishes]

        revs = await self._commit(decide)
        # Before the subscribers, which may decide again for the same box.
        for rev, wish in zip(revs, wishes, strict=True):
            self.presence.send(wish.device, desired_event({**wish.document, "rev": rev}))
        await self.refresh()

    async def desired(self, device: int) -> Event | None:
        """What the table of a box should do."""
        document = await self.read(partial(desired_of, device=device))
        return None if document is None else desired_event(document)

    async def report(self, alarm: NewAlarm) -> None:
        """Raise an alarm, once for each of its subjects."""
        if alarm.subject not in self._reported:
            self._reported.add(alarm.subject)
            await self.write(partial(raise_alarm, clock=self.clock, alarm=alarm))


def read_view(connection: Connection) -> HubView:
    """Boxes, open alarms and holds."""
    query = select(ALARM).where(ALARM.c.resolved == "").order_by(ALARM.c.id)
    alarms = tuple(
        Alarm(row.id, row.device, row.kind, row.text, tuple(machines_of(row.machines)), row.at)
        for row in connection.execute(query)
    )
    held = frozenset(int(device) for device in connection.execute(select(HOLD.c.device)).scalars())
    return HubView(
        boxes=tuple(read_boxes(connection)),
        replaced=tuple(read_boxes(connection, DeviceState.REPLACED)),
        removed=tuple(read_boxes(connection, DeviceState.REVOKED)),
        alarms=alarms,
        held=held,
        results=tuple(read_results(connection)),
        assigned=tuple(_read_assigned(connection)),
        log_seq=log.head_seq(connection),
    )


def _read_assigned(connection: Connection) -> Iterator[AssignedMatch]:
    """What each box was assigned last, oldest first."""
    query = select(DESIRED.c.device, DESIRED.c.rev, DESIRED.c.document).order_by(DESIRED.c.rev)
    for device, rev, text in connection.execute(query):
        document = json.loads(text)
        match = match_in(document.get("header") or "")
        tags = ("", "", 1) if match is None else (match.id, match.hall, match.leg)
        yield AssignedMatch(device, rev, *tags, document.get("cap"))


def desired_event(document: Json) -> Event:
    """The event of a stored assignment."""
    if document["do"] == "release":
        return Release(document["rev"])
    limits = {each: document.get(each) for each in LIMITS}
    pages = tuple(document.get("pages", ()))
    return Desired(document["rev"], document["header"], document["lock"], **limits, pages=pages)
