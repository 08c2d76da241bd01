"""Set-up > phones: the phones that may press, the way to a new one, and the digits it has to say.

The digits count exactly as long as they are on the panels, so what is open is what people see.
Where phones are kept, and who makes digits, is not known here: both come as arguments.
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
CODE_TIMEOUT_S: Final = 120.0  # seconds that digits count
MAX_TRIES: Final = 5  # wrong ones, after which the digits count no more
MAX_PHONES: Final = 16  # phones that are kept at a time


def phones_level(session: Session, link: SubmenuLink) -> Level:
    """A new phone, each that is known by its name, and all of them."""
    known = session.box.phones
    lines = [MenuLine("new_phone", SetupCommand(SetupAction.PAIR))]
    lines += (MenuLine("phone", _forget_level(phone, name), text=name) for phone, name in known)
    if len(known) > 1:
        every = SetupCommand(SetupAction.FORGET, phones=tuple(phone for phone, _ in known))
        lines.append(MenuLine("forget_all", ListLevel(TITLE, (MenuLine("forget_all", every),))))
    return ListLevel(TITLE, tuple(lines), made_from=link)


def _forget_level(phone: str, name: str) -> Level:
    """One more QUIERO, so that nobody forgets a phone by walking through the list."""
    return ListLevel(
        TITLE, (MenuLine("forget", SetupCommand(SetupAction.FORGET, phones=(phone,)), word=name),)
    )


def show_code(session: Session, code: str) -> Session:
    """The table with ``digits`` on its panels, where set-up still waits for them."""
    if session.setup is None:
        return session
    level = PairingLevel("new_phone", code, MAX_TRIES)
    until = session.now + CODE_TIMEOUT_S
    return session._replace(setup=Setup((*session.setup.levels, level), until))


def open_pairing(session: Session, now: float) -> PairingLevel | None:
    """The digits that count at ``now``, None where there are none."""
    setup = session.setup
    if setup is None or session.question is not None or now >= setup.until:
        return None
    return setup.level if isinstance(setup.level, PairingLevel) else None


def reject_code(session: Session) -> Session:
    """Somebody has said other digits than those on the panels: a try less for all."""
    setup = session.setup
    assert setup is not None and isinstance(setup.level, PairingLevel)
    left = setup.level.tries_left - 1
    if left:
        level = setup.level._replace(tries_left=left)
        return session._replace(setup=setup._replace(levels=(*setup.levels[:-1], level)))
    return _close_level(session, setup).with_notice(Notice("phone_guessed", urgent=True))


def confirm_pairing(session: Session, name: str) -> Session:
    """The digits have been said: they count no more, and the panels say who may press now."""
    assert session.setup is not None
    return _close_level(session, session.setup).with_notice(Notice("phone_paired", name))


def set_phones(session: Session, phones: tuple[tuple[str, str], ...]) -> Session:
    """The table with the phones there are now, on an open list of them too."""
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
