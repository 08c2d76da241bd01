"""A hall in simulated time: real sender, wire and intake.

Faults are choices of the caller. Every store that a table ever had is kept, so that a stream of the
hub can be compared with what was really played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, NamedTuple

from sqlalchemy import select

from scorer.hall import wire
from scorer.hall.events import digest_of
from scorer.hall.joining import key_of
from scorer.hall.rows import Opening, Row
from scorer.hall.wire import Reply
from scorer.hub.decisions import DecisionError, Desk, NewDevice, buttons_of, desired_of
from scorer.hub.intake import Intake, Submission
from scorer.hub.scores import machines_of
from scorer.hub.store import log
from scorer.hub.store.database import Database
from scorer.hub.store.projections import Resolution
from scorer.hub.store.tables import ALARM, DEVICE, HOLD, METADATA, ROW, STREAM
from scorer.link.sender import Greet, KeepToken, Lost, ReadJournal, RequestEpoch, Sender, SendRows
from scorer.link.table_page import NO_DECISION, Epoch, Page, TableDecision
from tests.hub.boxes import DIRECTOR, Digits, SetClock

MAX_BOXES = 4
_MOST_STEPS = 400  # of one box until it is quiet
_MOST_PAUSES = 3  # of a box that is held, or that cannot compare


# SQLite: the file; PostgreSQL: the rows of every table.
Content = bytes | dict[str, list[dict[str, Any]]]


class LawBroken(AssertionError):
    """A law does not hold; the text says which."""


class Fate(Enum):
    """What becomes of a request."""

    ANSWERED = auto()
    ANSWER_LOST = auto()
    LOST = auto()
    TWICE = auto()  # delivered twice, answered once
    LATE = auto()  # it may be delivered later; the box has given it up
    ANSWERED_AND_LATE = auto()  # answered, and delivered once more later
    HUB_KILLED = auto()  # before the commit


class Store(NamedTuple):
    """What the card of a table has."""

    epoch: Epoch
    rows: tuple[Row, ...]  # seq 1, 2, ...
    openings: tuple[Opening, ...]
    decision: TableDecision = NO_DECISION

    @property
    def newest(self) -> int:
        return len(self.rows)

    def stream(self) -> tuple[Row, ...]:
        return self.rows[self.epoch.first - 1 :]


@dataclass
class Box:
    """A box with its card; the sender dies with its process, token and store stay."""

    machine: str
    token: str
    store: Store
    sender: Sender
    is_on: bool = True
    backups: list[Store] = field(default_factory=list)


class Message(NamedTuple):
    """A request on its way."""

    token: str
    request: wire.GreetRequest | wire.RowsRequest


def raw_connection(database: Database) -> Any:  # noqa: ANN401
    """The driver's connection of a database in memory, whose content is in no other."""
    with database.write() as connection:
        found = connection.connection.dbapi_connection
    return found


