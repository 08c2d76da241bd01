"""Start tables as forks of a process that has imported their modules.

A forked table has pipes, a session, a working directory and an environment of its own and can be
killed, like one that ``table_process.start_process`` starts. It saves importing two hundred modules
for every power cut.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import IO, Any

from scorer import cli
from scorer.demo.table_process import start_process

_FORKING = get_context("forkserver")
_FORKING.set_forkserver_preload(
    [__name__, "scorer.commands.run", "scorer.commands.simulator", "scorer.display.oled.pages"]
)


class ForkedTable:
    """The part of ``subprocess.Popen`` that the demo uses."""

    def __init__(self, command: Sequence[str], stderr: IO[bytes]) -> None:
        inside, outside = os.pipe(), os.pipe()
        pipes = [DupFd(end) for end in (inside[0], outside[1], stderr.fileno())]
        words = list(command[command.index("scorer") + 1 :])
        self._process = _FORKING.Process(
            target=_run, args=(words, pipes, str(Path.cwd()), dict(os.environ)), daemon=True
        )
        self._process.start()
        os.close(inside[0])
        os.close(outside[1])
        self.stdin: IO[bytes] = os.fdopen(inside[1], "wb")
        self.stdout: IO[bytes] = os.fdopen(outside[0], "rb", buffering=0)

    def kill(self) -> None:
        """SIGKILL."""
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("scorer run", timeout or 0.0)
        return self._process.exitcode


def start_table(command: Sequence[str], stderr: IO[bytes]) -> ForkedTable | subprocess.Popen[bytes]:
    """Fork a table; start any other command, such as strace, as a process."""
    if command[:3] == [sys.executable, "-m", "scorer"]:
        return ForkedTable(command, stderr)
    return start_process(command, stderr)


def _run(words: list[str], pipes: Sequence[Any], folder: str, environ: Mapping[str, str]) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    for number, pipe in enumerate(pipes):
        received = pipe.detach()
        os.dup2(received, number)
        os.close(received)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.exit(cli.main(words))
