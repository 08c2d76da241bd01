"""The voice process at the socket of a table, with a simulated clock."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from scorer.system.sd_notify import Notifier
from scorer.table_link import TableLink
from scorer.voice.service import VoiceOptions, VoiceService
from tests.support.waiting import until
from tests.voice.voiced_table import HeldPlayer, TextSynthesiser, VoicedTable


class SpeakingTable:
    """A table, its voice, and what is heard."""

    def __init__(self, path: Path) -> None:
        self.table, self.player, self.synthesiser = (
            VoicedTable(path),
            HeldPlayer(),
            TextSynthesiser(),
        )
        self.now = 100.0
        self._pauses: list[tuple[float, asyncio.Future[None]]] = []

    @contextlib.asynccontextmanager
    async def voice(self, *, is_mute: bool = False) -> AsyncIterator[None]:
        """A voice that has read the table's state."""
        service = VoiceService(
            TableLink(self.table.path),
            VoiceOptions(is_mute),
            self.synthesiser.synthesise,
            self.player,
            clock=lambda: self.now,
            pause=self._pause,
        )
        seen = self.table.requests
        running = asyncio.create_task(service.run(Notifier({})))
        try:
            await until(lambda: self.table.requests > seen)
            yield
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running

    async def pass_time(self) -> None:
        """Let the voice's pauses end."""
        pauses, self._pauses = self._pauses, []
        for seconds, end in pauses:
            self.now += seconds
            end.set_result(None)
        await self.settle()

    async def ask(self, question: Mapping[str, Any] | None) -> None:
        """Publish a question of the box, or that there is none."""
        seen = self.table.requests
        self.table.more = {} if question is None else {"question": question}
        self.table.show()
        await until(lambda: self.table.requests > seen)
        await self.settle()

    async def _pause(self, seconds: float) -> None:
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pauses.append((seconds, end))
        await end

    async def press(self, *lines: str) -> None:
        """Press, and wait until the voice has read it."""
        seen = self.table.requests
        self.table.press(*lines)
        await until(lambda: self.table.requests > seen)
        await self.settle()

    async def settle(self) -> None:
        """Let the voice do all that needs no more time."""
        seen = self.table.requests
        self.table.show()
        # It reads a state after it is done with the one before.
        await until(lambda: self.table.requests > seen)
        for _ in range(20):
            await asyncio.sleep(0)
