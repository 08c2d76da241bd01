"""Telling systemd how we are: ready, alive, stopping (sd_notify, over its datagram socket).

Without a NOTIFY_SOCKET in the environment nothing is said and nothing fails.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping

PING_FRACTION = 0.7  # of the watchdog's patience may pass from ping to ping: 7 s of its 10
MIN_PING_INTERVAL_S = 0.05  # seconds
LISTEN_FDS_START = 3  # systemd passes sockets from this descriptor on


class Notifier:
    """Speaks to whoever started us, if they want to hear."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of an abstract address.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._watchdog_usec = environment.get("WATCHDOG_USEC", "")

    def ready(self, status: str) -> None:
        self._send(f"READY=1\nSTATUS={status}")

    def ping_interval(self, default: float) -> float:
        """Seconds from ping to ping: ``usual``, or less where systemd's watchdog waits for less.

        An owner's drop-in with a shorter WatchdogSec= must not kill the table again and again.
        """
        if not self._watchdog_usec.isdecimal():
            return default
        return min(
            default,
            max(float(self._watchdog_usec) / 1_000_000 * PING_FRACTION, MIN_PING_INTERVAL_S),
        )

    def ping_watchdog(self) -> None:
        """Only while the loop turns and the inputs live: this is what the watchdog waits for."""
        self._send("WATCHDOG=1")

    def status(self, status: str) -> None:
        self._send(f"STATUS={status}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        # systemd going away, or being slow, is no reason to lose a press.
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to,
        ):
            to.setblocking(False)
            to.connect(self._address)
            to.send(text.encode())


def passed_socket(environment: Mapping[str, str] = os.environ) -> socket.socket | None:
    """The listening socket that systemd made for us, or None."""
    mine = environment.get("LISTEN_PID") == str(os.getpid())
    if not mine or environment.get("LISTEN_FDS", "0") == "0":
        return None
    return socket.socket(fileno=LISTEN_FDS_START)
