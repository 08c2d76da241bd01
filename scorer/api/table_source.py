"""A table that answers requests: behind its socket, or in the same process."""

from typing import Any, Protocol

Message = dict[str, Any]


class TableUnavailable(Exception):
    """The table could not be reached, or did not answer."""


class TableSource(Protocol):
    """A table that answers requests (socket.md#requests)."""

    @property
    def greetings(self) -> int:
        """How often the table was connected: another one has another journal."""

    @property
    def seq(self) -> int:
        """The row of the journal that its newest state has reached."""

    @property
    def state(self) -> Message | None:
        """Its newest state document."""

    async def request(self, **fields: object) -> Message:
        """The answer to one request. Raises TableUnavailable."""
