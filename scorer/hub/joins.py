"""Boxes that want to join, until the desk decides.

They are kept in memory: a box begins again after a restart of the hub.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from scorer.hall import joining
from scorer.hall.joining import (
    CommitRequest,
    JoinReply,
    JoinState,
    RevealRequest,
    WaitRequest,
)

MAX_WAITING = 32
LASTS = 300.0  # seconds after the last request of a box

_BEGIN_AGAIN = JoinReply(JoinState.REFUSED, text="begin again: the hub does not know this box")
_REFUSED = JoinReply(JoinState.REFUSED, text="the desk has refused the box")
_FULL = JoinReply(JoinState.REFUSED, text="too many boxes want to join; try again in a minute")


class Candidate(NamedTuple):
    """A box that shows its digits."""

    key: str
    code: str
    machine: str
    program: str


@dataclass(slots=True)
class _Joining:
    request: CommitRequest
    hub_nonce: str
    heard_at: float
    code: str = ""
    answer: JoinReply | None = None  # of the desk


class Joins:
    """The boxes between their first request and the answer of the desk."""

    def __init__(self, pin: str, random_hex: Callable[[int], str]) -> None:
        """``pin``: of the hub's certificate."""
        self._pin, self._random_hex = pin, random_hex
        self._joining: dict[str, _Joining] = {}

    def answer(self, request: CommitRequest | RevealRequest | WaitRequest, now: float) -> JoinReply:
        """The answer to one step at ``now`` (seconds)."""
        self._forget_silent(now)
        if isinstance(request, CommitRequest):
            return self._commit(request, now)
        found = self._joining.get(request.key)
        if found is None:
            return _BEGIN_AGAIN
        found.heard_at = now
        if isinstance(request, RevealRequest):
            return self._reveal(found, request)
        return found.answer or JoinReply(_state_of(found))

    def candidates(self, now: float) -> list[Candidate]:
        """The boxes that wait for the desk."""
        self._forget_silent(now)
        return [
            Candidate(key, each.code, each.request.machine, each.request.program)
            for key, each in self._joining.items()
            if each.code and each.answer is None
        ]

    def accept(self, key: str, table: int, hall: str) -> None:
        """The desk has accepted the box."""
        self._joining[key].answer = JoinReply(JoinState.ACCEPTED, table=table, hall=hall)

    def refuse(self, key: str) -> None:
        if key in self._joining:
            self._joining[key].answer = _REFUSED

    def _commit(self, request: CommitRequest, now: float) -> JoinReply:
        if request.key not in self._joining and len(self._joining) >= MAX_WAITING:
            return _FULL
        nonce = self._random_hex(joining.NONCE_DIGITS)
        self._joining[request.key] = _Joining(request, nonce, now)
        return JoinReply(JoinState.COMMITTED, nonce=nonce)

    def _reveal(self, found: _Joining, request: RevealRequest) -> JoinReply:
        # A second nonce would let a third party try until the digits agree.
        if joining.commitment_to(request.nonce) != found.request.commitment:
            del self._joining[request.key]
            return _BEGIN_AGAIN
        found.code = joining.code(self._pin, request.key, request.nonce, found.hub_nonce)
        return JoinReply(JoinState.WAITING)

    def _forget_silent(self, now: float) -> None:
        silent = [key for key, each in self._joining.items() if now - each.heard_at > LASTS]
        for key in silent:
            del self._joining[key]


def _state_of(found: _Joining) -> JoinState:
    return JoinState.WAITING if found.code else JoinState.COMMITTED
