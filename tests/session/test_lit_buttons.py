"""The law of lit buttons, in the states of every variant that presses lead to.

What is lit are the offers of the view and of the rules: who may raise, who owes an answer, who may
answer the question. A lit button counts when it is pressed, an unlit one of them is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

import pytest

from scorer.rules import Action, Phase, phase_of, variant_ids
from scorer.rules.offer import sides_to_answer
from scorer.rules.score import speaker_of
from scorer.session.input import keymap
from scorer.session.input.holds import hold_meaning
from scorer.session.lit_buttons import lit_buttons, next_change
from scorer.session.play import call_options
from scorer.session.play.timers import ask_same_game, expire, next_deadline
from scorer.session.reducer import press
from scorer.session.values import late_envido
from scorer.session.values.dimming import Light, light_of
from scorer.session.values.game_queries import current_hand
from scorer.session.values.press import ButtonMeaning, Gesture, GestureKind
from scorer.session.values.question import Dismissal
from scorer.session.values.seating import consoles_in_use, sides_at, view_index
from scorer.session.values.settings import Layout
from scorer.session.values.state import Reaction, Session, Verdict
from scorer.session.view.build_view import view_of
from tests.sampling import amount, sample
from tests.session.test_question_law import LATER, STEP, WALK, openings, pressed

COUNTS: Final = (Verdict.ACCEPTED, Verdict.QUESTION)


def states(variant: str, layout: Layout) -> Iterator[Session]:
    """The sessions that presses lead to, breadth first."""
    waiting, seen = deque(openings(variant, layout)), set[object]()
    yield from waiting
    while waiting:
        session = waiting.popleft()
        for button, held in (*WALK, ("undo", False), ("menu", True), ("both", False)):
            for after in (STEP, LATER):
                reaction = pressed(session, button, held, after)
                if reaction is None or reaction.new_game is not None:
                    continue
                following = reaction.session
                times = (following.bet_paid_at, following.hand_closed_at, following.hand_paid_at)
                ages = tuple(following.now - time < LATER for time in times)
                key = (following.game, following.question, ages, following.setup is None)
                if key not in seen and following.page is None:
                    seen.add(key)
                    waiting.append(following)
                    yield following


def console_buttons(session: Session, key: str) -> Iterator[tuple[str, str]]:
    """The consoles of the table with their button whose effective key is ``key``."""
    layout, rules = session.settings.table.layout, session.rules
    for button in keymap.buttons(layout, session.settings.consoles.count):
        console, _, own = button.rpartition(".")
        if console and keymap.effective_key(layout, own, rules) == key:
            yield console, button


def offered(session: Session) -> Iterator[tuple[str, bool]]:
    """Each button of a call or an answer, and whether the view or the rules offer it.

    Of a hand without a question; every guard is over.
    """
    view, game = view_of(session), current_hand(session.game)
    owed = view.call.owed if view.call is not None else ()
    if view.next_hand is not None:
        owed = tuple(view_index(game, side) for side in sides_to_answer(game))
    alone = game.rules.seating.each_alone
    for console, button in console_buttons(session, "truco"):
        sides = sides_at(console, session.rules, session.settings.consoles.count)
        seats = [view_index(game, side) for side in sides]
        there = zip(game.rules.scoring_sides, view.sides, strict=True)
        raises = any(shown.may_raise for side, shown in there if speaker_of(game, side) in sides)
        yield button, raises or _asks_about_truco(session, button, seats, owed)
    for key in ("quiero", "no_quiero"):
        for console, button in console_buttons(session, key):
            sides = sides_at(console, session.rules, session.settings.consoles.count)
            # One of three single players answers for another who shares no console with it.
            answers = bool(owed) and (alone or any(view_index(game, s) in owed for s in sides))
            # A flor is answered by FLOR, or by NO QUIERO.
            is_plain_flor = phase_of(game) is Phase.PENDING_FLOR and not game.hand.flor.raises
            yield button, answers and not (is_plain_flor and key == "quiero" and not alone)
    for console, button in console_buttons(session, "envido"):
        sides = sides_at(console, session.rules, session.settings.consoles.count)
        calls = [
            s for s in sides if call_options.legal_steps(game, call_options.envido_calls(game, s))
        ]
        late = late_envido.is_possible(game) and any(
            late_envido.possible_payments(game, side) for side in sides
        )
        # Where the hold of the button offers the bids, it offers the late ones too.
        held = hold_meaning(session, button, session.settings.table.layout)
        is_late_tap = late and held not in (ButtonMeaning.BIDS, ButtonMeaning.FLORES)
        yield button, bool(calls) or is_late_tap


def _asks_about_truco(
    session: Session, button: str, seats: list[int], owed: tuple[int, ...]
) -> bool:
    """Whether TRUCO asks: of who owes an answer to an envido, or as a penalty."""
    reaction = pressed(session, button, False, 0.0)
    assert reaction is not None
    is_asked = reaction.verdict is Verdict.QUESTION
    return is_asked and (bool(set(seats) & set(owed)) or view_of(session).special is not None)


def faults(session: Session) -> Iterator[str]:
    lit = lit_buttons(session)
    now, question = session.now, session.question
    for button in keymap.buttons(session.settings.table.layout, session.settings.consoles.count):
        tap = press(session, Gesture(GestureKind.PRESS, button, now, now), now)
        if button in lit and session.setup is None and tap.verdict not in COUNTS:
            held = pressed(session, button, True, 0.0)
            if question is None or held is None or held.verdict not in COUNTS:
                yield f"{button} is lit and is {tap.verdict}"
        is_free = question is None and session.setup is None
        if button not in lit and is_free and tap.verdict in COUNTS and not corrects(tap):
            yield f"{button} is not lit and is {tap.verdict}"
    if question is not None and session.setup is None:
        yield from faults_of_question(session, lit)


def corrects(tap: Reaction) -> bool:
    """Whether a call replaces the own newest one, or asks for what."""
    asked = tap.session.question
    steps = asked.yes.steps if asked is not None and not tap.steps else tap.steps
    return any(step.action is Action.UNDO for step in steps)


def faults_of_question(session: Session, lit: frozenset[str]) -> Iterator[str]:
    """Only buttons that answer the question or the open call are lit."""
    question = session.question
    assert question is not None
    game = current_hand(session.game)
    owing = sides_to_answer(game)
    # Of the box: with two consoles one speaks for two of three players, whose phones may differ.
    consoles = consoles_in_use(session.rules, session.settings.consoles.count)
    may_say_yes = [console for console in consoles if session.may_accept(console)]
    may_say_no = [console for console in consoles if session.question_at(console) is not None]
    for key, may in (("quiero", may_say_yes), ("no_quiero", may_say_no)):
        for console, button in console_buttons(session, key):
            sides = sides_at(console, session.rules, session.settings.consoles.count)
            # Of three single players, any console answers for the one who owes an answer.
            owes = bool(owing) if game.rules.seating.each_alone else bool({*sides} & {*owing})
            if button in lit and console not in may and not owes:
                says_no = key == "quiero" and console in may_say_no
                if not (says_no and session.settings.table.layout is Layout.COMPACT):
                    yield f"{question.key}: {button} is lit and may not answer"
            if button not in lit and console in may and not is_guarded(session, button):
                yield f"{question.key}: {button} may answer and is not lit"
    others = {b for b in lit if b.rpartition(".")[2] in ("truco", "flor", "tantos", "menu")}
    if others:
        yield f"{question.key}: {sorted(others)} are lit"
    shown = view_of(session).question
    assert shown is not None
    is_undo_an_answer = question.row.dismissed_by is Dismissal.UNDO_YES or shown.is_no_undo
    if "undo" in lit and not is_undo_an_answer:
        yield f"{question.key}: undo is lit"


def is_guarded(session: Session, button: str) -> bool:
    """Whether a guard ignores this button now, as a slap of the partner."""
    reaction = pressed(session, button, False, 0.0)
    return reaction is not None and reaction.verdict is Verdict.GUARDED


def faults_of_offers(session: Session) -> Iterator[str]:
    """Of a hand in play, once all guards are over."""
    lit = lit_buttons(session)
    for button, is_offered in offered(session):
        if (button in lit) is not is_offered:
            yield f"{button} is {'' if button in lit else 'not '}lit, offered: {is_offered}"


def settled(session: Session) -> Session | None:
    """A hand in play without question, when its guards are over; else None."""
    later = expire(session, session.now + LATER)
    is_in_play = later.question is None and later.setup is None and later.game.winner is None
    is_in_play = is_in_play and later.offer is None and not later.locked
    return later if is_in_play and light_of(later) is not Light.DARK else None


@pytest.mark.sampled(13)
@pytest.mark.parametrize("layout", tuple(Layout))
@pytest.mark.parametrize("variant", variant_ids())
def test_what_is_lit_is_what_the_view_offers(variant: str, layout: Layout) -> None:
    reached = islice(states(variant, layout), amount(60, 1500))
    found = sample(reached, 2, by=lambda session: (session.phase, session.question is None))
    assert found
    wrong = [fault for session in found for fault in faults(session)]
    calm = [later for session in found if (later := settled(session)) is not None]
    wrong += [fault for session in calm for fault in faults_of_offers(session)]
    assert calm
    assert sorted(set(wrong)) == []


def test_a_refused_button_lights_when_its_guard_is_over() -> None:
    session = next(openings("argentine", Layout.FULL))
    for button in ("A.truco", "B.no_quiero"):
        reaction = pressed(session, button, False)
        assert reaction is not None
        session = reaction.session
    assert not {"A.tantos", "B.tantos"} & lit_buttons(session), "TANTOS is guarded after a payment"
    times = 0
    while (change := next_change(session)) is not None:
        session, times = expire(session, change), times + 1
    assert times < 8
    assert {"A.tantos", "B.tantos"} <= lit_buttons(session)
    assert session.now == pytest.approx(session.hand_paid_at + session.settings.guards.paid_hand)


def test_between_two_changes_nothing_else_lights() -> None:
    session = next(openings("uruguayan", Layout.FULL))
    for button in ("A.envido", "B.quiero", "A.tantos", "B.truco", "A.quiero"):
        reaction = pressed(session, button, False)
        assert reaction is not None
        session = reaction.session
        lit, moment = lit_buttons(session), session.now
        ends = [t for t in (next_change(session), next_deadline(session)) if t is not None]
        while (moment := moment + 0.05) < min(ends):
            assert lit_buttons(expire(session, moment)) == lit, (button, moment)


def test_dark_panels_light_no_button() -> None:
    session = next(openings("argentine", Layout.FULL))
    assert lit_buttons(session)
    dark = session._replace(now=session.touched_at + session.settings.light.dark)
    assert light_of(dark) is Light.DARK and not lit_buttons(dark)


def test_the_question_about_the_day_lights_quiero_and_no_quiero_of_all() -> None:
    session = next(openings("argentine", Layout.FULL))
    called = pressed(session, "A.truco", False)
    assert called is not None
    asked = ask_same_game(called.session)
    later = expire(asked, asked.now + LATER)
    assert lit_buttons(later) == {"A.quiero", "A.no_quiero", "B.quiero", "B.no_quiero"}
