"""A hall in a test: a clock, an intake, and boxes that send real bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hall.rows import Batch, Opening, Row, digest_in
from scorer.hall.wire import GreetRequest, Reply, RowsRequest
from scorer.hub.decisions import Desk, NewDevice
from scorer.hub.intake import Intake, Outcome, Submission
from scorer.hub.store.database import Database
from scorer.hub.store.log import Author
from scorer.hub.times import utc_text
from tests.support.honest_box import EPOCH as EPOCH
from tests.support.honest_box import HEADER as HEADER
from tests.support.honest_box import row as row

DIRECTOR = Author("Ana", "director")
NOON = 1_795_435_200.0  # 2026-11-23T12:00:00Z


class SetClock:
    """A clock that a test sets."""

    is_trusted = True

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def time(self) -> float:
        return self.now

    def utc(self) -> str:
        return utc_text(self.now)


class Digits:
    """Hexadecimal digits that are the same in every run."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, digits: int) -> str:
        self._count += 1
        return sha256(str(self._count).encode()).hexdigest()[:digits]


@dataclass
class Hall:
    """A database with an intake; ``send`` goes through the bytes of the wire."""

    database: Database
    clock: SetClock = field(default_factory=SetClock)
    digits: Digits = field(default_factory=Digits)

    def __post_init__(self) -> None:
        self.intake = Intake(self.database, self.clock, self.digits)

    def join(self, token: str, table: int = 7, machine: str = "a91c") -> int:
        with self.desk() as desk:
            return desk.accept(NewDevice(key_of(token), table, machine, "1.4"))

    def desk(self) -> DeskContext:
        return DeskContext(self)

    def send(self, token: str, message: wire.Request | bytes) -> Reply:
        return self.outcome(token, message).reply

    def outcome(self, token: str, message: wire.Request | bytes) -> Outcome:
        (found,) = self.intake.receive([submission(token, message)])
        return found


class DeskContext:
    """A transaction of the desk."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._transaction = hall.database.write()

    def __enter__(self) -> Desk:
        return Desk(self._transaction.__enter__(), self._hall.clock, DIRECTOR)

    def __exit__(self, *error: object) -> None:
        self._transaction.__exit__(*error)  # type: ignore[arg-type]


def submission(token: str, message: wire.Request | bytes) -> Submission:
    """A request as it arrives: encoded, and parsed by the path that it is sent to."""
    match message:
        case GreetRequest():
            return Submission(key_of(token), wire.parse_greet(wire.encode(message)))
        case wire.CallRequest():
            return Submission(key_of(token), wire.parse_call(wire.encode(message)))
        case RowsRequest():
            return Submission(key_of(token), wire.parse_rows(wire.encode(message)))
        case bytes():
            return Submission(key_of(token), wire.parse_rows(message))


def greet(
    newest: int = 0,
    digest: str = "",
    *,
    epoch: str = EPOCH,
    first: int = 1,
    machine: str = "a91c",
    echo: str = "",
) -> GreetRequest:
    return GreetRequest(epoch, first, machine, newest, digest, "1.4", echo)


def rows_message(
    lines: list[Row],
    *,
    epoch: str = EPOCH,
    prev: str = "",
    first: int | None = None,
    openings: tuple[Opening, ...] = (),
    shown: wire.Shown | None = None,
) -> RowsRequest:
    start = lines[0].seq if first is None else first
    return RowsRequest(epoch, prev, Batch(start, tuple(lines), openings), shown)


def digest_of(one: Row, *openings: Opening) -> str:
    return digest_in(one, openings)
