"""Keep the panels current: draw the newest picture, reopen lost panels.

A ``Panel`` does what its ``PanelSchedule`` decides; ``PanelWorker`` calls it in a thread of its
own, ``SyncRenderer`` in the caller's thread.
Pictures of a television are expensive, so the loop passes a function that draws them later.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scorer.hw.ports import DeviceError, Display
from scorer.table.panel_schedule import PanelSchedule, PanelStep

if TYPE_CHECKING:
    from PIL import Image


class Panel:
    """One display and its target picture. ``error`` is the last error message or "".

    ``side`` is the key of the side on the left of its pictures.
    """

    def __init__(
        self,
        name: str,
        display: Display,
        side: str = "A",
        on_fault: Callable[[str], object] = lambda _: None,
    ) -> None:
        """``on_fault`` gets each new error, and "" once it works again."""
        self.name, self._display = name, display
        self.side, self._on_fault = side, on_fault
        self.error = "not opened yet"
        self._reported = ""
        # One assignment, so that the worker never sees half of a new target.
        self._target: tuple[Image.Image | Callable[[], Image.Image], int, bool] | None = None
        self._shown_picture: object = None
        self._contrast_shown, self._dark_shown = -1, False
        self._schedule = PanelSchedule(forgets=display.mode == "1")

    @property
    def mode(self) -> str:
        return self._display.mode

    @property
    def size(self) -> tuple[int, int]:
        return self._display.size

    @property
    def is_dark(self) -> bool:
        """Whether the display was switched off and has not failed since."""
        return self._dark_shown and not self.error

    def set_target(
        self, image: Image.Image | Callable[[], Image.Image], contrast: int, *, dark: bool
    ) -> None:
        """Set the newest picture, or a function that draws it; replaces an older one.

        The same function draws the same picture: it is called once.
        """
        self._target = (image, contrast, dark)

    def update(self, now: float) -> float:
        """Draw the target and do what is due; return when to call again.

        It talks to the display, from one thread at a time.
        """
        try:
            self._try_update(now)
        except DeviceError as error:
            self.error = str(error)
            self._schedule.on_failed(now)
        if self.error != self._reported:
            self._reported = self.error
            self._on_fault(self.error)
        return self._schedule.deadline()

    def close(self) -> None:
        """Close the display, leaving it dark."""
        self._display.close()

    def _try_update(self, now: float) -> None:
        step = self._schedule.next_step(now)
        if step is PanelStep.WAIT:
            return
        if step is PanelStep.CHECK:
            step = self._schedule.after_check(self._display.has_memory(), now)
        if step is PanelStep.OPEN:
            self._display.open()
            self.error = ""
            self._shown_picture, self._contrast_shown, self._dark_shown = None, -1, False
        elif step is PanelStep.REFRESH:
            self._display.refresh()
        if step is not PanelStep.DRAW:
            self._schedule.on_complete(now)
        self._draw()

    def _draw(self) -> None:
        if self._target is None:
            return
        image, contrast, dark = self._target
        picture: object = image if callable(image) else image.tobytes()
        if picture != self._shown_picture:
            self._display.show(_draw_picture(image) if callable(image) else image)
            self._shown_picture = picture
        if contrast != self._contrast_shown:
            self._display.contrast(contrast)
            self._contrast_shown = contrast
        if dark != self._dark_shown:
            self._display.dark(dark)
            self._dark_shown = dark


def _draw_picture(draw: Callable[[], Image.Image]) -> Image.Image:
    try:
        return draw()
    except Exception as error:
        # One picture that cannot be drawn must not end the thread that draws the others.
        raise DeviceError(f"its picture cannot be drawn: {error!r}") from error


def _update_all(panels: Sequence[Panel], now: float) -> float | None:
    """Update the panels; return when to do so again, None without panels."""
    return min([panel.update(now) for panel in panels], default=None)


class Renderer(Protocol):
    """Draws and checks the panels: in the loop's thread or in one of its own."""

    def draw(self, now: float) -> float | None:
        """Draw changed targets; return when to call again, None if it is not needed."""

    def wait_until_drawn(self, timeout_s: float) -> None:
        """Wait until the panels show what was to be drawn, or have failed to."""

    def close(self) -> None:
        """Stop and leave the panels dark."""

    def show_last(self, now: float) -> None:
        """Stop, like ``close``, but leave the newest picture on the panels."""


class SyncRenderer:
    """Draws in the caller's thread: the simulator has each frame when the turn ends."""

    def __init__(self, panels: Sequence[Panel]) -> None:
        self._panels = panels
        self._is_left_showing = False

    def draw(self, now: float) -> float | None:
        return _update_all(self._panels, now)

    def wait_until_drawn(self, timeout_s: float) -> None:
        """No-op: ``draw`` has drawn."""

    def close(self) -> None:
        if not self._is_left_showing:
            for panel in self._panels:
                panel.close()

    def show_last(self, now: float) -> None:
        self._is_left_showing = True
        self.draw(now)


class PanelWorker:
    """Draws and checks in a thread: a slow or hanging bus never delays a press.

    The thread only waits, for a change or for the time that the panels give.
    """

    def __init__(
        self,
        panels: Sequence[Panel],
        now: Callable[[], float],
        wake: threading.Condition | None = None,
    ) -> None:
        """``wake``: what the thread waits on, of its own by default."""
        self._panels, self._now = panels, now
        self._wake = wake or threading.Condition()
        self._closing = False
        self._has_changes = True
        self._is_drawn = threading.Event()
        self._thread = threading.Thread(target=self._run, name="panels", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def draw(self, now: float) -> float | None:
        with self._wake:
            self._has_changes = True
            self._is_drawn.clear()
            self._wake.notify()
        return None

    def wait_until_drawn(self, timeout_s: float) -> None:
        self._is_drawn.wait(timeout_s)

    def close(self) -> None:
        """End the thread, and leave the panels dark unless ``show_last`` was called."""
        if self._closing:
            return
        if self._stop_thread():
            for panel in self._panels:
                panel.close()

    def show_last(self, now: float) -> None:
        if self._stop_thread():
            # The thread may have ended without drawing the last target.
            for panel in self._panels:
                panel.update(now)

    def _stop_thread(self) -> bool:
        """Wait for a frame on the wire, not for a hanging bus; True if the thread ended."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread.ident is not None:
            self._thread.join(timeout=2.0)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._closing:
            soonest = _update_all(self._panels, self._now())
            with self._wake:
                if not self._has_changes and not self._closing:
                    self._is_drawn.set()
                    self._wake.wait(None if soonest is None else max(0.0, soonest - self._now()))
                self._has_changes = False
