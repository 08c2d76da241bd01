"""Answer one line of each connection to a socket that systemd passes.

One connection at a time. The process ends after some idle time; systemd starts it again for the
next connection.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Mapping
from typing import Any

IDLE = 30.0  # idle seconds after which the process ends
REQUEST_TIMEOUT = 5.0  # seconds for the request of a connection

Answer = Mapping[str, Any]


def serve(
    listener: socket.socket,
    answer: Callable[[bytes], Answer],
    max_bytes: int,
    idle: float = IDLE,
) -> None:
    """Answer lines of at most ``max_bytes`` until ``idle`` seconds pass without one."""
    while True:
        # Set for each connection: accepted sockets do not inherit the timeout.
        listener.settimeout(idle)
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            return
        with connection, contextlib.suppress(OSError):
            connection.settimeout(REQUEST_TIMEOUT)
            with connection.makefile("rb") as lines:
                line = lines.readline(max_bytes)
            connection.sendall(json.dumps(answer(line), ensure_ascii=False).encode() + b"\n")
