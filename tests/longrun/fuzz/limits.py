"""A bound for what one input may cost, in seconds of processor and not of the clock on the wall."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MOST = 10.0  # seconds of processor; the largest input takes less than one


class Endless(AssertionError):
    """Something goes on and on over a small input."""


@contextmanager
def bounded(seconds: float = MOST) -> Iterator[None]:
    """Ends what takes more processor than that with Endless. In the main thread only."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Endless(f"more than {seconds} s of processor for one input")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
