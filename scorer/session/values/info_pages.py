"""The page of MENU that follows another one, of those that a session shows."""

from __future__ import annotations

from scorer.session.values.settings import Layout
from scorer.session.values.shown import PAGES, Screen
from scorer.session.values.state import Session


def next_page(session: Session) -> Screen | None:
    """The page after the current one; None for the score.

    On compact layouts, where one hold leads to all of them, set-up is the first.
    """
    first = (Screen.SETUP,) if session.settings.table.layout is Layout.COMPACT else ()
    known = (page for page in PAGES if _is_shown(session, page))
    pages: tuple[Screen | None, ...] = (*first, *known, None)
    current = session.page if session.setup is None else Screen.SETUP
    at = pages.index(current) if current in pages[:-1] else -1
    return pages[at + 1]


def _is_shown(session: Session, page: Screen) -> bool:
    if page is Screen.PAIRS:
        # The pages stay few on a compact layout, where each is a hold, and in a match.
        is_full = session.settings.table.layout is Layout.FULL
        return session.settings.light.pairs_page and is_full and not session.is_match_locked
    return page is not Screen.HALL or (session.hall.is_member or bool(session.assignments))
