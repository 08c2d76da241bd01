"""Translates the meaning of a press into steps to record or a question to ask.

The steps are proposals; the rules accept or refuse them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.rules import (
    Action,
    Game,
    Phase,
    Refusal,
    Side,
    Special,
    Status,
    Step,
    attempt,
    phase_of,
)
from scorer.rules.envido import window_open
from scorer.rules.hand import side_of_mano
from scorer.rules.truco import next_rung
from scorer.rules.variant import MaoTruco
from scorer.session.game_queries import (
    NEW_HAND,
    largest_payment,
    play_steps,
    sides_to_answer,
    word_of,
)
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play import call_options, questions
from scorer.session.question import Question
from scorer.session.record import UNDO, Record
from scorer.session.view.view import Notice

_FIRST_TRICK_DONE = Step(None, Action.FIRST_TRICK_DONE)


class StepPlan(NamedTuple):
    """Steps to record if the rules accept them; ``includes_deal``: also of a new hand."""

    steps: tuple[Step, ...]
    includes_deal: bool = False


class PressContext(NamedTuple):
    """The context of a press: the record before it, its hand and its side."""

    record: Record
    game: Game  # with the next hand dealt if the current one is over
    side: Side
    trick_by_trick: bool = False


PressPlan = StepPlan | Question | Notice | Refusal


def plan(meaning: ButtonMeaning, context: PressContext) -> PressPlan:
    """The steps or question that ``meaning`` results in."""
    return _PLANS[meaning](context)


def _truco(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    if game.hand.special is Special.PLAYED and game.rules.mao_truco is not MaoTruco.FORBIDDEN:
        return questions.mao_truco(game, Step(side, game.rules.ladder[0].action))
    rung = next_rung(game) or game.rules.ladder[-1]
    return StepPlan((Step(side, rung.action),))


def _envido(context: PressContext) -> PressPlan:
    if not context.game.rules.bids:
        return Refusal.NOT_IN_THIS_VARIANT
    before = _before_own_envido(context)
    bids = call_options.envido_calls(before or context.game, context.side)
    possible = call_options.legal_steps(before or context.game, bids)
    if before is None:
        return StepPlan((possible or bids)[:1])
    if len(possible) < 2:
        return Refusal.OWN_CALL
    newest = context.record.newest_steps[-1].step
    # A call that taps cannot reach (made by a phone) is followed by the first.
    at = possible.index(newest) if newest in possible else -1
    return _replace_newest(context.record, (possible[(at + 1) % len(possible)],))


def _falta(context: PressContext) -> PressPlan:
    falta = Step(context.side, context.game.rules.bids[-1].action)
    before = _before_own_envido(context)
    if before is None:
        return StepPlan((falta,))
    if context.record.newest_steps[-1].step == falta or not call_options.legal_steps(
        before, (falta,)
    ):
        return Refusal.OWN_CALL
    return _replace_newest(context.record, (falta,))


def _before_own_envido(context: PressContext) -> Game | None:
    """The game before this side's own pending call, if that was the last press."""
    newest = context.record.newest_steps
    if phase_of(context.game) is not Phase.PENDING_ENVIDO or not newest:
        return None
    entered = [done for done in newest if done.step != NEW_HAND]
    calls = [bid.action for bid in context.game.rules.bids]
    own = (
        len(entered) == 1
        and entered[0].step.side is context.side
        and entered[0].step.action in calls
    )
    return entered[0].before if own else None


def _replace_newest(record: Record, steps: tuple[Step, ...]) -> StepPlan:
    """Replaces the steps of the newest press, except the deal of a hand."""
    newest = record.newest_steps
    opened = tuple(done.step for done in newest if done.step == NEW_HAND)
    return StepPlan((*(UNDO,) * len(newest), *opened, *steps), includes_deal=True)


