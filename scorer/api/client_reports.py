"""Reports of clients, such as an address; each ends with its connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class ClientReports(Generic[T]):
    """The report of every connected client; the newest one counts."""

    def __init__(self, is_connected: Callable[[int], bool], default: T) -> None:
        self._is_connected, self._default = is_connected, default
        self._reports: dict[int, T] = {}

    def put(self, client: int, report: T) -> None:
        """Store the report of ``client``."""
        self._reports.pop(client, None)
        self._reports = {
            each: kept for each, kept in self._reports.items() if self._is_connected(each)
        }
        self._reports[client] = report

    def newest(self) -> T:
        """The newest report of the connected clients; the default without any."""
        for client in reversed(self._reports):
            if self._is_connected(client):
                return self._reports[client]
        return self._default
