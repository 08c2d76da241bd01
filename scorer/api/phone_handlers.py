"""What a phone may ask of the table through the program that serves it: to be paired, and to press.

Whoever asks is judged here by its key, and its press by the session like one of the box. It knows
no network; how often somebody may ask is the business of who lets him in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from scorer.api.paired_phones import LONGEST_NAME, Phone, Phones, are_same
from scorer.api.replies import Message, refused, written
from scorer.records.game_log import Ledger
from scorer.rules import Side
from scorer.session.play.phone_press import Wish
from scorer.session.play.timers import tick
from scorer.session.setup.pairing_menu import paired, pairing, wrong
from scorer.session.state import Reaction, Session, Verdict
from scorer.session.view.view import Notice

_LONGEST_KEY = 40  # of a question, a button or a console: none of ours is longer


class Asked(Protocol):
    """What is needed of the table."""

    session: Session
    phones: Phones
    game_log: Ledger

    def refresh_phones(self) -> None: ...
    def handle_phone_press(self, press: Wish, source: str, now: float) -> Reaction: ...


def pair(table: Asked, message: Message, now: float) -> Message:
    """Whoever says the digits on the panel is given a key; without any: are there digits now?"""
    table.session = tick(table.session, now)
    shown = pairing(table.session, now)
    if shown is None:
        return refused("NO_CODE", "at the box: set-up, phones, new phone; it shows six digits")
    if "code" not in message:
        return {"ok": True, "tries": shown.tries_left}
    name = written(message.get("name"), LONGEST_NAME)
    if not name:
        return refused("NAME", f"a name of 1 to {LONGEST_NAME} letters")
    if not are_same(shown.code, message["code"]):
        table.session = wrong(table.session)
        return {**refused("WRONG_CODE", "these are not the digits"), "tries": shown.tries_left - 1}
    phone, key = table.phones.add(name)
    table.session = paired(table.session, phone.name)
    table.refresh_phones()
    return {"ok": True, "phone": phone.id, "key": key, "name": phone.name}


def known(table: Asked, message: Message, now: float) -> Message:
    """Is this phone still paired?"""
    phone = _who(table, message)
    if phone is None:
        return _unpaired()
    return {"ok": True, "name": phone.name, "seq": table.game_log.seq}


def unpair(table: Asked, message: Message, now: float) -> Message:
    """A phone that asks to be forgotten."""
    phone = _who(table, message)
    if phone is None:
        return _unpaired()
    table.phones.remove((phone.id,))
    table.refresh_phones()
    return {"ok": True}


def press(table: Asked, message: Message, now: float) -> Message:
    """A press of a phone, which has seen the newest row."""
    phone = _who(table, message)
    if phone is None:
        return _unpaired()
    seq, newest = message.get("seq"), table.game_log.seq
    # By its type, too: true would be equal to 1.
    if type(seq) is not int or seq != newest:
        return {**refused("STALE", "the score has changed since; look at it"), "seq": newest}
    wish = _wish(message)
    if wish is None:
        return refused("UNREADABLE", "button, side and question are words, hold is true or false")
    reaction = table.handle_phone_press(wish, f"phone {phone.name}", now)
    if reaction.verdict in (Verdict.ACCEPTED, Verdict.QUESTION):
        return {"ok": True, "verdict": reaction.verdict.value, "seq": table.game_log.seq}
    notice = reaction.session.notice
    if notice is None:
        return refused("REFUSED", "it says nothing here")
    return {**refused("REFUSED", "the table does not take it"), **_said(table, notice)}


def _who(table: Asked, message: Message) -> Phone | None:
    return table.phones.authenticate(message.get("phone"), message.get("key"))


def _unpaired() -> Message:
    return refused("UNPAIRED", "this phone is not paired, or not any more")


def _wish(message: Message) -> Wish | None:
    words = [message.get(name, "") for name in ("button", "side", "question")]
    held = message.get("hold", False)
    if not all(isinstance(word, str) and len(word) <= _LONGEST_KEY for word in words):
        return None
    button, side, question = words
    return Wish(button, side, held, question) if isinstance(held, bool) else None


def _said(table: Asked, notice: Notice) -> Message:
    """Why, by the key of the panel's own words, with what is filled into them."""
    group = "refusal" if notice.key.isupper() else "notice"
    sides = (*(side.value for side in table.session.rules.scoring_sides), Side.PAIR.value)
    side = None if notice.side is None else sides[notice.side]
    return {"say": f"{group}.{notice.key}", "side": side, "word": notice.word}


KNOWN: dict[str, Callable[[Asked, Message, float], Message]] = {
    "pair": pair,
    "phone": known,
    "unpair": unpair,
    "press": press,
}
