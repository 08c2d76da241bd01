"""The law of questions, in the states of every variant in which one is open.

A press has the result that it has without the question, or is an answer of a console that may give
it. No team consents to its own gain. Without a press, the question leaves what its row says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

import pytest

from scorer.rules import Action, Start, Step, find_variant, new_game, rules_for, variant_ids
from scorer.session.input import keymap
from scorer.session.input.holds import hold_meaning
from scorer.session.play.external_steps import settle_question
from scorer.session.play.timers import ask_same_game, expire
from scorer.session.reducer import press
from scorer.session.values.game_queries import current_hand
from scorer.session.values.press import ButtonMeaning, Gesture, GestureKind
from scorer.session.values.question import (
    QUESTIONS,
    Answering,
    Dismissal,
    Lifetime,
    Question,
    QuestionKey,
    Remains,
)
from scorer.session.values.settings import Layout
from scorer.session.values.state import Reaction, Session, Verdict, new_session
from tests.sampling import amount, sample
from tests.support.settings import settings_with

STEP: Final = 1.0  # seconds between two presses: no slap, no echo, within every guard of TANTOS
LATER: Final = 8.0  # every guard is over
STARTS: Final = ((0, 0), (11, 5), (10, 4), (23, 4), (29, 3))
LAYOUTS: Final = tuple(Layout)
# Buttons and holds of a walk; the same button is also tried after all guards.
WALK: Final = tuple(
    (f"{console}.{key}", held)
    for key, held in (
        *((key, False) for key in ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")),
        *((key, True) for key in ("envido", "flor", "no_quiero", "quiero")),
    )
    for console in "AB"
)
PRESSES: Final = (*WALK, ("both", False), ("undo", False), ("menu", False), ("menu", True))


def pressed(session: Session, button: str, held: bool, after: float = STEP) -> Reaction | None:
    """The reaction to a press ``after`` seconds; None without such a button."""
    now = session.now + after
    settled = settle_question(session, now)
    session = expire(session if settled is None else settled.session, now)
    layout = session.settings.table.layout
    if button == "both":
        return press(session, Gesture(GestureKind.CHORD, "A.tantos", now, now), now)
    if button not in keymap.buttons(layout, session.settings.consoles.count):
        return None
    if not held:
        return press(session, Gesture(GestureKind.PRESS, button, now, now), now)
    if hold_meaning(session, button, layout) is None:
        return None
    shown = press(session, Gesture(GestureKind.HOLD_STARTED, button, now, now), now).session
    return press(shown, Gesture(GestureKind.HOLD, button, now, now), now)


def openings(variant: str, layout: Layout) -> Iterator[Session]:
    """A fresh game, one near its end, and those before a hand with a decision."""
    rules = rules_for(find_variant(variant))
    settings = settings_with(layout=layout, count=2)
    for scores in STARTS:
        if max(scores) < rules.target and not (rules.seating.each_alone and any(scores)):
            score = (*scores, *rules.starting_score[2:]) if any(scores) else None
            yield new_session(new_game(Start(rules, score)), settings, now=100.0)


def states(variant: str, layout: Layout) -> Iterator[Session]:
    """The sessions with an open question that presses lead to, breadth first."""
    waiting, seen = deque(openings(variant, layout)), set[object]()
    while waiting:
        session = waiting.popleft()
        for button, held in (*WALK, ("both", False)):
            for after in (STEP, LATER):
                reaction = pressed(session, button, held, after)
                if reaction is None or reaction.new_game is not None:
                    continue
                following = reaction.session
                times = (following.bet_paid_at, following.hand_closed_at, following.hand_paid_at)
                ages = tuple(following.now - time < LATER for time in times)
                key = (following.game, following.question, ages, following.setup is None)
                if key in seen or following.setup is not None or following.page is not None:
                    continue
                seen.add(key)
                waiting.append(following)
                if following.question is not None and following.now < following.question_until:
                    yield following


def meaning_of(session: Session, button: str, held: bool) -> ButtonMeaning | None:
    if button == "both":
        return ButtonMeaning.BOTH
    layout = session.settings.table.layout
    if held:
        return hold_meaning(session, button, layout)
    return keymap.tap_meaning(layout, button, session.rules)


def gain_of(before: Session, after: Session, console: str) -> int:
    sides = keymap.sides_of(f"{console}.tantos", before.rules, before.settings.consoles.count)
    rules = before.rules
    sign = -1 if rules.seating.counts_down else 1
    return sum(
        sign * (new - old)
        for side, new, old in zip(
            rules.scoring_sides, after.game.score, before.game.score, strict=True
        )
        if rules.seating.speaker_of(side, current_hand(before.game).gallo) in sides
    )


def faults(session: Session) -> Iterator[str]:
    question = session.question
    assert question is not None
    for button, held in PRESSES:
        asked = pressed(session, button, held)
        plain = pressed(session._replace(question=None), button, held)
        meaning = meaning_of(session, button, held)
        console = keymap.console_of(button) if button != "both" else ""
        if asked is None or meaning is None or session.now + STEP >= session.question_until:
            continue
        is_answer = (
            meaning in (ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO)
            and session.question_at(console) is not None
        )
        name = f"{question.key}: {button}{' held' if held else ''}"
        is_menu = meaning in (ButtonMeaning.PAGE, ButtonMeaning.SETUP)
        if button == "undo":
            yield from (f"{name}: {why}" for why in faults_of_undo(session, asked))
        elif is_menu:
            if question.key is not QuestionKey.DAY and asked.session.question is not None:
                yield f"{name}: MENU is refused"
        elif is_answer or button == question.button:
            yield from (f"{name}: {why}" for why in faults_of_answer(session, asked, console))
        elif question.row.dismissed_by is Dismissal.PLAY:
            if plain is None or not is_same(question, asked, plain):
                was = "no press" if plain is None else f"{plain.verdict} {plain.steps}"
                yield f"{name}: {asked.verdict} {asked.steps}, without the question {was}"
        elif asked.verdict is Verdict.ACCEPTED:
            yield f"{name}: passes {question.key}"


def is_same(question: Question, asked: Reaction, plain: Reaction) -> bool:
    """Whether a press has the result that it has without the question."""
    if (asked.verdict, asked.steps) != (plain.verdict, plain.steps):
        return False
    if asked.session.record != plain.session.record:
        return False
    if asked.verdict in (Verdict.ACCEPTED, Verdict.QUESTION):
        left, expected = asked.session.question, plain.session.question
        if left is None or question.row.yes is not Answering.OWING:
            return left == expected
        return left == expected or left.key is QuestionKey.AND_THE_HAND
    return asked.session.question == question


def faults_of_undo(session: Session, asked: Reaction) -> Iterator[str]:
    assert session.question is not None
    if session.question.row.dismissed_by is Dismissal.UNDO_YES:
        return
    if asked.session.question is not None or asked.session.record != session.record:
        yield "UNDO does not dismiss it, and nothing else"


def spoken(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps without the deal of a hand and what is undone for them."""
    return tuple(step for step in steps if step.action not in (Action.UNDO, Action.NEW_HAND))


