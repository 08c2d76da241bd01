"""The messages of link/v1: what a link sends, and what the hub answers.

``encode`` gives the bytes of a message; the ``parse`` functions give the message or Malformed.
"""

from collections.abc import Iterator, Mapping
from enum import IntEnum, StrEnum
from typing import Annotated, NamedTuple

from scorer.hall.fields import (
    VERSION,
    Json,
    Malformed,
    Number,
    Positive,
    as_value,
    canonical,
    hexadecimal,
    optional_hexadecimal,
    read_message,
    read_object,
    read_request,
)
from scorer.hall.rows import Batch, RowDigest
from scorer.plain_values import MAX_INTEGER, REST, Count, Found, Key, Range, Text, WrongValues

GREET_PATH = "/link/v1/greet"
ROWS_PATH = "/link/v1/rows"
EVENTS_PATH = "/link/v1/events"
CALL_PATH = "/link/v1/call"
JOIN_PATH = "/link/v1/join"
EPOCH_DIGITS = 16
TOKEN_DIGITS = 32  # 128 bits
ECHO_DIGITS = 16
Machine = Annotated[str, Text(64)]
Program = Annotated[str, Text(60)]
Sentence = Annotated[str, Text(500)]
_Epoch = Annotated[str, hexadecimal(EPOCH_DIGITS)]
_Points = Annotated[int, Range(-MAX_INTEGER)]  # a correction takes more than a side has


class WireStatus(IntEnum):
    """The HTTP statuses of link/v1."""

    OK = 200
    UNKNOWN_DEVICE = 401
    CONFLICT = 409
    UNREADABLE = 422
    HELD = 423
    BUSY = 429
    UNAVAILABLE = 503


class HoldReason(StrEnum):
    """Why the hub takes no more rows of a stream until the desk decides."""

    BEHIND = "behind"  # the table has fewer rows than the hub: an old backup was put back
    CLONE = "clone"  # two machines have the same token
    FORK = "fork"  # the table has other rows than the hub
    REPLACED = "replaced"  # another box has its table


class GreetRequest(NamedTuple):
    """Sent on every connection.

    ``first``: the first row of the epoch; ``newest``: its last row.
    ``echo``: that of the ConfirmReply which answered the greeting before. ``rev`` and ``decision``:
    number and digest (``events.digest_of``) of this hall's newest decision at the table; 0 and ""
    without one.
    """

    epoch: _Epoch
    first: Annotated[Positive, Key("from")]
    machine: Machine
    newest: Number  # first - 1: no row yet
    digest: RowDigest  # of the newest row; "" if there is none
    program: Program
    echo: Annotated[str, optional_hexadecimal(ECHO_DIGITS)] = ""
    rev: Number = 0
    decision: RowDigest = ""

    def find_problems(self) -> Iterator[Found]:
        if self.newest < self.first - 1:
            yield "newest", f"{self.newest} is before the first row, {self.first}"


class GreetReply(NamedTuple):
    """Where the stream ends at the hub.

    ``token``: from now on the token of the box. ``renew``: the table is to begin a new epoch. After
    either of them the link greets again, with the new one, before it sends anything.
    """

    last: Number
    digest: RowDigest
    table: Number
    time: Annotated[str, Text(40)]
    desired: Number | None = None
    token: Annotated[str, optional_hexadecimal(TOKEN_DIGITS)] = ""
    renew: bool = False


class Shown(NamedTuple):
    """What the panel of a table shows, of which the hub only compares the score."""

    game: Positive
    state: Number
    seq: Number
    score: Annotated[Mapping[str, _Points], Count(0, 4)]


class RowsRequest(NamedTuple):
    """Rows of a stream.

    ``prev``: the digest of the row before the first; "" if there is none.
    """

    epoch: _Epoch
    prev: RowDigest
    batch: Annotated[Batch, REST]  # its keys stand beside the others
    shown: Shown | None = None


class RowsReply(NamedTuple):
    """Everything up to row ``last`` is on the hub's disk."""

    last: Number


class ConflictReply(NamedTuple):
    """The hub's stream ends at ``last``: compare again and send from there."""

    last: Number
    digest: RowDigest


class ConfirmReply(NamedTuple):
    """Greet again at once, with the same ``echo``.

    The hub is about to believe that a box has changed; a greeting that was delayed on its way
    must not make it believe so.
    """

    echo: Annotated[str, hexadecimal(ECHO_DIGITS)]


