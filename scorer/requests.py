"""What programs beside the table may ask of it, and its answers (contract.md section 6).

A request is judged like a press and never crashes anything: what is wrong with it is the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from scorer.refusal_words import SENTENCES
from scorer.rules import Refusal, Rules, SheetError, Step, parse_step, split_comment
from scorer.session.state import Reaction, Session, Verdict
from scorer.store.journal import Row

MOST_ROWS = 500  # of the journal in one answer
LONGEST_PAGE = 60_000  # bytes of rows: an answer is one line of the socket, which has an end
LAST_SEQ = 2**63 - 1  # no journal counts further
LONGEST_REASON = 200
LONGEST_NAME = 40  # of whoever asks, as the history shows it

Message = dict[str, Any]


class Asked(Protocol):
    """What is needed of the table."""

    session: Session

    @property
    def seq(self) -> int: ...
    def enter(self, step: Step, source: str, now: float, reason: str) -> Reaction: ...
    def rows(self, start: int, limit: int) -> tuple[Row, ...]: ...
    def selftest(self, now: float) -> Message | None: ...


def answered(table: Asked, message: Message, now: float) -> Message:
    """The answer to one request."""
    act = _KNOWN.get(str(message.get("do")))
    told: Message = {"id": message.get("id")}
    if act is None:
        return {**told, **refused("UNKNOWN", f"do is one of {', '.join(_KNOWN)}")}
    return {**told, **act(table, message, now)}


def _step(table: Asked, message: Message, now: float) -> Message:
    return _enter(table, str(message.get("line", "")), message, now)


def _undo(table: Asked, message: Message, now: float) -> Message:
    return _enter(table, "- undo", message, now)


def _enter(table: Asked, line: str, message: Message, now: float) -> Message:
    if message.get("seq") != table.seq:
        return refused("STALE", "the score has changed since; look at the newest state")
    rules: Rules = table.session.rules
    try:
        text, reason = split_comment(line)
        step = parse_step(text, rules)
    except SheetError as error:
        return refused("UNREADABLE", str(error))
    who = str(message.get("who") or "socket")[:LONGEST_NAME]
    reaction = table.enter(step, who, now, reason[:LONGEST_REASON])
    if reaction.verdict is Verdict.TAKEN:
        return {"ok": True, "seq": table.seq}
    notice = reaction.session.notice
    key = notice.key if notice is not None else "REFUSED"
    known = key in Refusal.__members__
    return refused(key, SENTENCES[Refusal(key)] if known else "it could not be stored")


def _rows(table: Asked, message: Message, now: float) -> Message:
    start, limit = message.get("from", 1), message.get("limit", MOST_ROWS)
    if type(start) is not int or type(limit) is not int or limit < 1:
        return refused("UNREADABLE", "from and limit are numbers, limit at least 1")
    start = min(max(start, 0), LAST_SEQ)
    return {"ok": True, "rows": _page(table.rows(start, min(limit, MOST_ROWS)))}


def _selftest(table: Asked, message: Message, now: float) -> Message:
    found = table.selftest(now)
    if found is None:
        return busy()
    return {"ok": True, **found}


def busy() -> Message:
    """A self-test was asked for that was just made."""
    return refused("BUSY", "the table has just tried itself; ask again in some seconds")


def _page(rows: tuple[Row, ...]) -> list[Message]:
    """As many of ``rows`` as one answer holds, at least one; the next page goes on behind them."""
    page: list[Message] = []
    room = LONGEST_PAGE
    for row in rows:
        told = row._asdict()
        room -= len(json.dumps(told, ensure_ascii=False).encode())
        if page and room < 0:
            break
        page.append(told)
    return page


def refused(error: str, text: str) -> Message:
    """No, and why: a word for programs and a sentence for people."""
    return {"ok": False, "error": error, "text": text}


_KNOWN: dict[str, Callable[[Asked, Message, float], Message]] = {
    "step": _step,
    "undo": _undo,
    "journal": _rows,
    "selftest": _selftest,
}
