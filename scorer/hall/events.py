"""The events that a hub sends to a link, as server-sent events."""

from hashlib import sha256
from typing import Annotated, NamedTuple

from scorer.hall.fields import (
    Json,
    Malformed,
    Number,
    Positive,
    as_value,
    canonical,
    hexadecimal,
    read_message,
    read_object,
)
from scorer.hall.rows import DIGEST_DIGITS, Header
from scorer.hall.wire import EPOCH_DIGITS
from scorer.plain_values import Count, Text, read_tagged

BEAT_SECONDS = 20
SILENT_SECONDS = 45  # without a beat, after which the link connects again
MAX_EVENT_BYTES = 128 * 1024
HALL_DIGITS = 8  # of the pin of a hub, which name it to the table


class Desired(NamedTuple):
    """A match is wanted at the table.

    ``cap`` and ``tolerance`` are seconds, ``cap_start`` points; None: not set. ``pages``: the
    published page of the team of each side, () without a site.
    """

    rev: Positive
    header: Header
    lock: bool
    cap: Positive | None = None
    tolerance: Positive | None = None
    cap_start: Number | None = None
    pages: Annotated[tuple[Annotated[str, Text(200)], ...], Count(0, 3)] = ()


class Release(NamedTuple):
    """No match is wanted at the table."""

    rev: Positive


class Resend(NamedTuple):
    """The link greets again and sends what the hub has not."""


class RenewEpoch(NamedTuple):
    """The table begins a new epoch, unless its epoch is another than ``old`` already."""

    old: Annotated[str, hexadecimal(EPOCH_DIGITS)]


class Beat(NamedTuple):
    """The hub is there."""


Event = Desired | Release | Resend | RenewEpoch | Beat


def format_event(event: Event) -> bytes:
    """The bytes of an event in the stream."""
    document: Json = {}
    match event:
        case Desired():
            name, document = "desired", assignment_of(event)
        case Release():
            name, document = "release", assignment_of(event)
        case Resend():
            name = "resend"
        case RenewEpoch():
            name, document = "epoch", event._asdict()
        case Beat():
            name = "beat"
    return b"event: %s\ndata: %s\n\n" % (name.encode(), canonical(document))


def assignment_of(event: Desired | Release) -> Json:
    """The document that the table is sent."""
    match event:
        case Desired():
            pages = {"pages": list(event.pages)} if event.pages else {}
            kept = {key: value for key, value in event._asdict().items() if key != "pages"}
            return {"do": "assign", **kept, **pages}
        case Release():
            return {"do": "release", **event._asdict()}


def digest_of(decision: Json) -> str:
    """Digest of the content of a decision: its document without number and nulls.

    ``cap_start`` and ``pages`` are left out: a table of an older version does not know them.
    """
    left_out = ("rev", "cap_start", "pages")
    content = {k: value for k, value in decision.items() if k not in left_out and value is not None}
    return sha256(canonical(content)).hexdigest()[:DIGEST_DIGITS]


class EventReader:
    """Parse a stream of events. Unknown events are skipped."""

    def __init__(self) -> None:
        self._received = b""

    def feed(self, data: bytes) -> list[Event | Malformed]:
        """The events completed by ``data``; after Malformed the connection is of no use."""
        self._received += data
        *complete, self._received = self._received.replace(b"\r\n", b"\n").split(b"\n\n")
        if len(self._received) > MAX_EVENT_BYTES:
            return [Malformed(f"an event has at most {MAX_EVENT_BYTES} bytes")]
        found = (parse_event(each) for each in complete)
        return [event for event in found if event is not None]


@as_value
def parse_event(block: bytes) -> Event | None:
    """The event of one block of lines; None for an unknown event or a comment."""
    name, data = b"", b""
    for line in block.split(b"\n"):
        field, _, value = line.partition(b":")
        if field == b"event":
            name = value.strip()
        elif field == b"data":
            data = value.strip()
    match name:
        case b"desired":
            return read_tagged("do", {"assign": Desired}, read_object(data), skips_unknown=True)
        case b"release":
            return read_tagged("do", {"release": Release}, read_object(data), skips_unknown=True)
        case b"epoch":
            return read_message(RenewEpoch, read_object(data))
        case b"resend":
            return Resend()
        case b"beat":
            return Beat()
    return None
