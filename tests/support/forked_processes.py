"""Forks tables, services and hubs of a process that has imported their modules.

A fork has pipes, a session, a working directory and an environment of its own and can be killed,
like a process of ``scorer``. It saves importing hundreds of modules for every start.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import IO, Any

from scorer.demo.table_process import start_process

_FORKING = get_context("forkserver")
_FORKING.set_forkserver_preload(
    [
        __name__,
        "scorer.cli",
        "scorer.commands.run",
        "scorer.commands.simulator",
        "scorer.display.oled.pages",
        "scorer.hub.administration",
        "scorer.hub.command",
        "scorer.hub.server",
        "scorer.rules.variants.argentine",
        "scorer.rules.variants.gaucho",
        "scorer.rules.variants.mineiro",
        "scorer.rules.variants.paulista",
        "tests.support.compiled_templates",
        "tests.support.simulated_service",
        # What they import when they need it.
        "cryptography.hazmat.primitives.serialization",
        "cryptography.x509",
        "gpiozero",
        "luma.oled.device",
        "sqlalchemy.dialects.sqlite",
        "uvicorn.lifespan.off",
    ]
)
_SCORER, _SERVICE = "scorer.cli", "tests.support.faulty_drivers.__main__"
_HUB = "tests.support.cheap_passwords"


class ForkedProcess:
    """A program in a fork: the part of ``subprocess.Popen`` that tests use.

    ``main``: the module whose ``main`` is called with ``words``. ``pipes``: standard input, output
    and error.
    """

    def __init__(
        self,
        main: str,
        words: Sequence[str],
        pipes: Sequence[int],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        where = str(folder or Path.cwd()), dict(os.environ if environment is None else environment)
        self._process = _FORKING.Process(
            target=_run, args=(main, words, [DupFd(end) for end in pipes], *where), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process.pid is not None
        return self._process.pid

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if it still runs."""
        if self._process.is_alive():
            os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("scorer", timeout or 0.0)
        return self._process.exitcode


class ForkedTable(ForkedProcess):
    """A table with pipes: the part of ``subprocess.Popen`` that the demo uses."""

    def __init__(self, command: Sequence[str], stderr: IO[bytes]) -> None:
        inside, outside = os.pipe(), os.pipe()
        words = command[command.index("scorer") + 1 :]
        super().__init__(_SCORER, words, (inside[0], outside[1], stderr.fileno()))
        os.close(inside[0])
        os.close(outside[1])
        self.stdin: IO[bytes] = os.fdopen(inside[1], "wb")
        self.stdout: IO[bytes] = os.fdopen(outside[0], "rb", buffering=0)


class ForkedHub(ForkedProcess):
    """A hub: what it writes is read as text."""

    def __init__(self, words: Sequence[str]) -> None:
        outside = os.pipe()
        with Path(os.devnull).open("rb") as nothing:
            super().__init__(_HUB, words, (nothing.fileno(), outside[1], 2))
        os.close(outside[1])
        self.stdout: IO[str] = os.fdopen(outside[0])


def start_table(command: Sequence[str], stderr: IO[bytes]) -> ForkedTable | subprocess.Popen[bytes]:
    """Fork a table; start any other command, such as strace, as a process."""
    if command[:3] == [sys.executable, "-m", "scorer"]:
        return ForkedTable(command, stderr)
    return start_process(command, stderr)


def start_hub(command: Sequence[str]) -> ForkedHub:
    """Fork a hub. ``command``: the interpreter, ``-m scorer`` and the words after it."""
    assert command[:3] == [sys.executable, "-m", "scorer"]
    return ForkedHub(command[3:])


def start_service(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, stderr: IO[str]
) -> ForkedProcess:
    """Fork a service whose drivers fail on demand."""
    with Path(os.devnull).open("r+b") as nothing:
        pipes = (nothing.fileno(), 1, stderr.fileno())
        return ForkedProcess(_SERVICE, words, pipes, environment, folder)


def _run(
    main: str, words: list[str], pipes: Sequence[Any], folder: str, environ: Mapping[str, str]
) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    for number, pipe in enumerate(pipes):
        received = pipe.detach()
        os.dup2(received, number)
        os.close(received)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    sys.exit(import_module(main).main(words))
