"""``scorer run`` as a process under a simulated systemd notification socket.

Tests wait for messages only; nothing sleeps and nothing is measured.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.paths import ROOT
from tests.support.forked_processes import ForkedProcess, start_service
from tests.support.programs import start_with_sockets

TIMEOUT_S = 60  # enough for a slow machine with both cores busy
# The watchdog time in microseconds: the table ticks in 0.7 of it.
WATCHDOG = 200_000

Message = dict[str, Any]


class Service:
    """A running table. ``folder``: its configuration, store, socket and fault files."""

    def __init__(
        self,
        folder: Path,
        config: str,
        passed: Mapping[str, socket.socket],
    ) -> None:
        self.folder, self.path = folder, folder / "table.sock"
        self._notify_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = folder / "notify.sock"
        address.unlink(missing_ok=True)
        self._notify_socket.bind(str(address))
        self._messages: queue.SimpleQueue[str] = queue.SimpleQueue()
        # Unread datagrams are dropped after about ten: the table does not wait for systemd.
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        (folder / "scorer.toml").write_text(config, encoding="utf-8")
        variables = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(WATCHDOG)}
        variables = {**os.environ, "FAULTS": str(folder), **variables}
        words = ["--config", str(folder / "scorer.toml")]
        self.stderr_file = folder / "stderr"
        with self.stderr_file.open("a", encoding="utf-8") as errors:
            self.process: subprocess.Popen[str] | ForkedProcess = (
                start_with_sockets(
                    passed, ["-m", "tests.support.faulty_drivers", *words], variables, stderr=errors
                )
                if passed
                else start_service(words, variables, ROOT, errors)
            )

    def next_message(self) -> str:
        """The next message of the table, or of one of its devices, to systemd."""
        for _ in range(TIMEOUT_S):
            # Checked before the queue is read: the last messages of a process are in the queue by
            # then.
            ended = self.process.poll() is not None
            with contextlib.suppress(queue.Empty):
                return self._messages.get(timeout=1.0)
            if ended:
                break
        raise AssertionError(f"silence; stderr: {self.stderr_text}")

    def messages_until(self, *wanted: str) -> list[str]:
        """The messages up to and including the first that starts with one of ``wanted``."""
        messages = [self.next_message()]
        while not messages[-1].startswith(wanted):
            messages.append(self.next_message())
        return messages

    @property
    def stderr_text(self) -> str:
        return self.stderr_file.read_text(encoding="utf-8")

    def stop(self) -> int:
        """Stop with SIGTERM, as systemd does; return the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT_S)

    def kill(self) -> None:
        """SIGKILL: a power cut for a process."""
        self.process.kill()
        self.process.wait(TIMEOUT_S)

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.connect(self._notify_socket.getsockname())
            last.send(b"")
        self._reader.join(TIMEOUT_S)
        self._notify_socket.close()

    def _listen(self) -> None:
        while message := self._notify_socket.recv(4096):
            self._messages.put(message.decode())


@contextmanager
def running_service(
    folder: Path, config: str, passed: Mapping[str, socket.socket] | None = None
) -> Iterator[Service]:
    """A running table for the block; ``passed``: the sockets of systemd by name."""
    started = Service(folder, config, passed or {})
    try:
        yield started
    finally:
        started.close()


def configuration(folder: Path, more: str = "") -> str:
    """Settings with a store and a socket in ``folder``."""
    return f"""
store.directory = {json.dumps(str(folder / "store"))}
socket.path = {json.dumps(str(folder / "table.sock"))}
{more}
"""
