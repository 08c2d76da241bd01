"""Handlers of the socket's requests (docs/reference/socket.md).

A request is judged like a press. An invalid one gets an error reply and never raises.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from scorer.api import web_status
from scorer.api.error_codes import ErrorCode
from scorer.api.refusal_messages import SENTENCES
from scorer.api.replies import Message, clean_text, error_reply
from scorer.api.table_api import SelfTestApi, TableApi
from scorer.rules import Refusal, SheetError, parse_step, split_comment
from scorer.session.state import Verdict
from scorer.store.journal import Row, StoreError

MAX_ROWS = 500  # rows of the journal in one answer
MAX_PAGE_BYTES = 60_000  # bytes of rows: an answer is one line, whose length is limited
LAST_SEQ = 2**63 - 1  # no journal has a larger number
MAX_REASON_CHARS = 200
MAX_NAME_CHARS = 40  # letters of the client's name, as the history shows it


def answer_request(table: TableApi, message: Message, now: float) -> Message:
    """Return the answer to one request."""
    # Only look up strings; str() of a deeply nested value could recurse.
    name = message.get("do")
    handler = _HANDLERS.get(name) if isinstance(name, str) else None
    reply: Message = {"id": message.get("id")}
    if handler is None:
        return {**reply, **error_reply(ErrorCode.UNKNOWN, f"do is one of {', '.join(_HANDLERS)}")}
    try:
        return {**reply, **handler(table, message, now)}
    except StoreError:
        # The panel shows that the disk cannot be read; the table must go on.
        return {**reply, **error_reply(ErrorCode.STORE, "the store cannot be read")}


def answer_without_store(table: SelfTestApi, message: Message, now: float) -> Message:
    """Answer of a table without a store: a self-test, or the store's error."""
    reply: Message = {"id": message.get("id")}
    if message.get("do") == "selftest":
        return {**reply, **_selftest(table, message, now)}
    sentence = "the store cannot be opened; look at the panel"
    return {**reply, **error_reply(ErrorCode.STORE, sentence)}


def _step(table: TableApi, message: Message, now: float) -> Message:
    line = message.get("line")
    if not isinstance(line, str):
        return error_reply(
            ErrorCode.UNREADABLE, "line is a text: a side and a word, as in 'A truco'"
        )
    return _enter(table, line, message, now)


def _undo(table: TableApi, message: Message, now: float) -> Message:
    return _enter(table, "- undo", message, now)


def _enter(table: TableApi, line: str, message: Message, now: float) -> Message:
    seq = message.get("seq")
    # Compare the type too: true would be equal to 1.
    if type(seq) is not int or seq != table.game_log.seq:
        return error_reply(ErrorCode.STALE, "the score has changed since; look at the newest state")
    try:
        text, reason = split_comment(line)
        step = parse_step(text, table.rules)
    except SheetError as error:
        return error_reply(ErrorCode.UNREADABLE, str(error))
    who = clean_text(message.get("who"), MAX_NAME_CHARS) or "socket"
    reaction = table.enter_step(step, who, now, clean_text(reason, MAX_REASON_CHARS))
    if reaction.verdict is Verdict.ACCEPTED:
        return {"ok": True, "seq": table.game_log.seq}
    notice = reaction.session.notice
    key = notice.key if notice is not None else ErrorCode.REFUSED
    # The panel tells players how to go on; a client needs the reason.
    key = Refusal.ENVIDO_CLOSED if key == "late_envido" else key
    known = key in Refusal.__members__
    return error_reply(key, SENTENCES[Refusal(key)] if known else "it could not be stored")


def _rows(table: TableApi, message: Message, now: float) -> Message:
    start, limit = message.get("from", 1), message.get("limit", MAX_ROWS)
    if type(start) is not int or type(limit) is not int or limit < 1:
        return error_reply(ErrorCode.UNREADABLE, "from and limit are numbers, limit at least 1")
    start = min(max(start, 0), LAST_SEQ)
    return {"ok": True, "rows": _page(table.game_log.rows(start, min(limit, MAX_ROWS)))}


def _game(table: TableApi, message: Message, now: float) -> Message:
    """Return the rows of one game from its header on."""
    games = table.game_log.game_numbers
    number, start = message.get("number", games.running), message.get("from", 1)
    if type(number) is not int or type(start) is not int:
        return error_reply(ErrorCode.UNREADABLE, "number and from are numbers")
    start = min(max(start, 0), LAST_SEQ)
    try:
        header, rows = table.game_log.game(number, start)
    except KeyError:
        return error_reply(ErrorCode.NO_SUCH_GAME, "no game has that number")
    page = _page(rows[:MAX_ROWS])
    known = {
        "game": number,
        "seq": table.game_log.seq,
        "language": table.language,
        **games._asdict(),
    }
    return {"ok": True, **known, "header": header, "rows": page}


def _notice(table: TableApi, message: Message, now: float) -> Message:
    """Store the web status of the client; it holds until the client disconnects."""
    link = web_status.parse(message)
    if isinstance(link, str):
        return error_reply(ErrorCode.UNREADABLE, link)
    table.set_web_status(link)
    return {"ok": True}


def _phone_request(table: TableApi, message: Message, now: float) -> Message:
    # Imported lazily: most tables have no paired phone.
    from scorer.api import phone_handlers

    return phone_handlers.HANDLERS[message["do"]](table, message, now)


def _selftest(table: SelfTestApi, message: Message, now: float) -> Message:
    found = table.run_selftest(now)
    if found is None:
        sentence = "the table has just tried itself; ask again in some seconds"
        return error_reply(ErrorCode.BUSY, sentence)
    return {"ok": True, **found}


def _page(rows: tuple[Row, ...]) -> list[Message]:
    """As many of ``rows`` as fit into one answer, at least one, and the next start."""
    page: list[Message] = []
    room = MAX_PAGE_BYTES
    for row in rows:
        document = row._asdict()
        room -= len(json.dumps(document, ensure_ascii=False).encode())
        if page and room < 0:
            break
        page.append(document)
    return page


_HANDLERS: dict[str, Callable[[TableApi, Message, float], Message]] = {
    "step": _step,
    "undo": _undo,
    "journal": _rows,
    "game": _game,
    "selftest": _selftest,
    "pair": _phone_request,
    "phone": _phone_request,
    "unpair": _phone_request,
    "press": _phone_request,
    "names": _phone_request,
    "notice": _notice,
}
