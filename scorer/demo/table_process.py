"""The table as a child process: command line, requests, reports, and its end.

It speaks the desk protocol: one JSON object per line in both directions.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple

from scorer.demo.buttons import PinEdge

PATIENCE = 30.0  # seconds the table may take for one answer
Phrase = tuple[tuple[float, float], ...]  # seconds on, seconds off


class TableEnded(Exception):
    """The table ended or no longer answers; has its last sentence and exit code."""

    def __init__(self, sentence: str, code: int, *, was_killed: bool = False) -> None:
        super().__init__(sentence)
        self.code = code
        self.was_killed = was_killed  # SIGKILL, as after a simulated power cut


class TableCommand(NamedTuple):
    """The table to start: the choices of the demo's command line."""

    variant: str
    options: str
    language: str
    layout: str
    panels: int
    store: str
    socket: str | None = None
    names: tuple[str, ...] = ()
    consoles: int = 2
    variants: str = ""  # the folder of the owner's variants
    rematch: bool = False
    light: int = 0  # pixels of a team light
    wall_at_0: float | None = None  # Unix time at the simulated second 0; None: now

    def command(self, at: float, stuck: Sequence[str] = ()) -> list[str]:
        """The command line of a table that starts at ``at`` (simulated seconds)."""
        words = [sys.executable, "-m", "scorer", "run", "--desk"]
        words += ["--variant", self.variant, "--options", self.options]
        words += ["--language", self.language, "--layout", self.layout]
        words += ["--panels", str(self.panels), "--store", self.store, "--at", str(at)]
        words += ["--socket", self.socket] if self.socket else []
        words += ["--names", *self.names] if self.names else []
        words += ["--variants", self.variants] if self.variants else []
        words += ["--consoles", str(self.consoles)] if self.consoles > 2 else []
        words += ["--rematch"] if self.rematch else []
        words += ["--light", str(self.light)] if self.light else []
        words += [] if self.wall_at_0 is None else ["--wall-at-0", str(self.wall_at_0)]
        # Pins that are already low when the table starts.
        words += ["--down", " ".join(stuck)] if stuck else []
        return words

    def power_on(self, at: float, stuck: Sequence[str] = ()) -> TableProcess:
        """The process of a table that starts at ``at``, not started yet."""
        return TableProcess(self.command(at, stuck))


class TableReport(NamedTuple):
    """The table's report after one request; events are those since the last report.

    ``sounds`` are what the presses meant, ``buzz`` is what the buzzer played of them.
    """

    now: float = 0.0
    bus: tuple[tuple[str, bytes], ...] = ()
    lamps: Mapping[str, str] = {}
    light: tuple[tuple[int, int, int], ...] = ()  # red, green and blue of each pixel
    sounds: tuple[str, ...] = ()
    buzz: tuple[Phrase, ...] = ()
    press: tuple[str, ...] = ()
    screen: str = ""
    texts: Mapping[str, tuple[str, ...]] = {}  # by panel
    language: str = ""  # of the table
    state: Mapping[str, Any] = {}
    seq: int = 0

    @property
    def text(self) -> tuple[str, ...]:
        """The texts of the first panel."""
        return next(iter(self.texts.values()), ())


class Ready(NamedTuple):
    """The table's first message."""

    pid: int
    lines: tuple[str, ...]
    panels: Mapping[str, tuple[str, tuple[int, int]]]  # name -> controller, size in pixels


def start_process(command: Sequence[str], stderr: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a table whose input and output are pipes."""
    # A session of its own: Ctrl+C in the terminal is handled by the demo.
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
    )


class TableProcess:
    """A running table. Requests and ``start`` raise TableEnded."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._buffer = b""
        self.report = TableReport()

    def start(self) -> Ready:
        """Start the process and wait until it is ready."""
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        self._process = start_process(self._command, self._stderr)
        return read_ready(self._read_answer())

    def advance(
        self, edges: Sequence[PinEdge], until: float, cut: str | None = None
    ) -> TableReport:
        """Move the pins, advance the table to ``until`` and return its report."""
        request: dict[str, object] = {"edges": edges, "until": until, "brief": True}
        if cut is not None:
            request["cut"] = cut
        return self._ask(request)

    def set_fault(self, panel: str, kind: str | None) -> TableReport:
        """Break the connection of a panel (``gone``) or repair it (None)."""
        return self._ask({"panel": panel, "fault": kind})

    def kill(self) -> None:
        """SIGKILL; the process has ended on return."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def close(self) -> None:
        """End the table: close its input, then wait a moment. Idempotent."""
        if self._stderr.closed:
            return
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=3)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    # Unread data was left in the pipe of a dead process.
                    continue

    def _ask(self, request: Mapping[str, object]) -> TableReport:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._ended_error() from None
        self._read_answer()
        return self.report

    def _read_answer(self) -> dict[str, Any]:
        line = self._read_line()
        try:
            answer = json.loads(line)
            self.report = merge_report(self.report, answer)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TableEnded(
                f"the table said something strange ({error}): {line[:200]!r}", 1
            ) from error
        if "error" in answer:
            raise TableEnded(f"the table did not understand the demo: {answer['error']}", 1)
        return dict(answer)

    def _read_line(self) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            if not select.select([pipe], [], [], PATIENCE)[0]:
                raise TableEnded(f"the table has not answered for {PATIENCE:.0f} seconds", 1)
            piece = os.read(pipe, 1 << 16)
            if not piece:
                raise self._ended_error()
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _ended_error(self) -> TableEnded:
        try:
            code = self._process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            return TableEnded("the table has closed its output but still runs", 1)
        self._stderr.seek(0)
        sentence = self._stderr.read().decode("utf-8", "replace").strip()
        if not sentence:
            sentence = f"the table ended by signal {-code}" if code < 0 else "the table has ended"
        return TableEnded(sentence, code if code > 0 else 1, was_killed=code == -signal.SIGKILL)


def read_ready(first: Mapping[str, Any]) -> Ready:
    """The first message of a table."""
    panels = {
        name: (panel["controller"], (panel["size"][0], panel["size"][1]))
        for name, panel in first["panels"].items()
    }
    return Ready(first["pid"], tuple(first["lines"]), panels)


def merge_report(last: TableReport, answer: Mapping[str, Any]) -> TableReport:
    """The report in ``answer``; fields omitted by a brief one are unchanged."""
    return TableReport(
        now=answer["now"],
        bus=tuple((name, bytes.fromhex(message)) for name, message in answer["bus"]),
        lamps=dict(answer["lamps"]),
        light=tuple((red, green, blue) for red, green, blue in answer.get("light", ())),
        sounds=tuple(answer["sounds"]),
        buzz=tuple(tuple((on, off) for on, off in phrase) for phrase in answer.get("buzz", ())),
        press=tuple(answer["press"]),
        screen=answer["screen"],
        texts={name: tuple(texts) for name, texts in answer["texts"].items()}
        if "texts" in answer
        else last.texts,
        language=answer.get("language", last.language),
        # None: the store cannot be opened.
        state=(answer["state"] or {}) if "state" in answer else last.state,
        seq=answer["seq"],
    )
