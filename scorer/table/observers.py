"""Who looks at a table from beside it: whoever hears of every change, and what a press became.

It knows no socket and no table: those who serve one and those who are one meet here.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, NamedTuple, Protocol

from scorer.session.state import Sound, Verdict


class StateObserver(Protocol):
    """Whoever hears of every change: the socket, or nobody."""

    def publish(self, state: dict[str, Any], seq: int) -> None: ...
    def publish_unavailable(self) -> None: ...
    def reply(self, client: int, message: dict[str, Any]) -> None: ...
    def client_count(self) -> int: ...
    def has_client(self, client: int) -> bool: ...


class ScoreboardStatus(NamedTuple):
    """A scoreboard was lost or is there: which one, and what is wrong with it ("": nothing)."""

    name: str
    fault: str


class NullObserver:
    """The outside of a table that has none."""

    def publish(self, state: dict[str, Any], seq: int) -> None:
        """Nobody hears it."""

    def publish_unavailable(self) -> None:
        """Nobody misses it."""

    def reply(self, client: int, message: dict[str, Any]) -> None:
        """Nobody asked."""

    def client_count(self) -> int:
        return 0

    def has_client(self, client: int) -> bool:
        return False


PRESS_LOG_SIZE: Final = 1000


class PressResult(NamedTuple):
    """What became of one press, for whoever watches the table from beside it."""

    verdict: Verdict
    sound: Sound


def new_press_log() -> deque[PressResult]:
    """Room for what becomes of presses; where nobody looks, only the newest are kept."""
    return deque(maxlen=PRESS_LOG_SIZE)
