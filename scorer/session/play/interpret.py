"""Translates the meaning of a press into steps to record or a question to ask.

The steps are proposals; the rules accept or refuse them.
"""

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
from scorer.rules.engine import play_steps
from scorer.rules.envido import window_open
from scorer.rules.hand import side_of_mano
from scorer.rules.offer import sides_to_answer
from scorer.rules.truco import next_rung
from scorer.rules.variant import MaoTruco
from scorer.session.play import call_options, questions
from scorer.session.values import late_envido, seating
from scorer.session.values.game_queries import NEW_HAND, largest_payment, word_of
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning
from scorer.session.values.question import NO_WORDS, Answer, AnswerEffect, Question, QuestionKey
from scorer.session.values.record import UNDO, Record
from scorer.session.values.shown import Notice

_FIRST_TRICK_DONE = Step(None, Action.FIRST_TRICK_DONE)


class StepPlan(NamedTuple):
    """Steps to record if the rules accept them; ``includes_deal``: also of a new hand.

    ``replaced``: the steps of the newest press, if these take their place.
    """

    steps: tuple[Step, ...]
    includes_deal: bool = False
    replaced: tuple[Step, ...] = ()


class PressContext(NamedTuple):
    """The context of a press: the record before it, its hand and its side."""

    record: Record
    game: Game  # with the next hand dealt if the current one is over
    side: Side
    trick_by_trick: bool = False
    console: str = ""
    is_double_tap: bool = False  # of a call
    has_hold: bool = False  # the button has a hold that offers the raises
    is_simultaneous: bool = False  # with a press of another console
    is_after_bet: bool = False  # just settled: TANTOS may still mean it

    @property
    def tantos(self) -> str:
        """The button TANTOS of the console."""
        return f"{self.console}.tantos"


PressPlan = StepPlan | Question | Notice | Refusal


def plan(meaning: ButtonMeaning, context: PressContext) -> PressPlan:
    """The steps or question that ``meaning`` results in."""
    return _PLANS[meaning](context)


