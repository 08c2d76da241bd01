"""Input of the laws: one state, every possible step, and its document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from scorer.rules import (
    Action,
    Game,
    Phase,
    Refusal,
    Rules,
    Side,
    Start,
    Step,
    alphabet,
    attempt,
    legal,
    new_game,
    phase_of,
    state_document,
)
from scorer.rules.actions import OF_A_SCORING_SIDE, SIDELESS
from scorer.rules.seating import Seats

LEFT_OUT_OF_LEGAL = frozenset((Action.CORRECT, Action.MANO, Action.CONCEDE, Action.TIME))
REVERSALS = frozenset((Action.ENVIDO_REVERSED, Action.FLOR_REVERSED))
_AMOUNTS: dict[Action, tuple[int | None, ...]] = {
    Action.AWARD: (1, 0),
    Action.ENVIDO: (None, 3, 5),
    Action.ENVIDO_MAS: (2,),
    Action.FLOR_ENVIDA: (None, 3, 5),
    Action.FLOR_ENVIDA_MAS: (None, 2),
    Action.FLOR_WON: (None, 1),
}


@dataclass(frozen=True)
class StateView:
    """One state and every possible step."""

    game: Game
    phase: Phase
    answers: Mapping[Step, Game | Refusal]
    offered: tuple[Step, ...]
    document: Mapping[str, Any]

    @cached_property
    def accepted(self) -> tuple[tuple[Step, Game], ...]:
        """The accepted steps and their resulting states."""
        both = self.answers.items()
        return tuple((step, after) for step, after in both if isinstance(after, Game))

    def after(self, side: Side | None, action: Action) -> Game:
        """The state after a step, which must be legal."""
        answer = self.answers[Step(side, action)]
        assert isinstance(answer, Game), f"{side} {action} is refused: {answer}"
        return answer


def state_view(game: Game, *, foreign: bool = True) -> StateView:
    """The view of ``game``; ``foreign`` includes words of other variants."""
    own, others = all_words(game.rules)
    words = dict.fromkeys((*own, *alphabet(game), *(others if foreign else ())))
    # Earlier payments do not affect any step: drop them once, not per step.
    bare = game._replace(last_credits=())
    answers = {step: attempt(bare, step) for step in words}
    return StateView(game, phase_of(game), answers, legal(game), state_document(game))


@lru_cache(maxsize=256)
def all_words(rules: Rules) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """All words of these rules, and of all others, by every side, with sample amounts."""
    known = {step.action for step in _offered_steps(rules)} | OF_A_SCORING_SIDE | SIDELESS
    words = [step for action in Action for step in _steps_of(rules, action)]
    own = tuple(step for step in words if step.action in known)
    return own, tuple(step for step in words if step.action not in known)


def _offered_steps(rules: Rules) -> tuple[Step, ...]:
    """The steps that menus offer under these rules."""
    return alphabet(new_game(Start(rules)))


def _steps_of(rules: Rules, action: Action) -> list[Step]:
    if action in (Action.UNDO, Action.REDO):
        return []
    if action is Action.TRICKS:
        return [Step(None, action, tricks=told) for told in _trick_lists(rules)]
    if action in SIDELESS:
        return [Step(None, action)]
    sides = rules.scoring_sides if action in OF_A_SCORING_SIDE else rules.speaking_sides
    amounts = _AMOUNTS.get(action, (None,))
    if action is Action.CORRECT:
        # Three alone: an empty pile has won; elsewhere a side at the target.
        alone = rules.variant.seats is Seats.ALONE
        amounts = (0, 1, rules.target) if alone else (0, rules.target - 1, rules.target)
    return [Step(side, action, amount) for side in sides for amount in amounts]


def _trick_lists(rules: Rules) -> tuple[tuple[Side | None, ...], ...]:
    a, b, *_ = rules.speaking_sides
    return ((a,), (None,), (a, b), (b, b), (None, a), (a, b, None), (None,) * 3, (a, a, b))
