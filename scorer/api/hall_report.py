"""The report of the link process about the hall of the table (socket.md#hall)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorer.session.values.shown import HallState, HallView, JoinFault, NearbyHall

MAX_NAME_CHARS: Final = 40
MAX_HALLS: Final = 8
MAX_HALL_ID_CHARS: Final = 64
MAX_TABLE: Final = 999
MAX_QR_CHARS: Final = 77  # capitals and digits of a version 3 code
MAX_DONE: Final = 8
MAX_SEQ: Final = 2**62
STATES: Final = tuple(state for state in HallState if state is not HallState.OFF)
FAULTS: Final = (
    JoinFault.UNREACHABLE,
    JoinFault.DENIED,
    JoinFault.EXPIRED,
    JoinFault.FULL,
    JoinFault.FAILED,
)


class HallReport(NamedTuple):
    """What the panels show, and the ids of the wishes that are carried out."""

    view: HallView
    done: tuple[str, ...]


def parse(message: Mapping[str, Any]) -> HallReport | str:
    """The report, or a sentence that says what is wrong with the message."""
    state, name, fault = message.get("state"), message.get("name", ""), message.get("fault", "")
    digits, qr = message.get("digits", ""), message.get("qr", "")
    table, sent, seq = message.get("table", 0), message.get("sent", 0), message.get("seq", 0)
    halls, done = message.get("halls"), message.get("done", [])
    if state not in STATES:
        return f"state is one of {', '.join(STATES)}"
    if not _is_name(name, shortest=0):
        return f"name is a text, {MAX_NAME_CHARS} letters at most"
    if type(table) is not int or not 0 <= table <= MAX_TABLE:
        return f"table is a number, from 1 to {MAX_TABLE}"
    if not _is_seq(sent) or not _is_seq(seq):
        return "sent and seq are numbers of rows"
    if not _is_text(digits, r"([0-9]{6})?"):
        return "digits are six digits"
    if not _is_text(qr, rf"[0-9A-Z $%*+\-./:]{{0,{MAX_QR_CHARS}}}"):
        return f"qr has capitals, digits and $%*+-./: alone, {MAX_QR_CHARS} at most"
    if fault not in tuple(JoinFault):
        return f"fault is empty or one of {', '.join(FAULTS)}"
    if halls is not None and not _are_halls(halls):
        return f"halls are objects of id and name, {MAX_HALLS} at most"
    if not isinstance(done, list) or len(done) > MAX_DONE:
        return f"done is a list of ids, {MAX_DONE} at most"
    found = None if halls is None else tuple(NearbyHall(each["id"], each["name"]) for each in halls)
    view = HallView(
        state=HallState(state),
        name=name,
        table=table,
        sent=sent,
        halls=found,
        digits=digits,
        qr=qr,
        qr_seq=seq,
        fault=JoinFault(fault),
    )
    return HallReport(view, tuple(each for each in done if isinstance(each, str)))


def _is_seq(value: object) -> bool:
    # Check the type too: true would be row 1.
    return type(value) is int and 0 <= value <= MAX_SEQ


def _is_text(value: object, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_name(value: object, shortest: int = 1) -> bool:
    if not isinstance(value, str) or not value.isprintable():
        return False
    return shortest <= len(value) <= MAX_NAME_CHARS


def _are_halls(halls: object) -> bool:
    if not isinstance(halls, list) or len(halls) > MAX_HALLS:
        return False
    return all(
        isinstance(hall, dict)
        and _is_text(hall.get("id"), rf"[!-~]{{1,{MAX_HALL_ID_CHARS}}}")
        and _is_name(hall.get("name"))
        for hall in halls
    )
