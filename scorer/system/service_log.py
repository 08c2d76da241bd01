"""The log of a service: lines on standard error, which the journal keeps.

A line that cannot be written, to a full disk or a closed pipe, is dropped: a log costs no answer. A
line that is repeated is one line and, when another one follows or ``PAUSE`` has passed, a count.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Final

PAUSE: Final = 600.0  # seconds, after which a line that repeats is written again


class ServiceLog:
    """Writes lines that begin with the name of a program; threads may share it."""

    def __init__(self, program: str, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds."""
        self._program, self._clock = program, clock
        self._last, self._written_at, self._dropped = "", 0.0, 0
        self._lock = Lock()

    def __call__(self, sentence: str) -> None:
        with self._lock:
            now = self._clock()
            if sentence == self._last and now < self._written_at + PAUSE:
                self._dropped += 1
                return
            if self._dropped:
                self._write(f"{self._last} ({self._dropped} times more)")
            if sentence != self._last:
                self._write(sentence)
            self._last, self._written_at, self._dropped = sentence, now, 0

    def _write(self, line: str) -> None:
        # ValueError: it is closed.
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{self._program}: {line}\n")
            sys.stderr.flush()
