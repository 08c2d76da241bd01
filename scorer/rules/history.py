"""A game with undo and redo."""

from __future__ import annotations

from scorer.rules.actions import Action
from scorer.rules.engine import attempt
from scorer.rules.model import Game, Refusal, Step

_Steps = list[tuple[Game, Step]]  # each with the game beside it


class History:
    """A game and its past states: undo goes back to the first deal, redo forward.

    Refused steps are not recorded. A new step after an undo discards the steps that were undone.
    """

    def __init__(self, game: Game) -> None:
        self._past: _Steps = []
        self._future: _Steps = []
        self.game = game

    def play(self, step: Step) -> Refusal | None:
        """Take one step (``undo`` and ``redo`` included); return the refusal, or None."""
        if step.action is Action.UNDO:
            return self._move(self._past, self._future, Refusal.NOTHING_TO_UNDO)
        if step.action is Action.REDO:
            return self._move(self._future, self._past, Refusal.NOTHING_TO_REDO)
        result = attempt(self.game, step)
        if isinstance(result, Refusal):
            return result
        self._past.append((self.game, step))
        self._future.clear()
        self.game = result
        return None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in effect, oldest first."""
        return tuple(step for _, step in self._past)

    @property
    def undone(self) -> tuple[Step, ...]:
        """The undone steps, in the order of redo."""
        return tuple(step for _, step in reversed(self._future))

    def _move(self, taken: _Steps, kept: _Steps, at_the_end: Refusal) -> Refusal | None:
        """Go to the newest game of ``taken``; ``kept`` leads back."""
        if not taken:
            return at_the_end
        game, step = taken.pop()
        kept.append((self.game, step))
        self.game = game
        return None
