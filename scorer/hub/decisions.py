"""Decisions of the desk as entries of the log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.engine import Connection

from scorer.hall.fields import Malformed
from scorer.hall.result_code import MatchResult, parse_code
from scorer.hub.changes import LastChange, find_change
from scorer.hub.store import log
from scorer.hub.store.log import Author
from scorer.hub.store.projections import DeviceState, Kind, Resolution
from scorer.hub.store.tables import ALARM, CARD, DESIRED, DEVICE, LOG, RESULT
from scorer.hub.times import Clock
from scorer.plain_values.names import is_visible
from scorer.rules import read_header
from scorer.rules.model import Match
from scorer.tournament.events import MAX_TABLE
from scorer.tournament.format import PhaseFormat
from scorer.tournament.model import Reason, ResultFault

MAX_NAME_CHARS = 40
MORE_TIME = "more_time"  # key of a body: seconds that a match gets beyond its limit


class DecisionFault(StrEnum):
    """Why a decision cannot be made, besides the reasons of a tournament."""

    NO_TOURNAMENT = "t.none"
    CLOSED = "t.closed"
    IN_PLAY = "t.in_play"
    BUSY = "t.busy"
    NOT_READY = "t.not_ready"
    NOT_FREE = "t.not_free"
    NO_EXCHANGE = "t.no_exchange"
    NO_TABLE = "t.no_table"
    NOT_AGREED = "t.not_agreed"
    NO_TIME = "t.no_time"
    CHANGED = "t.changed"
    NOT_PAIRED = "t.not_paired"
    LIST = "t.list"
    CELLS = "t.cells"
    FORMAT = "t.format"
    REASON = "t.reason"
    GONE = "gone"
    TAKEN = "taken"
    OCCUPIED = "occupied"
    RESOLVED = "resolved"
    NO_PLACE = "no_place"  # of a name that is to be forgotten
    STORE = "store"  # of the answer while the database cannot be used
    NUMBER = "number"
    CODE_KNOWN = "code_known"
    CODE_OLD = "code_old"
    CODE_UNREADABLE = "code_unreadable"
    CODE_BOX = "code_box"
    CODE_FOREIGN = "code_foreign"


class DecisionError(ValueError):
    """A decision that cannot be made; the text says why.

    ``key``: of the same sentence for people, ``desk.error.<key>``; "" if there is none. ``change``:
    the decision that came first. ``field``: what was typed wrong, "" if it is no field.
    """

    def __init__(
        self,
        text: str,
        fault: DecisionFault | Reason | None = None,
        change: LastChange | None = None,
        field: str = "",
    ) -> None:
        super().__init__(text)
        self.key = f"t.{fault}" if isinstance(fault, Reason) else str(fault or "")
        self.change, self.field = change, field
        self.numbers: Mapping[str, int] = {}  # that the sentence names


def changed_by(change: LastChange) -> DecisionError:
    """The refusal of a decision on what has changed since its page was drawn."""
    return DecisionError(f"{change.who} has decided on it meanwhile", DecisionFault.CHANGED, change)


def impossible_result(phase: PhaseFormat, fault: ResultFault | None) -> DecisionError:
    """The refusal of a result that no match of a phase has."""
    error = DecisionError(Reason.IMPOSSIBLE.value, Reason.IMPOSSIBLE)
    if fault is not None:
        error.key += f".{fault.value}"
        error.field = "games" if fault in (ResultFault.NO_GAMES, ResultFault.GAMES) else "points"
        error.numbers = {"n": phase.legs or phase.games_to_win, "target": phase.target}
    return error


def require_unchanged(connection: Connection, seen: int | None, subjects: AbstractSet[str]) -> None:
    """Refuse a decision on what has changed since the entry ``seen``.

    ``seen`` None: it does not rest on a page. Raises DecisionError.
    """
    change = None if seen is None else find_change(connection, seen, subjects)
    if change is not None:
        raise changed_by(change)


class NewDevice(NamedTuple):
    """A box to accept. ``card``: SHA-256 of the card's key that it used, or ""."""

    key: str
    table: int
    machine: str
    program: str
    name: str = ""
    card: str = ""


class ScannedResult(NamedTuple):
    """A result that a panel shows.

    ``tags``: of the match, as it was assigned; ``known_seq``: row of the result accepted before;
    None if there is none.
    """

    device: int
    table: int
    match: str
    tags: Match | None
    names: list[str]
    result: MatchResult
    known_seq: int | None


