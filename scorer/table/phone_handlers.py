"""Handlers of phone requests: pairing and presses.

Phones authenticate with their key, and the session judges a press like one of the box. The web
process limits how often an address may ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple

from scorer.api.error_codes import ErrorCode
from scorer.api.paired_phones import MAX_NAME_CHARS, Phone, codes_match
from scorer.api.replies import Message, clean_text, error_reply, notice_fields
from scorer.api.request import Request
from scorer.plain_values import Text, read
from scorer.plain_values.names import is_visible
from scorer.records.pair_names import RenameFault
from scorer.records.row_source import with_user
from scorer.session import phone_names, phone_press
from scorer.session.phone_press import PhoneCorrection, PhonePress
from scorer.session.play.reactions import refuse
from scorer.session.play.timers import expire
from scorer.session.setup.last_hands_menu import missing_sides
from scorer.session.setup.pairing_menu import (
    confirm_pairing,
    open_pairing,
    reject_code,
    tries_left,
)
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Verdict
from scorer.table.state_publisher import names_document
from scorer.table.table import Table

Handler = Callable[[Table, Request, float], Message]

MAX_SIDE_NAME_CHARS = 40  # as in the configuration
MAX_ADDRESS_CHARS = 45  # of the longest IPv6 address
NO_ADDRESS = "?"  # all clients that name none
MAX_PAIRS = 20  # known pairs of names in one answer
_RENAME_FAULTS = {
    RenameFault.UNKNOWN: (ErrorCode.NO_SUCH_PAIR, "no game of this evening has that pair"),
    RenameFault.UNREADABLE: (ErrorCode.NAME, "a name that can be seen, or none"),
    RenameFault.OPPONENTS: (
        ErrorCode.NAME,
        "these two played against each other; one name would mix their games",
    ),
}
_COUNTED = (Verdict.ACCEPTED, Verdict.QUESTION)
_Word = Annotated[str, Text(40, 0)]  # a question, a button or a console; all of ours are shorter


class _Names(NamedTuple):
    """The keys of ``names``."""

    names: Mapping[str, str]


class _PairName(NamedTuple):
    """The keys of ``pair_name``; an empty name undoes it."""

    pair: str
    name: str


class _Press(NamedTuple):
    """The keys of ``press``."""

    button: _Word = ""
    side: _Word = ""
    question: _Word = ""
    hold: bool = False


def pair(table: Table, request: Request, now: float) -> Message:
    """Pair a phone that sends the code; without a code, say whether one is shown."""
    return pair_with(table, request, now)


def pair_with(table: Table, request: Request, now: float, *, is_owner: bool = False) -> Message:
    """The same, of a phone that presses, or of an owner's (``is_owner``)."""
    message, phones = request.message, table.owners if is_owner else table.phones
    address = clean_text(message.get("address"), MAX_ADDRESS_CHARS) or NO_ADDRESS
    table.adopt(expire(table.session, now))
    shown = open_pairing(table.session, now)
    if shown is None or shown.is_owner != is_owner:
        sentence = "at the box: set-up, phones, new phone; it shows six digits"
        if is_owner:
            sentence = "at the box: set-up, settings page, new phone; it shows six digits"
        return error_reply(ErrorCode.NO_CODE, sentence)
    tries = tries_left(shown, address)
    if "code" not in message:
        return {"ok": True, "tries": tries}
    if not tries:
        sentence = "too many wrong codes from this address; the box can show a new one"
        return {**error_reply(ErrorCode.BLOCKED, sentence), "tries": 0}
    name = clean_text(message.get("name"), MAX_NAME_CHARS)
    if not is_visible(name):
        return error_reply(ErrorCode.NAME, f"a name of 1 to {MAX_NAME_CHARS} letters")
    if not codes_match(shown.code, message["code"]):
        table.adopt(reject_code(table.session, address))
        is_void = open_pairing(table.session, now) is None
        left = 0 if is_void else tries - 1
        phones.on_wrong_code(address, request.user, left, is_void=is_void)
        wrong = error_reply(ErrorCode.WRONG_CODE, "these are not the digits")
        return {**wrong, "tries": tries - 1}
    phone, key = phones.add(name, address, request.user, now)
    table.adopt(confirm_pairing(table.session, phone.name))
    return {"ok": True, "phone": phone.id, "key": key, "name": phone.name}


def phone_status(table: Table, request: Request, phone: Phone, now: float) -> Message:
    """Say whether this phone is still paired."""
    sides = len(table.session.rules.scoring_sides)
    pairs = [list(pair) for pair in table.evening.known_names().pairs if len(pair) == sides]
    return {"ok": True, "name": phone.name, "seq": table.game_log.seq, "pairs": pairs[:MAX_PAIRS]}