def _flor(context: PressContext) -> PressPlan:
    if context.game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    side, flor = context.side, context.game.hand.flor
    answered = _own_flor_answer(context)
    if answered is not None:
        return _next_flor_answer(context, *answered)
    raised = bool(flor.raises) or flor.status is Status.ACCEPTED
    if raised and call_options.cycles_flor_answers(context.game, side):
        return StepPlan(call_options.flor_answers(context.game, side)[0])
    return StepPlan((Step(side, Action.FLOR),))


def _own_flor_answer(context: PressContext) -> tuple[Game, tuple[Step, ...]] | None:
    """The flor answer of this side's newest press, and the game before it."""
    newest = context.record.newest_steps
    calls = tuple(done for done in newest if done.step.action in call_options.FLOR_CALLS)
    if not calls or context.game.hand.flor.status not in (Status.PENDING, Status.ACCEPTED):
        return None
    before = calls[0].before
    answers = call_options.cycles_flor_answers(before, context.side)
    if not answers or any(done.step.side is not context.side for done in calls):
        return None
    return before, tuple(done.step for done in calls)


def _next_flor_answer(context: PressContext, before: Game, calls: tuple[Step, ...]) -> PressPlan:
    ways = call_options.flor_answers(before, context.side)
    if len(ways) < 2 or calls not in ways:
        return Refusal.OWN_CALL
    return _replace_newest(context.record, ways[(ways.index(calls) + 1) % len(ways)])


def _quiero(context: PressContext) -> PressPlan:
    phase = phase_of(context.game)
    return StepPlan((Step(context.side, _YES.get(phase, Action.QUIERO)),))


