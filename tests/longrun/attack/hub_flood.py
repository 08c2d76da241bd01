"""Flood a hub until killed.

``python -m tests.longrun.attack.hub_flood KIND WALL SECURE``, with the ports of the hub. All
requests come from one address, that of a guest. It prints a line once it has begun.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import sys
import threading
from collections.abc import Callable

from scorer.hall import wire
from tests.hub.boxes import greet

GUEST = "127.0.66.1"
CLIENTS = {"public document": 16, "document of the wall": 16, "long rows": 8, "handshakes": 8}
CLIENTS |= {"greetings": 16}
_HOST = b"Host: 127.0.0.1\r\n"
_GET = b"GET /api/v1/tournament HTTP/1.1\r\n" + _HOST + b"\r\n"
_UNKNOWN = "0" * wire.TOKEN_DIGITS


def open_socket(address: str, port: int, timeout: float = 10.0) -> socket.socket:
    """A connection of ``address``, one of 127.0.0.0/8. Raises OSError."""
    made = socket.socket()
    made.settimeout(timeout)
    try:
        made.bind((address, 0))
        made.connect(("127.0.0.1", port))
    except OSError:
        made.close()
        raise
    return made


def encrypted(plain: socket.socket) -> ssl.SSLSocket:
    """The same with TLS; the certificate is not checked. Raises OSError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        return context.wrap_socket(plain)
    except OSError:
        plain.close()
        raise


def posted(path: str, body: bytes, length: int = 0, token: str = _UNKNOWN) -> bytes:
    """A request of a box; ``length``: of the whole body."""
    head = f"POST {path} HTTP/1.1\r\nContent-Length: {length or len(body)}\r\n"
    return f"{head}Authorization: Bearer {token}\r\n".encode() + _HOST + b"\r\n" + body


_LONG = posted(wire.ROWS_PATH, b'{"v":1,"rows":[' + b"1," * 125_000 + b"1]}")
_GREETING = posted(wire.GREET_PATH, wire.encode(greet()))


def _repeat(port: int, request: bytes, *, is_secure: bool) -> None:
    """Send the request again and again, until the hub closes the connection."""
    connection = open_socket(GUEST, port)
    with contextlib.closing(encrypted(connection) if is_secure else connection) as end:
        while True:
            end.sendall(request)
            if not end.recv(1 << 16):
                return


def _shake_hands(port: int) -> None:
    encrypted(open_socket(GUEST, port)).close()


def _flood(attack: Callable[[], None]) -> None:
    while True:
        with contextlib.suppress(OSError):
            attack()


def main(kind: str, wall: int, secure: int) -> None:
    """Flood with the clients of this kind."""
    attacks: dict[str, Callable[[], None]] = {
        "public document": lambda: _repeat(secure, _GET, is_secure=True),
        "document of the wall": lambda: _repeat(wall, _GET, is_secure=False),
        "long rows": lambda: _repeat(secure, _LONG, is_secure=True),
        "handshakes": lambda: _shake_hands(secure),
        "greetings": lambda: _repeat(secure, _GREETING, is_secure=True),
    }
    # A guest has a processor of its own: on this machine it must not take that of the boxes.
    os.nice(19)
    for _ in range(CLIENTS[kind]):
        threading.Thread(target=_flood, args=(attacks[kind],), daemon=True).start()
    print("flooding", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
