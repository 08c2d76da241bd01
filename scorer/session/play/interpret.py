"""From what somebody wants to say to the steps that say it, or to the question it raises.

It proposes; the rules judge what is proposed. It knows no clock, no guard and no panel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.rules import (
    Action,
    Game,
    Phase,
    Refusal,
    Rules,
    Side,
    Special,
    Status,
    Step,
    attempt,
    phase_of,
)
from scorer.rules.destantado import asked
from scorer.rules.envido import window_open
from scorer.rules.hand import side_of_mano
from scorer.rules.score import from_mano
from scorer.rules.truco import next_rung
from scorer.rules.variant import MaoTruco, Seats
from scorer.session.input.keymap import Meaning
from scorer.session.play import call_options, questions
from scorer.session.record import UNDO, Record
from scorer.session.state import Question
from scorer.session.view.view import Notice

NEW_HAND = Step(None, Action.NEW_HAND)
_FIRST_TRICK_DONE = Step(None, Action.FIRST_TRICK_DONE)


class Say(NamedTuple):
    """Steps to write, if the rules accept them; ``whole``: the new hand is among them already."""

    steps: tuple[Step, ...]
    includes_deal: bool = False


class Wants(NamedTuple):
    """What a press comes to: the record before it, the hand it speaks in, and who speaks."""

    record: Record
    game: Game  # with the next hand dealt where one is over
    side: Side
    trick_by_trick: bool = False


Plan = Say | Question | Notice


def standing(game: Game) -> Game:
    """The hand that a press belongs to: the next one as soon as this one is over."""
    if game.winner is not None or not game.hand.over:
        return game
    dealt = attempt(game, NEW_HAND)
    assert isinstance(dealt, Game)
    return dealt


def opening(game: Game) -> tuple[Step, ...]:
    """What must be written before the first step of the hand that is only shown as yet."""
    return (NEW_HAND,) if game.winner is None and game.hand.over else ()


def plan(meaning: Meaning, context: Wants) -> Plan:
    """What ``meaning`` comes to here."""
    return _PLANS[meaning](context)


def owing(game: Game) -> tuple[Side, ...]:
    """The sides that owe an answer or a decision."""
    phase = phase_of(game)
    if phase in (Phase.MAO_DECISION, Phase.PENDING_PRIVO):
        assert game.hand.decider is not None
        return (game.hand.decider,)
    if game.rules.seats is Seats.ALONE:
        return asked(game) if game.winner is None else ()
    caller = pending_by(game)
    return () if caller is None else tuple(s for s in game.rules.speaking_sides if s is not caller)


def pending_by(game: Game) -> Side | None:
    """Who made the call that waits for its answer."""
    hand = game.hand
    match phase_of(game):
        case Phase.PENDING_FLOR:
            return hand.flor.caller
        case Phase.PENDING_ENVIDO:
            return hand.envido.caller
        case Phase.PENDING_TRUCO:
            return hand.truco.caller
        case Phase.PENDING_PRIVO:
            return _rival(game)
        case Phase.CANTANDO:
            # Whoever sings has spoken; the rival says whether it beats that.
            return hand.decider
        case _:
            return None


def _rival(game: Game) -> Side:
    """The rival of the side that sings, or that decides."""
    assert game.hand.decider is not None
    return game.rules.rival_of(game.hand.decider)


def _truco(context: Wants) -> Plan:
    game, side = context.game, context.side
    if game.hand.special is Special.PLAYED and game.rules.mao_truco is not MaoTruco.FORBIDDEN:
        return questions.mao_truco(game, Step(side, game.rules.ladder[0].action))
    rung = next_rung(game) or game.rules.ladder[-1]
    return Say((Step(side, rung.action),))


def _envido(context: Wants) -> Plan:
    if not context.game.rules.bids:
        return _unknown()
    before = _own_envido(context)
    bids = call_options.bids(before or context.game, context.side)
    possible = call_options.possible(before or context.game, bids)
    if before is None:
        return Say((possible or bids)[:1])
    if len(possible) < 2:
        return refused(Refusal.OWN_CALL)
    said = context.record.newest_steps[-1].step
    # A call that no tap comes to (a phone said it) is followed by the first.
    at = possible.index(said) if said in possible else -1
    return _instead(context.record, (possible[(at + 1) % len(possible)],))


def _falta(context: Wants) -> Plan:
    falta = Step(context.side, context.game.rules.bids[-1].action)
    before = _own_envido(context)
    if before is None:
        return Say((falta,))
    if context.record.newest_steps[-1].step == falta or not call_options.possible(before, (falta,)):
        return refused(Refusal.OWN_CALL)
    return _instead(context.record, (falta,))


def _own_envido(context: Wants) -> Game | None:
    """Before the call of this very side that waits for its answer, if it was the last press."""
    newest = context.record.newest_steps
    if phase_of(context.game) is not Phase.PENDING_ENVIDO or not newest:
        return None
    said = [done for done in newest if done.step != NEW_HAND]
    calls = [bid.action for bid in context.game.rules.bids]
    own = len(said) == 1 and said[0].step.side is context.side and said[0].step.action in calls
    return said[0].before if own else None


def _instead(record: Record, steps: tuple[Step, ...]) -> Say:
    """``steps`` in place of what the newest press said; the hand it opened stays opened."""
    newest = record.newest_steps
    opened = tuple(done.step for done in newest if done.step == NEW_HAND)
    return Say((*(UNDO,) * len(newest), *opened, *steps), includes_deal=True)


def _flor(context: Wants) -> Plan:
    if context.game.rules.flor is None:
        return _unknown()
    side, flor = context.side, context.game.hand.flor
    answered = _own_answer(context)
    if answered is not None:
        return _next_answer(context, *answered)
    raised = bool(flor.raises) or flor.status is Status.ACCEPTED
    if raised and call_options.answers_flor(context.game, side):
        return Say(call_options.flor_answers(context.game, side)[0])
    return Say((Step(side, Action.FLOR),))


def _own_answer(context: Wants) -> tuple[Game, tuple[Step, ...]] | None:
    """The flor that this side answered with by the newest press, and the state before it."""
    newest = context.record.newest_steps
    said = tuple(done for done in newest if done.step.action in call_options.FLOR_WORDS)
    if not said or context.game.hand.flor.status not in (Status.PENDING, Status.ACCEPTED):
        return None
    before = said[0].before
    answers = call_options.answers_flor(before, context.side)
    if not answers or any(done.step.side is not context.side for done in said):
        return None
    return before, tuple(done.step for done in said)


def _next_answer(context: Wants, before: Game, said: tuple[Step, ...]) -> Plan:
    ways = call_options.flor_answers(before, context.side)
    if len(ways) < 2 or said not in ways:
        return refused(Refusal.OWN_CALL)
    return _instead(context.record, ways[(ways.index(said) + 1) % len(ways)])


def _quiero(context: Wants) -> Plan:
    phase = phase_of(context.game)
    return Say((Step(context.side, _YES.get(phase, Action.QUIERO)),))


def _no_quiero(context: Wants) -> Plan:
    game, side = context.game, context.side
    phase = phase_of(game)
    if phase is Phase.PLAYING:
        return Notice("tap_fold", urgent=True)
    if phase in _NO:
        return Say((Step(side, _NO[phase]),))
    plain = phase is Phase.PENDING_FLOR and not game.hand.flor.raises
    if plain and game.hand.flor.caller is not side:
        return questions.no_flor(game, side) or Say((Step(side, Action.NO_FLOR),))
    return Say((Step(side, Action.NO_QUIERO),))


_YES = {Phase.MAO_DECISION: Action.MAO_PLAY, Phase.CANTANDO: Action.PRIVO}
_NO = {Phase.MAO_DECISION: Action.MAO_RUN, Phase.CANTANDO: Action.NO_PRIVO}


def _fold(context: Wants) -> Plan:
    game, fold = context.game, Step(context.side, Action.FOLD)
    later = (_FIRST_TRICK_DONE, fold)
    if phase_of(game) is Phase.PLAYING and window_open(game):
        first, after = questions.pays(game, (fold,)), questions.pays(game, later)
        if first != after:
            return questions.fold_first(game, (fold,), later)
    return Say((fold,))


def _tantos(context: Wants) -> Plan:
    game, side = context.game, context.side
    match phase_of(game):
        case Phase.MAO_DECISION:
            return _decided_and_won(game, side)
        case Phase.PENDING_FLOR if not game.hand.flor.raises:
            return _flor_alone(game, side)
        case Phase.PENDING_TRUCO | Phase.PENDING_ENVIDO | Phase.PENDING_FLOR | Phase.PENDING_PRIVO:
            return _accepted_and_won(game, side)
        case Phase.AWAITING_ENVIDO:
            return Say((Step(side, Action.ENVIDO_WON),))
        case Phase.AWAITING_FLOR:
            return Say((Step(side, Action.FLOR_WON),))
        case _:
            return _trick(game, side) if _by_tricks(context) else Say((won(game, side),))


def won(game: Game, side: Side) -> Step:
    """``side`` wins what is being played for."""
    match phase_of(game):
        case Phase.PENDING_ENVIDO | Phase.AWAITING_ENVIDO:
            return Step(side, Action.ENVIDO_WON)
        case Phase.PENDING_FLOR | Phase.AWAITING_FLOR:
            return Step(side, Action.FLOR_WON)
        case _:
            return Step(side, Action.HAND_WON)


def _decided_and_won(game: Game, side: Side) -> Plan:
    (decider,) = owing(game)
    played = (Step(decider, Action.MAO_PLAY), won(game, side))
    if side is decider:
        return Say(played)
    return questions.mao_ran(game, played, (Step(decider, Action.MAO_RUN),))


def _flor_alone(game: Game, side: Side) -> Plan:
    if side is not game.hand.flor.caller:
        return refused(Refusal.FLOR_OR_NO)
    # The caller takes it: the others have none.
    return Say(tuple(Step(other, Action.NO_FLOR) for other in owing(game)))


def _accepted_and_won(game: Game, side: Side) -> Plan:
    outcome = won(game, side)
    if game.rules.seats is Seats.ALONE:
        return _last_one_accepted(game, side, outcome)
    if side in owing(game):
        return Say((Step(side, Action.QUIERO), outcome))
    yes = (*(Step(other, Action.QUIERO) for other in owing(game)), outcome)
    no = tuple(Step(other, Action.NO_QUIERO) for other in owing(game))
    return questions.accepted_won(game, yes, no)


def _last_one_accepted(game: Game, side: Side, outcome: Step) -> Plan:
    """Where two are asked nobody has won before one of them at least has answered."""
    if len(owing(game)) > 1:
        return refused(Refusal.ANSWER_FIRST)
    (last,) = owing(game)
    yes = (Step(last, Action.QUIERO), outcome)
    if side is last:
        return Say(yes)
    no = (Step(last, Action.NO_QUIERO),)
    with_outcome = (*no, outcome)
    ways = (with_outcome, no)
    return questions.accepted_won(
        game, yes, next(way for way in ways if questions.play(game, way) is not None)
    )


def _by_tricks(context: Wants) -> bool:
    # Of three who play alone nobody tells tricks: two may have left the hand by then.
    return context.trick_by_trick and context.game.rules.seats is not Seats.ALONE


def _trick(game: Game, winner: Side | None) -> Say:
    return Say((Step(None, Action.TRICKS, tricks=(*game.hand.tricks, winner)),))


def _both(context: Wants) -> Plan:
    game = context.game
    phase = phase_of(game)
    if phase in (Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR):
        return questions.tied_bet(game, won(game, _tie_breaker(game)))
    if phase is Phase.PLAYING and _by_tricks(context):
        return _trick(game, None)
    tied = Step(None, Action.ALL_TIED)
    if isinstance(attempt(game, tied), Game):
        return questions.all_tied(game, tied)
    return Say((tied,))


def _tie_breaker(game: Game) -> Side:
    """Who takes a tie: the mano's side, or whoever of those in it plays nearest to the mano."""
    if game.rules.seats is not Seats.ALONE:
        return side_of_mano(game)
    order = from_mano(game)
    takers = (side for side in order if isinstance(attempt(game, won(game, side)), Game))
    return next(takers, order[0])


def _unknown() -> Notice:
    return refused(Refusal.NOT_IN_THIS_VARIANT)


def refused(reason: Refusal, rules: Rules | None = None) -> Notice:
    """The notice that says why ``rules`` do not allow it."""
    # A shut window has a way out, which is worth more than the reason alone.
    out = rules is not None and rules.seats is not Seats.ALONE
    key = "late_envido" if reason is Refusal.ENVIDO_CLOSED and out else str(reason)
    return Notice(key, urgent=True)


_PLANS: dict[Meaning, Callable[[Wants], Plan]] = {
    Meaning.TRUCO: _truco,
    Meaning.ENVIDO: _envido,
    Meaning.FALTA: _falta,
    Meaning.FLOR: _flor,
    Meaning.QUIERO: _quiero,
    Meaning.NO_QUIERO: _no_quiero,
    Meaning.FOLD: _fold,
    Meaning.TANTOS: _tantos,
    Meaning.BOTH: _both,
}
