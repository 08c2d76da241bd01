"""How often an address may ask: a bucket of permissions that fills again as time goes by.

It knows addresses as keys and time as an argument; what is asked, and over what, it does not.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

MAX_KEYS = 4096  # addresses that are remembered; of more the one that asked longest ago is not


class _Bucket(NamedTuple):
    tokens: float
    updated_at: float  # seconds, of the last question


class RateLimit:
    """``burst`` questions at once, then ``rate`` a second, each key by itself."""

    def __init__(self, rate: float, burst: int) -> None:
        if rate <= 0 or burst < 1:
            raise ValueError(f"a limit of {burst} and {rate} a second lets nobody in")
        self._rate, self._burst = rate, burst
        self._buckets: dict[Hashable, _Bucket] = {}

    def acquire(self, key: Hashable, now: float) -> float:
        """Asks for one permission at ``now`` (seconds): 0.0 where it is given, else how long until
        there is one. Who is refused loses nothing by asking.
        """
        left = self._tokens(key, now)
        given = left >= 1.0
        # Taken out and put back: the keys stand in the order in which they asked.
        self._buckets.pop(key, None)
        self._buckets[key] = _Bucket(left - 1.0 if given else left, now)
        if len(self._buckets) > MAX_KEYS:
            del self._buckets[next(iter(self._buckets))]
        return 0.0 if given else (1.0 - left) / self._rate

    def _tokens(self, key: Hashable, now: float) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            return float(self._burst)
        passed = max(0.0, now - bucket.updated_at)
        return min(float(self._burst), bucket.tokens + passed * self._rate)
