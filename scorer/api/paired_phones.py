"""Registry of the phones that may press, stored with the digests of their keys.

A key is returned once and never stored; the store holds a digest to compare it with. It is valid
until a year after its last use, by a clock that was set; what is paired, forgotten or expired is an
event of the store. Every table reads the registry at its start and most have no phone, so what only
phones need is imported lazily.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.records.clock import local_day
from scorer.session.values.box_settings import PairedPhone
from scorer.store.events import Event
from scorer.store.journal import Stamp, StoreError

if TYPE_CHECKING:
    from typing import Protocol

    class PhoneStore(Protocol):
        """The part of the store that the registry needs. Its methods raise StoreError."""

        def settings(self) -> dict[str, str]: ...
        def set_setting(self, key: str, value: str, record: Sequence[Event] = ()) -> None: ...


_FIELDS = ("id", "name", "digest")  # that every stored phone has
SETTING_KEY = "phones"  # key of the store's settings
OWNERS_KEY = "owners"  # that of the phones with the right to the settings
CODE_DIGITS = 6
_KEY_BYTES, _ID_BYTES = 16, 4
MAX_NAME_CHARS = 24
MAX_UNUSED_DAYS = 365  # a key expires after more than these


class Phone(NamedTuple):
    """One phone. ``digest`` is the SHA-256 of its key."""

    id: str
    name: str
    digest: str
    seen: str = ""  # local day of its last use (2026-11-22); "": not known

    def unused_days(self, today: date) -> int:
        """Days since its last use; 0 if the day is not known, or to come."""
        return max(0, (today - date.fromisoformat(self.seen)).days) if self.seen else 0


class PhoneRegistry:
    """All phones of one table. Changes are stored before they take effect.

    ``key``: of the setting that has them; ``noun``: the word of each in events.
    """

    def __init__(self, store: PhoneStore, key: str = SETTING_KEY, noun: str = "") -> None:
        self._store, self._key, self._noun = store, key, noun
        self.phones = parse_phones(store.settings(), key)

    def listed(self, stamp: Stamp) -> tuple[PairedPhone, ...]:
        """The phones in the order of pairing, with the days since their last use."""
        today = local_day(stamp)
        if today is None:
            return tuple(PairedPhone(each.id, each.name) for each in self.phones)
        return tuple(
            PairedPhone(each.id, each.name, each.unused_days(today) if each.seen else None)
            for each in self.phones
        )

    def add(self, name: str, source: str, stamp: Stamp) -> tuple[Phone, str]:
        """Add a phone; return it and its key. Raises StoreError."""
        import secrets

        key = secrets.token_hex(_KEY_BYTES)
        day = str(local_day(stamp) or "")
        phone = Phone(secrets.token_hex(_ID_BYTES), self._unused_name(name), _digest(key), day)
        self._save((*self.phones, phone), [_event(f"{self._noun}paired", phone, source, stamp)])
        return phone, key

    def remove(
        self, ids: Collection[str], source: str, stamp: Stamp, verb: str = "forgotten"
    ) -> tuple[Phone, ...]:
        """Remove these phones, and return them. Raises StoreError."""
        gone = tuple(phone for phone in self.phones if phone.id in ids)
        kept = tuple(phone for phone in self.phones if phone.id not in ids)
        self._save(kept, [_event(f"{self._noun}{verb}", phone, source, stamp) for phone in gone])
        return gone

    def expire(self, stamp: Stamp) -> tuple[Phone, ...]:
        """Remove the phones unused for a year, and return them. Raises StoreError.

        The year of a phone whose last use is not known, or to come, begins today.
        """
        today = local_day(stamp)
        if today is None:
            return ()
        expired = {phone.id for phone in self.phones if _is_expired(phone, today)}
        known = tuple(
            phone if "" < phone.seen <= str(today) else phone._replace(seen=str(today))
            for phone in self.phones
        )
        if known != self.phones:
            self._save(known)
        return self.remove(expired, "menu", stamp, "expired") if expired else ()

    def authenticate(self, phone_id: object, key: object, stamp: Stamp) -> Phone | None:
        """The phone of this id, if ``key`` is its own and has not expired."""
        found = self._with_key(phone_id, key)
        today = local_day(stamp)
        if found is None or today is None:
            return found
        if _is_expired(found, today):
            return None
        if found.seen != str(today):
            seen = found._replace(seen=str(today))
            # Known for this day; a store that cannot be written is shown by the next press.
            with contextlib.suppress(StoreError):
                self._save(tuple(seen if each == found else each for each in self.phones))
        return found

    def _with_key(self, phone_id: object, key: object) -> Phone | None:
        import hmac

        if not isinstance(phone_id, str) or not isinstance(key, str):
            return None
        digest = _digest(key)
        named = [each for each in self.phones if each.id == phone_id]
        return next((each for each in named if hmac.compare_digest(each.digest, digest)), None)

    def _save(self, phones: tuple[Phone, ...], record: Sequence[Event] = ()) -> None:
        text = json.dumps([phone._asdict() for phone in phones])
        self._store.set_setting(self._key, text, record)
        self.phones = phones

    def _unused_name(self, name: str) -> str:
        """``name``, with a number if taken: the history identifies phones by name."""
        taken = {phone.name for phone in self.phones}
        if name not in taken:
            return name
        numbers = range(2, len(taken) + 3)
        short = name[: MAX_NAME_CHARS - 3]
        return next(f"{short} {n}" for n in numbers if f"{short} {n}" not in taken)


def new_pairing_code() -> str:
    """Six random digits."""
    import secrets

    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def codes_match(code: str, entered: object) -> bool:
    """Compare a code with ``entered``, in constant time."""
    import hmac

    if not isinstance(entered, str):
        return False
    # Ignore spaces: the panel groups the digits, and phones may insert others.
    return hmac.compare_digest(code.encode(), "".join(entered.split()).encode("utf-8", "replace"))


def _event(verb: str, phone: Phone, source: str, stamp: Stamp) -> Event:
    return Event(f"{verb} {phone.id} {phone.name}", source, stamp)


def _is_expired(phone: Phone, today: date) -> bool:
    return phone.unused_days(today) > MAX_UNUSED_DAYS


def _digest(key: str) -> str:
    import hashlib

    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def parse_phones(settings: Mapping[str, str], key: str = SETTING_KEY) -> tuple[Phone, ...]:
    """The phones in the settings of a store; invalid entries are skipped."""
    try:
        listed: Any = json.loads(settings.get(key, "[]"))
    except (ValueError, RecursionError):
        return ()
    phones = []
    for each in listed if isinstance(listed, list) else ():
        values = [each.get(field) for field in _FIELDS] if isinstance(each, dict) else []
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) == len(_FIELDS):
            # An older store has no day.
            phones.append(Phone(*texts)._replace(seen=_parse_day(each.get("seen"))))
    return tuple(phones)


def _parse_day(text: object) -> str:
    """The stored day; "" for none or an invalid one."""
    try:
        return str(date.fromisoformat(text)) if isinstance(text, str) else ""
    except ValueError:
        return ""
