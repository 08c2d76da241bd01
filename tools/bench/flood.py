"""``python -m tools.bench.flood PORT PATH`` requests a path without pause.

The requests come from many addresses of this machine, because a server limits each of them.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import sys

ADDRESSES = 100  # each may send 20 requests a second
TIMEOUT = 10.0  # seconds for an answer


def main(port: int, path: str) -> None:
    clients = [
        http.client.HTTPConnection("127.0.0.1", port, TIMEOUT, (f"127.0.9.{number}", 0))
        for number in range(1, ADDRESSES + 1)
    ]
    print("flooding", flush=True)
    for client in itertools.cycle(clients):
        with contextlib.suppress(OSError, http.client.HTTPException):
            client.request("GET", path)
            client.getresponse().read()
            continue
        client.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