class HeldReply(NamedTuple):
    """The desk has to decide; the table plays on."""

    reason: HoldReason
    text: Sentence


class RefusedReply(NamedTuple):
    """Any other answer: unknown device, unreadable, too long, busy."""

    status: int
    text: Sentence


class CallRequest(NamedTuple):
    """The director is wanted; repeated with the same id until it is answered."""

    id: Annotated[str, Text(60)]
    match: Annotated[str, Text(60, 0)]  # "" outside a match
    why: Annotated[str, Text(20)] = "director"  # or "table", "contest" (socket.md#wishes)


Request = GreetRequest | RowsRequest | CallRequest
Reply = GreetReply | ConfirmReply | RowsReply | ConflictReply | HeldReply | RefusedReply


def encode(message: Request | Reply) -> bytes:
    """The body of a message."""
    return canonical(_document(message))


def status_of(reply: Reply) -> int:
    """The HTTP status that carries ``reply``."""
    match reply:
        case GreetReply() | RowsReply():
            return WireStatus.OK
        case ConflictReply() | ConfirmReply():
            return WireStatus.CONFLICT
        case HeldReply():
            return WireStatus.HELD
        case RefusedReply():
            return reply.status


@as_value
def parse_greet(body: bytes) -> GreetRequest:
    return read_message(GreetRequest, read_request(body))


@as_value
def parse_rows(body: bytes) -> RowsRequest:
    return read_message(RowsRequest, read_request(body))


@as_value
def parse_call(body: bytes) -> CallRequest:
    return read_message(CallRequest, read_request(body))


@as_value
def parse_greet_reply(
    status: int, body: bytes
) -> GreetReply | ConfirmReply | HeldReply | RefusedReply:
    """What the hub answered to a greeting."""
    match status:
        case WireStatus.OK:
            return read_message(GreetReply, read_object(body))
        case WireStatus.CONFLICT:
            return read_message(ConfirmReply, read_object(body))
    return _read_refusal(status, body)


@as_value
def parse_rows_reply(
    status: int, body: bytes
) -> RowsReply | ConflictReply | HeldReply | RefusedReply:
    """What the hub answered to rows."""
    match status:
        case WireStatus.OK:
            return read_message(RowsReply, read_object(body))
        case WireStatus.CONFLICT:
            return read_message(ConflictReply, read_object(body))
    return _read_refusal(status, body)


def _read_refusal(status: int, body: bytes) -> HeldReply | RefusedReply:
    if status == WireStatus.HELD:
        return read_message(HeldReply, read_object(body))
    try:
        return read_message(RefusedReply, {**read_object(body), "status": status})
    except WrongValues:
        # A proxy or an overloaded server answers without our body.
        return RefusedReply(status, f"the hub answered {status}")


def _document(message: Request | Reply) -> Json:
    match message:
        case GreetRequest(first=first):
            document = {"v": VERSION, **message._asdict(), "from": first}
            del document["first"]
            return _without_rare(document)
        case RowsRequest(epoch, prev, batch, shown):
            return {
                "v": VERSION,
                "epoch": epoch,
                "first": batch.first,
                "prev": prev,
                "games": [opening._asdict() for opening in batch.openings],
                "rows": batch.rows,
                "shown": shown and shown._asdict(),
            }
        case CallRequest():
            return {"v": VERSION, **message._asdict()}
        case GreetReply():
            return _without_rare(message._asdict())
        case RefusedReply():
            return {"text": message.text}
        case RowsReply() | ConflictReply() | ConfirmReply() | HeldReply():
            return message._asdict()


def _without_rare(document: Json) -> Json:
    """Without the fields that are absent as a rule."""
    rare = ("echo", "rev", "decision", "token", "renew")
    return {key: value for key, value in document.items() if value or key not in rare}


__all__ = [
    "CALL_PATH",
    "EVENTS_PATH",
    "GREET_PATH",
    "JOIN_PATH",
    "ROWS_PATH",
    "CallRequest",
    "ConfirmReply",
    "ConflictReply",
    "GreetReply",
    "GreetRequest",
    "HeldReply",
    "HoldReason",
    "Malformed",
    "RefusedReply",
    "Reply",
    "Request",
    "RowsReply",
    "RowsRequest",
    "Shown",
    "WireStatus",
    "encode",
    "parse_call",
    "parse_greet",
    "parse_greet_reply",
    "parse_rows",
    "parse_rows_reply",
    "status_of",
]
