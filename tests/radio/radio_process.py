"""``scorer radio`` as a process with the socket that systemd passes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.programs import PATIENCE, end, start_with_sockets


class RadioProcess:
    """A running radio. ``folder``: its keys, its socket and its log."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path, self.log = folder, folder / "radio.sock", folder / "radio.log"
        self.address = ("127.0.0.1", free_port())
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = self.folder / "radio-notify.sock"
        address.unlink(missing_ok=True)
        notified.bind(str(address))
        notified.settimeout(PATIENCE)
        words = ["-m", "scorer", "radio", "--state", str(self.folder)]
        words += ["--port", str(self.address[1])]
        with notified, self.log.open("a", encoding="utf-8") as log:
            environment = {**os.environ, "NOTIFY_SOCKET": str(address)}
            process = start_with_sockets({"": self._listener}, words, environment, stderr=log)
            assert notified.recv(1000).startswith(b"READY=1")
        return process

    def restart(self) -> None:
        """End it, and start another one at the same socket and port."""
        assert end(self.process) == 0
        self.process = self._start()

    def ask(self, **request: object) -> dict[str, Any]:
        """The answer to a request."""
        with self.open(**request) as (answer, _):
            return answer

    @contextmanager
    def open(self, **request: object) -> Iterator[tuple[dict[str, Any], socket.socket]]:
        """The answer to a request, and the connection after it."""
        with socket.socket(socket.AF_UNIX) as to:
            to.settimeout(PATIENCE)
            to.connect(str(self.path))
            to.sendall(json.dumps(request).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                byte = to.recv(1)
                assert byte, "no answer"
                answer += byte
            yield json.loads(answer), to

    def wait_for_log(self, words: str, times: int = 1) -> None:
        """Wait until the log contains these words this many times."""
        began = time.monotonic()
        while self.log.read_text(encoding="utf-8").count(words) < times:
            assert time.monotonic() < began + PATIENCE, self.log.read_text(encoding="utf-8")
            time.sleep(0.02)

    def close(self) -> None:
        if self.process.poll() is None:
            end(self.process)
        self._listener.close()


@contextmanager
def running_radio(folder: Path) -> Iterator[RadioProcess]:
    radio = RadioProcess(folder)
    try:
        yield radio
    finally:
        radio.close()


def free_port() -> int:
    """A UDP port of this machine that nothing uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port
