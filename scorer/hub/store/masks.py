"""Masks: what stays of a text that the hub has forgotten.

A mask is an HMAC with a key of the hub. It is recognized when a box sends the text again, and says
nothing to others: a bare digest of a short name is guessed. The key is in no copy of the database
and in no export; after a copy was restored elsewhere, masks of the lost key fit every text.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.engine import Connection

from scorer.hub.store.tables import MASK_KEY, SECRET

_MARK = "*"  # no hexadecimal digit: a mask is in the place of a digest
_KEY_DIGITS, _DIGITS = 3, 12  # of the id of the key, and of the HMAC
_MAC_TEXT = b"truco-scorer hub mask\n"


class Masks:
    """Masks of one key."""

    def __init__(self, key: str) -> None:
        """``key``: hexadecimal digits."""
        self._key = bytes.fromhex(key)
        self._id = hashlib.sha256(_MAC_TEXT + self._key).hexdigest()[:_KEY_DIGITS]

    def mask(self, text: str) -> str:
        """The mask of a text, as long as the digest of a row."""
        found = hmac.new(self._key, _MAC_TEXT + text.encode(), hashlib.sha256).hexdigest()
        return f"{_MARK}{self._id}{found[:_DIGITS]}"

    def fits(self, mask: str, text: str) -> bool:
        """Whether a mask is that of a text, as far as this key can say."""
        known = mask.startswith(_MARK + self._id)
        return is_mask(mask) and (not known or hmac.compare_digest(mask, self.mask(text)))


def is_mask(text: str) -> bool:
    """Whether a mask is in the place of a digest."""
    return text.startswith(_MARK)


def find_masks(connection: Connection) -> Masks | None:
    """The masks of this hub; None if it has forgotten nothing, or lost its key."""
    key = connection.execute(select(SECRET.c.value).where(SECRET.c.name == MASK_KEY)).scalar()
    return None if key is None else Masks(key)


def make_masks(connection: Connection, random_hex: Callable[[int], str]) -> Masks:
    """The masks of this hub, whose key is made when it is needed first."""
    found = find_masks(connection)
    if found is None:
        key = random_hex(64)
        connection.execute(SECRET.insert().values(name=MASK_KEY, value=key))
        found = Masks(key)
    return found
