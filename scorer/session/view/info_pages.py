"""The pages of MENU in order."""

from __future__ import annotations

from scorer.session.settings import Layout
from scorer.session.state import Session
from scorer.session.view.view import Screen

PAGES = (
    Screen.TALLY,
    Screen.LADDER,
    Screen.HISTORY,
    Screen.NIGHT,
    Screen.CONNECTION,
    Screen.STATUS,
)


def next_page(session: Session) -> Screen | None:
    """The page after the current one; None for the score.

    On compact layouts, which have no hold for set-up, set-up follows the last page.
    """
    last = Screen.SETUP if session.settings.layout is Layout.COMPACT else None
    pages: tuple[Screen | None, ...] = (*PAGES, last)
    at = pages.index(session.page) if session.page in PAGES else -1
    return pages[at + 1]
