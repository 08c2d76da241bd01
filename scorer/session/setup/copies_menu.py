"""Set-up > put back a copy: the copies on the USB stick.

The list comes from the stick, through the table. Every team says QUIERO to a copy, which
replaces the games of the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scorer.session.setup.effects import StartHere
from scorer.session.setup.levels import (
    Effect,
    ListLevel,
    MenuEntries,
    MenuEntry,
    close,
    levels_of,
    refusable,
    with_levels,
)
from scorer.session.values.box_settings import StickCopy
from scorer.session.values.effects import RestoreCopy, Task
from scorer.session.values.keys import NoticeKey, PlainKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Reaction, Session

TITLE: Final = SetupKey.RESTORE
_PREFIX, _SUFFIX = "truco-", ".sqlite3"  # of the names that a box gives to copies


class _Restore(Effect):
    """Puts back a copy, and closes set-up: the games on the box are others then."""

    name: str

    def needs_every_team(self, session: Session) -> bool:
        return True

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return close(session, press)._replace(effects=(RestoreCopy(self.name),))


def root_entries(session: Session) -> MenuEntries:
    """The entry of set-up, which has the table look at the stick."""
    if not session.box.has_machine:
        return ()
    effect = None if session.is_match_locked else StartHere(Task.LIST_COPIES)
    return (refusable(MenuLine(TITLE), effect, NoticeKey.MATCH_LOCKED),)


def show_copies(session: Session, copies: Sequence[StickCopy]) -> Session:
    """The session with the list of copies, if set-up still waits for it."""
    if session.setup is None or session.setup.level.title is not SetupKey.SETUP:
        return session
    entries = []
    for copy in copies:
        day = copy.name.removeprefix(_PREFIX).removesuffix(_SUFFIX)
        words = "setup.copy_games.one" if copy.games == 1 else "setup.copy_games"
        line = MenuLine(PlainKey.VALUE, text=day, value=words, number=copy.games)
        entries.append(MenuEntry(line, _Restore(copy.name)))
    return with_levels(session, (*levels_of(session), ListLevel(TITLE, tuple(entries))))
