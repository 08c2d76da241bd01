"""Set-up > phones: the paired phones, pairing of a new one, and its code.

The code is valid exactly while the panels show it. Codes and the list of phones are arguments.
"""

from __future__ import annotations

from typing import Final

from scorer.session.setup.levels import (
    Level,
    ListLevel,
    MenuLine,
    PairingLevel,
    Setup,
    SetupAction,
    SetupCommand,
    SubmenuLink,
)
from scorer.session.state import Session
from scorer.session.view.view import Notice

TITLE: Final = "phones"
CODE_TIMEOUT_S: Final = 120.0  # validity of a code in seconds
MAX_TRIES: Final = 5  # wrong codes until it becomes invalid
MAX_PHONES: Final = 16  # paired phones at a time


def phones_level(session: Session, link: SubmenuLink) -> Level:
    """The lines for a new phone, each paired phone, and all of them."""
    known = session.box.phones
    lines = [MenuLine("new_phone", SetupCommand(SetupAction.PAIR))]
    lines += (MenuLine("phone", _forget_level(phone, name), text=name) for phone, name in known)
    if len(known) > 1:
        every = SetupCommand(SetupAction.FORGET, phones=tuple(phone for phone, _ in known))
        lines.append(MenuLine("forget_all", ListLevel(TITLE, (MenuLine("forget_all", every),))))
    return ListLevel(TITLE, tuple(lines), made_from=link)


def _forget_level(phone: str, name: str) -> Level:
    """A confirmation, so that browsing the list unpairs no phone by accident."""
    return ListLevel(
        TITLE, (MenuLine("forget", SetupCommand(SetupAction.FORGET, phones=(phone,)), word=name),)
    )


def show_code(session: Session, code: str) -> Session:
    """The session showing ``code``, if set-up is still waiting for it."""
    if session.setup is None:
        return session
    level = PairingLevel("new_phone", code, MAX_TRIES)
    until = session.now + CODE_TIMEOUT_S
    return session._replace(setup=Setup((*session.setup.levels, level), until))


def open_pairing(session: Session, now: float) -> PairingLevel | None:
    """The code that is valid at ``now``, or None."""
    setup = session.setup
    if setup is None or session.question is not None or now >= setup.until:
        return None
    return setup.level if isinstance(setup.level, PairingLevel) else None


def reject_code(session: Session) -> Session:
    """The session after a wrong code: one try fewer."""
    setup = session.setup
    assert setup is not None and isinstance(setup.level, PairingLevel)
    left = setup.level.tries_left - 1
    if left:
        level = setup.level._replace(tries_left=left)
        return session._replace(setup=setup._replace(levels=(*setup.levels[:-1], level)))
    return _close_level(session, setup).with_notice(Notice("phone_guessed", urgent=True))


def confirm_pairing(session: Session, name: str) -> Session:
    """The session after the right code, with a notice that names the new phone."""
    assert session.setup is not None
    return _close_level(session, session.setup).with_notice(Notice("phone_paired", name))


def set_phones(session: Session, phones: tuple[tuple[str, str], ...]) -> Session:
    """The session with these phones, also in an open list of them."""
    session = session._replace(box=session.box._replace(phones=phones))
    if session.setup is None:
        return session
    levels = tuple(_refresh_level(session, level) for level in session.setup.levels)
    return session._replace(setup=session.setup._replace(levels=levels))


def _refresh_level(session: Session, level: Level) -> Level:
    if not isinstance(level, ListLevel) or level.made_from is None or level.title != TITLE:
        return level
    made = phones_level(session, level.made_from)
    assert isinstance(made, ListLevel)
    return made._replace(at=min(level.at, len(made.lines) - 1))


def _close_level(session: Session, setup: Setup) -> Session:
    until = session.now + session.settings.setup_s
    return session._replace(setup=Setup(setup.levels[:-1], until))
