"""The epoch of a store, within which row numbers are unique (socket.md#epoch).

A copy of a store has the epoch of the original until it takes its place: salvage and restore leave
the setting out, and the next table begins a new epoch.
"""

import json
import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

KEY: Final = "epoch"  # of the settings
_MAX_SEQ: Final = 1 << 62
_ID_BYTES: Final = 8
_HEXADECIMAL: Final = frozenset("0123456789abcdef")


class StoreEpoch(NamedTuple):
    """``first`` is the first row of the game that was running when it began."""

    id: str  # 16 hexadecimal digits
    first: int

    def document(self) -> dict[str, Any]:
        """The epoch as the socket sends it and the settings hold it."""
        return {"id": self.id, "from": self.first}


def new_epoch(first: int) -> StoreEpoch:
    """A new epoch, unlike any other."""
    return StoreEpoch(os.urandom(_ID_BYTES).hex(), first)


def read_epoch(settings: Mapping[str, str]) -> StoreEpoch | None:
    """The epoch among the settings; None without one, or if a program has changed it."""
    try:
        kept = json.loads(settings.get(KEY, "null"))
        name, first = str(kept["id"]), int(kept["from"])
    except (ValueError, TypeError, KeyError):
        return None
    is_valid = len(name) == 2 * _ID_BYTES and set(name) <= _HEXADECIMAL and 0 < first < _MAX_SEQ
    return StoreEpoch(name, first) if is_valid else None
