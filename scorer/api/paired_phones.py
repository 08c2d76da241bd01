"""Registry of the phones that may press, stored with the digests of their keys.

A key is returned once and never stored; the store holds a digest to compare it with. Every table
reads the registry at its start and most have no phone, so what only phones need is imported lazily.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import Protocol

    class PhoneStore(Protocol):
        """The part of the store that the registry needs. Its methods raise StoreError."""

        def settings(self) -> dict[str, str]: ...
        def set_setting(self, key: str, value: str) -> None: ...


SETTING_KEY = "phones"  # key of the store's settings
CODE_DIGITS = 6
_KEY_BYTES, _ID_BYTES = 16, 4
MAX_NAME_CHARS = 24


class Phone(NamedTuple):
    """One phone. ``digest`` is the SHA-256 of its key."""

    id: str
    name: str
    digest: str


class PhoneRegistry:
    """All phones of one table. Changes are stored before they take effect."""

    def __init__(self, store: PhoneStore) -> None:
        self._store = store
        self.phones = tuple(_parse(store.settings().get(SETTING_KEY, "[]")))

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Name of each phone by its id, in the order of pairing."""
        return tuple((phone.id, phone.name) for phone in self.phones)

    def add(self, name: str) -> tuple[Phone, str]:
        """Add a phone; return it and its key. Raises StoreError."""
        import secrets

        key = secrets.token_hex(_KEY_BYTES)
        phone = Phone(secrets.token_hex(_ID_BYTES), self._unused_name(name), _digest(key))
        self._save((*self.phones, phone))
        return phone, key

    def remove(self, ids: Collection[str]) -> None:
        """Remove these phones. Raises StoreError."""
        self._save(tuple(phone for phone in self.phones if phone.id not in ids))

    def authenticate(self, phone_id: object, key: object) -> Phone | None:
        """The phone of this id, if ``key`` is its own."""
        import hmac

        if not isinstance(phone_id, str) or not isinstance(key, str):
            return None
        digest = _digest(key)
        named = [each for each in self.phones if each.id == phone_id]
        return next((each for each in named if hmac.compare_digest(each.digest, digest)), None)

    def _save(self, phones: tuple[Phone, ...]) -> None:
        self._store.set_setting(SETTING_KEY, json.dumps([phone._asdict() for phone in phones]))
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
    """Compare a code with ``digits``, in constant time."""
    import hmac

    if not isinstance(entered, str):
        return False
    # Ignore spaces: the panel groups the digits, and phones may insert others.
    return hmac.compare_digest(code.encode(), "".join(entered.split()).encode("utf-8", "replace"))


def _digest(key: str) -> str:
    import hashlib

    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _parse(text: str) -> Iterator[Phone]:
    """Parse the stored phones; skip invalid entries."""
    try:
        listed: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    for each in listed if isinstance(listed, list) else ():
        values = [each.get(field) for field in Phone._fields] if isinstance(each, dict) else []
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) == len(Phone._fields):
            yield Phone(*texts)