def _no_quiero(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    phase = phase_of(game)
    if phase is Phase.PLAYING:
        return Notice("tap_fold", word=word_of(game.rules, Action.FOLD), urgent=True)
    if phase in _NO:
        return StepPlan((Step(side, _NO[phase]),))
    plain = phase is Phase.PENDING_FLOR and not game.hand.flor.raises
    if plain and game.hand.flor.caller is not side:
        return questions.no_flor(game, side) or StepPlan((Step(side, Action.NO_FLOR),))
    return StepPlan((Step(side, Action.NO_QUIERO),))


_YES = {Phase.MAO_DECISION: Action.MAO_PLAY, Phase.CANTANDO: Action.PRIVO}
_NO = {Phase.MAO_DECISION: Action.MAO_RUN, Phase.CANTANDO: Action.NO_PRIVO}


def _fold(context: PressContext) -> PressPlan:
    game, fold = context.game, Step(context.side, Action.FOLD)
    later = (_FIRST_TRICK_DONE, fold)
    if phase_of(game) is Phase.PLAYING and window_open(game):
        first, after = (
            largest_payment(game, (fold,)),
            largest_payment(game, later),
        )
        if first != after:
            return questions.fold_first(game, (fold,), later)
    return StepPlan((fold,))


def _tantos(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    match phase_of(game):
        case Phase.MAO_DECISION:
            return _decided_and_won(game, side)
        case Phase.PENDING_FLOR if not game.hand.flor.raises:
            return _flor_alone(game, side)
        case Phase.PENDING_TRUCO | Phase.PENDING_ENVIDO | Phase.PENDING_FLOR | Phase.PENDING_PRIVO:
            return _accepted_and_won(game, side)
        case Phase.AWAITING_ENVIDO:
            return StepPlan((Step(side, Action.ENVIDO_WON),))
        case Phase.AWAITING_FLOR:
            return StepPlan((Step(side, Action.FLOR_WON),))
        case _:
            return (
                _trick(game, side)
                if _enters_tricks(context)
                else StepPlan((winning_step(game, side),))
            )


def winning_step(game: Game, side: Side) -> Step:
    """The step by which ``side`` wins what is being played for."""
    match phase_of(game):
        case Phase.PENDING_ENVIDO | Phase.AWAITING_ENVIDO:
            return Step(side, Action.ENVIDO_WON)
        case Phase.PENDING_FLOR | Phase.AWAITING_FLOR:
            return Step(side, Action.FLOR_WON)
        case _:
            return Step(side, Action.HAND_WON)


def _decided_and_won(game: Game, side: Side) -> PressPlan:
    (decider,) = sides_to_answer(game)
    played = (Step(decider, Action.MAO_PLAY), winning_step(game, side))
    if side is decider:
        return StepPlan(played)
    return questions.mao_ran(game, played, (Step(decider, Action.MAO_RUN),))


def _flor_alone(game: Game, side: Side) -> PressPlan:
    if side is not game.hand.flor.caller:
        return Refusal.FLOR_OR_NO
    # The caller wins it: the others have none.
    return StepPlan(tuple(Step(other, Action.NO_FLOR) for other in sides_to_answer(game)))


def _accepted_and_won(game: Game, side: Side) -> PressPlan:
    outcome = winning_step(game, side)
    if game.rules.seating.each_alone:
        return _last_one_accepted(game, side, outcome)
    if side in sides_to_answer(game):
        return StepPlan((Step(side, Action.QUIERO), outcome))
    yes = (*(Step(other, Action.QUIERO) for other in sides_to_answer(game)), outcome)
    no = tuple(Step(other, Action.NO_QUIERO) for other in sides_to_answer(game))
    if play_steps(game, no) is None:
        return StepPlan(yes)
    return questions.accepted_won(game, yes, no)


def _last_one_accepted(game: Game, side: Side, outcome: Step) -> PressPlan:
    """With two sides to answer, the bet has no winner until at least one has answered."""
    if len(sides_to_answer(game)) > 1:
        return Refusal.ANSWER_FIRST
    (last,) = sides_to_answer(game)
    yes = (Step(last, Action.QUIERO), outcome)
    if side is last:
        return StepPlan(yes)
    no = (Step(last, Action.NO_QUIERO),)
    with_outcome = (*no, outcome)
    ways = (with_outcome, no)
    return questions.accepted_won(
        game, yes, next(way for way in ways if play_steps(game, way) is not None)
    )


def _enters_tricks(context: PressContext) -> bool:
    # Three single players do not enter tricks: two may have left the hand by then.
    return context.trick_by_trick and not context.game.rules.seating.each_alone


def _trick(game: Game, winner: Side | None) -> StepPlan:
    return StepPlan((Step(None, Action.TRICKS, tricks=(*game.hand.tricks, winner)),))


def _both(context: PressContext) -> PressPlan:
    game = context.game
    phase = phase_of(game)
    if phase in (Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR):
        return questions.tied_bet(game, winning_step(game, _tie_breaker(game)))
    if phase is Phase.PLAYING and _enters_tricks(context):
        return _trick(game, None)
    tied = Step(None, Action.ALL_TIED)
    if isinstance(attempt(game, tied), Game):
        return questions.all_tied(game, tied)
    return StepPlan((tied,))


def _tie_breaker(game: Game) -> Side:
    """The winner of a tie: the mano's side, or the remaining side next to it."""
    if not game.rules.seating.each_alone:
        return side_of_mano(game)
    order = game.rules.seating.sides_from(game.mano)
    takers = (side for side in order if isinstance(attempt(game, winning_step(game, side)), Game))
    return next(takers, order[0])


_PLANS: dict[ButtonMeaning, Callable[[PressContext], PressPlan]] = {
    ButtonMeaning.TRUCO: _truco,
    ButtonMeaning.ENVIDO: _envido,
    ButtonMeaning.FALTA: _falta,
    ButtonMeaning.FLOR: _flor,
    ButtonMeaning.QUIERO: _quiero,
    ButtonMeaning.NO_QUIERO: _no_quiero,
    ButtonMeaning.FOLD: _fold,
    ButtonMeaning.TANTOS: _tantos,
    ButtonMeaning.BOTH: _both,
}
