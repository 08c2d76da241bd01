"""The questions of the table, with the steps and payments of their answers.

Payments are computed by playing the answers, never by a second calculation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scorer.rules import Action, Game, Side, Step
from scorer.rules.engine import play_steps
from scorer.session.input.keymap import console_of
from scorer.session.values import seating
from scorer.session.values.game_queries import largest_payment
from scorer.session.values.question import (
    NO_WORDS,
    Answer,
    AnswerEffect,
    AnswerKey,
    Question,
    QuestionKey,
)
from scorer.session.values.record import Record

Steps = tuple[Step, ...]


def _step_answer(game: Game, key: AnswerKey | Literal[""], steps: Steps) -> Answer:
    return Answer(key, AnswerEffect.RECORD, steps, largest_payment(game, steps))


def _view_index(game: Game, side: Side) -> int:
    return seating.view_index(game, side)


def fold_first(game: Game, first: Steps, later: Steps, console: str) -> Question:
    """The rivals folded: in the first trick?"""
    side = _view_index(game, first[0].side or game.rules.speaking_sides[0])
    return Question(
        QuestionKey.FOLD_FIRST,
        _step_answer(game, AnswerKey.FIRST, first),
        _step_answer(game, AnswerKey.LATER, later),
        side=side,
        console=console,
    )


def accepted_won(game: Game, accepted: Steps, refused: Steps, button: str) -> Question:
    """The caller enters a win without an answer to its call: was the call accepted?"""
    return Question(
        QuestionKey.ACCEPTED_WON,
        Answer(AnswerKey.ACCEPTED, AnswerEffect.RECORD, accepted),  # a yes accepts, and no more
        _step_answer(game, AnswerKey.REFUSED, refused),
        console=console_of(button),
        button=button,
    )


def fold_pending(game: Game, fold: Steps, answer: Steps | Question, console: str) -> Question:
    """NO QUIERO held at an envido or a flor: do they fold, or only refuse it?

    ``answer``: the steps that only refuse it, or the question that has them.
    """
    side = _view_index(game, fold[-1].side or game.rules.speaking_sides[0])
    if isinstance(answer, Question):
        only = Answer(AnswerKey.ONLY_THIS, AnswerEffect.ASK_NEXT, next_question=answer)
    else:
        only = _step_answer(game, AnswerKey.ONLY_THIS, answer)
    return Question(
        QuestionKey.FOLD_PENDING,
        _step_answer(game, NO_WORDS, fold),
        only,
        side=side,
        console=console,
    )


def no_and_truco(game: Game, both: Steps, answer: Steps, button: str) -> Question:
    """TRUCO as the answer to an envido: is it refused, and truco called?"""
    call = both[-1]
    return Question(
        QuestionKey.NO_AND_TRUCO,
        _step_answer(game, NO_WORDS, both),
        _step_answer(game, AnswerKey.ONLY_NO, answer),
        word=game.rules.variant.word(call.action),
        side=_view_index(game, call.side or game.rules.speaking_sides[0]),
        console=console_of(button),
        button=button,
    )


def and_the_hand(game: Game, steps: Steps, button: str) -> Question:
    """TANTOS just after an envido or flor: are the hand or the trick won too?"""
    is_trick = steps[-1].action is Action.TRICKS
    return Question(
        QuestionKey.AND_THE_TRICK if is_trick else QuestionKey.AND_THE_HAND,
        _step_answer(game, NO_WORDS, steps),
        Answer(AnswerKey.NOTHING),
        console=console_of(button),
        button=button,
    )


def hand_before(record: Record, closing: Steps, button: str) -> Question | None:
    """The other team claims the newest hand; None if the rules refuse it."""
    newest = record.newest_steps
    before, entered = newest[0].before, tuple(done.step for done in newest)
    if play_steps(before, closing) is None:
        return None
    gained = largest_payment(before, closing)
    yes = Answer(NO_WORDS, AnswerEffect.REPLACE, closing, gained)
    no = Answer(points=largest_payment(before, entered))
    side = _view_index(before, closing[-1].side or before.rules.speaking_sides[0])
    return Question(
        QuestionKey.HAND_BEFORE, yes, no, side=side, console=console_of(button), button=button
    )


def offer(
    key: QuestionKey, side: int, console: str, ways: Sequence[tuple[str, Answer]]
) -> Question:
    """Offers ``ways``, each with its word, one after the other."""
    (word, yes), *others = ways
    if not others:
        return Question(key, yes, Answer(AnswerKey.NOTHING), word, side, console=console)
    following = offer(key, side, console, others)
    no = Answer(AnswerKey.OTHER, AnswerEffect.ASK_NEXT, next_question=following)
    return Question(key, yes, no, word, side, console=console)


def mao_ran(game: Game, played: Steps, ran: Steps, button: str) -> Question:
    """The rivals of the deciding side enter a win: did it play or run?"""
    return Question(
        QuestionKey.MAO_RAN,
        Answer(AnswerKey.PLAYED, AnswerEffect.RECORD, played),  # a yes plays, and no more
        _step_answer(game, AnswerKey.RAN, ran),
        console=console_of(button),
        button=button,
    )


def mao_truco(game: Game, call: Step, button: str) -> Question:
    """A truco in a mão being played is a penalty: was it meant?"""
    side = _view_index(game, call.side or game.rules.speaking_sides[0])
    return Question(
        QuestionKey.MAO_TRUCO,
        _step_answer(game, AnswerKey.LOSE, (call,)),
        Answer(AnswerKey.NOTHING),
        side=side,
        console=console_of(button),
        button=button,
    )


def all_tied(game: Game, tied: Step) -> Question:
    """Both TANTOS at once: three tied tricks, or a dispute?"""
    return Question(
        QuestionKey.ALL_TIED, _step_answer(game, AnswerKey.TIED, (tied,)), Answer(AnswerKey.DISPUTE)
    )


def tied_bet(game: Game, mano_won: Step) -> Question:
    """Both TANTOS while an envido or flor waits: a tie, won by the mano?"""
    flor = mano_won.action is Action.FLOR_WON
    chain = game.hand.envido.chain or (game.rules.bids[0].action,)
    word = Action.FLOR if flor else chain[-1]
    return Question(
        QuestionKey.TIED_BET,
        _step_answer(game, AnswerKey.TIED, (mano_won,)),
        Answer(AnswerKey.DISPUTE),
        word=game.rules.variant.word(word),
    )


def no_flor(game: Game, side: Side, console: str) -> Question | None:
    """No to a plain flor: no flor, or declined? Asked only if it matters."""
    achico, none = (Step(side, Action.ME_ACHICO),), (Step(side, Action.NO_FLOR),)
    if largest_payment(game, achico) == largest_payment(game, none):
        return None
    return Question(
        QuestionKey.ACHICO,
        _step_answer(game, AnswerKey.ME_ACHICO, achico),
        _step_answer(game, AnswerKey.NO_FLOR, none),
        side=_view_index(game, side),
        console=console,
    )


def which_third(second: Answer, third: Answer, console: str) -> Question:
    """Two players share a console: which one pressed?"""
    return Question(QuestionKey.WHICH_THIRD, second, third, side=1, console=console)


def undo_far(record: Record) -> Question:
    """The press to be undone belongs to an earlier hand: undo it?"""
    totals = seating.gain_totals(record.newest_steps[-1].before, record.game.last_credits)
    points = next(iter(totals.items())) if len(totals) == 1 else None
    back = Answer(AnswerKey.UNDO, AnswerEffect.UNDO, points=points)
    return Question(
        QuestionKey.UNDO_FAR, back, Answer(AnswerKey.KEEP), number=record.game.hand_number
    )


def undo_game() -> Question:
    """Nothing is left to undo in this game: back to the previous one?"""
    return Question(
        QuestionKey.UNDO_GAME,
        Answer(AnswerKey.UNDO, AnswerEffect.UNDO_GAME),
        Answer(AnswerKey.KEEP),
    )


def call_director() -> Question:
    """QUIERO on the page of the hall: call the director?"""
    return Question(
        QuestionKey.CALL_DIRECTOR,
        Answer(AnswerKey.CALL, AnswerEffect.CALL_DIRECTOR),
        Answer(AnswerKey.NOTHING),
    )


def same_game() -> Question:
    """A press after hours of inactivity: is it still the same game?"""
    return Question(
        QuestionKey.DAY, Answer(AnswerKey.GO_ON), Answer(AnswerKey.NEW, AnswerEffect.OPEN_GAME)
    )
