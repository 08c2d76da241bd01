"""Set-up > factory reset: what goes, the owner's code, every team's yes.

The reset is carried out at the next start of the box. During a game none can be asked for.
"""

from __future__ import annotations

from typing import Final

from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    close,
    follow,
    refusable,
    replace_level,
)
from scorer.session.values.effects import FactoryReset
from scorer.session.values.game_queries import is_untouched
from scorer.session.values.keys import NoticeKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine, OptionNumberView, SetupView
from scorer.session.values.state import Reaction, Session, SetupLevel

CODE_DIGITS: Final = 6


class CodeLevel(SetupLevel):
    """The digits of the owner's code; only the current one is shown."""

    has_games: bool
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
        key = SetupKey.RESET_GAMES if self.has_games else SetupKey.RESET_KEEP
        return follow(session, press, MenuEntry(MenuLine(key), _Reset(entered, self.has_games)))

    def view(self, session: Session) -> SetupView:
        place = f"{len(self.entered) + 1}/{CODE_DIGITS}"
        return SetupView(self.title, OptionNumberView(self.digit, place))


class _Reset(Effect):
    """Asks the table for the reset, and closes set-up."""

    code: str
    has_games: bool

    def __repr__(self) -> str:
        return f"_Reset({self.has_games})"

    def needs_every_team(self, session: Session) -> bool:
        return True

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return close(session, press)._replace(effects=(FactoryReset(self.code, self.has_games),))


def root_entries(session: Session) -> MenuEntries:
    """The entry of set-up."""
    if not session.box.has_machine:
        return ()
    line = MenuLine(SetupKey.RESET)
    if session.is_match_locked or not _is_between_games(session):
        return (refusable(line, None, NoticeKey.RESET_GAME),)
    link = Link(_choice_level) if session.box.has_owner_code else None
    return (refusable(line, link, NoticeKey.RESET_NO_CODE),)


def _is_between_games(session: Session) -> bool:
    return session.game.winner is not None or is_untouched(session.game)


def _choice_level(session: Session, link: Link) -> SetupLevel:
    entries = tuple(
        MenuEntry(MenuLine(key), Link(_code_level, key))
        for key in (SetupKey.RESET_KEEP, SetupKey.RESET_GAMES)
    )
    return ListLevel(SetupKey.RESET, entries, made_from=link)


def _code_level(session: Session, link: Link) -> SetupLevel:
    return CodeLevel(SetupKey.RESET_CODE, link.key == SetupKey.RESET_GAMES)
