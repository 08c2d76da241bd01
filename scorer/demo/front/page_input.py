"""What a page's mouse, touches and keys do, as it tells it: buttons that go down and come up.

A page tells its own milliseconds, which are used for the time between two of its edges alone. A
page that goes takes its fingers along. It knows no connection.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import NamedTuple

from scorer.demo.finger_model import FingerModel

MAX_GAP = 10.0  # seconds between two edges that are told together, at most


class PageEdge(NamedTuple):
    """A finger on a button, or off it, at a page's own millisecond."""

    at_ms: float
    line: str
    is_down: bool


class WrongRequest(ValueError):
    """What was sent makes no sense; the text is a sentence that says what does."""


def parse_edges(value: object, lines: Collection[str]) -> list[PageEdge]:
    """``[[1200, "A.truco", true], ...]``. Raises WrongRequest."""
    if not isinstance(value, list) or not all(_is_edge(each) for each in value):
        raise WrongRequest('edges are [milliseconds, button, is it down], as [12, "undo", true]')
    for _, line, _ in value:
        if line not in lines:
            raise WrongRequest(f"no button {line!r}; there are {', '.join(sorted(lines))}")
    return [PageEdge(float(at), line, is_down) for at, line, is_down in value]


def parse_object(body: bytes) -> dict[str, object]:
    """The JSON object in ``body``. Raises WrongRequest."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise WrongRequest("send one JSON object")
    return told


def _is_edge(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and isinstance(value[0], int | float)
        and not isinstance(value[0], bool)
        and abs(value[0]) < 1e15  # and neither infinite nor no number
        and isinstance(value[1], str)
        and isinstance(value[2], bool)
    )


class PageFingers:
    """The fingers of every page, on the pins that all of them share."""

    def __init__(self, fingers: FingerModel, clock: Callable[[], float]) -> None:
        self._fingers, self._clock = fingers, clock
        self._pages: dict[str, float] = {}  # page -> the time of its newest edge
        self._holders: dict[str, set[str]] = {}  # line -> the pages that hold it

    def add_page(self, page: str) -> None:
        """A page is there."""
        self._pages[page] = 0.0

    def remove_page(self, page: str) -> None:
        """A page has gone: nobody is left to lift its fingers. May be called twice."""
        self._pages.pop(page, None)
        for line in [line for line, pages in self._holders.items() if page in pages]:
            self._lift(page, line, self._clock())

    def move(self, page: str, edges: list[PageEdge]) -> None:
        """Does what a page tells, as far apart as it tells. Raises WrongRequest."""
        if page not in self._pages:
            raise WrongRequest("this page is not known here; load it again")
        began = max(self._clock(), self._pages[page])
        for edge in edges:
            gap = min(max(edge.at_ms - edges[0].at_ms, 0.0) / 1000, MAX_GAP)
            at = self._pages[page] = max(began + gap, self._pages[page])
            (self._touch if edge.is_down else self._lift)(page, edge.line, at)

    def _touch(self, page: str, line: str, at: float) -> None:
        self._holders.setdefault(line, set()).add(page)
        self._fingers.touch(line, at)

    def _lift(self, page: str, line: str, at: float) -> None:
        pages = self._holders.get(line, set())
        if page in pages:
            pages.remove(page)
            if not pages:
                del self._holders[line]
                self._fingers.lift(line, at)
