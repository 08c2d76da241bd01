"""The pages of MENU in order."""

from __future__ import annotations

from scorer.session.values.settings import Layout
from scorer.session.values.shown import Screen
from scorer.session.values.state import Session

PAGES = (
    Screen.TALLY,
    Screen.LADDER,
    Screen.HISTORY,
    Screen.NIGHT,
    Screen.CONNECTION,
    Screen.HALL,
    Screen.PAIRS,
    Screen.STATUS,
)


def next_page(session: Session) -> Screen | None:
    """The page after the current one; None for the score.

    On compact layouts, which have no hold for set-up, set-up follows the last page.
    """
    last = Screen.SETUP if session.settings.layout is Layout.COMPACT else None
    known = tuple(page for page in PAGES if _is_shown(session, page))
    pages: tuple[Screen | None, ...] = (*known, last)
    at = pages.index(session.page) if session.page in known else -1
    return pages[at + 1]


def _is_shown(session: Session, page: Screen) -> bool:
    if page is Screen.PAIRS:
        # The way to set-up stays short on a compact layout, and the pages few in a match.
        is_full = session.settings.layout is Layout.FULL
        return session.settings.pairs_page and is_full and not session.is_match_locked
    return page is not Screen.HALL or _has_hall(session)


def _has_hall(session: Session) -> bool:
    return session.hall.is_member or bool(session.assignments)
