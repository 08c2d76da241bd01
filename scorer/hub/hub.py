"""The state of a running hub: boxes, alarms, scores."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import select

from scorer.config.tournament_formats import FORMATS_FOLDER
from scorer.hall.events import Desired, Event, Release, RenewEpoch, Resend
from scorer.hall.fields import Malformed
from scorer.hall.joining import CardRequest, JoinReply, JoinState, key_of
from scorer.hub.alarms import NewAlarm, raise_alarm
from scorer.hub.decisions import (
    DecisionError,
    DecisionFault,
    Desk,
    NewDevice,
    ScannedResult,
    buttons_of,
    desired_of,
    read_code,
    require_unchanged,
)
from scorer.hub.identity import Identity
from scorer.hub.intake import Intake, Outcome, Stored, Submission
from scorer.hub.joins import Joins
from scorer.hub.match_caller import MatchCaller
from scorer.hub.matches import AssignedMatch
from scorer.hub.passwords import Person, Sessions
from scorer.hub.presence import Presence
from scorer.hub.scores import (
    AcceptedResult,
    Agreement,
    Box,
    Scores,
    TableScore,
    machines_of,
    match_in,
    newest_ends,
    newest_streams,
    read_boxes,
    read_results,
    read_table,
)
from scorer.hub.store import log
from scorer.hub.store.database import Connection, Database, DatabaseError
from scorer.hub.store.log import Author
from scorer.hub.store.projections import AlarmKind, Resolution
from scorer.hub.store.tables import ALARM, DESIRED, DEVICE, HOLD, LOG, PERSON
from scorer.hub.times import Clock
from scorer.hub.tournament_documents import table_documents
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import RunningTournament, TournamentDesk, follow
from scorer.hub.turns import StoreThread, Turns
from scorer.rules.assigned import LIMITS
from scorer.tournament.events import RecordResult

Json = dict[str, Any]
Wish = tuple[int, Json]  # a box, and what its table should play
Found = TypeVar("Found")
_REPLAY_SECONDS = 0.5  # the wall waits so long for a storm of requests


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
    alarms: tuple[Alarm, ...] = ()
    held: frozenset[int] = frozenset()
    results: tuple[AcceptedResult, ...] = ()
    assigned: tuple[AssignedMatch, ...] = ()
    log_seq: int = 0


class Hub:
    """One hub process. Methods that are coroutines raise DatabaseError."""

    def __init__(
        self,
        database: Database,
        identity: Identity,
        clock: Clock,
        name: str = "Truco",
        formats_folder: Path = FORMATS_FOLDER,
    ) -> None:
        """``name``: of the hall; ``formats_folder``: of the owner's formats."""
        self.name, self.identity, self.clock = name, identity, clock
        self.formats_folder = formats_folder
        self._database, self.thread = database, StoreThread()
        self.turns = Turns(Intake(database, clock, random_hex), self.thread)
        self.presence = Presence(time.monotonic)
        self.joins = Joins(identity.pin, random_hex)
        self.sessions = Sessions(identity.sessions)
        self.scores = Scores()
        self.view = HubView()
        self.running: RunningTournament | None = None
        self.matches = MatchCaller(self, time.monotonic, partial(random_hex, 8))
        self.changed = asyncio.Event()  # the wall shows something else now
        self._sent_seq = 0  # of the log, to which every box has been sent its decision
        self._differing: set[str] = set()  # results whose alarm was raised
        self._to_replay: deque[tuple[float, Stored]] = deque()  # with the time of its answer
        self._tasks: set[asyncio.Task[None]] = set()

    async def load(self) -> None:
        """Read everything; called once before serving."""
        self.view = await self.thread.run(self._read, self.scores.load)
        self._sent_seq = self.view.log_seq

    async def refresh(self) -> None:
        """Read boxes and alarms again."""
        view = await self.thread.run(self._read, None)
        if view != self.view:
            self.view = view
            self.changed.set()

    async def read(self, query: Callable[[Connection], Found]) -> Found:
        """What a query finds in the database."""

        def find() -> Found:
            with self._database.read() as connection:
                return query(connection)

        return await self.thread.run(find)

    def _read(self, more: Callable[[Connection], None] | None) -> HubView:
        with self._database.read() as connection:
            if more is not None:
                more(connection)
            self.running = follow(connection, self.running)
            return read_view(connection)

    # ---- boxes ----------------------------------------------------------------------------------

    async def submit(self, submission: Submission) -> Outcome:
        """The answer to a box; what follows from it for the wall is done after the answer."""
        outcome = await self.turns.submit(submission)
        if outcome.device:
            if self.presence.is_silent(outcome.device):
                # Its table can have a match now.
                self._start(self.matches.follow())
            self.presence.heard(outcome.device)
        asyncio.get_running_loop().call_soon(self._follow, outcome)
        return outcome

    def refuse_unread(self, key: str, fault: Malformed) -> None:
        """Raise the alarm of an unreadable message, whose answer is already sent."""
        self._start(self.submit(Submission(key, fault)))

    def _follow(self, outcome: Outcome) -> None:
        if outcome.stored is not None:
            self._to_replay.append((time.monotonic(), outcome.stored))
        if outcome.alarm:
            self._start(self.refresh())
        if outcome.decided:
            self._start(self._send_new_decision(outcome.device))
        self._replay()
        self.changed.set()

    def _replay(self) -> None:
        """Replay what was stored; while boxes wait for answers, only what is old."""
        while self._to_replay:
            since, stored = self._to_replay[0]
            if not self.turns.is_idle and time.monotonic() < since + _REPLAY_SECONDS:
                return
            self._to_replay.popleft()
            if not self.scores.is_continued_by(stored):
                self._start(self._read_score(stored))
                continue
            self.scores.add(stored)
            if self.running is not None:
                self._start(self.matches.follow())
            # As a rule there is nothing to check, and a task costs as much as the replay of a row.
            if not self.scores.agrees(stored) or self._has_result(stored.device):
                self._start(self._check_score(stored))

    async def _read_score(self, stored: Stored) -> None:
        """Read a table of which another process has stored rows, or whose epoch is new."""
        await self._read_tables({stored.device: stored.epoch})
        await self._check_score(stored)

    async def _check_score(self, stored: Stored) -> None:
        """Raise an alarm if the table plays by other rules, or contradicts a result."""
        if self.scores.agrees(stored):
            await self._check_results(stored.device)
        else:
            await self._report_other_rules(stored)

    async def _read_tables(self, epochs: dict[int, str]) -> None:
        def read() -> dict[int, TableScore]:
            with self._database.read() as connection:
                return {
                    device: read_table(connection, device, epoch)
                    for device, epoch in epochs.items()
                }

        for device, table in (await self.thread.run(read)).items():
            self.scores.put(device, table)
        self.changed.set()
        await self.matches.follow()

    async def _follow_rows(self) -> None:
        """Read the tables whose rows other processes have stored."""

        def read() -> dict[int, tuple[str, int]]:
            with self._database.read() as connection:
                return newest_ends(connection)

        ends = await self.thread.run(read)
        behind = {
            device: epoch
            for device, (epoch, last) in ends.items()
            if self.scores.is_behind(device, epoch, last)
        }
        if behind:
            await self._read_tables(behind)

    async def _report_other_rules(self, stored: Stored) -> None:
        text = "the table shows another score than the hub computes from the same rows"
        epoch = stored.epoch
        await self._raise(NewAlarm(stored.device, AlarmKind.RULES, text, epoch, subject=epoch))

    def _has_result(self, device: int) -> bool:
        return any(each.device == device for each in self.view.results)

    async def _check_results(self, device: int) -> None:
        """Raise an alarm for every result whose rows say another one."""
        for each in self.view.results:
            if each.device != device or self.scores.agreement(each) is not Agreement.DIFFERENT:
                continue
            await self._report(device, f"{each.rev} {each.seq}", each.match)

    async def _report(
        self, device: int, subject: str, match: str, kind: AlarmKind = AlarmKind.RESULT
    ) -> None:
        if subject in self._differing:
            return
        self._differing.add(subject)
        await self._raise(NewAlarm(device, kind, match, subject=subject))

    async def _raise(self, alarm: NewAlarm) -> None:
        def write() -> None:
            with self._database.write() as connection:
                raise_alarm(connection, self.clock, alarm)

        await self.thread.run(write)
        await self.refresh()

    async def find_device(self, key: str) -> int | None:
        """The box that has a token with this SHA-256, unless it is revoked."""

        def find() -> int | None:
            known = (DEVICE.c.key == key) | ((DEVICE.c.next_key == key) & (DEVICE.c.next_key != ""))
            query = select(DEVICE.c.id).where(known, DEVICE.c.state != "revoked")
            with self._database.read() as connection:
                found = connection.execute(query).scalar()
            return None if found is None else int(found)

        return await self.thread.run(find)

    async def desired(self, device: int) -> Event | None:
        """What the table of a box should do."""

        def find() -> Json | None:
            with self._database.read() as connection:
                return desired_of(connection, device)

        document = await self.thread.run(find)
        return None if document is None else desired_event(document)

    async def join_by_card(self, request: CardRequest) -> JoinReply:
        """Accept a box that shows a card."""
        device = NewDevice(request.key, 0, request.machine, request.program)
        try:
            await self.decide(
                Author("card", log.HUB),
                lambda desk: desk.accept_by_card(key_of(request.card), device),
            )
        except DecisionError as error:
            return JoinReply(JoinState.REFUSED, text=str(error))
        table = await self._table_of(request.key)
        return JoinReply(JoinState.ACCEPTED, table=table, hall=self.name)

    async def _table_of(self, key: str) -> int:
        def find() -> int:
            with self._database.read() as connection:
                query = select(DEVICE.c.table_number).where(DEVICE.c.key == key)
                return int(connection.execute(query).scalar_one())

        return await self.thread.run(find)

    # ---- the desk -------------------------------------------------------------------------------

    async def decide(self, author: Author, decision: Callable[[Desk], Found]) -> Found:
        """Run one decision in a transaction. Raises DecisionError."""

        def write() -> Found:
            with self._database.write() as connection:
                return decision(Desk(connection, self.clock, author))

        made = await self.thread.run(write)
        await self.refresh()
        return made

    async def accept(self, author: Author, key: str, table: int, name: str) -> None:
        """Accept a box whose digits agree. Raises DecisionError."""
        found = [each for each in self.joins.candidates(time.monotonic()) if each.key == key]
        if not found:
            raise DecisionError("this box does not wait any more", DecisionFault.GONE)
        device = NewDevice(key, table, found[0].machine, found[0].program, name)
        await self.decide(author, lambda desk: desk.accept(device))
        self.joins.accept(key, table, self.name)

    async def resolve(self, author: Author, alarm: int, how: Resolution, machine: str) -> None:
        """Close an alarm; the box greets again. Raises DecisionError."""
        device = await self.decide(author, lambda desk: desk.resolve(alarm, how, machine))
        self.presence.send(device, Resend())

    async def renew_epoch(self, device: int) -> None:
        """Ask the table of a box for a new epoch."""

        def find() -> str | None:
            with self._database.read() as connection:
                return newest_streams(connection).get(device)

        if epoch := await self.thread.run(find):
            self.presence.send(device, RenewEpoch(epoch))

    async def require_unchanged(self, seen: int | None, subjects: AbstractSet[str]) -> None:
        """Refuse a decision whose page shows something else. Raises DecisionError."""

        def check() -> None:
            with self._database.read() as connection:
                require_unchanged(connection, seen, subjects)

        await self.thread.run(check)

    async def desire(
        self,
        author: Author,
        wishes: Sequence[Wish],
        before: Callable[[Desk], None] | None = None,
    ) -> None:
        """Set what the tables of boxes should play, in one decision.

        ``before``: what is decided with it, or refuses it. Raises DecisionError.
        """

        def decision(desk: Desk) -> list[int]:
            if before is not None:
                before(desk)
            return [desk.desire(device, document) for device, document in wishes]

        revs = await self.decide(author, decision)
        for rev, (device, document) in zip(revs, wishes, strict=True):
            self.presence.send(device, desired_event({**document, "rev": rev}))

    async def _send_desired(self, device: int) -> None:
        if (event := await self.desired(device)) is not None:
            self.presence.send(device, event)

    async def _send_new_decision(self, device: int) -> None:
        """The intake has decided."""
        await self.refresh()
        await self._send_desired(device)

    async def revoke(self, author: Author, device: int) -> None:
        """Take the token of a box. Raises DecisionError."""
        await self.decide(author, lambda desk: desk.revoke(device))
        self.presence.drop(device)

    async def read_code(self, code: str) -> Json:
        """What the code of a panel says, for the desk to accept. Raises DecisionError."""
        found = await self._scanned(code)
        return {
            **found.result._asdict(),
            "table": found.table,
            "match": found.match,
            "names": found.names,
            "known": found.known_seq == found.result.seq,
        }

    async def _scanned(self, code: str) -> ScannedResult:
        def find() -> ScannedResult:
            with self._database.read() as connection:
                return read_code(connection, code)

        return await self.thread.run(find)

    async def accept_code(self, author: Author, code: str) -> None:
        """Accept the result of a panel as that of its match. Raises DecisionError.

        A result that does not decide a match of the tournament raises an alarm.
        """
        scanned = await self._scanned(code)
        match, is_match = scanned.match, self.matches.is_match(scanned.match)
        result = self.matches.result_of_code(scanned)
        is_new = result is not None and self.matches.reader.result(match) != result

        def write() -> None:
            with self._database.write() as connection:
                Desk(connection, self.clock, author).add_result(code)
                if result is not None and is_new:
                    event = RecordResult(match, result)
                    desk = TournamentDesk(connection, self.clock, author, self.running)
                    desk.decide(event, how="qr")

        await self.thread.run(write)
        await self.refresh()
        await self._check_results(scanned.device)
        if is_match and result is None:
            await self.report_undecided(scanned.device, match, f"code {scanned.result.rev}")
        await self.matches.follow()

    async def people(self) -> dict[str, Person]:
        """Who may use the desk, by name."""

        def find() -> dict[str, Person]:
            with self._database.read() as connection:
                found = connection.execute(select(PERSON.c.name, PERSON.c.role, PERSON.c.password))
                return {each.name: Person(*each) for each in found}

        return await self.thread.run(find)

    def desk_document(self, language: str) -> Json:
        """What the desk is shown."""
        tables = {box.device: box.table for box in self.view.boxes}
        candidates = self.joins.candidates(time.monotonic())
        found = self.matches.tournament
        matches = table_documents(Phrases(found.reader, language), found) if found else {}
        return {
            "hall": self.name,
            "now": self.clock.utc(),
            "clock_is_trusted": self.clock.is_trusted,
            "boxes": [
                {**self._box_document(box), "match": matches.get(box.table)}
                for box in self.view.boxes
            ],
            "candidates": [each._asdict() for each in candidates],
            "alarms": [_alarm_document(each, tables) for each in self.view.alarms],
            "results": [
                {
                    **each._asdict(),
                    "table": tables.get(each.device, 0),
                    "rows": self.scores.agreement(each),
                }
                for each in self.view.results
            ],
        }

    def _box_document(self, box: Box) -> Json:
        return {
            **box._asdict(),
            "silent": self.presence.is_silent(box.device),
            "held": box.device in self.view.held,
            "game": _game_document(self.scores, box.device),
        }

    # ---- the tournament -------------------------------------------------------------------------

    async def direct(self, author: Author, decision: Callable[[TournamentDesk], object]) -> None:
        """Run one decision on the tournament in a transaction. Raises DecisionError."""

        def write() -> None:
            with self._database.write() as connection:
                decision(TournamentDesk(connection, self.clock, author, self.running))

        await self.thread.run(write)
        await self.refresh()
        self.changed.set()

    async def report_result(self, device: int, match: str) -> None:
        """Raise an alarm: the rows of a table say another result than the official one."""
        await self._report(device, f"official {match}", match)

    async def report_undecided(self, device: int, match: str, source: str) -> None:
        """Raise an alarm: the result of a sitting or a code cannot be official."""
        subject = f"undecided {match} {source}"
        await self._report(device, subject, match, AlarmKind.RESULT_UNDECIDED)

    # ---- the wall -------------------------------------------------------------------------------

    def wall_document(self) -> Json:
        """What the wall shows; it has no machine names and no digits."""
        alarmed = {alarm.device for alarm in self.view.alarms}
        called = self.matches.called()
        return {
            "hall": self.name,
            "tables": [
                {
                    "table": box.table,
                    "name": box.name,
                    "silent": self.presence.is_silent(box.device),
                    "alarm": box.device in alarmed or box.device in self.view.held,
                    "called": called.get(box.device, []),
                    "game": _game_document(self.scores, box.device),
                }
                for box in self.view.boxes
            ],
        }

    # ---- running --------------------------------------------------------------------------------

    async def follow_others(self, pause: float) -> None:
        """Notice what other processes of this hub have decided and stored.

        ``pause``: seconds between two looks.
        """
        while True:
            await asyncio.sleep(pause)
            try:
                await self.refresh()
                await self._follow_rows()
                await self.matches.follow()
                await self._send_new_decisions()
            except DatabaseError as error:
                sys.stderr.write(f"scorer hub: the database cannot be read: {error}\n")

    async def _send_new_decisions(self) -> None:
        """Send every box its decision, if the log has gone on.

        A refresh for another reason may have read what another process has decided.
        """
        seq = self.view.log_seq
        if seq == self._sent_seq:
            return
        for box in self.view.boxes:
            await self._send_desired(box.device)
        self._sent_seq = seq

    def _start(self, coroutine: Any) -> None:  # noqa: ANN401
        """Run beside the requests; an error is written once and ends nothing."""
        task: asyncio.Task[None] = asyncio.ensure_future(_reporting(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        self.presence.close()


def random_hex(digits: int) -> str:
    """That many hexadecimal digits that cannot be predicted."""
    return secrets.token_hex(digits // 2)


def read_view(connection: Connection) -> HubView:
    """Boxes, open alarms and holds."""
    query = select(ALARM).where(ALARM.c.resolved == "").order_by(ALARM.c.id)
    alarms = (
        Alarm(
            each.id, each.device, each.kind, each.text, tuple(machines_of(each.machines)), each.at
        )
        for each in connection.execute(query)
    )
    held = frozenset(int(device) for device in connection.execute(select(HOLD.c.device)).scalars())
    results = tuple(read_results(connection))
    boxes = tuple(read_boxes(connection))
    assigned = tuple(_read_assigned(connection))
    return HubView(boxes, tuple(alarms), held, results, assigned, log.head_seq(connection))


def _read_assigned(connection: Connection) -> Iterator[AssignedMatch]:
    """What each box was assigned last, oldest first."""
    columns = (DESIRED.c.device, DESIRED.c.rev, DESIRED.c.document, LOG.c.at)
    query = select(*columns).join(LOG, LOG.c.seq == DESIRED.c.rev).order_by(DESIRED.c.rev)
    for device, rev, text, at in connection.execute(query):
        header = json.loads(text).get("header") or ""
        match = match_in(header)
        tags = ("", "", 1) if match is None else (match.id, match.hall, match.leg)
        yield AssignedMatch(device, rev, *tags, at)


def desired_event(document: Json) -> Event:
    """The event of a stored assignment."""
    if document["do"] == "release":
        return Release(document["rev"])
    limits = map(document.get, LIMITS)
    return Desired(document["rev"], document["header"], document["lock"], *limits)


async def _reporting(coroutine: Any) -> None:  # noqa: ANN401
    try:
        await coroutine
    except DatabaseError as error:
        sys.stderr.write(f"scorer hub: {error}\n")


def _alarm_document(alarm: Alarm, tables: dict[int, int]) -> Json:
    document = json.loads(json.dumps(alarm._asdict()))
    buttons = [each.value for each in buttons_of(alarm.kind)]
    return {**document, "table": tables.get(alarm.device, 0), "buttons": buttons}


def _game_document(scores: Scores, device: int) -> Json | None:
    game = scores.of(device)
    if game is None:
        return None
    return {**game._asdict(), "sides": [side._asdict() for side in game.sides]}
