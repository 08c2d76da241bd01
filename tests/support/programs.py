"""Programs as processes of their own, which end with a block."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.paths import ROOT

PATIENCE = 60.0  # seconds for anything; a loaded machine is slow
# systemd passes sockets as descriptors from 3 on, with their names (4:table,7:phone) and the id of
# the process, which only the process itself knows.
_EXEC_WITH_SOCKETS = """
import fcntl, os, sys
passed = [each.partition(":") for each in sys.argv[1].split(",")]
for at, fd in enumerate([fcntl.fcntl(int(fd), fcntl.F_DUPFD, 50) for fd, _, _ in passed], 3):
    os.dup2(fd, at)
os.environ.update(LISTEN_FDS=str(len(passed)), LISTEN_PID=str(os.getpid()))
if any(name for _, _, name in passed):
    os.environ["LISTEN_FDNAMES"] = ":".join(name for _, _, name in passed)
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


def end(process: subprocess.Popen[str]) -> int:
    """End a program as systemd would; its exit code.

    Raises subprocess.TimeoutExpired for one that goes on, which is killed then.
    """
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    finally:
        if process.stdout is not None:
            process.stdout.close()


def killed(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Yield a program, and kill it."""
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """``scorer`` with these words; what it prints is read."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scorer", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        end(process)


@contextmanager
def ready(
    folder: Path, command: str, *words: str, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """A command of ``scorer`` that has said that it is ready.

    SIGTERM ends it. ``folder``: of its file scorer.toml, and of the file stderr that it writes.
    """
    files = ("--config", str(folder / "scorer.toml"), "--card", str(folder / "none"))
    address = str(folder / "notify.sock")
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified,
        (folder / "stderr").open("w") as errors,
    ):
        notified.bind(address)
        notified.settimeout(PATIENCE)
        with subprocess.Popen(
            [sys.executable, "-m", "scorer", command, *files, *words],
            env={**os.environ, "NOTIFY_SOCKET": address, **environment},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process:
            try:
                assert notified.recv(1000).startswith(b"READY=1")
                yield process
                process.send_signal(signal.SIGTERM)
                process.wait(PATIENCE)
            finally:
                process.kill()


def start_with_sockets(
    passed: Mapping[str, socket.socket],
    words: Sequence[str],
    environment: Mapping[str, str] | None = None,
    stdout: int | None = None,
    stderr: IO[str] | int | None = None,
) -> subprocess.Popen[str]:
    """Python with these words and sockets, as systemd passes them.

    ``passed``: by their names; "" for one without a name.
    """
    named = ",".join(f"{each.fileno()}:{name}" for name, each in passed.items())
    return subprocess.Popen(
        [sys.executable, "-c", _EXEC_WITH_SOCKETS, named, *words],
        cwd=ROOT,
        env=environment,
        stdout=stdout,
        stderr=stderr,
        pass_fds=[each.fileno() for each in passed.values()],
        text=True,
    )
