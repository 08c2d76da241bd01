"""The owner's code, entered a digit at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.session.setup.levels import MenuEntry, follow, replace_level
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import OptionNumberView, SetupView
from scorer.session.values.state import Reaction, Session, SetupLevel

CODE_DIGITS: Final = 6


class CodeLevel(SetupLevel):
    """The digits of the owner's code; only the current one is shown.

    ``entry_for``: the entry that a whole code enters.
    """

    entry_for: Callable[[str], MenuEntry]
    digit: int = 0
    entered: str = ""

    def __repr__(self) -> str:
        return f"CodeLevel({len(self.entered)} digits)"

    def adjust(self, down: int) -> SetupLevel:
        return self._replace(digit=(self.digit - down) % 10)

    def without_last(self) -> SetupLevel | None:
        return self._replace(digit=0, entered=self.entered[:-1]) if self.entered else None

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        entered = f"{self.entered}{self.digit}"
        if len(entered) < CODE_DIGITS:
            return replace_level(session, press, self._replace(digit=0, entered=entered))
        return follow(session, press, self.entry_for(entered))

    def view(self, session: Session) -> SetupView:
        place = f"{len(self.entered) + 1}/{CODE_DIGITS}"
        return SetupView(self.title, OptionNumberView(self.digit, place))
