"""The phones with the right to the settings, which the owner's code gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from scorer.api.paired_phones import OWNERS_KEY, PhoneRegistry, new_pairing_code
from scorer.session.play.timers import show_notice
from scorer.session.setup.owner_menu import set_owners
from scorer.session.setup.pairing_menu import show_code
from scorer.session.values.box_settings import PairedPhone
from scorer.session.values.effects import Effect, ForgetOwners, GiveOwnersRight, Task
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.store.journal import Journal, Stamp
from scorer.table.access_log import Log
from scorer.table.guest import ServiceReport
from scorer.table.owner_code import OwnerCode
from scorer.table.phone_access import PhoneList


class Owners(PhoneList):
    """As the paired phones, apart from them: an owner's phone presses nothing."""

    handles: ClassVar[frozenset[Task | type]] = frozenset((ForgetOwners, GiveOwnersRight))
    noun: ClassVar[str] = "owner"

    def __init__(
        self, journal: Journal, stamp: Callable[[float], Stamp], log: Log, code: OwnerCode
    ) -> None:
        """Read the registry. Raises StoreError."""
        super().__init__(PhoneRegistry(journal, OWNERS_KEY, "owner "), stamp, log)
        self._code = code

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        assert isinstance(effect, GiveOwnersRight)
        if (refused := self._code.why_not(effect.code, now)) is not None:
            self._log(f"set-up: no right to the settings was given: {refused}")
            return show_notice(session, Notice(refused, urgent=True), now)
        return show_code(session, new_pairing_code(), is_owner=True)

    def _with_listed(self, session: Session, listed: tuple[PairedPhone, ...]) -> Session:
        return session if listed == session.box.owners else set_owners(session, listed)
