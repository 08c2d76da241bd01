"""When a panel is opened, checked, refreshed and reopened.

The only place that decides it, for the service and for the simulator. Time is an argument; no
thread and no device here.
"""

from __future__ import annotations

from enum import Enum

# Seconds between attempts to reopen a lost panel: short at first, then longer to spare the bus.
RETRY_DELAYS_S = (0.25, 0.5, 1.0, 2.0, 4.0)
# A controller whose supply dipped acknowledges everything and shows nothing, so its status is read
# at this interval. Idle panels too: one that is not written to reports no error.
CHECK_INTERVAL_S = 4.0
# The status does not tell of garbled pixels, nor of other settings.
REFRESH_INTERVAL_S = 60.0


class PanelStep(Enum):
    """What is done with a panel before its target is drawn."""

    WAIT = "wait"  # it is lost, and is tried later: nothing is drawn
    OPEN = "open"
    CHECK = "check"  # ask whether it has its memory, and continue with ``after_check``
    REFRESH = "refresh"  # send settings and picture again
    DRAW = "draw"  # nothing but its target


class PanelSchedule:
    """The times of one panel.

    ``forgets``: it has a controller with a memory, unlike a television, whose full redraw would
    be visible.
    """

    def __init__(self, *, forgets: bool) -> None:
        self._forgets = forgets
        self._is_lost = True
        self._failures = 0
        self._retry_at = self._check_at = self._refresh_at = 0.0

    def next_step(self, now: float) -> PanelStep:
        """The step for a call at ``now``."""
        if self._is_lost:
            return PanelStep.OPEN if now >= self._retry_at else PanelStep.WAIT
        if self._forgets and now >= self._refresh_at:
            return PanelStep.REFRESH
        return PanelStep.CHECK if now >= self._check_at else PanelStep.DRAW

    def after_check(self, has_memory: bool | None, now: float) -> PanelStep:
        """The step after a check; ``has_memory`` is None for a panel that cannot tell."""
        self._check_at = _next_check(now)
        if has_memory is None and self._forgets:
            return PanelStep.REFRESH
        return PanelStep.OPEN if has_memory is False else PanelStep.DRAW

    def on_complete(self, now: float) -> None:
        """Settings and memory were sent: the panel was opened or refreshed."""
        self._is_lost, self._failures = False, 0
        self._check_at, self._refresh_at = _next_check(now), now + REFRESH_INTERVAL_S

    def on_failed(self, now: float) -> None:
        """The panel refused a message."""
        self._is_lost = True
        self._retry_at = now + RETRY_DELAYS_S[min(self._failures, len(RETRY_DELAYS_S) - 1)]
        self._failures += 1

    def deadline(self) -> float:
        """When ``next_step`` is needed next, if nothing is to be drawn earlier."""
        if self._is_lost:
            return self._retry_at
        return self._check_at


def _next_check(now: float) -> float:
    # At the same times for all panels: one wake-up serves them all.
    return (now // CHECK_INTERVAL_S + 1.0) * CHECK_INTERVAL_S
