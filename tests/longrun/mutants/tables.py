"""Mutants of the tables: every variant with one value, order or length changed.

Values are changed by type, not by meaning. Sources and definitions are left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum
from typing import Any, NamedTuple

from scorer.rules.actions import Action
from scorer.rules.variant import FlorStyle, Option, Rung, SpecialHand, Variant

# Documentation only; no program depends on these fields.
NOT_RULES = frozenset(("source", "sources", "definition"))
# Values of other variants for fields that are empty in this one.
INSTEAD_OF_NOTHING: dict[str, tuple[Any, ...]] = {
    "flor": tuple(FlorStyle),
    "special": (SpecialHand(margin=1, worth=3),),
}


class Change(NamedTuple):
    """Where a value was changed, as in ``options[target].default``, and how."""

    where: str
    how: str
    value: Any


def mutants(variant: Variant) -> Iterator[tuple[str, Variant | None]]:
    """Each change as a name and the changed table; None if the table is invalid.

    An invalid table (a ladder that does not rise) is rejected when the variant is imported, before
    any test.
    """
    counts = Counter[str]()
    for field in fields(variant):
        if field.name in NOT_RULES:
            continue
        for change in _changes(field.name, getattr(variant, field.name)):
            name = f"{variant.id}: {change.where}: {change.how}"
            counts[name] += 1
            name += f" ({counts[name]})" if counts[name] > 1 else ""
            try:
                yield name, replace(variant, **{field.name: change.value})
            except ValueError:
                yield name, None


def put_in_place(variant: Variant, changed: Variant) -> None:
    """Replace the content of ``variant`` in place, for all existing references."""
    for field in fields(variant):
        object.__setattr__(variant, field.name, getattr(changed, field.name))


def _changes(where: str, value: Any) -> Iterator[Change]:  # noqa: ANN401 - any value of a table
    if isinstance(value, Option):
        yield from _option_changes(where, value)
    elif isinstance(value, tuple):
        yield from _tuple_changes(where, value)
    else:
        for other in _others(where, value):
            yield Change(where, f"{_told(value)} -> {_told(other)}", other)


def _others(where: str, value: Any) -> Iterator[Any]:  # noqa: ANN401 - any value of a table
    """The other values a single value could have."""
    if value is None:
        yield from INSTEAD_OF_NOTHING[where]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, Action):
        actions = list(Action)
        yield actions[(actions.index(value) + 1) % len(actions)]
    elif isinstance(value, Enum):
        yield from (each for each in type(value) if each is not value)
    else:
        yield f"{value}x"
    if where in INSTEAD_OF_NOTHING and value is not None:
        yield None


def _tuple_changes(where: str, value: tuple[Any, ...]) -> Iterator[Change]:
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    if names is not None:
        if where in INSTEAD_OF_NOTHING:
            yield Change(where, "left out", None)
        for name, each in zip(names, value, strict=True):
            for change in () if name in NOT_RULES else _changes(f"{where}.{name}", each):
                yield change._replace(value=value._replace(**{name: change.value}))  # type: ignore[attr-defined]
        return
    # A pair (a ladder and its name, an action and its word) is not a list: no element can be
    # omitted.
    is_list = where.endswith("choices") or not any(isinstance(each, str) for each in value)
    for at, each in enumerate(value):
        here = f"{where}[{_key(each, at)}]"
        for change in _changes(here, each):
            yield change._replace(value=(*value[:at], change.value, *value[at + 1 :]))
        if is_list:
            yield Change(here, "left out", (*value[:at], *value[at + 1 :]))
            if at:
                swapped = (*value[: at - 1], each, value[at - 1], *value[at + 1 :])
                yield Change(here, "before its neighbour", swapped)


def _option_changes(where: str, option: Option) -> Iterator[Change]:
    """Another choice of the option as default, and every field of it changed."""
    for other in option.choices:
        if _told(other) != _told(option.default):
            how = f"{_told(option.default)} -> {_told(other)}"
            yield Change(f"{where}.default", how, option._replace(default=other))
    parts = ["key", "choices"] if option.choices else ["key", "default", "low", "high"]
    for part in parts:
        for change in _changes(f"{where}.{part}", getattr(option, part)):
            yield change._replace(value=option._replace(**{part: change.value}))


def _key(each: Any, at: int) -> str:  # noqa: ANN401 - any value of a table
    """The name of an element: its own key if it has one."""
    if isinstance(each, Option):
        return each.key
    if isinstance(each, tuple) and each and isinstance(each[0], Action):
        return str(each[0])
    return str(at)


def _told(value: Any) -> str:  # noqa: ANN401 - any value of a table
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, SpecialHand | Rung):
        return "something"
    return repr(value)
