"""The process that replays games which are shared, beside the one that serves.

A guest may bring a game, and its replay takes a hundred times as long as any other answer. One line
of JSON on the input is a task; a letter, the length and the body on the output are its answer. The
process ends itself when a task takes too long, or none comes for a while.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterable
from threading import Lock
from typing import Any, BinaryIO, Final

from scorer.serving.qr_svg import qr_svg
from scorer.web.audience import Audience
from scorer.web.shared_game import (
    SheetFault,
    read_shared_game,
    shared_document,
    shared_sheet,
    side_names,
)
from scorer.web.timeline import Timeline, TimelineRow

SECONDS: Final = 10  # the longest that a task may take
IDLE_SECONDS: Final = 60
_NICE = 10  # what is served comes first
_DONE, _FAULT = b"d", b"f"
_HEAD = struct.Struct("!cI")  # whether it is done, and the length of the body
_COMMAND = (sys.executable, "-m", "scorer.web.replay_process")

Task = dict[str, Any]


class ReplayFault(Exception):
    """The process gave no answer."""


class ReplayProcess:
    """Starts the process when it is needed; any thread may ask."""

    def __init__(self, command: tuple[str, ...] = _COMMAND) -> None:
        self._command, self._lock = command, Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, task: Task) -> bytes | SheetFault:
        """The answer to a task of this module. Raises ReplayFault."""
        line = json.dumps(task).encode() + b"\n"
        with self._lock:
            try:
                if self._process is None or self._process.poll() is not None:
                    self.close()
                    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
                    self._process = subprocess.Popen(self._command, **pipes)
                return self._exchange(self._process, line)
            except (OSError, ValueError, struct.error) as error:
                self.close()
                raise ReplayFault(f"no answer: {error!r}") from None

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes | SheetFault:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        kind, length = _HEAD.unpack(process.stdout.read(_HEAD.size))
        body = process.stdout.read(length)
        return body if kind == _DONE else SheetFault(body.decode())


def sheet_task(sheet: bytes, viewers: Audience) -> Task:
    """The document of a score sheet that was brought."""
    return {"do": "sheet", "sheet": sheet.decode("latin-1"), "viewers": viewers}


def game_task(story: Timeline, names: dict[str, str], viewers: Audience) -> Task:
    """The document of a game of the table."""
    return {"do": "game", **_game(story, names), "viewers": viewers}


def code_task(story: Timeline, names: dict[str, str], address: str) -> Task:
    """The QR code of a game of the table; b"" if the game is too long."""
    return {"do": "code", **_game(story, names), "address": address}


def _game(story: Timeline, names: dict[str, str]) -> Task:
    return {"number": story.number, "header": story.header, "rows": story.rows, "names": names}


def answer(task: Task) -> bytes | SheetFault:
    """What the process does with a task."""
    if task["do"] == "sheet":
        story = read_shared_game(task["sheet"].encode("latin-1"))
        if isinstance(story, SheetFault):
            return story
        names = side_names(story)
    else:
        story, names = Timeline(task["number"], task["header"]), task["names"]
        story.add_rows([TimelineRow(*row) for row in task["rows"]])
    if task["do"] == "code":
        digits = shared_sheet(story, names).digits
        return qr_svg(f"{task['address'].rstrip('/')}/game#", digits) if digits else b""
    document = shared_document(story, names, Audience(*task["viewers"]))
    return json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False).encode()


def serve(lines: Iterable[bytes], out: BinaryIO) -> None:
    """Answer each task."""
    for line in lines:
        signal.alarm(SECONDS)
        found = answer(json.loads(line))
        kind, body = (_FAULT, found.encode()) if isinstance(found, SheetFault) else (_DONE, found)
        out.write(_HEAD.pack(kind, len(body)) + body)
        out.flush()
        signal.alarm(IDLE_SECONDS)


def main() -> None:
    signal.alarm(IDLE_SECONDS)
    # Ctrl-C in a terminal is for the one that serves.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
