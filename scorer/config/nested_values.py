"""Merge, set and remove values in tables below each other, as TOML gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def merge_values(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Merge ``over`` into ``under``: tables are merged, other values replaced.

    A table does not replace a value of another kind, which ``validate`` then reports.
    """
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key, {})
        if not isinstance(value, Mapping):
            merged[key] = value
        elif isinstance(below, Mapping):
            merged[key] = merge_values(below, value)
    return merged


def set_value(values: dict[str, Any], path: Sequence[str], value: object) -> None:
    """Set the value at ``path``; what is no table on the way becomes one."""
    *above, last = path
    for key in above:
        if not isinstance(values.get(key), dict):
            values[key] = {}
        values = values[key]
    values[last] = value


def remove_value(values: dict[str, Any], path: Sequence[str]) -> None:
    """Remove the value at ``path``, if any, and the tables that it leaves empty."""
    first, *rest = path
    inner = values.get(first)
    if rest:
        if not isinstance(inner, dict):
            return
        remove_value(inner, rest)
        if inner:
            return
    values.pop(first, None)
