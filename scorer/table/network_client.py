"""Non-blocking client of the service of the box's own Wi-Fi.

systemd starts it when this client connects to its socket. A thread waits for the answer.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from scorer.system.wifi.watch_request import MAX_LINE_BYTES, SOCKET_NAME, WatchRequest
from scorer.table.service_request import ServiceError, request_line

ANSWER_TIMEOUT_S: Final = 60.0  # seconds: the service may be joining a network


class NetworkClient:
    """Sends requests to the service of the network, one at a time and the newest last."""

    def __init__(self, path: Path) -> None:
        self._path, self._next = path, WatchRequest(is_on=False)
        self._thread: threading.Thread | None = None

    def tell(self, request: WatchRequest) -> None:
        """Send a request in a thread; one that waits is replaced."""
        self._next = request
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._send, name="network", daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Wait until every request is sent."""
        if self._thread is not None:
            self._thread.join()

    def _send(self) -> None:
        sent = None
        while sent != self._next:
            sent = self._next
            line = json.dumps({"do": "watch", **sent._asdict()}).encode() + b"\n"
            with suppress(ServiceError):  # logged; the choice is sent again
                request_line(self._path, line, ANSWER_TIMEOUT_S, MAX_LINE_BYTES, "network")


def network_socket_path(table_socket: Path) -> Path:
    """The socket of the service of the network, in the folder of the table's socket."""
    return table_socket.with_name(SOCKET_NAME)
