"""Interface of the table to the request handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorer.api.replies import Message
from scorer.records.game_log import GameNumbers
from scorer.rules import Rules, Step
from scorer.session.values.shown import LinkView
from scorer.session.values.state import Reaction
from scorer.store.journal import StoredRow
from scorer.store.rows import StoredOpening

if TYPE_CHECKING:
    from scorer.api.hall_report import HallReport
    from scorer.api.paired_phones import Phone
    from scorer.records.pair_names import RenameFault
    from scorer.session.phone_press import PhonePress
    from scorer.session.values.hall import Assignment, Decision


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

    def rows(self, start: int, limit: int) -> tuple[StoredRow, ...]:
        """At most ``limit`` rows from ``start`` on."""

    def openings(self, first: int, last: int, limit: int) -> tuple[StoredOpening, ...]:
        """At most ``limit`` games opened at rows ``first`` to ``last``, oldest first."""

    def pair_names(self) -> dict[str, str]:
        """The names given to pairs of tonight afterwards, by id."""

    def game(self, number: int, start: int, limit: int) -> tuple[str, tuple[StoredRow, ...]]:
        """The header and at most ``limit`` rows from ``start`` on. Raises KeyError."""


class PhoneApi(Protocol):
    """Paired phones and their presses. Its methods raise StoreError."""

    def pairing_tries(self, address: str, now: float) -> int | None:
        """Remaining attempts of an address; None while the panels show no code."""

    def pair(self, name: str, code: object, address: str, now: float) -> tuple[Phone, str] | None:
        """Pair a phone that knows the code; return it and its key.

        None for a wrong code, which costs ``address`` one attempt.
        """

    def authenticate(self, phone_id: object, key: object, now: float) -> Phone | None:
        """The phone with this id, if ``key`` is its own and has not expired."""

    def unpair(self, phone: Phone, now: float) -> None: ...

    @property
    def names(self) -> dict[str, str]:
        """The names of the scoring sides, "" where none was chosen."""

    def known_pairs(self) -> tuple[tuple[str, ...], ...]:
        """Names that played against each other, the newest first."""

    def name_sides(self, names: tuple[str, ...], sender: str, now: float) -> Reaction:
        """Name all scoring sides, in their order."""

    def rename_pair(self, pair: str, name: str, sender: str, now: float) -> RenameFault | None:
        """Rename a pair of tonight's standings; "" gives it its own name again."""

    def handle_phone_press(self, press: PhonePress, sender: str, now: float) -> Reaction: ...


class HallReader(Protocol):
    """The epoch of the store, and the newest decision on assigned matches."""

    @property
    def decision(self) -> Decision: ...
    def decision_document(self) -> Message | None: ...
    def epoch_document(self) -> Message | None: ...


class HallApi(Protocol):
    """The hall of the table. Its methods raise StoreError."""

    @property
    def hall(self) -> HallReader: ...
    def set_hall_report(self, report: HallReport, now: float) -> None: ...
    def decide(self, decision: Decision, assigned: Assignment | None, now: float) -> bool:
        """Store a decision of the hub: a match, or None for none.

        False if a newer one is stored, or another one of its number.
        """

    def renew_epoch(self, old: str | None) -> Message | None:
        """Begin a new epoch, or only in place of ``old``; return the present one."""


class TableApi(SelfTestApi, PhoneApi, HallApi, Protocol):
    """A table that keeps the score."""

    @property
    def game_log(self) -> GameLogReader: ...
    @property
    def state_number(self) -> int:
        """The number of the newest published state."""

    @property
    def rules(self) -> Rules: ...
    @property
    def language(self) -> str: ...
    @property
    def time_zone(self) -> str:
        """The time zone chosen for the box; "" for that of the machine."""

    def is_quiet(self, now: float) -> bool:
        """Whether the box makes no sound: it is switched off, or it is a quiet hour."""

    def enter_step(self, step: Step, sender: str, now: float, reason: str = "") -> Reaction: ...
    def set_web_status(self, link: LinkView) -> None: ...