class Desk:
    """Decisions in one transaction."""

    def __init__(self, connection: Connection, clock: Clock, author: Author) -> None:
        self.connection, self._clock, self._author = connection, clock, author

    def accept(self, device: NewDevice, replaces: int | None = None) -> int:
        """Accept a box at a table; returns its id.

        ``replaces``: the box that gives up the table, 0 for none; None: whichever has it. A box
        whose key is known already keeps its id. Raises DecisionError.
        """
        _check_table(device.table)
        known = select(DEVICE.c.id).where(DEVICE.c.key == device.key)
        if (found := self.connection.execute(known).scalar()) is not None:
            return int(found)
        self._require_box_at(device.table, replaces)
        return self._append(Kind.DEVICE_ACCEPTED, device._asdict())

    def accept_by_card(self, device: NewDevice, replaces: int = 0) -> int:
        """Accept a box that shows the key of ``device.card``; table 0: that of the card.

        The card counts for one box, which may ask again. ``replaces``: as in ``accept``.
        """
        card = device.card
        query = select(CARD).where(CARD.c.key == card).with_for_update()
        found = self.connection.execute(query).first()
        if found is None:
            raise DecisionError("the card is not of this hall")
        if found.device:
            key = select(DEVICE.c.key).where(DEVICE.c.id == found.device)
            if self.connection.execute(key).scalar() != device.key:
                raise DecisionError("the card was used by another box")
            return int(found.device)
        return self.accept(device._replace(table=device.table or found.table_number), replaces)

    def name(self, device: int, table: int, name: str) -> None:
        """Give a box its table and a name; the number is free or its own."""
        _check_table(table)
        if len(name) > MAX_NAME_CHARS:
            raise DecisionError(f"a name has at most {MAX_NAME_CHARS} characters")
        if name and not is_visible(name):
            raise DecisionError("a name has a character that can be seen, or is empty")
        self._device(device)
        other = select(DEVICE.c.id).where(
            DEVICE.c.table_number == table,
            DEVICE.c.state == DeviceState.ACTIVE.value,
            DEVICE.c.id != device,
        )
        if self.connection.execute(other).first() is not None:
            raise DecisionError(
                f"table {table} has a box; choose a free number", DecisionFault.TAKEN, field="table"
            )
        self._append(Kind.DEVICE_NAMED, {"device": device, "table": table, "name": name})

    def reinstate(self, device: int, table: int, replaces: int) -> None:
        """Give a table to a box that was replaced. Raises DecisionError.

        ``replaces``: the box that gives up the table; 0: it is free.
        """
        _check_table(table)
        query = select(DEVICE.c.state).where(DEVICE.c.id == device)
        if self.connection.execute(query).scalar() != DeviceState.REPLACED.value:
            raise DecisionError("this box does not wait any more", DecisionFault.GONE)
        self._require_box_at(table, replaces)
        self._append(Kind.DEVICE_REINSTATED, {"device": device, "table": table})

    def _require_box_at(self, table: int, expected: int | None) -> None:
        """Refuse to replace another box than the director was asked about."""
        query = select(DEVICE.c.id).where(
            DEVICE.c.table_number == table, DEVICE.c.state == DeviceState.ACTIVE.value
        )
        found = self.connection.execute(query).scalar()
        if found is not None and expected not in (None, found):
            raise DecisionError(f"table {table} has a box", DecisionFault.OCCUPIED)

    def revoke(self, device: int) -> None:
        """Take its token from a box."""
        self._device(device)
        self._append(Kind.DEVICE_REVOKED, {"device": device})

    def resolve(self, alarm: int, how: Resolution, machine: str = "") -> int:
        """Close an alarm by one of its buttons; returns the device."""
        query = select(ALARM).where(ALARM.c.id == alarm).with_for_update()
        found = self.connection.execute(query).first()
        if found is None or found.resolved:
            raise DecisionError("this alarm is resolved already", DecisionFault.RESOLVED)
        machines = [each for each in json.loads(found.machines) if each]
        if how is Resolution.TRUE_ONE and machine not in machines:
            raise DecisionError("choose the box that is right")
        if how not in buttons_of(found.kind):
            raise DecisionError(f"an alarm of {found.kind} has no button {how.value}")
        body = {
            "alarm": alarm,
            "how": how.value,
            "device": found.device,
            "kind": found.kind,
            "epoch": found.epoch,
            "machine": machine,
        }
        self._append(Kind.ALARM_RESOLVED, body)
        return int(found.device)

    def add_cards(self, cards: Sequence[tuple[str, int]]) -> None:
        """Cards as (SHA-256 of the key, table)."""
        for _, table in cards:
            _check_table(table)
        made = [{"key": key, "table": table} for key, table in cards]
        self._append(Kind.CARDS_MADE, {"cards": made})

    def leave_games(self, halls: Sequence[str]) -> None:
        """Let games with these tags Hall be of no tournament."""
        self._append(Kind.GAMES_LEFT, {"halls": [*halls]})

    def set_person(self, name: str, role: str, password: str) -> None:
        """``password``: as ``passwords.hash_password`` gives it."""
        self._append(Kind.PERSON_SET, {"name": name, "role": role, "password": password})

    def require_head(self, seq: int) -> None:
        """Let no entry come between ``seq`` and this one. Raises DecisionError."""
        log.lock(self.connection)
        if log.head_seq(self.connection) != seq:
            raise DecisionError("another decision was made meanwhile", DecisionFault.CHANGED)

    def require_unchanged(self, seen: int | None, subjects: AbstractSet[str]) -> None:
        """As the function of this name; no entry comes before the decision."""
        log.lock(self.connection)
        require_unchanged(self.connection, seen, subjects)

    def desire(
        self, device: int, document: dict[str, Any], tournament: int = 0, more_time: int = 0
    ) -> int:
        """Set what the table of a box should play; returns the rev.

        ``tournament``: of the match; 0: of the one that was begun last. ``more_time``: seconds
        that the match gets with it beyond the limit of its phase.
        """
        self._device(device)
        body = {"device": device, "document": document}
        named = {"tournament": tournament} if tournament else {}
        more = {MORE_TIME: more_time} if more_time else {}
        return self._append(Kind.DESIRED_SET, {**body, **named, **more})

    def add_result(self, code: str) -> int:
        """Accept the result that a panel shows as a code; returns the device."""
        found = read_code(self.connection, code)
        result, known = found.result, found.known_seq
        if known is not None and known >= result.seq:
            if known == result.seq:
                raise DecisionError("this result is accepted already", DecisionFault.CODE_KNOWN)
            raise DecisionError("a newer result of this match is accepted", DecisionFault.CODE_OLD)
        body = {
            "device": found.device,
            "match": found.match,
            "names": found.names,
            "how": "qr",
            "who": self._author.who,
            **result._asdict(),
        }
        self._append(Kind.RESULT_SCANNED, body)
        return found.device

    def _device(self, device: int) -> None:
        if (
            self.connection.execute(select(DEVICE.c.id).where(DEVICE.c.id == device)).first()
            is None
        ):
            raise DecisionError("there is no such box")

    def _append(self, kind: Kind, body: dict[str, Any]) -> int:
        return log.append(self.connection, self._clock.utc(), self._author, kind, body)


