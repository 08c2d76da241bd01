"""Limit of the log messages that clients can cause."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable

from scorer.system.rate_limit import RateLimit

BURST = 20  # messages at once
RATE = 0.1  # messages per second after that


class LogLimit(logging.Filter):
    """Drops messages beyond the limit; the next one says how many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds."""
        super().__init__()
        self._limit, self._clock = RateLimit(RATE, BURST), clock
        self._dropped = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message may be logged."""
        if self._limit.acquire("log", self._clock()):
            self._dropped += 1
            return False
        if self._dropped:
            record.msg = f"{record.getMessage()} ({self._dropped} messages were dropped before)"
            record.args, self._dropped = (), 0
        return True


def limit_logs(names: Iterable[str]) -> None:
    """Limit these loggers together."""
    together = LogLimit()
    for name in names:
        logging.getLogger(name).addFilter(together)
