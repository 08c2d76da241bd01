"""Handlers of the socket's requests (docs/reference/socket.md).

A request is judged like a press. An invalid one gets an error reply and never raises.
"""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, NamedTuple

from scorer.api import web_status
from scorer.api.error_codes import ErrorCode
from scorer.api.refusal_messages import SENTENCES
from scorer.api.replies import Message, clean_text, error_reply
from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.plain_values import Found, Key, WrongValues, read
from scorer.records.row_source import with_user
from scorer.rules import Refusal, SheetError, attempt, parse_step, split_comment
from scorer.session.play.external_steps import enter_step
from scorer.session.values.game_queries import current_hand
from scorer.session.values.state import Verdict
from scorer.store.journal import StoredRow, StoreError
from scorer.store.rows import StoredOpening
from scorer.table.game_pages import MAX_PAGE_BYTES, MAX_ROWS
from scorer.table.table import Table

MAX_GAMES_BYTES = 20_000  # of these, bytes of the headers of games
LAST_SEQ = 2**63 - 1  # no journal has a larger number
MAX_REASON_CHARS = 200
MAX_NAME_CHARS = 40  # letters of the client's name, as the history shows it


class _Handler(NamedTuple):
    """How a request is answered, and the right that it needs."""

    right: Right
    answer: Callable[[Table, Request, float], Message]


class _Step(NamedTuple):
    """The keys of ``step``."""

    line: str


class _Rows(NamedTuple):
    """The keys of ``journal``."""

    start: Annotated[int, Key("from")] = 1
    limit: int = MAX_ROWS

    def find_problems(self) -> Iterator[Found]:
        if self.limit < 1:
            yield "limit", f"{self.limit} is less than 1"


class _Game(NamedTuple):
    """The keys of ``game``."""

    number: int
    start: Annotated[int, Key("from")] = 1


def handle_request(table: Table, request: Request, now: float) -> None:
    """Answer one request of the socket."""
    answer = answer_request(table, request, now)
    # A client that receives "ok" and reconnects must not get the previous score.
    table.tick(now)
    table.reply(request.client, answer)


def answer_request(table: Table, request: Request, now: float) -> Message:
    """Return the answer to one request; without a store only to a self-test."""
    # Only look up strings; str() of a deeply nested value could recurse.
    message, name = request.message, request.message.get("do")
    handler = _HANDLERS.get(name) if isinstance(name, str) else None
    reply: Message = {"id": message.get("id")}
    if table.has_failed and name != "selftest":
        sentence = "the store cannot be opened; look at the panel"
        return {**reply, **error_reply(ErrorCode.STORE, sentence)}
    if handler is None:
        return {**reply, **error_reply(ErrorCode.UNKNOWN, f"do is one of {', '.join(_HANDLERS)}")}
    if not request.right.includes(handler.right):
        right = handler.right.name.lower()
        sentence = f"not on this socket; the one for it is that of the right {right}"
        return {**reply, **error_reply(ErrorCode.FORBIDDEN, sentence)}
    table.settle_question(now)
    try:
        return {**reply, **handler.answer(table, request, now)}
    except WrongValues as error:
        return {**reply, **error_reply(ErrorCode.UNREADABLE, str(error.problems[0]))}
    except StoreError:
        # The panel shows that the disk cannot be read; the table must go on.
        return {**reply, **error_reply(ErrorCode.STORE, "the store cannot be read")}


def _step(table: Table, request: Request, now: float) -> Message:
    wanted = read(_Step, request.message, skips_unknown=True)
    return _enter(table, wanted.line, request, now)


def _undo(table: Table, request: Request, now: float) -> Message:
    return _enter(table, "- undo", request, now)


def _enter(table: Table, line: str, request: Request, now: float) -> Message:
    message = request.message
    if table.is_stale(message):
        return error_reply(ErrorCode.STALE, "the score has changed since; look at the newest state")
    try:
        text, reason = split_comment(line)
        step = parse_step(text, table.session.rules)
    except SheetError as error:
        return error_reply(ErrorCode.UNREADABLE, str(error))
    who = clean_text(message.get("who"), MAX_NAME_CHARS) or "socket"
    source, reason = with_user(who, request.user), clean_text(reason, MAX_REASON_CHARS)
    reaction = table.commit(enter_step(table.session, step, now), source, now, reason)
    if reaction.verdict is Verdict.ACCEPTED:
        return {"ok": True, "seq": table.game_log.seq}
    notice = reaction.session.notice
    key = notice.key if notice is not None else ErrorCode.REFUSED
    if key == "match_locked":
        return error_reply(ErrorCode.LOCKED, "a match is played; both teams enter it at the box")
    if key not in Refusal.__members__:
        # The panel tells players how to go on; a client needs the reason.
        why_not = attempt(current_hand(table.session.game), step)
        if not isinstance(why_not, Refusal):
            return error_reply(key, "it could not be stored")
        key = why_not
    return error_reply(key, SENTENCES[Refusal(key)])


