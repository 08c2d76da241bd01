"""The voice of an evening: at the table's socket, in the time of the script."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Self

from scorer.api.rights import Right, socket_path
from scorer.api.table_source import Message
from scorer.system.sd_notify import Notifier
from scorer.table_link import LinkStatus, TableLink
from scorer.voice.service import VoiceOptions, VoiceService
from scorer.voice.sound import SpokenSound
from tests.support.table_client import TableClient
from tests.support.waiting import until
from tests.voice.voiced_table import TextSynthesiser

SECONDS_OF_A_LETTER = 0.065  # of espeak-ng at its default rate, measured


class EveningVoice:
    """``scorer voice`` beside the demo; phrases last as long as with espeak-ng."""

    def __init__(self, table: Path) -> None:
        self._path = socket_path(table, Right.READ)
        self._synthesiser, self._time = TextSynthesiser(), SimulatedTime()
        self._cut: list[str] = []

    def __enter__(self) -> Self:
        self._runner = asyncio.Runner()
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()  # cancels the voice

    def start(self, now: float) -> None:
        """Connect to the table, which runs, and read its game."""
        self._time.now = now
        self._runner.run(self._start())

    def hear(self, now: float) -> dict[str, list[str]]:
        """The phrases spoken and cut short in the newest line, which ends at ``now``."""
        self._synthesiser.texts.clear()
        self._cut.clear()
        self._runner.run(self._hear(now))
        return {"says": list(self._synthesiser.texts), "cut": list(self._cut)}

    async def _start(self) -> None:
        self._link = _CountingLink(self._path)
        service = VoiceService(
            self._link,
            VoiceOptions(),
            self._synthesiser.synthesise,
            self,
            clock=lambda: self._time.now,
            pause=self._time.sleep,
        )
        self._running = asyncio.create_task(service.run(Notifier({})))
        await self._catch_up()

    async def _hear(self, now: float) -> None:
        await self._catch_up()
        await self._time.advance(now)

    async def _catch_up(self) -> None:
        """Wait until the voice has read the newest state."""
        number = _newest_number(self._path)
        await until(lambda: self._link.has_read(number))
        await _settle()

    async def play(self, sound: SpokenSound) -> None:
        """Wait as long as espeak-ng speaks this text."""
        text = sound.frames.decode()
        try:
            await self._time.sleep(SECONDS_OF_A_LETTER * len(text))
        except asyncio.CancelledError:
            self._cut.append(text)
            raise


class SimulatedTime:
    """Time that passes only when it is advanced. Seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        """Wait for simulated seconds."""
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, end))
        await end

    async def advance(self, now: float) -> None:
        """Wake each sleeper at its time, up to ``now``."""
        while due := [each for each in self._sleepers if each[0] <= now]:
            first = min(due, key=lambda each: each[0])
            self._sleepers.remove(first)
            self.now, end = first
            if not end.done():
                end.set_result(None)
            await _settle()
        self.now = now


class _CountingLink(TableLink):
    """A link that counts its open requests."""

    _open = 0

    async def request(self, **fields: object) -> Message:
        self._open += 1
        try:
            return await super().request(**fields)
        finally:
            self._open -= 1

    def has_read(self, number: int) -> bool:
        """Whether the state of this number was read, and what the voice asked about it."""
        state = self.state or {}
        is_idle = not self._open and not self.news.is_set()
        return self.status is LinkStatus.ONLINE and state.get("number") == number and is_idle


def _newest_number(path: Path) -> int:
    """The number of the newest state, which a new client is sent."""
    with TableClient(path) as client:
        return int(client.state["number"])


async def _settle() -> None:
    """Let the voice do all that needs no more time."""
    for _ in range(20):
        await asyncio.sleep(0)
