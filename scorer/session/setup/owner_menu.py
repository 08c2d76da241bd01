"""Set-up > phones, and > settings page: phones that press or change the settings.

A phone gets the right to the settings with the owner's code, entered at the box, and a pairing code
that the panel shows then; never during a game. A box without a code, and without such a phone, has
no entry for it.
"""

from __future__ import annotations

from typing import Final

from scorer.session.setup import pairing_menu
from scorer.session.setup.code_entry import CodeLevel
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    leave_level,
    refusable,
)
from scorer.session.setup.pairing_menu import MAX_PHONES, forget_entries, with_new_list
from scorer.session.values.box_settings import PairedPhone
from scorer.session.values.effects import ForgetOwners, GiveOwnersRight
from scorer.session.values.keys import NoticeKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Reaction, Session, SetupLevel

TITLE: Final = SetupKey.OWNERS


class _GiveRight(Effect):
    """Has the table check the code, which then shows a pairing code."""

    code: str

    def __repr__(self) -> str:
        return "_GiveRight()"

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        shown = leave_level(session, press)
        return shown._replace(effects=(GiveOwnersRight(self.code),))


def root_entries(session: Session) -> MenuEntries:
    """The entries of set-up."""
    box = session.box
    if not box.has_machine:
        return ()
    phones = MenuEntry(_counted(pairing_menu.TITLE, box.phones), Link(pairing_menu.phones_level))
    owners = MenuEntry(_counted(TITLE, box.owners), Link(_owners_level))
    has_owners = box.has_owner_code or box.owners
    return phones, *((owners,) if has_owners else ()), *pairing_menu.box_key_entries(session)


def _counted(title: SetupKey, phones: tuple[PairedPhone, ...]) -> MenuLine:
    return MenuLine(title, figure=str(len(phones)) if phones else "")


def set_owners(session: Session, owners: tuple[PairedPhone, ...]) -> Session:
    """The session with these owners, also in an open list of them."""
    return with_new_list(session._replace(box=session.box._replace(owners=owners)), TITLE)


def _owners_level(session: Session, link: Link) -> SetupLevel:
    entries = (_new_entry(session), *forget_entries(session.box.owners, TITLE, ForgetOwners))
    return ListLevel(TITLE, entries, made_from=link)


def _new_entry(session: Session) -> MenuEntry:
    line = MenuLine(SetupKey.NEW_OWNER)
    if not session.box.has_owner_code:
        return refusable(line, None, NoticeKey.RESET_NO_CODE)
    if not session.is_between_games:
        return refusable(line, None, NoticeKey.RESET_GAME)
    if len(session.box.owners) >= MAX_PHONES:
        return refusable(line, None, NoticeKey.PHONES_FULL)
    return MenuEntry(line, Link(_code_level))


def _code_level(session: Session, link: Link) -> SetupLevel:
    return CodeLevel(SetupKey.RESET_CODE, _give_entry)


def _give_entry(code: str) -> MenuEntry:
    return MenuEntry(MenuLine(SetupKey.NEW_OWNER), _GiveRight(code))
