"""Button edges sent by the pages (mouse, touches, keys).

A page sends its own milliseconds, used only for the time between its edges. Its buttons are
released when it disconnects.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from scorer.demo.finger_model import FingerModel
from scorer.plain_values import json_object

MAX_GAP = 10.0  # seconds between two edges of one message, at most


class PageEdge(NamedTuple):
    """A button pressed or released, at a page's own millisecond."""

    at_ms: float
    line: str
    is_down: bool


class WrongRequest(ValueError):
    """An invalid request; the text is a sentence that says what is valid."""


def parse_edges(value: object, lines: Collection[str]) -> list[PageEdge]:
    """Parse ``[[1200, "A.truco", true], ...]``. Raises WrongRequest."""
    if not isinstance(value, list) or not all(_is_edge(each) for each in value):
        raise WrongRequest('edges are [milliseconds, button, is it down], as [12, "undo", true]')
    for _, line, _ in value:
        if line not in lines:
            raise WrongRequest(f"no button {line!r}; there are {', '.join(sorted(lines))}")
    return [PageEdge(float(at), line, is_down) for at, line, is_down in value]


def parse_object(body: bytes) -> dict[str, object]:
    """The JSON object in ``body``. Raises WrongRequest."""
    document = json_object(body)
    if document is None:
        raise WrongRequest("send one JSON object")
    return document


def _is_edge(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and isinstance(value[0], int | float)
        and not isinstance(value[0], bool)
        and abs(value[0]) < 1e15  # neither infinite nor NaN
        and isinstance(value[1], str)
        and isinstance(value[2], bool)
    )


class PageFingers:
    """The pressed buttons of all pages on shared pins."""

    def __init__(self, fingers: FingerModel, clock: Callable[[], float]) -> None:
        self._fingers, self._clock = fingers, clock
        self._pages: dict[str, float] = {}  # page -> time of its newest edge
        self._holders: dict[str, set[str]] = {}  # line -> pages that hold it

    def add_page(self, page: str) -> None:
        """Register a page."""
        self._pages[page] = 0.0

    def remove_page(self, page: str) -> None:
        """Unregister a page and release its buttons. Idempotent."""
        self._pages.pop(page, None)
        for line in [line for line, pages in self._holders.items() if page in pages]:
            self._lift(page, line, self._clock())

    def move(self, page: str, edges: list[PageEdge]) -> None:
        """Apply the edges of a page with their distances in time. Raises WrongRequest."""
        if page not in self._pages:
            raise WrongRequest("this page is not known here; load it again")
        began = max(self._clock(), self._pages[page])
        for edge in edges:
            gap = min(max(edge.at_ms - edges[0].at_ms, 0.0) / 1000, MAX_GAP)
            at = self._pages[page] = max(began + gap, self._pages[page])
            if edge.is_down:
                self._holders.setdefault(edge.line, set()).add(page)
                self._fingers.touch(edge.line, at)
            else:
                self._lift(page, edge.line, at)

    def _lift(self, page: str, line: str, at: float) -> None:
        pages = self._holders.get(line, set())
        if page in pages:
            pages.remove(page)
            if not pages:
                del self._holders[line]
                self._fingers.lift(line, at)
