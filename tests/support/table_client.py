"""A client of a table's socket: a link, a phone or another program."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from scorer.api.rights import Right, socket_path
from scorer.api.server import Client

TIMEOUT_S = 60  # enough for a slow machine with both cores busy
Message = dict[str, Any]


class TableClient:
    """A client with its greeting, the newest state and its wishes.

    It closes with its block. ``right``: of the socket; None if ``path`` is that socket.
    """

    def __init__(self, path: Path, right: Right | None = None) -> None:
        self._client = Client(path if right is None else socket_path(path, right), TIMEOUT_S)
        self._id, self._state = 0, Message()
        self.wishes: list[Message] = []
        self.hello = self._receive()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def state(self) -> Message:
        """The newest state received; the first one is awaited."""
        return self._state or self.next_state()

    def next_state(self) -> Message:
        """The next state; answers must have been received."""
        message = self._receive()
        assert "state" in message, message
        return self._keep(message)

    def state_at(self, seq: int) -> Message:
        """The state after row ``seq``."""
        while self.state["seq"] < seq:
            self.next_state()
        return self._state

    def ask(self, **request: object) -> Message:
        """The answer to a request, without its id; states received before it are kept."""
        self._id += 1
        self._client.send({"id": self._id, **request})
        while "state" in (message := self._receive()):
            self._keep(message)
        assert message.pop("id") == self._id
        return message

    def look(self) -> Self:
        """Read the states that were published until now."""
        self.ask(do="journal", limit=1)
        return self

    def close(self) -> None:
        self._client.close()

    def _keep(self, message: Message) -> Message:
        self._state, self.wishes = message["state"], message.get("wishes", [])
        return self._state

    def _receive(self) -> Message:
        message = self._client.receive()
        assert message is not None, "the table has hung up"
        return message
