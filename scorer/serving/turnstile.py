"""Lets requests of visitors begin one after the other, and the addresses in turn.

A thousand connections may have a request ready at once. Whatever else waits for the event loop, a
press or a row, then waits for one of them instead of a thousand.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque


class Turnstile:
    """Lets at most one request begin in each pass of the event loop."""

    def __init__(self) -> None:
        # The address whose turn it is is the first.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._is_busy = False  # one has begun in this pass

    async def enter(self, address: str) -> None:
        """Wait until a request of ``address`` may begin."""
        loop = asyncio.get_running_loop()
        if not self._is_busy:
            self._is_busy = True
            loop.call_soon(self._let_next)
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        await turn

    def _let_next(self) -> None:
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # a client that has gone has cancelled it
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._let_next)
                return
        self._is_busy = False
