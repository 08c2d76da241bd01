"""The inbox of a table's loop: whatever a player waits for comes before requests.

Edges, devices and commands are taken in the order in which they came. A request is taken when none
of them waits and no deadline of the table has passed; so clients that ask without pause delay a
press by one request at most.
"""

from __future__ import annotations

import queue
from typing import Any, Final

from scorer.api.request import Request

_REQUEST_CAME: Final = object()


class OrderedInbox:
    """A queue for one reader. ``put`` may be called by threads and by signal handlers."""

    def __init__(self) -> None:
        self._first: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._waiting = 0  # requests whose coming the reader has seen

    def put(self, item: object, /) -> None:
        if isinstance(item, Request):
            self._requests.put(item)
            self._first.put(_REQUEST_CAME)  # wakes the reader
        else:
            self._first.put(item)

    def get(self, *, timeout: float | None = None) -> Any:  # noqa: ANN401
        """The next item; after 0 seconds no request. Raises queue.Empty."""
        while True:
            try:
                item = self._first.get(block=not self._waiting, timeout=timeout)
            except queue.Empty:
                if not self._waiting or timeout == 0:
                    raise
                self._waiting -= 1
                return self._requests.get_nowait()
            if item is not _REQUEST_CAME:
                return item
            self._waiting += 1
