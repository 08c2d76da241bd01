"""Keep the panels current: draw the newest picture, reopen lost panels.

A ``Panel`` decides when to draw and when to retry; time is an argument. ``PanelWorker`` does so in
a thread of its own, ``SyncRenderer`` in the caller's thread.
Pictures of a television are expensive, so the loop passes a function that draws them later.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scorer.hw.ports import DeviceError, Display

if TYPE_CHECKING:
    from PIL import Image

# Seconds between attempts to reopen a lost panel: short at first, then longer to spare the bus.
RETRY_DELAYS_S = (0.25, 0.5, 1.0, 2.0, 4.0)
# A controller that lost power and came back acknowledges everything and shows nothing; only
# initialisation restores the picture, so it is repeated periodically even without an error.
REFRESH_INTERVAL_S = 60.0
# A panel that is not written to cannot report an error: idle panels are probed at this interval,
# otherwise a loss would go unnoticed and the panel would come back dark.
PROBE_INTERVAL_S = 6.0


class Panel:
    """One display and its target picture. ``error`` is the last error message or "".

    ``side`` is the key of the side on the left of its pictures.
    """

    def __init__(self, name: str, display: Display, side: str = "A") -> None:
        self.name, self._display = name, display
        self.side = side
        self.error = "not opened yet"
        self._lock = threading.Lock()  # only one thread at a time talks to the display
        # One assignment, so that the worker never sees half of a new target.
        self._target: tuple[Image.Image | Callable[[], Image.Image], int, bool] | None = None
        self._shown_picture: object = None
        self._contrast_shown, self._dark_shown = -1, False
        self._failures, self._retry_at = 0, 0.0
        self._opened_at = self._sent_at = 0.0

    @property
    def mode(self) -> str:
        return self._display.mode

    @property
    def size(self) -> tuple[int, int]:
        return self._display.size

    def set_target(
        self, image: Image.Image | Callable[[], Image.Image], contrast: int, *, dark: bool
    ) -> None:
        """Set the newest picture, or a function that draws it; replaces an older one.

        The same function draws the same picture: it is called once.
        """
        self._target = (image, contrast, dark)

    def update(self, now: float) -> float | None:
        """Draw the target if possible; return when to call again, or None."""
        with self._lock:
            return self._update(now)

    def check_connection(self, now: float) -> bool:
        """Probe a panel that was idle; return whether ``update`` is needed.

        A few bytes only, so the main loop may call it. While another thread draws it does nothing;
        a pending picture is left to that thread.
        """
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._has_pending_picture():
                return True
            if not self.error:
                try:
                    self._draw(now)
                except DeviceError as error:
                    self._set_error(str(error), now)
            return bool(self.error)
        finally:
            self._lock.release()

    def _has_pending_picture(self) -> bool:
        wish = None if self._target is None else self._target[0]
        return callable(wish) and wish != self._shown_picture

    def _update(self, now: float) -> float | None:
        if self.error and now < self._retry_at:
            return self._retry_at
        # A television has no controller that forgets, and a full redraw would make it blink.
        is_stale = self.mode == "1" and now - self._opened_at >= REFRESH_INTERVAL_S
        try:
            if self.error or is_stale:
                self._open(now)
            self._draw(now)
        except DeviceError as error:
            self._set_error(str(error), now)
            return self._retry_at
        return None

    def close(self) -> None:
        """Close the display, leaving it dark."""
        self._display.close()

    def _open(self, now: float) -> None:
        self._display.open()
        self.error, self._failures, self._opened_at = "", 0, now
        self._shown_picture, self._contrast_shown, self._dark_shown = None, -1, False

    def _draw(self, now: float) -> None:
        if self._target is None:
            return
        image, contrast, dark = self._target
        picture: object = image if callable(image) else image.tobytes()
        if picture != self._shown_picture:
            self._display.show(_draw_picture(image) if callable(image) else image)
            self._shown_picture, self._sent_at = picture, now
        if contrast != self._contrast_shown or now - self._sent_at >= PROBE_INTERVAL_S:
            self._display.contrast(contrast)
            self._contrast_shown, self._sent_at = contrast, now
        if dark != self._dark_shown:
            self._display.dark(dark)
            self._dark_shown = dark

    def _set_error(self, error: str, now: float) -> None:
        self.error = error
        self._retry_at = now + RETRY_DELAYS_S[min(self._failures, len(RETRY_DELAYS_S) - 1)]
        self._failures += 1


def _draw_picture(draw: Callable[[], Image.Image]) -> Image.Image:
    try:
        return draw()
    except Exception as error:
        # One picture that cannot be drawn must not end the thread that draws the others.
        raise DeviceError(f"its picture cannot be drawn: {error!r}") from error


class Renderer(Protocol):
    """Draws the panels: in the loop's thread or in one of its own."""

    def draw(self, now: float) -> float | None:
        """Draw changed targets; return when to call again, None if not needed."""

    def check_connections(self, now: float) -> None:
        """Periodic check that the panels still answer."""

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
        moments = [panel.update(now) for panel in self._panels]
        return min((moment for moment in moments if moment is not None), default=None)

    def check_connections(self, now: float) -> None:
        self.draw(now)

    def close(self) -> None:
        if not self._is_left_showing:
            for panel in self._panels:
                panel.close()

    def show_last(self, now: float) -> None:
        self._is_left_showing = True
        self.draw(now)


class PanelWorker:
    """Draws in a thread, so that a slow or hanging bus never delays a press."""

    def __init__(self, panels: Sequence[Panel], now: Callable[[], float]) -> None:
        self._panels, self._now = panels, now
        self._wake = threading.Condition()
        self._closing = False
        self._has_changes = True
        self._thread = threading.Thread(target=self._run, name="panels", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def draw(self, now: float) -> float | None:
        with self._wake:
            self._has_changes = True
            self._wake.notify()
        return None

    def check_connections(self, now: float) -> None:
        # In the caller's thread: waking the worker for it would double the wake-ups of an idle
        # table.
        if any([panel.check_connection(now) for panel in self._panels]):
            self.draw(now)

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
            moments = [panel.update(self._now()) for panel in self._panels]
            soonest = min((moment for moment in moments if moment is not None), default=None)
            with self._wake:
                if not self._has_changes and not self._closing:
                    self._wake.wait(None if soonest is None else max(0.0, soonest - self._now()))
                self._has_changes = False
