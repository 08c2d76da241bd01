"""Wait in an event loop for what another task or thread does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 20.0  # seconds for what takes milliseconds


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.005)
