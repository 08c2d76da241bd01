"""Build a driver's frozen ``Options`` from a table of settings.

Collect all errors. A misspelt key is rejected with the nearest valid one, because a silently
ignored setting would only be noticed during play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class OptionsError(ValueError):
    """Invalid settings; ``problems`` has one sentence for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


T = TypeVar("T", bound="DataclassInstance")


@cache
def kinds_of(cls: type[DataclassInstance]) -> Mapping[str, Any]:
    """The type of each field of a dataclass, found once."""
    return get_type_hints(cls)


def build(cls: type[T], values: Mapping[str, object], other_keys: Iterable[str] = ()) -> T:
    """Build the dataclass ``cls`` from plain values, as a TOML file gives them.

    ``other_keys``: further keys to suggest for an unknown one.

    Raises OptionsError with every unknown key, missing key and wrong type, and with the problems
    that the dataclass itself finds in the other values.
    """
    kinds = kinds_of(cls)
    problems = [*_unknown(values, kinds, other_keys), *_missing(cls, values)]
    given: dict[str, object] = {}
    for key in values.keys() & kinds.keys():
        try:
            given[key] = _convert(values[key], kinds[key])
        except TypeError as error:
            problems.append(f"{key}: {error}")
    if problems:
        raise OptionsError(sorted({*problems, *_value_problems(cls, given)}))
    return cls(**given)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A hint from a wrong word to a valid one: ``did you mean ...?``"""
    # Imported lazily: only needed for an error.
    import difflib

    known = sorted(words)
    match difflib.get_close_matches(word, known, n=1):
        case [close]:
            return f"did you mean {close!r}?"
        case _:
            return f"known are {', '.join(known)}"


def _unknown(
    values: Mapping[str, object], kinds: Mapping[str, object], other_keys: Iterable[str]
) -> list[str]:
    known = {*kinds, *other_keys}
    return [f"{key}: no such key, {did_you_mean(key, known)}" for key in values if key not in kinds]


def _missing(cls: type[DataclassInstance], values: Mapping[str, object]) -> list[str]:
    needed = (
        field.name
        for field in fields(cls)
        if field.default is MISSING and field.default_factory is MISSING
    )
    return [f"{name}: is missing" for name in needed if name not in values]


def _value_problems(cls: type[T], given: Mapping[str, object]) -> tuple[str, ...]:
    """What the dataclass finds in some of its values; nothing if it needs others."""
    if any(_missing(cls, given)):
        return ()
    try:
        cls(**given)
    except OptionsError as error:
        return error.problems
    return ()


def _convert(value: object, kind: object) -> object:
    """Convert ``value`` to this type, lists to tuples.

    Raises TypeError with the expected type.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _one_of(value, inner)
    if origin in (Union, UnionType):
        return (
            None
            if value is None
            else _convert(value, next(k for k in inner if k is not type(None)))
        )
    if origin is tuple:
        return _convert_row(value, inner)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _convert_table(value, inner[1])
    if kind is float and type(value) is int:
        return float(value)
    # type(), not isinstance(): a bool must not pass as a pin number.
    if type(value) is not kind:
        raise TypeError(f"wants {_TYPE_NAMES.get(kind)}, not {value!r}")
    return value


def _one_of(value: object, allowed: tuple[object, ...]) -> object:
    if value not in allowed:
        raise TypeError(f"wants one of {', '.join(map(str, allowed))}, not {value!r}")
    return value


def _convert_row(value: object, kinds: tuple[object, ...]) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"wants a list, not {value!r}")
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(value)
    if len(value) != len(kinds):
        raise TypeError(f"wants {len(kinds)} values, not {len(value)}")
    return tuple(_convert(item, kind) for item, kind in zip(value, kinds, strict=True))


def _convert_table(value: object, kind: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(f"wants a table, not {value!r}")
    return {str(key): _convert(item, kind) for key, item in value.items()}


_TYPE_NAMES: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
}
