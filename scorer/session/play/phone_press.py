"""A press of a phone: what the button at the box would do, after everybody who stands at the box.

A phone sends a button of the full layout and whether it is held. It never comes in between fingers,
set-up or an undo, answers only a question that it has shown, and what would reach into an earlier
hand is done at the box alone. It knows no network: who may press at all is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from scorer.rules import Rules, Side, phase_of
from scorer.rules.variant import Seats
from scorer.session.input import keymap
from scorer.session.input.gestures import Gesture, Kind
from scorer.session.input.keymap import Meaning
from scorer.session.play import interpret
from scorer.session.play.reactions import refuse
from scorer.session.play.reducer import press as pressed_here
from scorer.session.play.timers import tick
from scorer.session.record import hand_id
from scorer.session.seats import CONSOLES, consoles
from scorer.session.settings import Layout
from scorer.session.state import Answer, Deed, Hint, Question, Reaction, Session, Verdict
from scorer.session.view.view import Notice

KEYS: Final = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
HELD: Final = ("envido", "no_quiero")  # the falta at once, the fold
SHARED: Final = ("undo", "tied")  # "tied": TANTOS of both teams at once
DEAF: Final = 5.0  # seconds after an UNDO at the box: whoever undoes a phone has the time to go on

# What only people who stand at the box decide: what they would take back, or leave behind.
_AT_THE_BOX: Final = (Deed.UNDO, Deed.UNDO_GAME, Deed.OPEN_GAME)


class Wish(NamedTuple):
    """One press of a phone. ``question``: the key of the one that it showed, "" where none."""

    key: str
    console: str = ""  # nothing for a button that all share
    held: bool = False
    question: str = ""


def press(session: Session, request: Wish, now: float, time: str = "") -> Reaction:
    """What ``wish`` does at ``now``; a refusal carries its notice and changes nothing else."""
    session = tick(session, now)
    notice = _kept_out(session, request)
    if notice is not None:
        return refuse(session, notice)
    gesture = _gesture(session, request, now)
    if gesture is None:
        return refuse(session, Notice("NOT_IN_THIS_VARIANT", urgent=True))
    # Whoever looks at a phone sees the score: no press is spent on waking a dark panel.
    reaction = pressed_here(_for_a_phone(session, gesture, now), gesture, now, time)
    kept = reaction.session._replace(settings=session.settings)
    if gesture.button == "undo":
        # It must not count as an undo at the box.
        kept = kept._replace(newest_press=None)
    return reaction._replace(session=kept)


def lit(session: Session, now: float) -> dict[str, tuple[str, ...]]:
    """The buttons that would count now: by console, "" for those that all share."""
    places = ("", *consoles(session.rules, len(CONSOLES)))
    return {place: tuple(_counting(session, place, now)) for place in places}


def _counting(session: Session, place: str, now: float) -> list[str]:
    question = "" if session.question is None else session.question.key
    taps = [Wish(key, place, question=question) for key in (KEYS if place else SHARED)]
    holds = [wish._replace(held=True) for wish in taps if wish.key in HELD]
    counting = (wish for wish in (*taps, *holds) if _counts(press(session, wish, now)))
    return [f"{wish.key}.held" if wish.held else wish.key for wish in counting]


def _counts(reaction: Reaction) -> bool:
    return reaction.verdict in (Verdict.ACCEPTED, Verdict.QUESTION)


def answerable(question: Question) -> bool:
    """May a phone answer it?"""
    return not {question.yes.effect, question.no.effect} & set(_AT_THE_BOX)


def told(question: Question, sides: Sequence[Side]) -> dict[str, object]:
    """The question on the panels as those beside the table hear of it; JSON-ready.

    ``phones``: may a phone answer it? The points are those that the answers pay, and to whom.
    """
    names = (*(side.value for side in sides), Side.PAIR.value)
    answers = {"yes": question.yes, "no": question.no}
    return {
        "key": question.key,
        "word": question.word,
        "number": question.number,
        "side": None if question.side is None else names[question.side],
        "phones": answerable(question),
        **{name: {"key": each.key, **_pays(each, names)} for name, each in answers.items()},
    }


def _pays(answer: Answer, names: Sequence[str]) -> dict[str, object]:
    if answer.points is None:
        return {"to": None, "points": 0}
    return {"to": names[answer.points[0]], "points": answer.points[1]}


def _kept_out(session: Session, request: Wish) -> Notice | None:
    """Why no phone may press now."""
    if session.locked:
        return Notice("locked", urgent=True)
    if session.setup is not None:
        return Notice("phone_setup", urgent=True)
    newest = session.newest_press
    undone = newest is not None and newest.meaning is Meaning.UNDO
    if newest is not None and undone and session.now < newest.time + DEAF:
        return Notice("phone_undone", urgent=True)
    if session.question is not None and not _has_seen(session.question, request):
        return Notice("phone_question", urgent=True)
    return Notice("phone_undo_far", urgent=True) if _reaches_far(session, request) else None


def _has_seen(question: Question, request: Wish) -> bool:
    return answerable(question) and request.question == question.key


def _reaches_far(session: Session, request: Wish) -> bool:
    """Would an undo leave the hand that people are at?"""
    if request.key != "undo" or session.question is not None or session.confirmed:
        return False
    record = session.record
    return hand_id(record.game) != record.undo_home or not record.past


def _for_a_phone(session: Session, gesture: Gesture, now: float) -> Session:
    """Awake, with a third console where three play alone, and with a hold that was announced."""
    settings = session.settings
    if session.rules.seats is Seats.ALONE:
        settings = settings._replace(consoles=len(CONSOLES))
    session = session._replace(touched_at=now, settings=settings)
    if gesture.kind is not Kind.HOLD:
        return session
    meaning = _held_meaning(session, gesture.button, session.settings.layout)
    return session if meaning is None else session._replace(hint=Hint(gesture.button, meaning))


def _gesture(session: Session, request: Wish, now: float) -> Gesture | None:
    """What a finger would do at the box; None where its buttons cannot say it."""
    if request.key in SHARED:
        if request.console or request.held:
            return None
        if request.key == "undo":
            return Gesture(Kind.PRESS, "undo", now, now)
        return Gesture(Kind.CHORD, f"{CONSOLES[0]}.tantos", now, now)
    if request.key not in KEYS or request.console not in consoles(session.rules, len(CONSOLES)):
        return None
    wanted = _meaning(session, request)
    return None if wanted is None else _said_by(session, request.console, wanted, now)


def _meaning(session: Session, request: Wish) -> Meaning | None:
    """What the button means where there are all of them."""
    # The third console has few buttons on any box; a phone has no such trouble.
    button = f"{CONSOLES[0]}.{request.key}"
    if request.held:
        return _held_meaning(session, button, Layout.FULL) if request.key in HELD else None
    return keymap.tap(Layout.FULL, button, session.rules)


def _said_by(session: Session, console: str, meaning: Meaning, now: float) -> Gesture | None:
    """The tap or the hold of this box's own buttons that means ``wanted``."""
    layout, rules = session.settings.layout, session.rules
    names = [name for name in keymap.buttons(layout, len(CONSOLES)) if _is_of(name, console)]
    for name in names:
        if keymap.tap(layout, name, rules) is meaning:
            return Gesture(Kind.PRESS, name, now, now)
    for name in names:
        if _held_meaning(session, name, layout) is meaning:
            return Gesture(Kind.HOLD, name, now, now)
    return None


def _is_of(name: str, console: str) -> bool:
    return keymap.console_of(name) == console


def _held_meaning(session: Session, button: str, layout: Layout) -> Meaning | None:
    game = interpret.standing(session.game)
    rules: Rules = game.rules
    return keymap.hold(
        layout, button, rules, phase_of(game), question_open=session.question is not None
    )
