"""The display of words of a table: score and call in two lines.

Imported only by a table that has one. It is written in a thread of its own.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from scorer.display.presenter import build_scene
from scorer.i18n import translator
from scorer.phrases.two_lines import two_lines
from scorer.session.values.dimming import Light, light_of
from scorer.session.values.state import Session
from scorer.session.view.build_view import view_of, view_of_rivals
from scorer.session.view.view import View

TEST_LINES = ("TRUCO SCORER", "0123456789")


class Lines(Protocol):
    """A display that follows the newest lines (``outputs.newest_value``)."""

    @property
    def fault(self) -> str:
        """Why it fails, or ""."""

    def put(self, value: tuple[str, ...], /) -> None:
        """Show these lines; dark without any. Never waits."""


class WordDevice(NamedTuple):
    """A display of words: the characters of a line, and what shows them."""

    columns: int
    lines: Lines


class Words:
    """The words of one table; called in the table's thread."""

    def __init__(self, device: WordDevice) -> None:
        self._device = device
        self._seen: tuple[View, str, bool] | None = None
        self._shown: tuple[str, ...] | None = None

    def deadline(self) -> None:
        """No time of its own: it follows the views of the panels."""

    def show(self, session: Session, now: float) -> None:
        """Show score and call; a question to one console is on its panel only."""
        is_dark = light_of(session) is Light.DARK
        view = view_of_rivals(session) or view_of(session)
        # Letters do not blink.
        seen = view._replace(blink=False), session.settings.table.language, is_dark
        if seen != self._seen:
            self._seen = seen
            scene = build_scene(view, translator(seen[1]), None, is_neutral=True)
            self._put(() if is_dark else two_lines(scene, self._device.columns))

    def test(self) -> dict[str, str]:
        """Show a test until the next ``show``; what is known of the display."""
        self._seen = None
        self._put(TEST_LINES)
        return {"fault": self._device.lines.fault}

    def _put(self, lines: tuple[str, ...]) -> None:
        if lines != self._shown:
            self._shown = lines
            self._device.lines.put(lines)