def _rows(table: Table, request: Request, now: float) -> Message:
    wanted = read(_Rows, request.message, skips_unknown=True)
    start = min(max(wanted.start, 0), LAST_SEQ)
    rows = table.game_log.rows(start, min(wanted.limit, MAX_ROWS))
    openings = table.game_log.openings(start, LAST_SEQ, MAX_ROWS)
    page = _page(rows, openings)
    is_end = not page or page[-1]["seq"] >= table.game_log.seq
    last = LAST_SEQ if is_end else page[-1]["seq"]
    games = _games(table.game_log.openings(start, last, MAX_ROWS))
    hall = {"epoch": table.hall.epoch_document(), "decision": table.hall.decision_document()}
    return {"ok": True, **hall, "rows": page, "games": games}


def _games(openings: tuple[StoredOpening, ...]) -> list[Message]:
    """The newest of ``openings`` that fit into an answer, oldest first."""
    found: list[Message] = []
    room = MAX_GAMES_BYTES
    for opening in reversed(openings):
        document = opening._asdict()
        room -= _byte_count(document)
        if found and room < 0:
            break
        found.insert(0, document)
    return found


def _game(table: Table, request: Request, now: float) -> Message:
    """Return the rows of one game from its header on."""
    games = table.game_log.game_numbers
    wanted = read(_Game, {"number": games.running, **request.message}, skips_unknown=True)
    number, start = wanted.number, min(max(wanted.start, 0), LAST_SEQ)
    try:
        page = table.game_pages.page(number, start)
    except KeyError:
        return error_reply(ErrorCode.NO_SUCH_GAME, "no game has that number")
    known = {
        "game": number,
        "seq": table.game_log.seq,
        "language": table.language,
        "time_zone": table.session.settings.table.time_zone,
        "is_quiet": table.is_quiet(now),
        **games._asdict(),
        "pair_names": table.game_log.pair_names(),
    }
    return {"ok": True, **known, **page._asdict()}


def _notice(table: Table, request: Request, now: float) -> Message:
    """Store the web status of the client; it holds until the client disconnects."""
    table.put_web_status(request.client, web_status.parse(request.message), now)
    return {"ok": True}


def _phone_request(table: Table, request: Request, now: float) -> Message:
    # Imported lazily: most tables have no paired phone.
    from scorer.table import phone_handlers

    return phone_handlers.HANDLERS[request.message["do"]](table, request, now)


def _hall_request(table: Table, request: Request, now: float) -> Message:
    # Imported lazily: most tables are in no hall.
    from scorer.table import hall_handlers

    return hall_handlers.HANDLERS[request.message["do"]](table, request, now)


def _owner_request(table: Table, request: Request, now: float) -> Message:
    # Imported lazily: few tables have a phone with the right to the settings.
    from scorer.table import owner_handlers

    return owner_handlers.HANDLERS[request.message["do"]](table, request, now)


def _selftest(table: Table, request: Request, now: float) -> Message:
    found = table.run_selftest(now)
    if found is None:
        sentence = "the table has just tried itself; ask again in some seconds"
        return error_reply(ErrorCode.BUSY, sentence)
    return {"ok": True, **found}


def _page(rows: tuple[StoredRow, ...], openings: tuple[StoredOpening, ...]) -> list[Message]:
    """As many of ``rows`` as fit into an answer, at least one.

    The headers of ``openings`` that belong to them share a room of their own.
    """
    room = MAX_PAGE_BYTES - MAX_GAMES_BYTES
    page: list[Message] = []
    headers, waiting = MAX_GAMES_BYTES, list(openings)
    for row in rows:
        document = row._asdict()
        room -= _byte_count(document)
        while waiting and waiting[0].opened <= row.seq:
            headers -= _byte_count(waiting.pop(0)._asdict())
        if page and (room < 0 or headers < 0):
            break
        page.append(document)
    return page


def _byte_count(document: Message) -> int:
    return len(json.dumps(document, ensure_ascii=False).encode())


_HANDLERS: dict[str, _Handler] = {
    "step": _Handler(Right.TABLE, _step),
    "undo": _Handler(Right.TABLE, _undo),
    "journal": _Handler(Right.READ, _rows),
    "game": _Handler(Right.READ, _game),
    "selftest": _Handler(Right.TABLE, _selftest),
    "pair": _Handler(Right.PHONE, _phone_request),
    "phone": _Handler(Right.PHONE, _phone_request),
    "unpair": _Handler(Right.PHONE, _phone_request),
    "press": _Handler(Right.PHONE, _phone_request),
    "correct": _Handler(Right.PHONE, _phone_request),
    "names": _Handler(Right.PHONE, _phone_request),
    "pair_name": _Handler(Right.PHONE, _phone_request),
    "notice": _Handler(Right.PHONE, _notice),
    "owner_pair": _Handler(Right.OWNER, _owner_request),
    "owner": _Handler(Right.OWNER, _owner_request),
    "owner_save": _Handler(Right.OWNER, _owner_request),
    "owner_copies": _Handler(Right.OWNER, _owner_request),
    "owner_restore": _Handler(Right.OWNER, _owner_request),
    "owner_leave": _Handler(Right.OWNER, _owner_request),
    "hall": _Handler(Right.HALL, _hall_request),
    "assign": _Handler(Right.HALL, _hall_request),
    "release": _Handler(Right.HALL, _hall_request),
    "epoch": _Handler(Right.HALL, _hall_request),
}
