"""The view of a table whose store cannot be opened: the reason, and no score."""

from scorer.session.values.shown import Screen
from scorer.session.view.view import SideView, View

_SIDES = (SideView("", "A", 0, 0), SideView("", "B", 0, 0))


def store_failure_view(kind: str) -> View:
    """What panels show without a store; ``kind`` is a StoreError's."""
    return View(Screen.STORE_FAILURE, _SIDES, 0, None, 0, (), marks=(kind,))
