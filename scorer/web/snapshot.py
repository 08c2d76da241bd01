"""Reports for viewers: the table's state, its freshness and its history.

Combines table link, journal and broadcaster: one press is one report with one number.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable

from scorer.api.table_source import TableUnavailable
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.events import encode_event
from scorer.table_link import LinkStatus, TableLink
from scorer.web.audience import DEFAULT_AUDIENCE, Audience
from scorer.web.past_games import PastGames
from scorer.web.report import GameReport, Report, current_fields

HEARTBEAT = 5.0  # seconds between heartbeats
HISTORY_TIMEOUT = 0.25  # seconds that a state waits for its history; then it is sent without


class Reporter:
    """Keeps the newest report. ``run`` never ends; ``news`` signals a change."""

    def __init__(
        self,
        link: TableLink,
        broadcaster: Broadcaster[Audience],
        language: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``language``: until the table has sent its own. ``clock``: Unix time."""
        self.link, self.past_games = link, PastGames(link)
        self.journal = self.past_games.journal
        self._broadcaster, self._language, self._clock = broadcaster, language, clock
        self._epoch, self._rev = secrets.token_hex(4), 0
        self._published: LinkStatus | None = None
        self._publish()

    @property
    def language(self) -> str:
        """The table's language, if known."""
        return self.journal.language or self._language

    @property
    def id(self) -> str:
        """The id of the newest report; its number only increases within a process."""
        return f"{self._epoch}-{self._rev}"

    def report(self, viewers: Audience = DEFAULT_AUDIENCE) -> Report:
        """The newest report with current fields and the phrases of these viewers."""
        viewers = viewers._replace(language=viewers.language or self.language)
        phrases = self._newest.phrases(viewers)
        return {**self._newest.fields, **self._current_fields(), "phrases": phrases}

    def newest(self, viewers: Audience = DEFAULT_AUDIENCE) -> bytes:
        """The newest report as an event."""
        event = "gone" if self._published is LinkStatus.OFFLINE else "state"
        return encode_event(event, self.report(viewers), self.id)

    def heartbeat(self) -> bytes:
        """A heartbeat with the id of the newest report."""
        return encode_event("beat", {**self._current_fields(), "seq": self.link.seq})

    async def run(self) -> None:
        """Publish the table's states, and heartbeats while there is none."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await self.link.news.wait()
            except TimeoutError:
                if self._broadcaster.viewer_count and self.link.status is not LinkStatus.OFFLINE:
                    with contextlib.suppress(TableUnavailable):
                        await self.journal.read_on()
                if self.link.status is not self._published:
                    self._publish()
                else:
                    self._broadcaster.send_heartbeat(self.heartbeat())
            else:
                self.link.news.clear()
                await self._on_news()

    async def refresh_standings(self) -> None:
        """Publish the standings with names that were changed. Raises TableUnavailable."""
        before = self.journal.games().renamed
        await self.journal.read_on()
        if self.journal.games().renamed != before:
            self._publish()

    async def _on_news(self) -> None:
        """Publish a new state, or that the table has gone.

        History that is late is published after it, unless there is a newer state then.
        """
        with contextlib.suppress(TimeoutError, TableUnavailable):
            async with asyncio.timeout(HISTORY_TIMEOUT):
                await self.journal.catch_up()
        if self.link.status is LinkStatus.ONLINE and self.journal.seq > self.link.seq:
            return  # skip the rows whose state is still to be received
        self._publish()
        is_told = self.link.state is None or self._newest.fields["board"] is not None
        if self.journal.is_complete() and is_told:
            return
        try:
            await self.journal.catch_up()
            while not self.link.news.is_set() and await self.journal.read_next_result():
                continue
        except TableUnavailable:
            return
        if self.journal.is_complete():
            self._publish()

    def _publish(self) -> None:
        self._rev += 1
        self._published = self.link.status
        self._newest = GameReport(self.link.state, self.link.seq, self.journal)
        self._broadcaster.publish(self.newest)

    def _current_fields(self) -> Report:
        """The fields that depend on time: the clock and the table's status."""
        now = self._clock()
        gone = self.link.status is LinkStatus.OFFLINE
        return current_fields(
            epoch=self._epoch,
            rev=self._rev,
            now=now,
            device=self.link.device,
            language=self.language,
            table=self.link.status.value,
            since=now - self.link.age() if gone else None,
        )
