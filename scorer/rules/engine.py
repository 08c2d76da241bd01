"""Rules of calling and scoring, as pure functions over values.

``attempt`` plays a step or returns the refusal; ``refusal``, ``legal`` and ``apply`` derive from
it, so that menus, presses and refusals cannot disagree. Variants are data; the module has no
variant names, clock, device or language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from scorer.rules import agreement, cantando, deal, destantado, envido, flor, fouls, hand, truco
from scorer.rules.actions import SIDELESS, Action
from scorer.rules.model import Game, Phase, Refusal, Special, Status, Step
from scorer.rules.variant import FlorStyle, Rules

StepHandler = Callable[[Game, Step], Game | Refusal]


class IllegalStep(ValueError):
    """``apply`` was called with a step that the rules refuse."""

    def __init__(self, step: Step, why: Refusal) -> None:
        super().__init__(f"{step}: {why}")
        self.step, self.why = step, why


def attempt(game: Game, step: Step) -> Game | Refusal:
    """``game`` after ``step``, or why it is refused; ``game`` is not modified."""
    if step.action in agreement.ACTIONS:
        return agreement.attempt(game, step)
    game = _cleared(game)
    handlers, otherwise = _handlers_at(game)
    return handlers.get(step.action, otherwise)(game, step)


def _cleared(game: Game) -> Game:
    """``game`` without what ends at the next step: an agreement and the last credits."""
    if game.match is not None:
        game = agreement.withdrawn(game)
    return game._replace(last_credits=()) if game.last_credits else game


def _handlers_at(game: Game) -> tuple[dict[Action, StepHandler], StepHandler]:
    """The handlers of the steps of this moment, and the one of all other steps."""
    if game.winner is not None:
        return _AFTER_THE_GAME, _game_over
    if game.hand.over:
        return (
            _AFTER_THE_HAND_OF_THREE if game.rules.seating.each_alone else _AFTER_THE_HAND
        ), _hand_over
    if game.hand.special in _WAITING:
        return _WAITING[game.hand.special], _decide_first
    return _handlers(game.rules), _not_in_variant


def refusal(game: Game, step: Step) -> Refusal | None:
    """Why ``step`` cannot be played now, or None if it can."""
    result = attempt(game, step)
    return result if isinstance(result, Refusal) else None


def apply(game: Game, step: Step) -> Game:
    """``game`` after a legal step. Raises IllegalStep if it is refused."""
    result = attempt(game, step)
    if isinstance(result, Refusal):
        raise IllegalStep(step, result)
    return result


def play_steps(game: Game, steps: Iterable[Step]) -> Game | None:
    """``game`` after ``steps``, or None if one of them is refused."""
    for step in steps:
        result = attempt(game, step)
        if isinstance(result, Refusal):
            return None
        game = result
    return game


def legal(game: Game) -> tuple[Step, ...]:
    """Every legal step in menu order, with sample amounts and trick lists.

    Excludes changes of the record that are always possible: correct, mano, concede, time.
    """
    agreed = tuple(step for step in agreement.steps(game) if refusal(game, step) is None)
    game = _cleared(game)  # once for all steps, as their handlers
    handlers, otherwise = _handlers_at(game)
    played = tuple(
        step
        for step in alphabet(game)
        if not isinstance(handlers.get(step.action, otherwise)(game, step), Refusal)
    )
    return played + agreed


def phase_of(game: Game) -> Phase:
    """The phase of the game."""
    if game.winner is not None:
        return Phase.MATCH_OVER if deal.is_match_over(game) else Phase.GAME_OVER
    now = game.hand
    if now.over:
        return Phase.HAND_OVER
    if now.special in _PHASES:
        return _PHASES[now.special]
    for bet, pending, accepted in (
        (now.flor.status, Phase.PENDING_FLOR, Phase.AWAITING_FLOR),
        (now.envido.status, Phase.PENDING_ENVIDO, Phase.AWAITING_ENVIDO),
    ):
        if bet is Status.PENDING:
            return pending
        if bet is Status.ACCEPTED and not (now.truco.pending and truco.play_goes_on(game)):
            return accepted
    return Phase.PENDING_TRUCO if now.truco.pending else Phase.PLAYING


def alphabet(game: Game) -> tuple[Step, ...]:
    """Every step of these rules in menu order, with sample penalties and trick lists."""
    told = game.hand.tricks
    if len(told) == 3 or game.rules.seating.each_alone:
        return _base_alphabet(game.rules)
    longer = (*game.rules.speaking_sides, None)
    lists = tuple(Step(None, Action.TRICKS, tricks=(*told, winner)) for winner in longer)
    return (*_base_alphabet(game.rules), *lists)


@lru_cache(maxsize=512)
def _base_alphabet(rules: Rules) -> tuple[Step, ...]:
    own = _variant_actions(rules)
    spoken = [action for action in Action if action in own and action not in SIDELESS]
    steps = [
        Step(side, action, amount)
        for side in rules.speaking_sides
        for action in spoken
        for amount in _sample_amounts(rules, action)
    ]
    steps += [Step(side, Action.AWARD, 1) for side in rules.scoring_sides]
    sideless = [Action.ALL_TIED, Action.FIRST_TRICK_DONE, Action.NEW_HAND]
    sideless += deal.KINDS if rules.seating.has_duels else ()
    return (*steps, *(Step(None, action) for action in sideless))


def _sample_amounts(rules: Rules, action: Action) -> tuple[int | None, ...]:
    """Sample amounts for this action."""
    if action in (Action.ENVIDO_MAS, Action.FLOR_ENVIDA_MAS):
        return (2, 3, 5)
    if action is Action.FLOR_ENVIDA or (action is Action.ENVIDO and rules.opens_with_numbers):
        return (None, 5)
    return (None, 1) if action is Action.FLOR_WON and rules.flor is FlorStyle.OPEN else (None,)


@lru_cache(maxsize=512)
def _variant_actions(rules: Rules) -> frozenset[Action]:
    actions = {rung.action for rung in rules.ladder} | {bid.action for bid in rules.bids}
    actions |= {Action.QUIERO, Action.NO_QUIERO, Action.HAND_WON, Action.FOLD}
    if rules.bids:
        actions |= {Action.ENVIDO_WON, Action.ENVIDO_REVERSED}
    if rules.flor is not None:
        actions |= {Action.FLOR, *flor.raises_of(rules), Action.ME_ACHICO, Action.NO_FLOR}
        actions |= {Action.FLOR_WON, Action.FLOR_REVERSED}
    if rules.variant.special is not None:
        actions |= {Action.MAO_PLAY, Action.MAO_RUN}
    if rules.cantando:
        actions |= {Action.PRIVO, Action.NO_PRIVO}
    if rules.seating.has_duels:
        actions |= set(deal.KINDS)
    if rules.seating.each_alone:
        actions -= {Action.ENVIDO_REVERSED}
    return frozenset(actions)


def _quiero(game: Game, step: Step) -> Game | Refusal:
    why_not = _why_not_answer(game, step)
    if why_not is not None:
        return why_not
    if game.hand.flor.status is Status.PENDING:
        # A plain flor needs a flor or a no: "quiero" is ambiguous.
        return flor.accept(game) if game.hand.flor.raises else Refusal.FLOR_OR_NO
    if game.hand.envido.status is Status.PENDING:
        return envido.accept(game)
    return truco.accept(game)


def _no_quiero(game: Game, step: Step) -> Game | Refusal:
    why_not = _why_not_answer(game, step)
    if why_not is not None:
        return why_not
    if game.hand.flor.status is Status.PENDING:
        return flor.refuse(game)
    if game.hand.envido.status is Status.PENDING:
        return envido.refuse(game)
    return truco.refuse(game)


def _me_achico(game: Game, step: Step) -> Game | Refusal:
    if game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    why_not = _why_not_answer(game, step)
    if why_not is None and game.hand.flor.status is not Status.PENDING:
        why_not = Refusal.NOTHING_TO_ANSWER
    return why_not or flor.refuse(game)


def _why_not_answer(game: Game, step: Step) -> Refusal | None:
    """Why ``step.side`` has nothing to answer, or None."""
    caller = hand.pending_caller(game.hand)
    bets = (game.hand.envido.status, game.hand.flor.status)
    if Status.PENDING not in bets and truco.bet_waits(game):
        return Refusal.WINNER_FIRST
    if caller is None:
        return Refusal.NOTHING_TO_ANSWER
    return Refusal.OWN_CALL if step.side is caller else None


def _not_in_variant(game: Game, step: Step) -> Game | Refusal:
    return Refusal.NOT_IN_THIS_VARIANT


def _game_over(game: Game, step: Step) -> Game | Refusal:
    return _refuse_or_foreign(game, step, Refusal.GAME_OVER)


def _hand_over(game: Game, step: Step) -> Game | Refusal:
    return _refuse_or_foreign(game, step, Refusal.HAND_OVER)


def _decide_first(game: Game, step: Step) -> Game | Refusal:
    """In a mão de onze the deciding side must choose before any other step."""
    return _refuse_or_foreign(game, step, Refusal.DECIDE_FIRST)


def _refuse_or_foreign(game: Game, step: Step, reason: Refusal) -> Refusal:
    """``reason``, unless the action is of another variant: that is reported first."""
    rules, action = game.rules, step.action
    general = action in fouls.ALWAYS or (action in SIDELESS and action not in deal.KINDS)
    is_known = general or action in _variant_actions(rules)
    if action is Action.MANO:
        is_known = not rules.seating.has_gallo
    return reason if is_known else Refusal.NOT_IN_THIS_VARIANT


def _no_next_game(game: Game, step: Step) -> Game | Refusal:
    return Refusal.GAME_OVER if deal.is_match_over(game) else deal.new_hand(game, step)


@lru_cache(maxsize=512)
def _handlers(rules: Rules) -> dict[Action, StepHandler]:
    """Handlers of the actions of a hand; the calls are those listed in the rules."""
    rungs = [rung.action for rung in rules.ladder]
    bids = [bid.action for bid in rules.bids]
    if rules.seating.each_alone:
        calls = dict.fromkeys(rungs, destantado.call_truco)
        return {**calls, **dict.fromkeys(bids, destantado.call_envido), **destantado.ACTIONS}
    return {**dict.fromkeys(rungs, truco.call), **dict.fromkeys(bids, envido.call), **_HANDLERS}


_HANDLERS: dict[Action, StepHandler] = {
    **dict.fromkeys(flor.EVERY_RAISE, flor.raise_),
    Action.FLOR: flor.announce,
    Action.NO_FLOR: flor.no_flor,
    Action.ENVIDO_WON: envido.enter_winner,
    Action.FLOR_WON: flor.enter_winner,
    Action.QUIERO: _quiero,
    Action.NO_QUIERO: _no_quiero,
    Action.ME_ACHICO: _me_achico,
    **hand.ACTIONS,
    **deal.ACTIONS,
    **deal.KINDS,
    **fouls.ALWAYS,
    **fouls.REVERSALS,
}
# Handlers of hands that accept only a decision or an answer first.
_WAITING: dict[Special, dict[Action, StepHandler]] = {
    Special.DECIDING: {
        Action.MAO_PLAY: hand.mao_play,
        Action.MAO_RUN: hand.mao_run,
        **deal.ACTIONS,
        **fouls.ALWAYS,
    },
    Special.CANTANDO: {**cantando.ACTIONS, **deal.ACTIONS},
    Special.PRIVO: dict(cantando.ACTIONS),
}
_PHASES = {
    Special.DECIDING: Phase.MAO_DECISION,
    Special.CANTANDO: Phase.CANTANDO,
    Special.PRIVO: Phase.PENDING_PRIVO,
}
_AFTER_THE_HAND: dict[Action, StepHandler] = {**deal.ACTIONS, **fouls.ALWAYS, **fouls.REVERSALS}
_AFTER_THE_HAND_OF_THREE: dict[Action, StepHandler] = {**deal.ACTIONS, **destantado.FOULS}
_AFTER_THE_GAME: dict[Action, StepHandler] = {Action.NEW_HAND: _no_next_game, **fouls.REVERSALS}
