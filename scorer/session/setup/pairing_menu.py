"""Set-up > phones and boxes over Wi-Fi: what may press, paired and forgotten.

A pairing code is valid exactly while the panels show it. Codes and the list of phones are
arguments. The table carries out a change of the key of a box.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.session.play.reactions import refuse
from scorer.session.setup.effects import StartHere
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    Open,
    leave_level,
)
from scorer.session.setup.preferences_menu import setting_entry
from scorer.session.values.box_settings import PairedPhone
from scorer.session.values.effects import (
    BoxKeyEffect,
    ForgetBoxKey,
    ForgetOwners,
    ForgetPhones,
    NewBoxKey,
    Task,
)
from scorer.session.values.keys import NoticeKey, PlainKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine, PairingView, SetupView
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session, Setup, SetupLevel

TITLE: Final = SetupKey.PHONES
BOXES_TITLE: Final = SetupKey.RADIO_BOXES
CODE_TIMEOUT_S: Final = 120.0  # validity of a code in seconds
MAX_TRIES: Final = 20  # wrong codes until it becomes invalid
MAX_TRIES_EACH: Final = 3  # the same from one address, which it is then closed to
MAX_PHONES: Final = 16  # paired phones at a time
_RECENT: Final = ("setup.seen.today", "setup.seen.yesterday")  # by days
_DAYS_A_MONTH: Final = 30
Forgets = ForgetPhones | ForgetOwners


class PairingLevel(SetupLevel):
    """The pairing code for a new phone; valid while it is shown.

    ``is_owner``: the phone gets the right to the settings instead of a console.
    """

    code: str
    is_owner: bool = False
    wrong: tuple[str, ...] = ()  # the address of each wrong try

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        """A pairing code offers nothing to choose: QUIERO goes back."""
        return leave_level(session, press)

    def view(self, session: Session) -> SetupView:
        return SetupView(self.title, PairingView(self.code, session.link.address, self.is_owner))


class _Pair(StartHere):
    """Shows a pairing code, if there is room for a phone."""

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        if len(session.box.phones) >= MAX_PHONES:
            return refuse(session, Notice(NoticeKey.PHONES_FULL, urgent=True))
        return super().run(session, press)


class _Forget(Effect):
    """Unpairs phones and returns to the list."""

    forgets: Forgets

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        shown = leave_level(session, press)
        return shown._replace(stored_effects=(self.forgets,))


def phones_level(session: Session, link: Link) -> SetupLevel:
    """The entries for a new phone, each phone, all of them, and the own Wi-Fi."""
    known = session.box.phones
    first = MenuEntry(MenuLine(SetupKey.NEW_PHONE), _Pair(Task.PAIRING_CODE))
    own_wifi = setting_entry(session, SetupKey.OWN_WIFI)
    entries = (first, *forget_entries(known, TITLE, ForgetPhones), own_wifi)
    return ListLevel(TITLE, entries, made_from=link, takes_choices=True)


def forget_entries(
    known: tuple[PairedPhone, ...], title: SetupKey, forget: Callable[[tuple[str, ...]], Forgets]
) -> MenuEntries:
    """An entry for each of these phones, and one for all, to forget them."""
    entries = []
    for phone in known:
        seen, number = _last_seen(phone.unused_days)
        line = MenuLine(PlainKey.PHONE, text=phone.name, value=seen, number=number)
        confirm = MenuLine(SetupKey.FORGET, word=phone.name)
        entries.append(MenuEntry(line, _confirmed(confirm, title, forget((phone.id,)))))
    if len(known) > 1:
        line = MenuLine(SetupKey.FORGET_ALL)
        all_ids = forget(tuple(phone.id for phone in known))
        entries.append(MenuEntry(line, _confirmed(line, title, all_ids)))
    return tuple(entries)


def _confirmed(line: MenuLine, title: SetupKey, forgets: Forgets) -> Open:
    """Opens a confirmation, so that browsing the list unpairs no phone by accident."""
    return Open(ListLevel(title, (MenuEntry(line, _Forget(forgets)),)))


def _last_seen(days: int | None) -> tuple[str, int]:
    """The words for a number of days, and the number in them."""
    if days is None:
        return "", 0
    if days < len(_RECENT):
        return _RECENT[days], days
    months = days // _DAYS_A_MONTH
    return ("setup.seen.months", months) if months > 1 else ("setup.seen.days", days)


def show_code(session: Session, code: str, *, is_owner: bool = False) -> Session:
    """The session showing ``code``, if set-up is still waiting for it."""
    if session.setup is None:
        return session
    title = SetupKey.NEW_OWNER if is_owner else SetupKey.NEW_PHONE
    level = PairingLevel(title, code, is_owner)
    until = session.now + CODE_TIMEOUT_S
    return session._replace(setup=Setup((*session.setup.levels, level), until))


def open_pairing(session: Session, now: float) -> PairingLevel | None:
    """The code that is valid at ``now``, or None."""
    setup = session.setup
    if setup is None or session.question is not None or now >= setup.until:
        return None
    return setup.level if isinstance(setup.level, PairingLevel) else None


def tries_left(level: PairingLevel, address: str) -> int:
    """How many wrong codes ``address`` may still send."""
    mine = MAX_TRIES_EACH - level.wrong.count(address)
    return max(0, min(mine, MAX_TRIES - len(level.wrong)))


def reject_code(session: Session, address: str) -> Session:
    """The session after a wrong code: one try fewer.

    The panel names an address whose last try it was, for itself or for all.
    """
    setup = session.setup
    assert setup is not None and isinstance(setup.level, PairingLevel)
    level = setup.level._replace(wrong=(*setup.level.wrong, address))
    if len(level.wrong) >= MAX_TRIES:
        notice = Notice(NoticeKey.PHONE_GUESSED, address, urgent=True)
        return _close_level(session, setup).with_notice(notice)
    session = session._replace(setup=setup._replace(levels=(*setup.levels[:-1], level)))
    if tries_left(level, address):
        return session
    return session.with_notice(Notice(NoticeKey.PHONE_BLOCKED, address, urgent=True))


def confirm_pairing(session: Session, name: str) -> Session:
    """The session after the right code, with a notice that names the new phone."""
    assert session.setup is not None and isinstance(session.setup.level, PairingLevel)
    key = NoticeKey.OWNER_GIVEN if session.setup.level.is_owner else NoticeKey.PHONE_PAIRED
    return _close_level(session, session.setup).with_notice(Notice(key, name))


def set_phones(session: Session, phones: tuple[PairedPhone, ...]) -> Session:
    """The session with these phones, also in an open list of them."""
    return with_new_list(session._replace(box=session.box._replace(phones=phones)), TITLE)


def with_new_list(session: Session, title: SetupKey) -> Session:
    """The session with open lists of this title made anew."""
    if session.setup is None:
        return session
    levels = tuple(
        level.refreshed(session) if level.title == title else level
        for level in session.setup.levels
    )
    return session._replace(setup=session.setup._replace(levels=levels))


def _close_level(session: Session, setup: Setup) -> Session:
    until = session.now + session.settings.setup_s
    return session._replace(setup=Setup(setup.levels[:-1], until))


# ---- boxes over Wi-Fi ----------------------------------------------------------------------------


class _ChangeKey(Effect):
    """Starts the change, and returns to the list of boxes."""

    # One team suffices: the other one may have no buttons before it has a key.
    effect: BoxKeyEffect

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return leave_level(session, press)._replace(effects=(self.effect,))


def box_key_entries(session: Session) -> MenuEntries:
    """The entry of set-up, where the table has boxes over Wi-Fi."""
    if not session.box.radio_boxes:
        return ()
    return (MenuEntry(MenuLine(BOXES_TITLE), Link(_boxes_level)),)


def _boxes_level(session: Session, link: Link) -> SetupLevel:
    entries = []
    for name in session.box.radio_boxes:
        changes: tuple[tuple[SetupKey, BoxKeyEffect], ...] = (
            (SetupKey.NEW_BOX_KEY, NewBoxKey(name)),
            (SetupKey.FORGET_BOX_KEY, ForgetBoxKey(name)),
        )
        keys = (MenuEntry(MenuLine(key, word=name), _ChangeKey(each)) for key, each in changes)
        level = ListLevel(BOXES_TITLE, tuple(keys))
        entries.append(MenuEntry(MenuLine(PlainKey.VALUE, text=name), Open(level)))
    return ListLevel(BOXES_TITLE, tuple(entries), made_from=link)
