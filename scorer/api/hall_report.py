"""The report of the link process about the hall of the table (socket.md#hall)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

from scorer.plain_values import Count, Like, OneLine, Range, read
from scorer.session.values.shown import HallState, HallView, JoinFault, NearbyHall

MAX_NAME_CHARS: Final = 40
MAX_HALLS: Final = 32
MAX_TABLE: Final = 999
MAX_QR_CHARS: Final = 77  # capitals and digits of a version 3 code
MAX_DONE: Final = 8
MAX_WAIT: Final = 60  # minutes
_State = Literal[
    HallState.ALONE,
    HallState.JOINING,
    HallState.OFFLINE,
    HallState.ONLINE,
    HallState.HELD,
    HallState.REFUSED,
    HallState.VERSION,
]
STATES: Final[tuple[HallState, ...]] = get_args(_State)
_QR = Like(
    rf"[0-9A-Z $%*+\-./:]{{0,{MAX_QR_CHARS}}}",
    f"is not of capitals, digits and $%*+-./: alone, {MAX_QR_CHARS} at most",
)
_Seq = Annotated[int, Range(0)]


class HallReport(NamedTuple):
    """What the panels show, and the ids of the wishes that are carried out."""

    view: HallView
    done: tuple[str, ...]


class _Hall(NamedTuple):
    id: Annotated[str, Like(r"[!-~]{1,64}", "is not of 1 to 64 printable characters")]
    name: Annotated[str, OneLine(MAX_NAME_CHARS)]


class _Report(NamedTuple):
    """The keys of the message."""

    state: _State
    name: Annotated[str, OneLine(MAX_NAME_CHARS, 0)] = ""
    table: Annotated[int, Range(0, MAX_TABLE)] = 0
    sent: _Seq = 0
    seq: _Seq = 0
    halls: Annotated[tuple[_Hall, ...], Count(0, MAX_HALLS)] | None = None
    digits: Annotated[str, Like("([0-9]{6})?", "is not six digits")] = ""
    qr: Annotated[str, _QR] = ""
    fault: JoinFault = JoinFault.NONE
    wait: Annotated[int, Range(0, MAX_WAIT)] = 0
    done: Annotated[tuple[object, ...], Count(0, MAX_DONE)] = ()


def parse(message: Mapping[str, Any]) -> HallReport:
    """The report. Raises WrongValues."""
    found = read(_Report, message, skips_unknown=True)
    view = HallView(
        state=found.state,
        name=found.name,
        table=found.table,
        sent=found.sent,
        halls=None if found.halls is None else tuple(NearbyHall(*hall) for hall in found.halls),
        digits=found.digits,
        qr=found.qr,
        qr_seq=found.seq,
        fault=found.fault,
        wait=found.wait,
    )
    return HallReport(view, tuple(wish for wish in found.done if isinstance(wish, str)))
