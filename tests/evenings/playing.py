"""Play an evening through ``scorer demo --script -``, with requests and the voice.

The demo runs in this process, and the table too. A spoken evening has a table in a process of its
own, a fork: the voice asks that table while the demo waits.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from scorer.api.server import Client
from scorer.demo import command
from scorer.demo.script_player import START
from scorer.demo.table_process import TableCommand
from tests.evenings.evening import Evening, Moment
from tests.evenings.spoken import EveningVoice
from tests.support.in_process_desk import InProcessDesk, desk_of

Answer = dict[str, Any]
PATIENCE = 20.0  # seconds for the table's answer to a request


class Evenings:
    """Standard input and output of the demo: supplies the lines, collects the results."""

    def __init__(self, evening: Evening, socket: Path, voice: EveningVoice | None) -> None:
        self._coming = list(evening.moments)
        self.socket, self._voice = socket, voice
        self.answers: list[Answer] = []
        self._desk: InProcessDesk | None = None

    def power_on(
        self, command: TableCommand, at: float, stuck: Sequence[str] = ()
    ) -> InProcessDesk:
        """Stands for ``TableCommand.power_on``: a table in this process."""
        self._desk = desk_of(command, at, stuck)
        return self._desk

    @property
    def buffer(self) -> Evenings:
        """The bytes of standard input."""
        return self

    def readline(self, limit: int = -1) -> bytes:
        """The next line of the script, after sending the requests before it."""
        if self._voice is not None and not self.answers:
            self._voice.start(START)
        while self._coming and self._coming[0].request is not None:
            self.answers.append(_answered(self._coming.pop(0), self.socket, self._desk))
        return f"{self._coming.pop(0).line}\n".encode() if self._coming else b""

    def write(self, text: str) -> int:
        """Collect a result: the demo writes each of them whole."""
        answer = json.loads(text)
        if self._voice is not None:
            answer |= self._voice.hear(answer["now"])
        self.answers.append(answer)
        return len(text)

    def flush(self) -> None:
        """No-op."""


def play(evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """The results of every line of ``evening``; ``folder`` is for socket and store."""
    socket = folder / "table.sock"
    with EveningVoice(socket) if evening.is_spoken else nullcontext() as voice:
        return _play(evening, Evenings(evening, socket, voice), monkeypatch)


def store_of(folder: Path) -> Path:
    """The store of the table that an evening was played on."""
    return folder / "store"


def _play(evening: Evening, both: Evenings, monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    store = str(store_of(both.socket.parent))
    options = ["--script", "-", "--json", "--language", "es-AR", "--store", store, *evening.options]
    if evening.is_spoken or any(moment.request is not None for moment in evening.moments):
        options += ["--socket", str(both.socket)]
    with monkeypatch.context() as patch, _argentine_time(patch):
        if not evening.is_spoken:
            patch.setattr(TableCommand, "power_on", lambda *how: both.power_on(*how))
        patch.setattr(sys, "stdin", both)
        patch.setattr(sys, "stdout", both)
        code = command.main(options)
    assert code == 0, f"the demo ended with {code}"
    return both.answers


@contextmanager
def _argentine_time(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time zone of Argentina, for the quiet hours."""
    with patch.context() as zone:
        zone.setenv("TZ", "<-03>3")
        time.tzset()
        yield
    time.tzset()


def _answered(moment: Moment, socket: Path, desk: InProcessDesk | None) -> Answer:
    client = Client(socket, timeout=PATIENCE)
    try:
        hello = client.receive()
        assert hello is not None and hello["hello"] == 1
        client.send({"id": 1, "seq": hello["seq"], **(moment.request or {})})
        if desk is not None:
            desk.answer(PATIENCE)
        return next(message for message in client.messages() if message.get("id") == 1)
    finally:
        client.close()
