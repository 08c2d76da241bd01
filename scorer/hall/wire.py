"""The messages of link/v1: what a link sends, and what the hub answers.

``encode`` gives the bytes of a message; the ``parse`` functions give the message or Malformed.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from scorer.hall.fields import (
    MAX_INTEGER,
    VERSION,
    Json,
    Malformed,
    Unreadable,
    as_integer,
    as_object,
    as_value,
    boolean,
    canonical,
    hexadecimal,
    integer,
    optional_integer,
    read_object,
    read_request,
    text,
)
from scorer.hall.rows import DIGEST_DIGITS, Batch, read_batch

GREET_PATH = "/link/v1/greet"
ROWS_PATH = "/link/v1/rows"
EVENTS_PATH = "/link/v1/events"
CALL_PATH = "/link/v1/call"
JOIN_PATH = "/link/v1/join"
EPOCH_DIGITS = 16
TOKEN_DIGITS = 32  # 128 bits
ECHO_DIGITS = 16
_MAX_MACHINE_CHARS = 64
_MAX_PROGRAM_CHARS = 60
_MAX_ID_CHARS = 60
_MAX_WHY_CHARS = 20
_MAX_SENTENCE_CHARS = 500
_MAX_TIME_CHARS = 40
_MAX_SIDE_CHARS = 10
_MAX_SIDES = 4


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

    epoch: str
    first: int
    machine: str
    newest: int  # first - 1: no row yet
    digest: str  # of the newest row; "" if there is none
    program: str
    echo: str = ""
    rev: int = 0
    decision: str = ""


class GreetReply(NamedTuple):
    """Where the stream ends at the hub.

    ``token``: from now on the token of the box. ``renew``: the table is to begin a new epoch. After
    either of them the link greets again, with the new one, before it sends anything.
    """

    last: int
    digest: str
    table: int
    desired: int | None
    time: str
    token: str = ""
    renew: bool = False


class Shown(NamedTuple):
    """What the panel of a table shows, of which the hub only compares the score."""

    game: int
    state: int
    seq: int
    score: tuple[tuple[str, int], ...]


class RowsRequest(NamedTuple):
    """Rows of a stream.

    ``prev``: the digest of the row before the first; "" if there is none.
    """

    epoch: str
    prev: str
    batch: Batch
    shown: Shown | None


class RowsReply(NamedTuple):
    """Everything up to row ``last`` is on the hub's disk."""

    last: int


class ConflictReply(NamedTuple):
    """The hub's stream ends at ``last``: compare again and send from there."""

    last: int
    digest: str


class ConfirmReply(NamedTuple):
    """Greet again at once, with the same ``echo``.

    The hub is about to believe that a box has changed; a greeting that was delayed on its way
    must not make it believe so.
    """

    echo: str


class HeldReply(NamedTuple):
    """The desk has to decide; the table plays on."""

    reason: HoldReason
    text: str


class RefusedReply(NamedTuple):
    """Any other answer: unknown device, unreadable, too long, busy."""

    status: int
    text: str


class CallRequest(NamedTuple):
    """The director is wanted; repeated with the same id until it is answered."""

    id: str
    match: str  # "" outside a match
    why: str = "director"  # or "table", "contest" (socket.md#wishes)


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
    message = {"echo": "", "rev": 0, "decision": "", **read_request(body)}
    first = integer(message, "from", 1)
    return GreetRequest(
        epoch=hexadecimal(message, "epoch", EPOCH_DIGITS),
        first=first,
        machine=text(message, "machine", _MAX_MACHINE_CHARS),
        newest=integer(message, "newest", first - 1),
        digest=hexadecimal(message, "digest", DIGEST_DIGITS, may_be_empty=True),
        program=text(message, "program", _MAX_PROGRAM_CHARS),
        echo=hexadecimal(message, "echo", ECHO_DIGITS, may_be_empty=True),
        rev=integer(message, "rev"),
        decision=hexadecimal(message, "decision", DIGEST_DIGITS, may_be_empty=True),
    )


@as_value
def parse_rows(body: bytes) -> RowsRequest:
    message = read_request(body)
    first = integer(message, "first", 1)
    return RowsRequest(
        epoch=hexadecimal(message, "epoch", EPOCH_DIGITS),
        prev=hexadecimal(message, "prev", DIGEST_DIGITS, may_be_empty=True),
        batch=read_batch(first, message.get("rows"), message.get("games")),
        shown=_read_shown(message.get("shown")),
    )


@as_value
def parse_call(body: bytes) -> CallRequest:
    message = read_request(body)
    return CallRequest(
        text(message, "id", _MAX_ID_CHARS),
        text(message, "match", _MAX_ID_CHARS, may_be_empty=True),
        text({"why": "director", **message}, "why", _MAX_WHY_CHARS),
    )


@as_value
def parse_greet_reply(
    status: int, body: bytes
) -> GreetReply | ConfirmReply | HeldReply | RefusedReply:
    """What the hub answered to a greeting."""
    if status == WireStatus.CONFLICT:
        return ConfirmReply(hexadecimal(read_object(body), "echo", ECHO_DIGITS))
    if status != WireStatus.OK:
        return _read_refusal(status, body)
    message = read_object(body)
    return GreetReply(
        last=integer(message, "last"),
        digest=hexadecimal(message, "digest", DIGEST_DIGITS, may_be_empty=True),
        table=integer(message, "table"),
        desired=optional_integer(message, "desired"),
        time=text(message, "time", _MAX_TIME_CHARS),
        token=hexadecimal({"token": "", **message}, "token", TOKEN_DIGITS, may_be_empty=True),
        renew=boolean({"renew": False, **message}, "renew"),
    )


@as_value
def parse_rows_reply(
    status: int, body: bytes
) -> RowsReply | ConflictReply | HeldReply | RefusedReply:
    """What the hub answered to rows."""
    if status == WireStatus.OK:
        return RowsReply(integer(read_object(body), "last"))
    if status == WireStatus.CONFLICT:
        message = read_object(body)
        return ConflictReply(
            integer(message, "last"),
            hexadecimal(message, "digest", DIGEST_DIGITS, may_be_empty=True),
        )
    return _read_refusal(status, body)


def _read_refusal(status: int, body: bytes) -> HeldReply | RefusedReply:
    if status == WireStatus.HELD:
        message = read_object(body)
        reason = message.get("reason")
        if reason not in list(HoldReason):
            raise Unreadable("the reason of a hold is unknown")
        return HeldReply(HoldReason(reason), text(message, "text", _MAX_SENTENCE_CHARS))
    try:
        return RefusedReply(status, text(read_object(body), "text", _MAX_SENTENCE_CHARS))
    except Unreadable:
        # A proxy or an overloaded server answers without our body.
        return RefusedReply(status, f"the hub answered {status}")


def _read_shown(value: object) -> Shown | None:
    if value is None:
        return None
    message = as_object(value, "shown")
    score = as_object(message.get("score"), "score")
    if len(score) > _MAX_SIDES or any(len(side) > _MAX_SIDE_CHARS for side in score):
        raise Unreadable("score has the points of each side")
    return Shown(
        integer(message, "game", 1),
        integer(message, "state"),
        integer(message, "seq"),
        tuple(
            (side, as_integer(points, "score", -MAX_INTEGER))
            for side, points in sorted(score.items())
        ),
    )


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
                "shown": shown and {**shown._asdict(), "score": dict(shown.score)},
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
