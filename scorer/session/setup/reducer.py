"""Reducer of presses in set-up.

QUIERO enters, NO QUIERO goes back, TANTOS of A and B move up and down. What they do is up to the
level (``levels``).
"""

from __future__ import annotations

from typing import Final

from scorer.session.setup import first_run, last_hands_menu
from scorer.session.setup.effects import Back
from scorer.session.setup.levels import (
    ListLevel,
    MenuEntry,
    close,
    leave_level,
    replace_level,
    show_levels,
    with_levels,
)
from scorer.session.setup.menu import root_level
from scorer.session.values.keys import SetupKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Reaction, Session, Setup

_DOWN: Final = {"A": -1, "B": 1}  # lines down the list for TANTOS of a console


def open_setup(session: Session, press: ButtonPress) -> Reaction:
    """Shows the last hands, or without one the root level, which is below them."""
    session, press = session._replace(page=None), press._replace(meaning=ButtonMeaning.SETUP)
    hands = last_hands_menu.last_hands_level(session)
    levels = (root_level(session), *(() if hands is None else (hands,)))
    return show_levels(session, press, levels)


def navigate(session: Session, setup: Setup, press: ButtonPress) -> Reaction:
    """Handles QUIERO, NO QUIERO, UNDO and MENU in set-up."""
    match press.meaning:
        case ButtonMeaning.QUIERO:
            return setup.level.enter(session, press)
        case ButtonMeaning.NO_QUIERO if (shorter := setup.level.without_last()) is not None:
            return replace_level(session, press, shorter)
        case ButtonMeaning.NO_QUIERO if len(setup.levels) > 1:
            return leave_level(session, press)
        case ButtonMeaning.NO_QUIERO if setup.is_first_run:
            return first_run.FirstRunAnswer(setup.level.draft).run(session, press)
        case _:
            return close(session, press)


def adjust(session: Session, setup: Setup, press: ButtonPress, console: str) -> Reaction:
    """Handles TANTOS of ``console`` on touch: up or down."""
    session = session._replace(setup_touched_at=press.gesture.since)
    moved = setup.level.adjust(_DOWN[console]) if console in _DOWN else None
    return Reaction(session) if moved is None else replace_level(session, press, moved)


def show_selftest(session: Session, lines: tuple[MenuLine, ...]) -> Session:
    """The session with the results of the self-test, if set-up still waits for them."""
    if session.setup is None:
        return session
    results = ListLevel(SetupKey.SELFTEST, tuple(MenuEntry(line, Back()) for line in lines))
    return with_levels(session, (*session.setup.levels, results))
