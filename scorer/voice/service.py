"""The voice process: one table, one voice, until a signal stops it.

A missing program or sound card costs the phrases of that time; every phrase tries again.
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections.abc import Awaitable, Callable, Container
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from scorer.api.table_source import TableUnavailable
from scorer.serving.service_loop import ping_watchdog, run_until_signal
from scorer.system.sd_notify import Notifier
from scorer.table_link import LinkStatus, TableLink
from scorer.voice.game_follower import GameFollower
from scorer.voice.players import Player
from scorer.voice.processes import VoiceFault
from scorer.voice.schedule import MAX_DELAY, QUESTION_ROW, Phrase, Schedule
from scorer.voice.sound import SpokenSound

WATCHDOG_INTERVAL: Final = 60.0  # maximum seconds between watchdog pings
QUESTION_PAUSE: Final = 0.7  # seconds; a question that is answered within them is not spoken

T = TypeVar("T")
Synthesise = Callable[[str, str], Awaitable[SpokenSound]]  # of a text in a language


class VoiceOptions(NamedTuple):
    """``is_mute``: without volume; ``language``: "" for that of the table."""

    is_mute: bool = False
    language: str = ""
    is_echoed: bool = False  # phrases are printed after they were played


def run(
    table: Path, options: VoiceOptions, synthesise: Synthesise, player: Player, notifier: Notifier
) -> None:
    """Run until SIGTERM or SIGINT, at the socket ``table``."""
    service = VoiceService(TableLink(table), options, synthesise, player)
    run_until_signal(service.run(notifier), notifier)


class VoiceService:
    """Composes the table's rows, the schedule, the synthesiser and the player."""

    def __init__(
        self,
        table: TableLink,
        options: VoiceOptions,
        synthesise: Synthesise,
        player: Player,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``clock``: seconds; ``pause`` waits for seconds."""
        self._options, self._synthesise, self._player = options, synthesise, player
        self._clock, self._pause = clock, pause
        self._table, self._follower = table, GameFollower(table, options.language)
        self._schedule = Schedule()
        self._offered = asyncio.Event()
        self._question, self._is_asked = "", asyncio.Event()
        self._work: asyncio.Future[Any] | None = None  # on the phrase that is prepared or played
        self._logged = ""

    async def run(self, notifier: Notifier) -> None:
        """Run until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._table.run())
            group.create_task(self._follow_table())
            group.create_task(self._ask())
            group.create_task(self._speak())
            group.create_task(ping_watchdog(notifier, WATCHDOG_INTERVAL))
            notifier.ready("listening")

    async def _follow_table(self) -> None:
        while True:
            await self._table.news.wait()
            self._table.news.clear()
            if self._table.status is not LinkStatus.ONLINE:
                continue
            at = self._clock()
            try:
                news = await self._follower.catch_up()
                self._withdraw(news.undone)
                if news.text:
                    delay = math.inf if news.is_over else MAX_DELAY
                    self._offer(Phrase(news.text, news.row, at, delay, is_kept=news.is_over))
                # Stop the question before, and ask this one unless it is "" or still the same.
                text = self._follower.question_phrase()
                if text != self._question:
                    self._question = text
                    self._withdraw((QUESTION_ROW,))
                    self._is_asked.set()
            except TableUnavailable:
                continue
            except ValueError as error:
                # A newer table may use unknown words.
                self._log(f"this game cannot be told: {error}")

    async def _ask(self) -> None:
        while True:
            await self._is_asked.wait()
            self._is_asked.clear()
            if not self._question:
                continue
            await self._pause(QUESTION_PAUSE)
            if not self._is_asked.is_set():
                self._offer(Phrase(self._question, QUESTION_ROW, self._clock(), math.inf))

    def _offer(self, phrase: Phrase) -> None:
        self._schedule.offer(phrase)
        if self._schedule.spoken is None:
            self._stop()
        self._offered.set()

    def _withdraw(self, rows: Container[int]) -> None:
        if self._schedule.withdraw(rows):
            self._stop()

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()

    async def _speak(self) -> None:
        while True:
            await self._offered.wait()
            self._offered.clear()
            while phrase := self._schedule.next(self._clock(), is_silent=self._is_silent()):
                try:
                    await self._say(phrase)
                except VoiceFault as fault:
                    self._log(str(fault))
                else:
                    self._logged = ""

    async def _say(self, phrase: Phrase) -> None:
        """Prepare a phrase, and play it unless it must not start any more."""
        try:
            sound = await self._until_stopped(
                self._synthesise(phrase.text, self._follower.language)
            )
        except VoiceFault:
            self._schedule.drop(phrase)
            raise
        is_silent = self._is_silent()
        if sound is None or not self._schedule.start(phrase, self._clock(), is_silent=is_silent):
            return
        try:
            await self._until_stopped(self._player.play(sound))
        finally:
            self._schedule.end()
        if self._options.is_echoed:
            print(phrase.text, flush=True)

    async def _until_stopped(self, work: Awaitable[T]) -> T | None:
        """The result of ``work``; None if ``_stop`` ends it."""
        self._work = task = asyncio.ensure_future(work)
        try:
            await asyncio.wait([task])
            return None if task.cancelled() else task.result()
        finally:
            task.cancel()
            self._work = None

    def _is_silent(self) -> bool:
        return self._options.is_mute or self._follower.is_quiet

    def _log(self, sentence: str) -> None:
        """Write a sentence once, until there is another or a phrase is spoken."""
        if sentence != self._logged:
            self._logged = sentence
            sys.stderr.write(f"scorer voice: {sentence}\n")
