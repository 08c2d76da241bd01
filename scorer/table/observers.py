"""Observer interface of the table, and the result of a press.

Shared by the table and the socket server, which do not import each other.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from scorer.session.values.state import Sound, Verdict


class StateObserver(Protocol):
    """Receives every change of the state; implemented by the socket server."""

    def set_epoch(self, epoch: dict[str, Any] | None) -> None: ...
    def set_wishes(self, wishes: Sequence[dict[str, Any]]) -> None: ...
    def publish(self, state: dict[str, Any], seq: int) -> None: ...
    def publish_unavailable(self) -> None: ...
    def reply(self, client: int, message: dict[str, Any]) -> None: ...
    def client_count(self) -> int: ...
    def has_client(self, client: int) -> bool: ...


class NullObserver:
    """Observer that discards everything."""

    def set_epoch(self, epoch: dict[str, Any] | None) -> None:
        """Discard the epoch."""

    def set_wishes(self, wishes: Sequence[dict[str, Any]]) -> None:
        """Discard the wishes."""

    def publish(self, state: dict[str, Any], seq: int) -> None:
        """Discard the state."""

    def publish_unavailable(self) -> None:
        """Do nothing."""

    def reply(self, client: int, message: dict[str, Any]) -> None:
        """Discard the reply."""

    def client_count(self) -> int:
        return 0

    def has_client(self, client: int) -> bool:
        return False


PRESS_LOG_SIZE: Final = 1000  # the newest ones are kept


class PressResult(NamedTuple):
    """The result of one press, for simulators and tests."""

    verdict: Verdict
    sound: Sound