def faults_of_answer(session: Session, asked: Reaction, console: str) -> Iterator[str]:
    """An answer records what one of the answers says, and no gain of its own."""
    question = session.question
    assert question is not None
    entered = spoken(asked.steps)
    if entered and entered not in map(spoken, (question.yes.steps, question.no.steps)):
        yield f"records {entered}"
    claims = question.button.startswith(f"{console}.") and console != ""
    is_late = session.asked_at >= session.bet_paid_at + 5.0
    own = gain_of(session, asked.session, console) > 0 and asked.verdict is Verdict.ACCEPTED
    # TANTOS twice is a claim of a hand that can be over, and which of two players shared it.
    if own and not (claims and is_late) and question.key is not QuestionKey.WHICH_THIRD:
        yield "consents to a gain of its own"


def faults_of_time(session: Session) -> Iterator[str]:
    """What is left once the time of the question is over."""
    question = session.question
    assert question is not None
    end = session.question_until
    if question.row.lives is Lifetime.ALWAYS:
        return
    early = settle_question(session, end - 0.01)
    if early is not None or expire(session, end - 0.01).question is None:
        yield f"{question.key}: is over too early"
    settled, left = settle_question(session, end), expire(session, end)
    if question.row.remains is Remains.NOTHING:
        if settled is not None or left.question is not None or left.record != session.record:
            yield f"{question.key}: leaves something"
    elif settled is None and left.question is not None:
        yield f"{question.key}: stays"
    elif settled is not None:
        is_tie = question.row.remains is Remains.YES_LATER
        left_over, other = (question.yes, question.no) if is_tie else (question.no, question.yes)
        if settled.verdict is not Verdict.ACCEPTED:
            yield f"{question.key}: leaves a press that is {settled.verdict}"
        if spoken(settled.steps) != spoken(left_over.steps):
            yield f"{question.key}: leaves {settled.steps}"
        prices = [abs(each.points[1]) for each in (left_over, other) if each.points is not None]
        if not is_tie and len(prices) == 2 and prices[0] > prices[1]:
            yield f"{question.key}: leaves the dearer answer"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("variant", variant_ids())
def test_a_press_beside_a_question_is_an_answer_or_what_it_is_without_it(
    variant: str, layout: Layout
) -> None:
    reached = islice(states(variant, layout), amount(40, 1000))
    found = sample(reached, 2, by=lambda session: session.question and session.question.key)
    assert found
    wrong = [fault for session in found for fault in (*faults(session), *faults_of_time(session))]
    assert sorted(set(wrong)) == []


def test_the_question_about_the_day_lets_no_call_pass() -> None:
    session = next(openings("argentine", Layout.FULL))
    called = pressed(session, "A.truco", False)
    assert called is not None
    asked = ask_same_game(called.session)
    assert list(faults(asked)) == []
    assert expire(asked, asked.now + 3600.0).question is not None


def test_every_question_has_a_row() -> None:
    assert set(QUESTIONS) == set(QuestionKey)
    exceptions = {key for key, row in QUESTIONS.items() if row.dismissed_by is not Dismissal.PLAY}
    assert exceptions == {
        QuestionKey.DAY,
        QuestionKey.WHICH_THIRD,
        QuestionKey.UNDO_FAR,
        QuestionKey.UNDO_GAME,
        QuestionKey.CALL_DIRECTOR,
    }
    assert all(QUESTIONS[key].why for key in exceptions)
