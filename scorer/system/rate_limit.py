"""Rate limit per address: a token bucket.

Time is an argument.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

MAX_KEYS = 4096  # remembered addresses; beyond that the least recent one is dropped


class _Bucket(NamedTuple):
    tokens: float
    updated_at: float  # seconds, of the last request


class RateLimit:
    """``burst`` requests at once, then ``rate`` per second, for each key."""

    def __init__(self, rate: float, burst: int) -> None:
        if rate <= 0 or burst < 1:
            raise ValueError(f"a limit of {burst} and {rate} a second lets nobody in")
        self._rate, self._burst = rate, burst
        self._buckets: dict[Hashable, _Bucket] = {}

    def acquire(self, key: Hashable, now: float) -> float:
        """Request one token at ``now`` (seconds); return 0.0 or the seconds to wait.

        A refused request costs nothing.
        """
        left, bucket = float(self._burst), self._buckets.get(key)
        if bucket is not None:
            passed = max(0.0, now - bucket.updated_at)
            left = min(left, bucket.tokens + passed * self._rate)
        given = left >= 1.0
        # Remove and insert: keys are ordered by their last request.
        self._buckets.pop(key, None)
        self._buckets[key] = _Bucket(left - 1.0 if given else left, now)
        if len(self._buckets) > MAX_KEYS:
            del self._buckets[next(iter(self._buckets))]
        return 0.0 if given else (1.0 - left) / self._rate

    def give_back(self, key: Hashable) -> None:
        """Return a token: the request was none of those that are limited."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            self._buckets[key] = bucket._replace(tokens=bucket.tokens + 1.0)
