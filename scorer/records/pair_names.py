"""New names for the pairs of the evening, which change statistics only.

Each name of a game keeps its own entry, so that every change can be undone, also that two pairs
became one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from scorer.plain_values.names import is_visible, pair_id
from scorer.session.values.night_view import NightView


class RenameFault(StrEnum):
    """Why a pair is not renamed."""

    UNKNOWN = "unknown"  # no game of the evening has this pair
    UNREADABLE = "unreadable"  # nothing of the name can be seen
    OPPONENTS = "opponents"  # the pairs of both names played against each other


def with_pair_name(names: Mapping[str, str], pair: str, name: str) -> dict[str, str]:
    """``names`` after the pair shown as ``pair`` gets ``name``; "": its own."""
    shown = {key for key, new in names.items() if pair_id(new) == pair}
    kept = {key: new for key, new in names.items() if key not in shown and key != pair}
    return {**kept, **dict.fromkeys(sorted({*shown, pair}), name)} if name else kept


def find_rename_fault(
    before: NightView, after: NightView, pair: str, name: str
) -> RenameFault | None:
    """The fault of a new name, from the standings before and after it."""
    if not name:
        return None
    if pair not in {row.id for row in before.rows}:
        return RenameFault.UNKNOWN
    if not is_visible(name):
        return RenameFault.UNREADABLE
    remains = pair_id(name) != pair and pair in {row.id for row in after.rows}
    return RenameFault.OPPONENTS if remains else None
