"""A change of rules that the table chose in a running game, until it is in force."""

from typing import NamedTuple

from scorer.rules import Rules
from scorer.rules.model import RuleChange


class ChosenChange(NamedTuple):
    """The change, and what UNDO needs to take it back.

    ``after``: the standing steps of the game when it was chosen; the UNDO after them takes it back.
    ``house_before``: the rules of the next game until then. ``earlier``: the choice that it adds
    to, which stands once this one is undone.
    """

    change: RuleChange
    after: int
    house_before: Rules
    earlier: "ChosenChange | None" = None
    is_undone: bool = False  # REDO chooses it again

    @property
    def standing(self) -> "ChosenChange | None":
        """The newest choice that is not undone."""
        return self.earlier if self.is_undone else self