@dataclass
class World:
    """``acknowledges_early``: a hub without the guard that answers follow the commit."""

    database: Database
    intake_type: type[Intake] = Intake
    acknowledges_early: bool = False
    clock: SetClock = field(default_factory=SetClock)
    boxes: list[Box] = field(default_factory=list)
    late: list[Message] = field(default_factory=list)
    has_copies: bool = False  # clones, old backups, spare boxes: streams may be held
    # Rows that a box knows to be on the hub's disk.
    acknowledged: set[tuple[int, str, Row]] = field(default_factory=set)
    played: dict[str, set[tuple[Row, ...]]] = field(default_factory=dict)
    _count: int = 0

    def __post_init__(self) -> None:
        self._digits = Digits()
        # Two processes of one hub.
        self._hubs = [self.intake_type(self.database, self.clock, self._digits) for _ in range(2)]
        self._backups: list[Content] = []

    # ---- the hub's disk

    def snapshot(self) -> Content:
        """Everything in the database."""
        if self.database.engine.dialect.name == "sqlite":
            content: bytes = raw_connection(self.database).serialize()
            return content
        with self.database.read() as connection:
            return {
                table.name: [dict(found) for found in connection.execute(table.select()).mappings()]
                for table in METADATA.sorted_tables
            }

    def put_back(self, content: Content) -> None:
        """Replace everything by a snapshot."""
        if isinstance(content, bytes):
            raw_connection(self.database).deserialize(content)
            return
        with self.database.write() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(table.delete())
                if content[table.name]:
                    connection.execute(table.insert(), content[table.name])

    # ---- boxes

    def add_box(self, table: int = 1) -> None:
        """A new box at a table; an older one there is replaced."""
        self.has_copies = self.has_copies or any(box for box in self.boxes)
        token, epoch = self._digits(32), Epoch(self._digits(16), 1)
        box = Box(f"m{len(self.boxes)}", token, Store(epoch, (), ()), self._sender(len(self.boxes)))
        self.boxes.append(box)
        self._accept(box, table)
        self._note(box)

    def _accept(self, box: Box, table: int) -> None:
        with self.database.write() as connection:
            desk = Desk(connection, self.clock, DIRECTOR)
            desk.accept(NewDevice(key_of(box.token), table, box.machine, "1"))

    def join_again(self, box: Box) -> None:
        """A box that the hub does not know joins with another token, at another table."""
        if self.device_of(box) is None:
            box.token = self._digits(32)
            self._accept(box, 100 + self._count)
            box.sender = self._sender(self.boxes.index(box))

    def clone(self, box: Box) -> None:
        """Its card is copied into another machine."""
        self.has_copies = True
        at = len(self.boxes)
        self.boxes.append(Box(f"m{at}", box.token, box.store, self._sender(at)))

    def restart_link(self, box: Box) -> None:
        box.sender = self._sender(self.boxes.index(box))

    def press(self, box: Box) -> None:
        """One row of the running game; a game is opened first if there is none."""
        if not box.store.openings:
            self.open_game(box)
        store = box.store
        seq, game = store.newest + 1, store.openings[-1].game
        self._count += 1
        row = Row(seq, game, seq, "A truco", "console A", "b", self._count, "", False)
        box.store = store._replace(rows=(*store.rows, row))
        self._note(box)
        box.sender.news(seq, seq, (("A", 0),))

    def open_game(self, box: Box) -> None:
        store = box.store
        self._count += 1
        game = store.openings[-1].game + 1 if store.openings else 1
        opening = Opening(game, store.newest + 1, f"[Game {self._count}]")
        box.store = store._replace(openings=(*store.openings, opening))

    def renew_epoch(self, box: Box) -> None:
        """The table begins a new epoch with the running game."""
        store = box.store
        first = store.openings[-1].opened if store.openings else 1
        box.store = store._replace(epoch=Epoch(self._digits(16), first))
        self._note(box)

    def salvage(self, box: Box, lost: int) -> None:
        """The store lost its last rows, and begins a new epoch."""
        keep = max(box.store.newest - lost, 0)
        rows = box.store.rows[:keep]
        openings = tuple(each for each in box.store.openings if each.opened <= keep + 1)
        box.store = box.store._replace(rows=rows, openings=openings)
        self.renew_epoch(box)
        box.sender.table_lost()
        box.sender.table_found()

    def back_up_box(self, box: Box) -> None:
        box.backups.append(box.store)

    def put_back_box(self, box: Box, at: int) -> None:
        """An old backup of a table: its processes start again."""
        if box.backups:
            self.has_copies = True
            box.store = box.backups[at % len(box.backups)]
            self.restart_link(box)

    def back_up_hub(self) -> None:
        self._backups.append(self.snapshot())

    def put_back_hub(self, at: int, *, is_noticed: bool) -> None:
        """An old backup of the hub.

        ``is_noticed``: connections are lost, as after a restart.
        """
        if self._backups:
            self.has_copies = True
            self.put_back(self._backups[at % len(self._backups)])
            stored = self._stored()
            self.acknowledged = {each for each in self.acknowledged if each in stored}
            for box in self.boxes:
                if is_noticed:
                    box.sender.disconnected()

    def resolve(self, at: int, how: int, which: int) -> None:
        """The desk presses a button of an open alarm."""
        with self.database.read() as connection:
            query = select(ALARM).where(ALARM.c.resolved == "").order_by(ALARM.c.id)
            alarms = connection.execute(query).all()
        if not alarms:
            return
        alarm = alarms[at % len(alarms)]
        buttons = buttons_of(alarm.kind)
        button, machines = buttons[how % len(buttons)], machines_of(alarm.machines)
        machine = machines[which % len(machines)] if button is Resolution.TRUE_ONE else ""
        try:
            with self.database.write() as connection:
                Desk(connection, self.clock, DIRECTOR).resolve(alarm.id, button, machine)
        except DecisionError:
            return
        for box in self.boxes:
            box.sender.greet_again()

    def assign(self, box: Box) -> None:
        """The desk assigns a match to the table of a box."""
        device = self.device_of(box)
        if device is None:
            return
        self._count += 1
        document = {"do": "assign", "header": str(self._count), "lock": True, "cap": None}
        with self.database.write() as connection:
            Desk(connection, self.clock, DIRECTOR).desire(device, document)

    def desired(self, box: Box) -> TableDecision | None:
        """The newest decision of the hub on the table of a box."""
        device = self.device_of(box)
        with self.database.read() as connection:
            found = None if device is None else desired_of(connection, device)
        return None if found is None else TableDecision(found["rev"], digest_of(found))

    def pass_decision(self, box: Box) -> None:
        """The event of the hub reaches the table, which refuses a stale one."""
        decision, known = self.desired(box), box.store.decision
        if decision is None or decision == known:
            return
        if decision.rev > known.rev:
            box.store = box.store._replace(decision=decision)
        else:
            box.sender.greet_again()

    # ---- messages

    def step(self, box: Box, fate: Fate, hub: int = 0) -> bool:
        """Let a sender act until one request has had its fate.

        False if it is quiet.
        """
        if not box.is_on:
            return False
        sender = box.sender
        sender.connected() if not self._is_connected(sender) else None
        while (action := sender.next(self.clock.now)) is not None:
            match action:
                case ReadJournal(first, limit):
                    sender.page(page_of(box.store, first, limit), self.clock.now)
                case RequestEpoch(old):
                    if box.store.epoch.id == old:
                        self.renew_epoch(box)
                    sender.renewed()
                case KeepToken(token):
                    box.token = token
                    sender.token_kept()
                case Greet(request):
                    reply = self._exchange(Message(box.token, request), fate, hub)
                    sender.greeted(_answer(reply, wire.parse_greet_reply), self.clock.now)
                    return True
                case SendRows(rows):
                    reply = self._exchange(Message(box.token, rows), fate, hub)
                    self._note_acknowledged(box, reply, rows)
                    sender.sent(_answer(reply, wire.parse_rows_reply), self.clock.now)
                    return True
        return False

    def send_all(self, box: Box) -> None:
        """Let a box act until it is quiet or has to wait."""
        for _ in range(_MOST_STEPS):
            if not self.step(box, Fate.ANSWERED):
                return

    def deliver_late(self, at: int, hub: int) -> None:
        """A request that was on its way for long; its answer reaches no box."""
        if self.late:
            self._receive(self.late[at % len(self.late)], hub)

    def _exchange(self, message: Message, fate: Fate, hub: int) -> Reply | None:
        match fate:
            case Fate.LOST:
                return None
            case Fate.LATE:
                self.late.append(message)
                return None
            case Fate.HUB_KILLED:
                before = self.snapshot()
                reply = self._receive(message, hub)
                self.put_back(before)
                return reply if self.acknowledges_early else None
            case Fate.TWICE:
                self._receive(message, hub)
            case Fate.ANSWERED_AND_LATE:
                self.late.append(message)
            case Fate.ANSWER_LOST:
                self._receive(message, hub)
                return None
            case Fate.ANSWERED:
                pass
        return self._receive(message, hub)

    def _receive(self, message: Message, hub: int) -> Reply:
        body = wire.encode(message.request)
        is_greeting = isinstance(message.request, wire.GreetRequest)
        parsed = wire.parse_greet(body) if is_greeting else wire.parse_rows(body)
        submission = Submission(key_of(message.token), parsed)
        (outcome,) = self._hubs[hub % 2].receive([submission])
        return outcome.reply

    def _note_acknowledged(self, box: Box, reply: Reply | None, request: wire.RowsRequest) -> None:
        device = self.device_of(box)
        if isinstance(reply, wire.RowsReply) and device is not None:
            self.acknowledged |= {(device, request.epoch, row) for row in request.batch.rows}

    # ---- the end: everything works again

    def settle(self) -> None:
        """Let every box act without faults until it is quiet.

        A box that is held has to wait; after a few pauses it counts as quiet.
        """
        for _ in range(3):
            for at, box in enumerate(self.boxes):
                box.sender.disconnected()
                self._settle_box(box, at)
                for _ in range(2):
                    self.pass_decision(box)
                    self._settle_box(box, at)
            self.clock.now += 61

    def _settle_box(self, box: Box, hub: int) -> None:
        pauses = 0
        for _ in range(_MOST_STEPS):
            if self.step(box, Fate.ANSWERED, hub):
                continue
            if box.sender.wake_at <= self.clock.now or pauses == _MOST_PAUSES:
                return
            pauses += 1
            self.clock.now = box.sender.wake_at
        raise LawBroken("a box sends without end")

    # ---- what the laws look at

    def device_of(self, box: Box) -> int | None:
        key = key_of(box.token)
        with self.database.read() as connection:
            query = select(DEVICE.c.id).where(
                (DEVICE.c.key == key) | ((DEVICE.c.next_key == key) & (DEVICE.c.next_key != ""))
            )
            found = connection.execute(query).scalar()
        return None if found is None else int(found)

    def streams(self) -> dict[tuple[int, str], tuple[Row, ...]]:
        """The rows of every stream of the hub."""
        columns = [ROW.c[name] for name in Row._fields]
        found: dict[tuple[int, str], list[Row]] = {}
        with self.database.read() as connection:
            for device, epoch in connection.execute(select(STREAM.c.device, STREAM.c.epoch)):
                found[device, epoch] = []
            query = select(ROW.c.device, ROW.c.epoch, *columns).order_by(ROW.c.seq)
            for device, epoch, *values in connection.execute(query):
                found.setdefault((device, epoch), []).append(Row(*values))
        return {key: tuple(rows) for key, rows in found.items()}

    def alarmed(self) -> set[int]:
        """The devices that an alarm was raised for, or that are held."""
        with self.database.read() as connection:
            devices = [*connection.execute(select(ALARM.c.device)).scalars()]
            devices += connection.execute(select(HOLD.c.device)).scalars()
            replaced = select(DEVICE.c.id).where(DEVICE.c.state != "active")
            devices += connection.execute(replaced).scalars()
        return {*map(int, devices)}

    def log_problem(self) -> str | None:
        with self.database.read() as connection:
            return log.find_break(connection)

    def _stored(self) -> set[tuple[int, str, Row]]:
        return {(*key, row) for key, rows in self.streams().items() for row in rows}

    def _note(self, box: Box) -> None:
        self.played.setdefault(box.store.epoch.id, set()).add(box.store.stream())

    def _sender(self, at: int) -> Sender:
        sender = Sender(f"m{at}", "1", chance=lambda: 0.5)
        sender.table_found()
        return sender

    def _is_connected(self, sender: Sender) -> bool:
        return sender._talk.is_connected


def page_of(store: Store, first: int, limit: int) -> Page:
    """What the table's socket answers to ``journal``."""
    rows = store.rows[max(first, 1) - 1 : max(first, 1) - 1 + limit]
    end = rows[-1].seq if rows else first - 1
    # A game that was opened after the last row is in the range too, if the rows end there.
    last = end + 1 if end >= store.newest else end
    openings = tuple(each for each in store.openings if first <= each.opened <= last)
    return Page(store.epoch, rows, openings, store.decision)


def _answer(reply: Reply | None, parse: Callable[[int, bytes], object]) -> Any:  # noqa: ANN401
    if reply is None:
        return Lost()
    return parse(wire.status_of(reply), wire.encode(reply))
