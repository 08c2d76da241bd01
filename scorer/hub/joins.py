"""Boxes that want to join, until the desk decides.

They are kept in memory: a box begins again after a restart of the hub. A try is opened when the hub
tells its nonce: from that turn on the digits can be computed, and the desk shows them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from scorer.hall import joining
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    EarlierRequest,
    JoinReply,
    JoinState,
    NonceRequest,
    WaitRequest,
)

MAX_UNOPENED, MAX_UNOPENED_EACH = 32, 4  # tries in all, and of one address
MAX_OPEN, MAX_OPEN_EACH = 60, 2
LASTS = 600.0  # seconds for which a try counts, unless the desk answers it
_MINUTE = 60  # seconds

_BEGIN_AGAIN = JoinReply(JoinState.REFUSED, text="begin again: the hub does not know this box")
_REFUSED = JoinReply(JoinState.REFUSED, text="the desk has refused the box")
_USED = JoinReply(JoinState.REFUSED, text="this key has had its try; the box begins with a new one")
_EARLIER = JoinReply(
    JoinState.REFUSED, text="the program of the box joins in an unsafe way; bring it up to date"
)


class Candidate(NamedTuple):
    """A box that waits for the desk: its digits, or the SHA-256 and table of its card."""

    key: str
    code: str
    machine: str
    program: str
    card: str = ""
    table: int = 0


@dataclass(slots=True)
class _Try:
    request: BeginRequest
    address: str
    hub_nonce: str
    since: float  # of its newest step, in seconds
    code: str = ""  # "" until it is opened


class _Answer(NamedTuple):
    reply: JoinReply
    at: float


class Joins:
    """The boxes between their first request and the answer of the desk."""

    def __init__(self, pin: str, random_hex: Callable[[int], str]) -> None:
        """``pin``: of the hub's certificate."""
        self._pin, self._random_hex = pin, random_hex
        self._tries: dict[str, _Try] = {}  # by key, oldest first
        self._answers: dict[str, _Answer] = {}  # of the desk
        self._with_cards: dict[str, tuple[Candidate, float]] = {}  # by card, since when

    def answer(
        self,
        request: BeginRequest | NonceRequest | EarlierRequest | WaitRequest,
        address: str,
        now: float,
    ) -> JoinReply:
        """The answer to one step at ``now`` (seconds)."""
        self._forget_old(now)
        match request:
            case BeginRequest():
                known = self._tries.get(request.key)
                if request.key in self._answers or (known is not None and known.code):
                    return _USED
                if (full := self._full(address, now)) is not None:
                    return full
                if known is None:
                    self._make_room(address)
                    nonce = self._random_hex(joining.NONCE_DIGITS)
                    known = self._tries[request.key] = _Try(request, address, nonce, now)
                # A second nonce would let a third party choose between the two.
                return JoinReply(
                    JoinState.COMMITTED, commitment=joining.commitment_to(known.hub_nonce)
                )
            case NonceRequest():
                return self._open(request, address, now)
            case EarlierRequest():
                return _EARLIER
        if (answer := self._answers.get(request.key)) is not None:
            return answer.reply
        waiting = any(each.key == request.key for each in self.candidates(now))
        return JoinReply(JoinState.WAITING) if waiting else _BEGIN_AGAIN

    def ask_about(self, request: CardRequest, card: str, table: int, now: float) -> JoinReply:
        """Let a box with a card wait for the desk, as its table has another box.

        Each card has one place.
        """
        self._forget_old(now)
        if (answer := self._answers.get(request.key)) is not None:
            return answer.reply
        found = Candidate(request.key, "", request.machine, request.program, card, table)
        self._with_cards[card] = found, now
        return JoinReply(JoinState.WAITING)

    def candidates(self, now: float) -> list[Candidate]:
        """The boxes that wait for the desk."""
        self._forget_old(now)
        with_digits = [
            Candidate(key, each.code, each.request.machine, each.request.program)
            for key, each in self._tries.items()
            if each.code
        ]
        return with_digits + [found for found, _ in self._with_cards.values()]

    def accept(self, key: str, table: int, hall: str, now: float) -> None:
        """The desk has accepted the box."""
        self._decide(key, JoinReply(JoinState.ACCEPTED, table=table, hall=hall), now)

    def refuse(self, key: str, now: float) -> None:
        """The desk has refused the box, whose place is free."""
        if key in self._tries or any(each.key == key for each, _ in self._with_cards.values()):
            self._decide(key, _REFUSED, now)

    def _decide(self, key: str, reply: JoinReply, now: float) -> None:
        self._tries.pop(key, None)
        for card in [card for card, (each, _) in self._with_cards.items() if each.key == key]:
            del self._with_cards[card]
        self._answers[key] = _Answer(reply, now)

    def _make_room(self, address: str) -> None:
        """Drop the oldest unopened try of an address, or of all, if there are too many."""
        unopened = [key for key, each in self._tries.items() if not each.code]
        own = [key for key in unopened if self._tries[key].address == address]
        if len(own) >= MAX_UNOPENED_EACH:
            del self._tries[own[0]]
        elif len(unopened) >= MAX_UNOPENED:
            del self._tries[unopened[0]]

    def _open(self, request: NonceRequest, address: str, now: float) -> JoinReply:
        found = self._tries.get(request.key)
        if found is None:
            return _BEGIN_AGAIN
        if found.code:
            return _USED
        if (full := self._full(address, now)) is not None:
            return full
        found.address, found.since = address, now
        found.code = joining.code(self._pin, request.key, request.nonce, found.hub_nonce)
        return JoinReply(JoinState.WAITING, nonce=found.hub_nonce)

    def _full(self, address: str, now: float) -> JoinReply | None:
        """The refusal while too many tries are open, with the true wait."""
        opened = [each for each in self._tries.values() if each.code]
        waits = (
            _wait(opened, MAX_OPEN, now),
            _wait([each for each in opened if each.address == address], MAX_OPEN_EACH, now),
        )
        if not any(waits):
            return None
        wait = max(waits)
        minutes = math.ceil(wait / _MINUTE)
        text = f"too many boxes wait; try again when the desk has decided, or in {minutes} min"
        return JoinReply(JoinState.REFUSED, text=text, wait=wait)

    def _forget_old(self, now: float) -> None:
        for key in [key for key, each in self._tries.items() if now - each.since >= LASTS]:
            del self._tries[key]
        for card in [card for card, (_, at) in self._with_cards.items() if now - at >= LASTS]:
            del self._with_cards[card]
        for key in [key for key, each in self._answers.items() if now - each.at >= LASTS]:
            del self._answers[key]


def _wait(opened: Iterable[_Try], most: int, now: float) -> int:
    """Seconds until fewer than ``most`` are open; 0: now."""
    ends = sorted(each.since + LASTS for each in opened)
    return math.ceil(ends[len(ends) - most] - now) if len(ends) >= most else 0
