"""A private D-Bus daemon for tests; skipped without one."""

from __future__ import annotations

import contextlib
import gc
import shutil
import socket
import subprocess
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def private_bus(path: Path) -> Iterator[str]:
    """Start a private bus at ``path``; yields its address."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("no dbus-daemon here: apt-get install dbus")
    address = f"unix:path={path}"
    words = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
    with subprocess.Popen([*words, f"--address={address}"], stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline().startswith(b"unix:"), "the bus did not start"
        try:
            yield address
        finally:
            daemon.terminate()


@contextmanager
def bus_that_hangs_up(path: Path) -> Iterator[str]:
    """A bus that closes each accepted connection; yields its address."""

    accepted = contextlib.ExitStack()

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                lines = accepted.enter_context(connection).makefile("rb")
                with lines:
                    lines.readline()
                    connection.send(b"OK 00112233445566778899aabbccddeeff\r\n")
                    lines.readline()
                # Closed later: with unread bytes the client would get a reset.
                connection.shutdown(socket.SHUT_WR)

    with accepted, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"unix:path={path}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
    with warnings.catch_warnings():
        # jeepney does not close its end; its event loop has ended by now.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
