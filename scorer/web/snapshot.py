"""Reports for viewers: the table's state, its freshness and its history.

Combines table link, journal and broadcaster: one press is one report with one number. The state
document is passed on unchanged; derived values are added next to it, and left out if they disagree.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Callable
from typing import Any

from scorer import __version__
from scorer.i18n import Say, translator
from scorer.rules import Game, state_document
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.events import encode_event
from scorer.session.values.settings import LAMPS
from scorer.session.view.build_view import view_of_game
from scorer.session.view.state_view import offered_game, question_view, shown_game
from scorer.session.view.view import View
from scorer.table_link import LinkStatus, TableLink, TableUnavailable
from scorer.web.audience import DEFAULT_AUDIENCE, Audience
from scorer.web.bare_view import bare_view
from scorer.web.board import board_document
from scorer.web.journal_reader import JournalReader
from scorer.web.report_phrases import report_phrases, viewer_scene
from scorer.web.timeline import Timeline

HEARTBEAT = 5.0  # seconds between heartbeats
HISTORY_TIMEOUT = 0.25  # seconds that a state waits for its history; then it is sent without
RECENT_ENTRIES = 3  # entries of the history in every report
_TABLE_ONLY_KEYS = (
    "seq",
    "number",
    "names",
    "lamps",
    "match",
    "next_game",
    "is_next_hand_shown",
    "question",
)  # keys of a running table, which the document of the rules lacks

Report = dict[str, Any]


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
        self.link, self.journal = link, JournalReader(link)
        self._broadcaster, self._language, self._clock = broadcaster, language, clock
        self._epoch, self._rev = secrets.token_hex(4), 0
        self._body: Report = {}
        self._game: Game | None = None  # shown in the newest report, if known
        self._phrases: dict[Audience, Report | None] = {}  # of the newest report
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
        phrases = self._phrases_for(viewers._replace(language=viewers.language or self.language))
        return {**self._body, **self._current_fields(), "phrases": phrases}

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
                await self._on_silence()
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
        """Publish a new state, or that the table has gone."""
        with contextlib.suppress(TimeoutError, TableUnavailable):
            async with asyncio.timeout(HISTORY_TIMEOUT):
                await self.journal.catch_up()
        if self.link.status is LinkStatus.ONLINE and self.journal.seq > self.link.seq:
            return  # skip the rows whose state is still to be received
        self._publish()
        await self._publish_late_history()

    async def _publish_late_history(self) -> None:
        """Publish the history that was late, unless there is a newer state."""
        if self.journal.is_complete():
            return
        try:
            await self.journal.catch_up()
            while not self.link.news.is_set() and await self.journal.read_next_result():
                continue
        except TableUnavailable:
            return
        if self.journal.is_complete():
            self._publish()

    async def _on_silence(self) -> None:
        """Send a heartbeat, and update the status if the table does not answer."""
        if self._broadcaster.viewer_count and self.link.status is not LinkStatus.OFFLINE:
            with contextlib.suppress(TableUnavailable):
                await self.journal.read_on()
        if self.link.status is not self._published:
            self._publish()
        else:
            self._broadcaster.send_heartbeat(self.heartbeat())

    def _publish(self) -> None:
        self._rev += 1
        self._published = self.link.status
        story = self.journal.timeline
        self._game = self._shown_game(story)
        self._body = {"state": self.link.state, **self._journal_fields(story)}
        self._phrases = {}
        self._broadcaster.publish(self.newest)

    def _shown_game(self, story: Timeline | None) -> Game | None:
        state = self.link.state
        if story is None or state is None or not self._matches_table(story):
            return None
        return shown_game(story.game, state)

    def _phrases_for(self, viewers: Audience) -> Report | None:
        """The phrases of one audience, made once for each report; None without a score."""
        if self._body["state"] is None:
            return None
        if viewers not in self._phrases:
            say = translator(viewers.language)
            scene = viewer_scene(self._view(say), say, viewers.first)
            phrases = {"language": viewers.language, **report_phrases(scene, self._body)}
            self._phrases[viewers] = phrases
        return self._phrases[viewers]

    def _view(self, say: Say) -> View:
        """The game as a view; without its history, from the state alone."""
        state = self._body["state"]
        if self._game is None:
            view = bare_view(state, say)
        else:
            names = tuple(state.get("names", {}).get(side, "") for side in state["sides"])
            view = view_of_game(self._game, names)
        lamps = tuple(state.get("lamps", {}).values()) or LAMPS
        return view._replace(
            question=question_view(state),
            lamps=lamps,
            next_game=offered_game(state) or view.next_game,
        )

    def _current_fields(self) -> Report:
        """The fields that depend on time: the clock and the table's status."""
        now = self._clock()
        gone = self.link.status is LinkStatus.OFFLINE
        return {
            "id": self.id,
            "epoch": self._epoch,
            "rev": self._rev,
            "at": round(now, 3),
            "version": __version__,
            "device": self.link.device,
            "language": self.language,
            "table": self.link.status.value,
            "since": round(now - self.link.age(), 3) if gone else None,
        }

    def _journal_fields(self, story: Timeline | None) -> Report:
        """The fields derived from the journal."""
        return {
            "board": None if self._game is None else board_document(self._game),
            "hands": story.hand_scores() if story and self._game is not None else [],
            "recent": [dict(entry) for entry in story.entries[-RECENT_ENTRIES:]] if story else [],
            "night": self.journal.ranking(),
        }

    def _matches_table(self, timeline: Timeline) -> bool:
        """Whether the derived values agree with the table's state."""
        state = self.link.state
        if state is None or self.journal.seq != self.link.seq:
            return False
        document = {key: value for key, value in state.items() if key not in _TABLE_ONLY_KEYS}
        return bool(document == json.loads(json.dumps(state_document(timeline.game))))
