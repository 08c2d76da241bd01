"""The states for an MQTT broker, passed to a process of its own.

A broker that hangs, floods or breaks its client affects that process alone: it is started again
after a pause, and what it has not taken is replaced by what is newer.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import sys
from collections import deque
from pathlib import Path
from typing import Any, Final

from scorer.config.link_section import MqttSection
from scorer.link.link_log import write_log
from scorer.link.topics import Topics, note_topics
from scorer.system.libraries import how_to_install

PAUSE: Final = 30.0  # seconds until the process is started again
_MAX_EVENTS: Final = 64  # that wait for the process
SENT_KEYS: Final = (
    "device", "variant", "sides", "target", "score", "games", "best_of", "rematches", "winner",
    "names", "phase", "stake", "hand", "mano", "match", "faults",
)  # fmt: skip


class Outlet:
    """The process, and the newest state for it."""

    def __init__(self, settings: MqttSection, box: str, folder: Path | None = None) -> None:
        """``box``: the id of the box; ``folder``: where its topics are remembered."""
        self._settings, self._box, self._folder = settings, box, folder
        self._device = ""
        self.process: asyncio.subprocess.Process | None = None
        self._newest: bytes | None = None
        self._events: deque[bytes] = deque(maxlen=_MAX_EVENTS)
        self._news = asyncio.Event()

    def publish(self, state: dict[str, Any] | None, device: str) -> None:
        """Replace the state by a newer one; None: there is no table. ``device``: its name."""
        self._device = device
        named = None if state is None else {**state, "device": device}
        document = None if named is None else {key: named.get(key) for key in SENT_KEYS}
        line = json.dumps({"device": device, "state": document}).encode() + b"\n"
        if line != self._newest:
            self._newest = line
            self._news.set()

    def publish_event(self, document: dict[str, Any]) -> None:
        """Let the broker get an event; one that has to wait for long is dropped."""
        line = {"device": document["device"], "event": document}
        self._events.append(json.dumps(line).encode() + b"\n")
        self._news.set()

    async def run(self) -> None:
        """Start the process again and again, until cancelled."""
        if importlib.util.find_spec("paho") is None:
            write_log(f"a broker needs paho-mqtt: {how_to_install('link')}")
            return
        topics = Topics.of(self._settings, self._box)
        write_log(f"the broker gets the score at {topics.state}")
        try:
            former = note_topics(topics, self._box, self._folder)
        except OSError as error:
            write_log(f"the topics cannot be stored: {error.strerror}")
            former = ()
        while True:
            if self._newest is None:
                await self._news.wait()  # the name of the box comes with the first state
            with contextlib.suppress(OSError):
                await self._feed(former)
            await asyncio.sleep(PAUSE)

    async def _feed(self, former: tuple[str, ...]) -> None:
        process = self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "scorer.link.mqtt", stdin=asyncio.subprocess.PIPE
        )
        assert process.stdin is not None
        ended = asyncio.create_task(process.wait())
        try:
            settings = {
                "box": self._box,
                "device": self._device,
                "former": former,
                **self._settings._asdict(),
            }
            process.stdin.write(json.dumps(settings).encode() + b"\n")
            self._news.set()
            while not ended.done():
                news = asyncio.create_task(self._news.wait())
                await asyncio.wait((news, ended), return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
                self._news.clear()
                if self._newest is not None and not ended.done():
                    process.stdin.write(self._newest + b"".join(self._events))
                    self._events.clear()
                    # Newer states replace this one until it has been taken.
                    await process.stdin.drain()
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            ended.cancel()
