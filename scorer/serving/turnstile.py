"""Lets requests of visitors begin one after the other, and the addresses in turn.

A thousand connections may have a request ready at once. Whatever else waits for the event loop, a
press or a row, then waits for one of them instead of a thousand, and the loop has three quarters of
its time for others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

_PAUSE = 3.0  # times as long as the pass of the loop in which a request was answered


class Turnstile:
    """Lets a request begin, and the next one after a pause."""

    def __init__(self) -> None:
        # The address whose turn it is is the first.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._is_busy = False  # one has begun, or its pause is not over

    async def enter(self, address: str) -> None:
        """Wait until a request of ``address`` may begin."""
        loop = asyncio.get_running_loop()
        if not self._is_busy:
            self._is_busy = True
            self._watch()
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        await turn

    def _watch(self) -> None:
        """Called in the pass in which a request begins."""
        loop = asyncio.get_running_loop()
        loop.call_soon(self._pause, loop.time())

    def _pause(self, begun_at: float) -> None:
        """Called in the pass after the one in which a request began."""
        loop = asyncio.get_running_loop()
        loop.call_later(_PAUSE * (loop.time() - begun_at), self._let_next)

    def _let_next(self) -> None:
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # a client that has gone has cancelled it
                turn.set_result(None)
                # The request itself runs in the next pass.
                asyncio.get_running_loop().call_soon(self._watch)
                return
        self._is_busy = False
