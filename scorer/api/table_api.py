"""Interface of the table to the request handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorer.api.replies import Message
from scorer.records.game_log import GameNumbers
from scorer.rules import Rules, Step
from scorer.session.state import Reaction
from scorer.session.view.view import LinkView
from scorer.store.journal import Row

if TYPE_CHECKING:
    from scorer.api.paired_phones import Phone
    from scorer.session.phone_press import PhonePress


class SelfTestApi(Protocol):
    """Requests that work without a store too."""

    def run_selftest(self, now: float) -> Message | None:
        """The report of a self-test; None shortly after another one."""


class GameLogReader(Protocol):
    """The journal, read only. Its methods raise StoreError."""

    @property
    def seq(self) -> int:
        """The number of the newest row."""

    @property
    def game_numbers(self) -> GameNumbers: ...

    def rows(self, start: int, limit: int) -> tuple[Row, ...]:
        """At most ``limit`` rows from ``start`` on."""

    def game(self, number: int, start: int) -> tuple[str, tuple[Row, ...]]:
        """The header of a game and its rows from ``start`` on. Raises KeyError."""


class PhoneApi(Protocol):
    """Paired phones and their presses. Its methods raise StoreError."""

    def pairing_tries(self, now: float) -> int | None:
        """Remaining pairing attempts; None while the panels show no code."""

    def pair(self, name: str, code: object, now: float) -> tuple[Phone, str] | None:
        """Pair a phone that knows the code; return it and its key.

        None for a wrong code, which costs one attempt.
        """

    def authenticate(self, phone_id: object, key: object) -> Phone | None:
        """The phone with this id, if ``key`` is its own."""

    def unpair(self, phone: Phone) -> None: ...

    @property
    def names(self) -> dict[str, str]:
        """The names of the scoring sides, "" where none was chosen."""

    def known_pairs(self) -> tuple[tuple[str, ...], ...]:
        """Names that played against each other, the newest first."""

    def name_sides(self, names: tuple[str, ...], source: str, now: float) -> Reaction:
        """Name all scoring sides, in their order."""

    def handle_phone_press(self, press: PhonePress, source: str, now: float) -> Reaction: ...


class TableApi(SelfTestApi, PhoneApi, Protocol):
    """A table that keeps the score."""

    @property
    def game_log(self) -> GameLogReader: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def language(self) -> str: ...

    def enter_step(self, step: Step, source: str, now: float, reason: str = "") -> Reaction: ...
    def set_web_status(self, link: LinkView) -> None: ...
