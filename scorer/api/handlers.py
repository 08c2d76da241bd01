"""What programs beside the table may ask of it, and its answers (contract.md section 6).

A request is judged like a press and never crashes anything: what is wrong with it is the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from scorer.api import web_status
from scorer.api.refusal_messages import SENTENCES
from scorer.api.replies import Message, refused, written
from scorer.records.game_log import Ledger
from scorer.rules import Refusal, Rules, SheetError, Step, parse_step, split_comment
from scorer.session.state import Reaction, Session, Verdict
from scorer.session.view.view import LinkView
from scorer.store.journal import Row, StoreError

if TYPE_CHECKING:
    from scorer.api.paired_phones import Phones
    from scorer.session.play.phone_press import Wish

MOST_ROWS = 500  # of the journal in one answer
LONGEST_PAGE = 60_000  # bytes of rows: an answer is one line of the socket, which has an end
LAST_SEQ = 2**63 - 1  # no journal counts further
LONGEST_REASON = 200
LONGEST_NAME = 40  # of whoever asks, as the history shows it


class Asked(Protocol):
    """What is needed of the table."""

    session: Session
    phones: Phones
    game_log: Ledger

    def refresh_phones(self) -> None: ...
    def handle_phone_press(self, press: Wish, source: str, now: float) -> Reaction: ...
    def enter_step(self, step: Step, source: str, now: float, reason: str) -> Reaction: ...
    @property
    def language(self) -> str: ...
    def run_selftest(self, now: float) -> Message | None: ...
    def set_web_status(self, link: LinkView) -> None: ...


def answered(table: Asked, message: Message, now: float) -> Message:
    """The answer to one request."""
    # Nothing but a text is made one: what else is in a message may have no end to its brackets.
    wish = message.get("do")
    act = _KNOWN.get(wish) if isinstance(wish, str) else None
    told: Message = {"id": message.get("id")}
    if act is None:
        return {**told, **refused("UNKNOWN", f"do is one of {', '.join(_KNOWN)}")}
    try:
        return {**told, **act(table, message, now)}
    except StoreError:
        # A disk that cannot be read now is said on the panel; it must not end the table here.
        return {**told, **refused("STORE", "the store cannot be read")}


def _step(table: Asked, message: Message, now: float) -> Message:
    line = message.get("line")
    if not isinstance(line, str):
        return refused("UNREADABLE", "line is a text: a side and a word, as in 'A truco'")
    return _enter(table, line, message, now)


def _undo(table: Asked, message: Message, now: float) -> Message:
    return _enter(table, "- undo", message, now)


def _enter(table: Asked, line: str, message: Message, now: float) -> Message:
    seq = message.get("seq")
    # By its type, too: true would be equal to 1.
    if type(seq) is not int or seq != table.game_log.seq:
        return refused("STALE", "the score has changed since; look at the newest state")
    rules: Rules = table.session.rules
    try:
        text, reason = split_comment(line)
        step = parse_step(text, rules)
    except SheetError as error:
        return refused("UNREADABLE", str(error))
    who = written(message.get("who"), LONGEST_NAME) or "socket"
    reaction = table.enter_step(step, who, now, written(reason, LONGEST_REASON))
    if reaction.verdict is Verdict.ACCEPTED:
        return {"ok": True, "seq": table.game_log.seq}
    notice = reaction.session.notice
    key = notice.key if notice is not None else "REFUSED"
    # The panel tells people the way out; a program wants the reason.
    key = Refusal.ENVIDO_CLOSED if key == "late_envido" else key
    known = key in Refusal.__members__
    return refused(key, SENTENCES[Refusal(key)] if known else "it could not be stored")


def _rows(table: Asked, message: Message, now: float) -> Message:
    start, limit = message.get("from", 1), message.get("limit", MOST_ROWS)
    if type(start) is not int or type(limit) is not int or limit < 1:
        return refused("UNREADABLE", "from and limit are numbers, limit at least 1")
    start = min(max(start, 0), LAST_SEQ)
    return {"ok": True, "rows": _page(table.game_log.rows(start, min(limit, MOST_ROWS)))}


def _game(table: Asked, message: Message, now: float) -> Message:
    """One game from its header on, for whoever tells it or reckons it again."""
    games = table.game_log.game_numbers
    number, start = message.get("number", games.running), message.get("from", 1)
    if type(number) is not int or type(start) is not int:
        return refused("UNREADABLE", "number and from are numbers")
    start = min(max(start, 0), LAST_SEQ)
    try:
        header, rows = table.game_log.game(number, start)
    except KeyError:
        return refused("NO_SUCH_GAME", "no game has that number")
    page = _page(rows[:MOST_ROWS])
    known = {
        "game": number,
        "seq": table.game_log.seq,
        "language": table.language,
        **games._asdict(),
    }
    return {"ok": True, **known, "header": header, "rows": page}


def _notice(table: Asked, message: Message, now: float) -> Message:
    """Where phones find the score; it holds until whoever says it goes."""
    link = web_status.read(message)
    if isinstance(link, str):
        return refused("UNREADABLE", link)
    table.set_web_status(link)
    return {"ok": True}


def _of_a_phone(table: Asked, message: Message, now: float) -> Message:
    # Few boxes know a phone, and none starts the later for it.
    from scorer.api import phone_handlers

    return phone_handlers.KNOWN[message["do"]](table, message, now)


def _selftest(table: Asked, message: Message, now: float) -> Message:
    found = table.run_selftest(now)
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


_KNOWN: dict[str, Callable[[Asked, Message, float], Message]] = {
    "step": _step,
    "undo": _undo,
    "journal": _rows,
    "game": _game,
    "selftest": _selftest,
    "pair": _of_a_phone,
    "phone": _of_a_phone,
    "unpair": _of_a_phone,
    "press": _of_a_phone,
    "notice": _notice,
}
