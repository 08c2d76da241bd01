"""A table's socket with rows in memory, and a voice without a sound card."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.server import TableServer, listen
from scorer.voice.processes import VoiceFault
from scorer.voice.sound import SpokenSound
from tools.bench.web import HEADER, row


class VoicedTable:
    """Answers requests for the running game, and sends a state after each press."""

    def __init__(self, path: Path) -> None:
        self.path, self.language, self.requests = path, "es-AR", 0
        self.is_quiet = False
        self.is_read = threading.Event()  # since the first request
        self.more: dict[str, Any] = {}  # further keys of the state
        self._games: list[list[dict[str, Any]]] = [[]]
        self._headers = [HEADER]
        self._names = {"A": "Los Pibes", "B": "La Yunta"}
        self._seq, self._number = 0, 1000
        self._server: TableServer | None = None

    def begin(self, header: str, names: dict[str, str]) -> None:
        """Replace the game by one without steps; ``names`` by side."""
        self._games, self._headers, self._names = [[]], [header], names

    def start(self) -> None:
        self._server = TableServer({Right.READ: listen(self.path)}, "mesa 4", self._answer)
        self._server.start()
        self.show()

    def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def press(self, *lines: str) -> None:
        """One press of these steps."""
        press = self._seq + 1
        for line in lines:
            self._seq += 1
            self._games[-1].append({**row(self._seq, line), "press": press})
        self.show()

    def open_game(self, header: str = HEADER) -> None:
        self._games.append([])
        self._headers.append(header)
        self.show()

    def undo_game(self) -> None:
        """Go back to the game before."""
        self._games.pop()
        self._headers.pop()
        self.show()

    def show(self) -> None:
        """Send the state."""
        self._number += 1
        names = self._names
        state = {"seq": self._seq, "number": self._number, "sides": [*names], "names": names}
        if self._server is not None:
            self._server.publish({**state, **self.more}, self._seq)

    def _answer(self, request: Request) -> None:
        self.requests += 1
        start, running = request.message["from"], len(self._games)
        answer = {
            "id": request.message["id"],
            "ok": True,
            "running": running,
            "seq": self._seq,
            "language": self.language,
            "is_quiet": self.is_quiet,
            "header": self._headers[-1],
            "rows": [each for each in self._games[-1] if each["seq"] >= start],
        }
        assert self._server is not None
        self._server.reply(request.client, answer)
        self.is_read.set()


class TextSynthesiser:
    """Its sound of a text is the text. ``fault``: a sentence, or "" if it works.

    ``is_held``: it does not end by itself.
    """

    def __init__(self) -> None:
        self.fault, self.languages, self.texts = "", list[str](), list[str]()
        self.is_held, self.cut = False, list[str]()

    async def synthesise(self, text: str, language: str) -> SpokenSound:
        self.languages.append(language)
        self.texts.append(text)
        if self.fault:
            raise VoiceFault(self.fault)
        if self.is_held:
            try:
                await asyncio.Event().wait()
            finally:
                self.cut.append(text)
        return SpokenSound(100, text.encode())


class HeldPlayer:
    """Records what it plays; ``hold`` keeps a phrase sounding until ``release``."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.cut: list[str] = []
        self.fault = ""
        self._may_end = asyncio.Event()
        self._may_end.set()

    def hold(self) -> None:
        self._may_end.clear()

    def release(self) -> None:
        self._may_end.set()

    async def play(self, sound: SpokenSound) -> None:
        """Play until released."""
        if self.fault:
            raise VoiceFault(self.fault)
        text = sound.frames.decode()
        self.begun.append(text)
        try:
            await self._may_end.wait()
        except asyncio.CancelledError:
            self.cut.append(text)
            raise
        self.ended.append(text)
