"""The paired phones of a table, and the log of changes and failed attempts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from scorer.api.paired_phones import Phone, PhoneRegistry
from scorer.records.row_source import with_user
from scorer.session.setup.pairing_menu import MAX_TRIES
from scorer.session.values.box_settings import PairedPhone
from scorer.store.journal import Stamp, StoreError
from scorer.table.access_log import Log, quoted

if TYPE_CHECKING:
    from scorer.api.paired_phones import PhoneStore


class PhoneAccess:
    """``stamp`` dates times of the loop; ``user`` is that of the client's process."""

    def __init__(self, store: PhoneStore, stamp: Callable[[float], Stamp], log: Log) -> None:
        """Read the registry. Raises StoreError."""
        self._registry, self._stamp, self._log = PhoneRegistry(store), stamp, log

    def listed(self, now: float) -> tuple[PairedPhone, ...]:
        """The phones that have not expired."""
        if not self._registry.phones:
            return ()
        stamp = self._stamp(now)
        # A store that cannot be written is shown by the next press; the key is invalid already.
        with contextlib.suppress(StoreError):
            for phone in self._registry.expire(stamp):
                self._log(f"{_told(phone)} expired: unused for a year")
        return self._registry.listed(stamp)

    def add(self, name: str, address: str, user: str, now: float) -> tuple[Phone, str]:
        """Add a phone; return it and its key. Raises StoreError."""
        source = with_user(address, user)
        phone, key = self._registry.add(name, source, self._stamp(now))
        self._log(f"{_told(phone)} paired, from {source}")
        return phone, key

    def remove(self, ids: Collection[str], source: str, now: float) -> None:
        """Remove these phones. Raises StoreError."""
        for phone in self._registry.remove(ids, source, self._stamp(now)):
            self._log(f"{_told(phone)} forgotten, by {source}")

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


def _told(phone: Phone) -> str:
    return f"phone {quoted(phone.name)} ({phone.id})"
