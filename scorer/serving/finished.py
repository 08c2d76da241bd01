"""Finished answers: bytes by name and revision, made once for all who ask.

What is missing is made one at a time, within a share of the processor's time and the addresses in
turn. However many visitors ask, for however many names, making takes no more than that share.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import NamedTuple

from starlette.exceptions import HTTPException

from scorer.serving.static_files import CachedFile

Make = Callable[[], Awaitable[CachedFile]]
# Requests that wait for an answer that is made, of one address and of all.
MAX_WAITING_EACH, MAX_WAITING = 2, 32
REFUSAL_SECONDS = 1.0  # until a request that finds no place is answered
_OVERHEAD = 1000  # bytes of an answer besides its body


class WorkShare:
    """A share of a processor, which may be used ahead and is paid back."""

    def __init__(
        self,
        share: float,
        burst: float,
        rate: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``share``: of each second; ``burst``: seconds at once; ``rate``: works a second."""
        self._share, self._burst, self._clock = share, burst, clock
        self._least = share / rate
        self._left, self._updated_at = burst, clock()

    def wait(self) -> float:
        """Seconds until the next work may begin; 0.0: now."""
        now = self._clock()
        passed, self._updated_at = now - self._updated_at, now
        self._left = min(self._burst, self._left + passed * self._share)
        return max(0.0, -self._left / self._share)

    def spend(self, seconds: float) -> None:
        """Take the seconds that a work has taken."""
        self._left -= max(seconds, self._least)


class _Answer(NamedTuple):
    revision: Hashable
    file: CachedFile
    made_at: float


class FinishedAnswers:
    """The newest answers."""

    def __init__(
        self,
        share: WorkShare,
        max_bytes: int,
        stale_for: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``max_bytes``: of all answers that are kept.

        ``stale_for``: seconds for which an old answer is given while making must wait.
        """
        self._share, self._max_bytes, self._stale_for = share, max_bytes, stale_for
        self._clock, self._size = clock, 0
        self._kept: OrderedDict[Hashable, _Answer] = OrderedDict()  # the last one used is last
        self._making = asyncio.Lock()
        self._waiting: Counter[str] = Counter()  # by address

    async def get(self, name: Hashable, revision: Hashable, address: str, make: Make) -> CachedFile:
        """The answer of this name and revision, or an older one while making must wait.

        Raises HTTPException 429 if too many of an address wait already.
        """
        known = self._kept.get(name)
        if known is not None:
            self._kept.move_to_end(name)
            wait = self._share.wait()
            is_young = self._clock() < known.made_at + self._stale_for
            must_wait = wait or self._making.locked()
            if known.revision == revision or (must_wait and is_young):
                return known.file
        if self._waiting[address] >= MAX_WAITING_EACH or self._waiting.total() >= MAX_WAITING:
            # A client that asks again at once costs little.
            await asyncio.sleep(REFUSAL_SECONDS)
            seconds = math.ceil(self._share.wait()) + 1
            after = {"Retry-After": str(seconds), "Cache-Control": "no-store"}
            raise HTTPException(429, "too many wait for such an answer", after)
        self._waiting[address] += 1
        try:
            async with self._making:
                return await self._made(name, revision, make)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    async def _made(self, name: Hashable, revision: Hashable, make: Make) -> CachedFile:
        known = self._kept.get(name)
        if known is not None and known.revision == revision:  # made for another one meanwhile
            return known.file
        while wait := self._share.wait():
            await asyncio.sleep(wait)
        begin = time.perf_counter()
        try:
            file = await make()
        finally:
            self._share.spend(time.perf_counter() - begin)
        answer = _Answer(revision, file, self._clock())
        before = self._kept.pop(name, None)
        self._size += _size(answer) - (0 if before is None else _size(before))
        self._kept[name] = answer
        while self._size > self._max_bytes and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._size -= _size(dropped)
        return file


def _size(answer: _Answer) -> int:
    return len(answer.file.body) + _OVERHEAD
