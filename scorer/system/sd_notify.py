"""Notify systemd: ready, watchdog, status, stopping (the sd_notify protocol).

Without NOTIFY_SOCKET in the environment all calls have no effect.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path

PING_FRACTION = 0.7  # of the watchdog timeout between pings: 7 s of 10
MIN_PING_INTERVAL_S = 0.05  # seconds
LISTEN_FDS_START = 3  # SD_LISTEN_FDS_START: the first descriptor passed by systemd


class Notifier:
    """Sends notifications to the service manager, if there is one."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ means an abstract address, which begins with a zero byte.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._watchdog_usec = environment.get("WATCHDOG_USEC", "")

    def ready(self, status: str) -> None:
        self._send(f"READY=1\nSTATUS={status}")

    def ping_interval(self, default: float) -> float:
        """Seconds between watchdog pings: ``default``, or less for a short WatchdogSec=.

        An owner's drop-in with a shorter timeout must not kill the table again and again.
        """
        if not self._watchdog_usec.isdecimal():
            return default
        return min(
            default,
            max(float(self._watchdog_usec) / 1_000_000 * PING_FRACTION, MIN_PING_INTERVAL_S),
        )

    def ping_watchdog(self) -> None:
        """Reset the watchdog; called only while the main loop and the inputs are alive."""
        self._send("WATCHDOG=1")

    def status(self, status: str) -> None:
        self._send(f"STATUS={status}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        # A missing or slow systemd must not cost a press.
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to,
        ):
            to.setblocking(False)
            to.connect(self._address)
            to.send(text.encode())


def state_folder() -> Path | None:
    """The first folder of StateDirectory= of this service; None outside systemd."""
    named = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(named) if named else None


def passed_sockets(environment: Mapping[str, str] = os.environ) -> list[tuple[str, socket.socket]]:
    """The sockets passed by systemd, each with its FileDescriptorName=, or ""."""
    count = environment.get("LISTEN_FDS", "0")
    if environment.get("LISTEN_PID") != str(os.getpid()) or not count.isdecimal():
        return []
    names = [*environment.get("LISTEN_FDNAMES", "").split(":"), *[""] * int(count)]
    numbers = range(LISTEN_FDS_START, LISTEN_FDS_START + int(count))
    return [(name, socket.socket(fileno=at)) for name, at in zip(names, numbers, strict=False)]
