"""Send the state of a table to its scoreboards as well as to the socket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from scorer.api.scoreboard_protocol import encode_no_score, encode_state
from scorer.table.observers import StateObserver


class ScoreboardOutput(Protocol):
    """A scoreboard that shows lines."""

    def send(self, lines: Sequence[str]) -> None: ...


class ScoreboardPublisher:
    """An observer that also sends each state to the scoreboards."""

    def __init__(self, observer: StateObserver, boards: Sequence[ScoreboardOutput]) -> None:
        self._observer, self._boards = observer, boards

    def set_epoch(self, epoch: dict[str, Any] | None) -> None:
        self._observer.set_epoch(epoch)

    def set_wishes(self, wishes: Sequence[dict[str, Any]]) -> None:
        self._observer.set_wishes(wishes)

    def publish(self, state: dict[str, Any], seq: int) -> None:
        self._observer.publish(state, seq)
        self._send(encode_state(state))

    def publish_unavailable(self) -> None:
        self._observer.publish_unavailable()
        self._send(encode_no_score())

    def reply(self, client: int, message: dict[str, Any]) -> None:
        self._observer.reply(client, message)

    def client_count(self) -> int:
        return self._observer.client_count()

    def has_client(self, client: int) -> bool:
        return self._observer.has_client(client)

    def _send(self, lines: Sequence[str]) -> None:
        for board in self._boards:
            board.send(lines)