def _truco(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    if game.hand.special is Special.PLAYED and game.rules.mao_truco is not MaoTruco.FORBIDDEN:
        call = Step(side, game.rules.ladder[0].action)
        return questions.mao_truco(game, call, f"{context.console}.truco")
    rung = next_rung(game) or game.rules.ladder[-1]
    truco, no = Step(side, rung.action), Step(side, Action.NO_QUIERO)
    at_envido = phase_of(game) is Phase.PENDING_ENVIDO and not context.is_simultaneous
    owes = at_envido and side in sides_to_answer(game)
    if not owes or play_steps(game, (no, truco)) is None:
        return StepPlan((truco,))
    # Asks the side that must answer the envido whether the truco refuses it.
    return questions.no_and_truco(game, (no, truco), (no,), f"{context.console}.truco")


def _envido(context: PressContext) -> PressPlan:
    if not context.game.rules.bids:
        return Refusal.NOT_IN_THIS_VARIANT
    before = _before_own_envido(context)
    if before is not None:
        # A double tap raises, a later tap is an echo.
        others = _other_bids(context, before)
        if not others:
            return Refusal.OWN_CALL
        if context.is_double_tap:
            return _replace_newest(context.record, others[:1])
        return Notice(NoticeKey.HOLD_RAISE, urgent=True) if context.has_hold else _bids(context)
    bids = call_options.envido_calls(context.game, context.side)
    possible = call_options.legal_steps(context.game, bids)
    if not possible and not context.has_hold:
        return _late_envido(context) or StepPlan(bids[:1])
    return StepPlan((possible or bids)[:1])


def _bids(context: PressContext) -> PressPlan:
    """Offers the bids that a tap does not make, with their prices."""
    own = _before_own_envido(context)
    before = own or context.game
    steps = _other_bids(context, before)
    if not steps:
        tapped = Step(context.side, context.game.rules.bids[0].action)
        return _late_envido(context) or StepPlan((tapped,))
    held = call_options.held_envido_calls(before, steps, is_own=own is not None)
    ways = tuple((step,) for step in held)
    return _offer(context, before, ways, replaces=own is not None)


def _other_bids(context: PressContext, before: Game) -> tuple[Step, ...]:
    """The legal bids besides the one a tap makes or has made, in tap order from there."""
    possible = call_options.legal_steps(before, call_options.envido_calls(before, context.side))
    if before is context.game:
        return possible[1:] or possible
    newest = context.record.newest_steps[-1].step
    # A call that taps cannot reach (made by a phone) is followed by the first.
    at = possible.index(newest) if newest in possible else -1
    return (*possible[at + 1 :], *possible[: max(at, 0)])


def _offer(
    context: PressContext, before: Game, ways: tuple[tuple[Step, ...], ...], *, replaces: bool
) -> Question:
    """Offers calls that are legal in ``before``; ``replaces``: the newest press."""
    side = seating.view_index(before, context.side)
    priced = [
        (
            call_options.priced_word(before, way),
            Answer(
                NO_WORDS,
                AnswerEffect.RECORD,
                _replace_newest(context.record, way).steps if replaces else way,
            ),
        )
        for way in ways
    ]
    return questions.offer(QuestionKey.BID, side, context.console, priced)


def _late_envido(context: PressContext) -> Question | None:
    """Offers to record an envido whose time is over, with each of its payments."""
    game = context.game
    if not late_envido.is_possible(game):
        return None
    side = seating.view_index(game, context.side)
    ways = [
        (
            words or word_of(game.rules, Action.NO_QUIERO),
            Answer(
                NO_WORDS,
                AnswerEffect.RECORD,
                late_envido.award_steps(game, context.side, points),
                (side, points),
                reason=late_envido.REASON,
            ),
        )
        for points, words in late_envido.possible_payments(game, context.side)
    ]
    return questions.offer(QuestionKey.LATE_ENVIDO, side, context.console, ways)


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
    replaced = tuple(done.step for done in newest)
    return StepPlan((*(UNDO,) * len(newest), *opened, *steps), True, replaced)


def _flor(context: PressContext) -> PressPlan:
    if context.game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    side, flor = context.side, context.game.hand.flor
    answered = _own_flor_answer(context)
    if answered is not None:
        return _raise_own_flor(context, *answered)
    if call_options.cycles_flor_answers(context.game, side):
        raised = bool(flor.raises) or flor.status is Status.ACCEPTED
        first = call_options.flor_answers(context.game, side)[0]
        return StepPlan(first if raised else (Step(side, Action.FLOR),))
    one_more = Step(side, Action.FLOR)
    again = flor.announced and flor.announced[context.game.rules.speaking_sides.index(side)]
    if not again or not isinstance(attempt(context.game, one_more), Game):
        return StepPlan((one_more,))
    if context.has_hold:
        return Notice(NoticeKey.HOLD_FLOR, urgent=True)
    return _offer(context, context.game, ((one_more,),), replaces=False)


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


def _raise_own_flor(context: PressContext, before: Game, calls: tuple[Step, ...]) -> PressPlan:
    """FLOR again: a double tap raises, a later tap is an echo."""
    ways = _other_flor_answers(context, before, calls)
    if not ways:
        return Refusal.OWN_CALL
    if context.is_double_tap:
        return _replace_newest(context.record, ways[0])
    if context.has_hold:
        return Notice(NoticeKey.HOLD_RAISE, urgent=True)
    return _offer(context, before, ways, replaces=True)


def _other_flor_answers(
    context: PressContext, before: Game, calls: tuple[Step, ...]
) -> tuple[tuple[Step, ...], ...]:
    ways = call_options.flor_answers(before, context.side)
    if calls not in ways:
        return ()
    at = ways.index(calls)
    return (*ways[at + 1 :], *ways[:at])


def _flores(context: PressContext) -> PressPlan:
    """One more flor of the side that sang first; offers the rivals their raises."""
    game, side = context.game, context.side
    answered = _own_flor_answer(context)
    if answered is not None:
        ways = _other_flor_answers(context, *answered)
        return _offer(context, answered[0], ways, replaces=True) if ways else Refusal.OWN_CALL
    if call_options.cycles_flor_answers(game, side):
        ways = call_options.held_flor_answers(game, side)
        return _offer(context, game, ways, replaces=False)
    flor, announced = Step(side, Action.FLOR), game.hand.flor.announced
    sung = announced and announced[game.rules.speaking_sides.index(side)]
    return StepPlan((flor,) if sung else (flor, flor))


def _quiero(context: PressContext) -> PressPlan:
    phase = phase_of(context.game)
    return StepPlan((Step(context.side, _YES.get(phase, Action.QUIERO)),))


def _no_quiero(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    phase = phase_of(game)
    if phase is Phase.PLAYING:
        return Notice(NoticeKey.TAP_FOLD, word=word_of(game.rules, Action.FOLD), urgent=True)
    if phase in _NO:
        return StepPlan((Step(side, _NO[phase]),))
    plain = phase is Phase.PENDING_FLOR and not game.hand.flor.raises
    if plain and game.hand.flor.caller is not side:
        asked = questions.no_flor(game, side, context.console)
        return asked or StepPlan((Step(side, Action.NO_FLOR),))
    return StepPlan((Step(side, Action.NO_QUIERO),))


_YES = {Phase.MAO_DECISION: Action.MAO_PLAY, Phase.CANTANDO: Action.PRIVO}
_NO = {Phase.MAO_DECISION: Action.MAO_RUN, Phase.CANTANDO: Action.NO_PRIVO}


def _fold(context: PressContext) -> PressPlan:
    game, fold = context.game, Step(context.side, Action.FOLD)
    if phase_of(game) in (Phase.PENDING_ENVIDO, Phase.PENDING_FLOR):
        return _fold_at_bet(context, fold)
    later = (_FIRST_TRICK_DONE, fold)
    if phase_of(game) is Phase.PLAYING and window_open(game):
        first, after = (
            largest_payment(game, (fold,)),
            largest_payment(game, later),
        )
        if first != after:
            return questions.fold_first(game, (fold,), later, context.console)
    return StepPlan((fold,))


def _fold_at_bet(context: PressContext, fold: Step) -> PressPlan:
    """Refuses the envido or flor and folds; asks, as the hold may have been a slow no."""
    game = context.game
    if context.side not in sides_to_answer(game):
        return Refusal.ANSWER_FIRST
    no = _no_quiero(context)
    if isinstance(no, Question):
        # With a flor of its own or without: a fold pays what declining it with one pays.
        return questions.fold_pending(game, (fold,), no, context.console)
    assert isinstance(no, StepPlan)
    refused = play_steps(game, no.steps)
    if refused is None or refused.winner is not None:
        return no
    # The own truco that waits behind the bet leaves the fold no call to refuse before it.
    both = (*no.steps, fold)
    folded = both if play_steps(game, both) is not None else (fold,)
    return questions.fold_pending(game, folded, no.steps, context.console)


def _tantos(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    match phase_of(game):
        case Phase.MAO_DECISION:
            return _decided_and_won(context)
        case Phase.PENDING_FLOR if not game.hand.flor.raises:
            if side is not game.hand.flor.caller:
                return Refusal.FLOR_OR_NO
            # The caller wins it: the others have none.
            return StepPlan(tuple(Step(other, Action.NO_FLOR) for other in sides_to_answer(game)))
        case Phase.PENDING_TRUCO | Phase.PENDING_ENVIDO | Phase.PENDING_FLOR | Phase.PENDING_PRIVO:
            return _accepted_and_won(context)
        case Phase.AWAITING_ENVIDO:
            return StepPlan((Step(side, Action.ENVIDO_WON),))
        case Phase.AWAITING_FLOR:
            return StepPlan((Step(side, Action.FLOR_WON),))
        case _ if _enters_tricks(context):
            return _asked_after_bet(context, _trick(game, side), context.tantos)
        case _:
            won = StepPlan((winning_step(game, side),))
            return _asked_after_bet(context, won, context.tantos)


def _asked_after_bet(context: PressContext, won: StepPlan, button: str = "") -> PressPlan:
    """``won``; asked about if the press may still mean the bet before."""
    if not context.is_after_bet or play_steps(context.game, won.steps) is None:
        return won
    return questions.and_the_hand(context.game, won.steps, button)


def winning_step(game: Game, side: Side) -> Step:
    """The step by which ``side`` wins what is being played for."""
    match phase_of(game):
        case Phase.PENDING_ENVIDO | Phase.AWAITING_ENVIDO:
            return Step(side, Action.ENVIDO_WON)
        case Phase.PENDING_FLOR | Phase.AWAITING_FLOR:
            return Step(side, Action.FLOR_WON)
        case _:
            return Step(side, Action.HAND_WON)


def _decided_and_won(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    (decider,) = sides_to_answer(game)
    played = (Step(decider, Action.MAO_PLAY), winning_step(game, side))
    if side is decider:
        return StepPlan(played)
    return questions.mao_ran(game, played, (Step(decider, Action.MAO_RUN),), context.tantos)


def _accepted_and_won(context: PressContext) -> PressPlan:
    game, side = context.game, context.side
    outcome = winning_step(game, side)
    if game.rules.seating.each_alone:
        return _last_one_accepted(context, outcome)
    if side in sides_to_answer(game):
        accepted = StepPlan((Step(side, Action.QUIERO), outcome))
        return _asked_after_bet(context, accepted, context.tantos)
    yes = (*(Step(other, Action.QUIERO) for other in sides_to_answer(game)), outcome)
    no = tuple(Step(other, Action.NO_QUIERO) for other in sides_to_answer(game))
    if play_steps(game, no) is None:
        return StepPlan(yes)
    return questions.accepted_won(game, yes, no, context.tantos)


def _last_one_accepted(context: PressContext, outcome: Step) -> PressPlan:
    """With two sides to answer, the bet has no winner until at least one has answered."""
    game, side = context.game, context.side
    if len(sides_to_answer(game)) > 1:
        return Refusal.ANSWER_FIRST
    (last,) = sides_to_answer(game)
    yes = (Step(last, Action.QUIERO), outcome)
    if side is last:
        return _asked_after_bet(context, StepPlan(yes), context.tantos)
    no = (Step(last, Action.NO_QUIERO),)
    with_outcome = (*no, outcome)
    ways = (with_outcome, no)
    refused = next(way for way in ways if play_steps(game, way) is not None)
    return questions.accepted_won(game, yes, refused, context.tantos)


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
        return _asked_after_bet(context, _trick(game, None))
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
    ButtonMeaning.BIDS: _bids,
    ButtonMeaning.FLOR: _flor,
    ButtonMeaning.FLORES: _flores,
    ButtonMeaning.QUIERO: _quiero,
    ButtonMeaning.NO_QUIERO: _no_quiero,
    ButtonMeaning.FOLD: _fold,
    ButtonMeaning.TANTOS: _tantos,
    ButtonMeaning.BOTH: _both,
}
