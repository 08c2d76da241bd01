"""The phones with a right at a table, and the log of changes and failed attempts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from typing import ClassVar

from scorer.api.paired_phones import Phone, PhoneRegistry, new_pairing_code
from scorer.records.row_source import with_user
from scorer.session.setup.pairing_menu import MAX_TRIES, set_phones, show_code
from scorer.session.values.box_settings import PairedPhone
from scorer.session.values.effects import Effect, ForgetOwners, ForgetPhones, StoredEffect, Task
from scorer.session.values.state import Session
from scorer.store.journal import Stamp, StoreError
from scorer.table.access_log import Log, quoted
from scorer.table.guest import Guest, ServiceReport


class PhoneList(Guest):
    """``stamp`` dates times of the loop; ``user`` is that of the client's process.

    ``noun``: what the log calls each of them.
    """

    noun: ClassVar[str]

    def __init__(self, registry: PhoneRegistry, stamp: Callable[[float], Stamp], log: Log) -> None:
        self._registry, self._stamp, self._log = registry, stamp, log
        self._listed: tuple[PairedPhone, ...] = ()
        self._listed_from: tuple[Phone, ...] = ()

    def store(self, effect: StoredEffect, source: str, now: float) -> None:
        assert isinstance(effect, ForgetPhones | ForgetOwners)
        self.remove(effect.ids, source, now)

    def refresh(self, session: Session, now: float) -> Session:
        """The session with the phones that have not expired."""
        # Their days are read in set-up alone.
        if self._registry.phones is not self._listed_from or session.setup is not None:
            self._listed = self._list_phones(now)
            self._listed_from = self._registry.phones
        return self._with_listed(session, self._listed)

    def _with_listed(self, session: Session, listed: tuple[PairedPhone, ...]) -> Session:
        """The session with these phones."""
        raise NotImplementedError

    def _list_phones(self, now: float) -> tuple[PairedPhone, ...]:
        if not self._registry.phones:
            return ()
        stamp = self._stamp(now)
        # A store that cannot be written is shown by the next press; the key is invalid already.
        with contextlib.suppress(StoreError):
            for phone in self._registry.expire(stamp):
                self._log(f"{self._told(phone)} expired: unused for a year")
        return self._registry.listed(stamp)

    def add(self, name: str, address: str, user: str, now: float) -> tuple[Phone, str]:
        """Add a phone; return it and its key. Raises StoreError."""
        source = with_user(address, user)
        phone, key = self._registry.add(name, source, self._stamp(now))
        self._log(f"{self._told(phone)} paired, from {source}")
        return phone, key

    def remove(self, ids: Collection[str], source: str, now: float) -> None:
        """Remove these phones. Raises StoreError."""
        for phone in self._registry.remove(ids, source, self._stamp(now)):
            self._log(f"{self._told(phone)} forgotten, by {source}")

    def authenticate(self, phone_id: object, key: object, user: str, now: float) -> Phone | None:
        """The phone of this id, if ``key`` is its own and has not expired."""
        found = self._registry.authenticate(phone_id, key, self._stamp(now))
        if found is None:
            self._log(f"a phone without a valid key was refused, from {user}")
        return found

    def on_wrong_code(self, address: str, user: str, tries: int, *, is_void: bool) -> None:
        """Log a wrong code, which has left its address this number of tries."""
        told = f"wrong pairing code from {with_user(address, user)}, tries left: {tries}"
        self._log(f"{told}; the code is void after {MAX_TRIES}" if is_void else told)

    def _told(self, phone: Phone) -> str:
        return f"{self.noun} {quoted(phone.name)} ({phone.id})"


class PhoneAccess(PhoneList):
    """The phones that press."""

    handles: ClassVar[frozenset[Task | type]] = frozenset((ForgetPhones, Task.PAIRING_CODE))
    noun: ClassVar[str] = "phone"

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        return show_code(session, new_pairing_code())

    def _with_listed(self, session: Session, listed: tuple[PairedPhone, ...]) -> Session:
        return session if listed == session.box.phones else set_phones(session, listed)
