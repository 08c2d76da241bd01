"""``python -m tools.bench.reader_flood SOCKET READERS`` asks without pause.

Each reader sends as many requests as the table takes of one client, and the next with each answer.
"""

from __future__ import annotations

import selectors
import socket
import sys

from scorer.api.server import MAX_PENDING_REQUESTS

REQUEST = b'{"do": "game", "number": 1}\n'


def main(path: str, readers: int) -> None:
    selector = selectors.DefaultSelector()
    for _ in range(readers):
        end = socket.socket(socket.AF_UNIX)
        end.connect(path)
        end.sendall(REQUEST * MAX_PENDING_REQUESTS)
        selector.register(end, selectors.EVENT_READ)
    is_told, answers = False, 0
    while True:
        for key, _ in selector.select():
            assert isinstance(key.fileobj, socket.socket)
            # The greeting and states are answered too, which does not matter.
            ended = key.fileobj.recv(1 << 20).count(b"\n")
            key.fileobj.sendall(REQUEST * ended)
            answers += ended
        if not is_told and answers > 2 * readers:
            is_told = True
            print("reading", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
