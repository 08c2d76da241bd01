"""A game with undo and redo."""

from __future__ import annotations

from scorer.rules.actions import Action
from scorer.rules.engine import attempt
from scorer.rules.model import Game, Refusal, Step


class History:
    """A game and its past states: undo goes back to the first deal, redo forward.

    Refused steps are not recorded. A new step after an undo discards the steps that were undone.
    """

    def __init__(self, game: Game) -> None:
        self._past: list[tuple[Game, Step]] = []
        self._future: list[tuple[Game, Step]] = []
        self.game = game

    def play(self, step: Step) -> Refusal | None:
        """Take one step (``undo`` and ``redo`` included); return the refusal, or None."""
        if step.action is Action.UNDO:
            return self._undo()
        if step.action is Action.REDO:
            return self._redo()
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

    def _undo(self) -> Refusal | None:
        if not self._past:
            return Refusal.NOTHING_TO_UNDO
        before, step = self._past.pop()
        self._future.append((self.game, step))
        self.game = before
        return None

    def _redo(self) -> Refusal | None:
        if not self._future:
            return Refusal.NOTHING_TO_REDO
        after, step = self._future.pop()
        self._past.append((self.game, step))
        self.game = after
        return None