def read_code(connection: Connection, text: str) -> ScannedResult:
    """The result of a code, checked against the boxes and what was assigned to them.

    Raises DecisionError.
    """
    code = parse_code(text)
    if isinstance(code, Malformed):
        raise DecisionError(code.text, DecisionFault.CODE_UNREADABLE)
    result = code.result
    query = select(LOG.c.body).where(LOG.c.seq == result.rev, LOG.c.kind == Kind.DESIRED_SET.value)
    assigned = json.loads(connection.execute(query).scalar() or "{}")
    query = select(DEVICE).where(DEVICE.c.id == assigned.get("device"))
    device = connection.execute(query).first()
    header = assigned.get("document", {}).get("header")
    if device is None or header is None:
        raise _foreign()
    try:
        tags = read_header(header)
    except ValueError:
        raise _foreign() from None
    match = tags.start.match
    match_id = match.id if match is not None else ""
    keys = [key for key in (device.key, device.next_key) if key.startswith(code.device)]
    if not any(code.is_signed_by(key, match_id) for key in keys if key):
        raise _foreign()
    if device.state != DeviceState.ACTIVE.value:
        raise DecisionError(
            "the box of this code is not of this hall any more", DecisionFault.CODE_BOX
        )
    if len(tags.rules.scoring_sides) != len(result.games):
        raise _foreign()
    known = connection.execute(select(RESULT.c.seq).where(RESULT.c.rev == result.rev)).scalar()
    names = [tags.names.get(side, "") for side in tags.rules.scoring_sides]
    return ScannedResult(device.id, device.table_number, match_id, match, names, result, known)


def _foreign() -> DecisionError:
    return DecisionError("this code is not of this hall", DecisionFault.CODE_FOREIGN)


def buttons_of(kind: str) -> tuple[Resolution, ...]:
    """The buttons of an alarm."""
    if kind in ("behind", "clone", "fork"):
        return (Resolution.TRUE_ONE, Resolution.IGNORE, Resolution.REPLACE)
    return (Resolution.IGNORE,)


def desired_of(connection: Connection, device: int) -> dict[str, Any] | None:
    """The document that the table of a box is to be sent, with its rev."""
    found = connection.execute(select(DESIRED).where(DESIRED.c.device == device)).first()
    return None if found is None else {**json.loads(found.document), "rev": found.rev}


def _check_table(table: int) -> None:
    if not 1 <= table <= MAX_TABLE:
        text = f"a table has a number from 1 to {MAX_TABLE}, not {table}"
        raise DecisionError(text, DecisionFault.NUMBER, field="table")
