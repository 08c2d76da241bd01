"""Set-up > factory reset: what goes, the owner's code, every team's yes.

The reset is carried out at the next start of the box. During a game none can be asked for.
"""

from __future__ import annotations

from functools import partial

from scorer.session.setup.code_entry import CodeLevel
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    close,
    refusable,
)
from scorer.session.values.effects import FactoryReset
from scorer.session.values.keys import NoticeKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Reaction, Session, SetupLevel


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
    if not session.is_between_games:
        return (refusable(line, None, NoticeKey.RESET_GAME),)
    link = Link(_choice_level) if session.box.has_owner_code else None
    return (refusable(line, link, NoticeKey.RESET_NO_CODE),)


def _choice_level(session: Session, link: Link) -> SetupLevel:
    entries = tuple(
        MenuEntry(MenuLine(key), Link(_code_level, key))
        for key in (SetupKey.RESET_KEEP, SetupKey.RESET_GAMES)
    )
    return ListLevel(SetupKey.RESET, entries, made_from=link)


def _code_level(session: Session, link: Link) -> SetupLevel:
    has_games = link.key == SetupKey.RESET_GAMES
    return CodeLevel(SetupKey.RESET_CODE, partial(_reset_entry, has_games))


def _reset_entry(has_games: bool, code: str) -> MenuEntry:
    key = SetupKey.RESET_GAMES if has_games else SetupKey.RESET_KEEP
    return MenuEntry(MenuLine(key), _Reset(code, has_games))