def names(table: Table, request: Request, phone: Phone, now: float) -> Message:
    """Name the teams. Sides that are left out keep their names."""
    given = read(_Names, request.message, skips_unknown=True).names
    current = names_document(table.session)
    if not given or not given.keys() <= current.keys():
        sides = ", ".join(current)
        return error_reply(ErrorCode.UNREADABLE, f"names is an object of texts by side: {sides}")
    if any(len(name) > MAX_SIDE_NAME_CHARS for name in given.values()):
        return error_reply(ErrorCode.NAME, f"a name of at most {MAX_SIDE_NAME_CHARS} letters")
    cleaned = {side: clean_text(name, MAX_SIDE_NAME_CHARS) for side, name in given.items()}
    if any(given[side] and not is_visible(name) for side, name in cleaned.items()):
        return error_reply(ErrorCode.NAME, "a name that can be seen, or none")
    chosen = tuple({**current, **cleaned}.values())
    reaction = phone_names.name_sides(table.session, chosen, now)
    if reaction.verdict is Verdict.ACCEPTED:
        reaction = table.commit(reaction, _source(phone, request), now)
    if reaction.verdict is Verdict.ACCEPTED:
        return {"ok": True, "names": names_document(table.session)}
    return _refused_reply(table, reaction)


def pair_name(table: Table, request: Request, phone: Phone, now: float) -> Message:
    """Rename a pair of tonight's standings; the games and the panel keep their names."""
    which, given = read(_PairName, request.message, skips_unknown=True)
    if len(given) > MAX_SIDE_NAME_CHARS:
        return error_reply(ErrorCode.NAME, f"a name of at most {MAX_SIDE_NAME_CHARS} letters")
    name = clean_text(given, MAX_SIDE_NAME_CHARS)
    if given and not is_visible(name):
        return error_reply(*_RENAME_FAULTS[RenameFault.UNREADABLE])
    fault = table.evening.rename_pair(which, name, _source(phone, request))
    if fault is not None:
        return error_reply(*_RENAME_FAULTS[fault])
    return {"ok": True, "pair_names": table.game_log.pair_names()}


def unpair(table: Table, request: Request, phone: Phone, now: float) -> Message:
    """Unpair a phone at its own request."""
    table.phones.remove((phone.id,), _source(phone, request), now)
    return {"ok": True}


def press(table: Table, request: Request, phone: Phone, now: float) -> Message:
    """A press of a phone, which has seen the newest row.

    It counts unless a button of the box is being pressed. A refusal is returned to the phone alone
    and does not appear at the table.
    """
    if table.is_stale(request.message):
        stale = error_reply(ErrorCode.STALE, "the score has changed since; look at it")
        return {**stale, "seq": table.game_log.seq}
    button, side, question, hold = read(_Press, request.message, skips_unknown=True)
    reaction = _refusal(table) or phone_press.press(
        table.session, PhonePress(button, side, hold, question), now
    )
    if reaction.verdict in _COUNTED:
        reaction = table.commit(reaction, _source(phone, request), now)
    if reaction.verdict in _COUNTED:
        return {"ok": True, "verdict": reaction.verdict.value, "seq": table.game_log.seq}
    return _refused_reply(table, reaction)


def correct(table: Table, request: Request, phone: Phone, now: float) -> Message:
    """A correction of one of the last hands by a phone, which has seen the newest row.

    The answer names the sides whose QUIERO it waits for, on the panel too.
    """
    if table.is_stale(request.message):
        stale = error_reply(ErrorCode.STALE, "the score has changed since; look at it")
        return {**stale, "seq": table.game_log.seq}
    wish = read(PhoneCorrection, request.message, skips_unknown=True)
    reaction = _refusal(table) or phone_press.correct(table.session, wish, now)
    if reaction.verdict is Verdict.ACCEPTED:
        reaction = table.commit(reaction, _source(phone, request), now)
    if reaction.verdict is not Verdict.ACCEPTED:
        return _refused_reply(table, reaction)
    setup = table.session.setup
    asked = () if setup is None else missing_sides(table.session, setup)
    return {"ok": True, "asked": [side.value for side in asked], "seq": table.game_log.seq}


def _refusal(table: Table) -> Reaction | None:
    """Why no phone presses now, as a reaction; None if it may."""
    if table.wiring_trial.running is not None:
        return refuse(table.session, Notice(NoticeKey.WIRING_TRIAL, urgent=True))
    if table.is_being_pressed:
        return refuse(table.session, Notice(NoticeKey.PHONE_BUSY, urgent=True))
    return None


def _refused_reply(table: Table, reaction: Reaction) -> Message:
    notice = reaction.session.notice
    if notice is None:
        return error_reply(ErrorCode.REFUSED, "it says nothing here")
    return {
        **error_reply(ErrorCode.REFUSED, "the table does not take it"),
        **notice_fields(table.session.rules, notice),
    }


def _source(phone: Phone, request: Request) -> str:
    return with_user(f"phone {phone.name}", request.user)


def _paired(answer: Callable[[Table, Request, Phone, float], Message]) -> Handler:
    """The handler of a request that only a paired phone may send."""

    def answer_phone(table: Table, request: Request, now: float) -> Message:
        phone_id, key = request.message.get("phone"), request.message.get("key")
        phone = table.phones.authenticate(phone_id, key, request.user, now)
        if phone is None:
            return error_reply(ErrorCode.UNPAIRED, "this phone is not paired, or not any more")
        return answer(table, request, phone, now)

    return answer_phone


HANDLERS: dict[str, Handler] = {
    "pair": pair,
    "phone": _paired(phone_status),
    "unpair": _paired(unpair),
    "press": _paired(press),
    "correct": _paired(correct),
    "names": _paired(names),
    "pair_name": _paired(pair_name),
}
