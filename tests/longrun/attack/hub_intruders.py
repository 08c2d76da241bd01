"""Intruders at the hub of a hall, in a process of their own, until killed.

It prints a line for each answer: the intruder's name, the status, and the sentence.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import sys
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from scorer.hall import wire
from scorer.hall.rows import Opening
from tests.hub.boxes import HEADER, greet, row, rows_message
from tests.hub.hub_process import TIMEOUT, Client, PinError

PAUSE = 1.0  # seconds between two requests of one intruder
LONG = 10_000_000  # bytes
BAD_PIN = "0" * 64
LOST = "lost"  # the connection was closed without an answer
OPENED = Opening(1, 1, HEADER)
ROWS = wire.encode(rows_message([row(1)], openings=(OPENED,)))
GREETING = wire.encode(greet(machine="intruder"))


class Target(NamedTuple):
    """A hub as an intruder knows it.

    ``revoked``: a token that was good; ``stolen``: that of a box that is on;
    ``replayed``: a request of that box which the hub has answered.
    """

    port: int
    pin: str
    revoked: str
    stolen: str
    replayed: str


def main(words: list[str]) -> None:
    """Run the named intruders side by side; the first word is the target as JSON."""
    target = Target(*json.loads(words[0]))
    for number, name in enumerate(words[1:]):
        threading.Thread(
            target=_attack, args=(name, INTRUDERS[name], target, number), daemon=True
        ).start()
    threading.Event().wait()


def _attack(name: str, act: Callable[[Target], str], target: Target, number: int) -> None:
    time.sleep(number * PAUSE / 36)
    while True:
        answer = LOST
        with contextlib.suppress(OSError, http.client.HTTPException):
            answer = act(target)
        sys.stdout.write(f"{name}\t{answer}\n")
        sys.stdout.flush()
        time.sleep(PAUSE)


def _client(target: Target) -> Client:
    return Client(("127.0.0.1", target.port), target.pin)


def _post(target: Target, path: str, body: bytes, token: str = "") -> str:
    client = _client(target)
    try:
        answer = client.post(path, body, token)
        return f"{answer.status}\t{answer.body.decode()}"
    finally:
        client.close()


def _expect_another_certificate(target: Target) -> str:
    """A box of another hall: it sends nothing."""
    try:
        Client(("127.0.0.1", target.port), BAD_PIN)
    except PinError:
        return "no request"
    return "200\tthe certificate is another one and is accepted"


def _send_long_body(target: Target) -> str:
    """The head of a long body; the hub does not wait for the rest."""
    client = _client(target)
    try:
        headers = {"Authorization": f"Bearer {target.revoked}", "Content-Length": str(LONG)}
        answer = client.request("POST", wire.ROWS_PATH, b"x", headers)
        return f"{answer.status}\t{answer.body.decode()}"
    finally:
        client.close()


def _send_endless_body(target: Target) -> str:
    client = _client(target)
    try:
        headers = {"Authorization": f"Bearer {target.revoked}", "Transfer-Encoding": "chunked"}
        answer = client.request("POST", wire.ROWS_PATH, b"1\r\nx\r\n", headers)
        return f"{answer.status}\t{answer.body.decode()}"
    finally:
        client.close()


def _send_slowly(target: Target) -> str:
    """A byte at a time, until the hub closes the connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        "127.0.0.1", target.port, timeout=TIMEOUT, context=context
    )
    connection.connect()
    head = f"POST {wire.ROWS_PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n"
    with contextlib.closing(connection):
        try:
            for byte in head + "x" * 400:
                connection.sock.sendall(byte.encode())
                time.sleep(PAUSE)
        except OSError:
            return "closed"
    return "200\ta slow request is waited for"


INTRUDERS: dict[str, Callable[[Target], str]] = {
    "wrong pin": _expect_another_certificate,
    "no token": lambda target: _post(target, wire.ROWS_PATH, ROWS),
    "wrong token": lambda target: _post(target, wire.ROWS_PATH, ROWS, "0" * 32),
    "revoked token": lambda target: _post(target, wire.GREET_PATH, GREETING, target.revoked),
    "token of another box": lambda target: _post(target, wire.GREET_PATH, GREETING, target.stolen),
    "repeated request": lambda target: _post(
        target, wire.ROWS_PATH, target.replayed.encode(), target.stolen
    ),
    "10 MB body": _send_long_body,
    "endless body": _send_endless_body,
    "slow bytes": _send_slowly,
}

if __name__ == "__main__":
    main(sys.argv[1:])
