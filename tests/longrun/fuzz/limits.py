"""A CPU-time limit for one input."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MOST = 10.0  # seconds of CPU time; the largest input takes less than one


class Endless(AssertionError):
    """An input exceeded its CPU-time limit."""


@contextmanager
def bounded(seconds: float = MOST) -> Iterator[None]:
    """Raise Endless if the block uses more CPU time. Main thread only (SIGVTALRM)."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Endless(f"more than {seconds} s of processor for one input")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
