"""The fields of a record: their annotations, keys and which of them are secret."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from scorer.plain_values.bounds import LISTED, SECRET, Key
from scorer.plain_values.problems import Path

EACH: Final = "*"
"""Every entry of a list or table, in a path of ``secret_paths``."""


@cache
def kinds_of(cls: Hashable) -> Mapping[str, Any]:
    """The annotation of each field of a record, found once."""
    return get_type_hints(cls, include_extras=True)


def is_record(kind: object) -> bool:
    """Whether a type is a NamedTuple or a dataclass."""
    return isinstance(kind, type) and (
        hasattr(kind, "__dataclass_fields__")
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    )


def metadata_of(kind: object) -> tuple[object, ...]:
    """What ``Annotated`` says of a type."""
    return getattr(kind, "__metadata__", ())


def key_of(name: str, kind: object) -> str:
    """The key of a field with this name and annotation."""
    return next((each.name for each in metadata_of(kind) if isinstance(each, Key)), name)


def secret_paths(kind: object) -> frozenset[Path]:
    """The paths of the secret values of a type; () if the whole value is secret."""
    arguments = get_args(kind)
    origin = get_origin(kind)
    if origin is Annotated:
        found = secret_paths(arguments[0])
        is_whole = SECRET in arguments or (LISTED in arguments and found)
        return frozenset([()]) if is_whole else found
    if origin in (Union, UnionType):
        return frozenset().union(*map(secret_paths, arguments))
    if is_record(kind):
        inner: Iterable[tuple[str, Any]] = (
            (key_of(name, hint), hint) for name, hint in kinds_of(kind).items()
        )
    elif isinstance(origin, type) and issubclass(origin, tuple | Mapping):
        inner = ((EACH, each) for each in arguments)
    else:
        return frozenset()
    return frozenset((key, *path) for key, each in inner for path in secret_paths(each))


def without_secrets(kind: object, values: object) -> Any:  # noqa: ANN401
    """The values without those of secret fields, at any depth."""
    return _without(values, secret_paths(kind))


def secrets_in(kind: object, values: object) -> dict[Path, Any]:
    """The values of secret fields, by their paths."""
    return dict(_secrets(values, secret_paths(kind), ()))


def _without(values: object, paths: frozenset[Path]) -> Any:  # noqa: ANN401
    if not paths:
        return values
    if isinstance(values, Mapping):
        return {k: _without(v, p) for k, v, p in _entries(values, paths) if () not in p}
    if isinstance(values, list | tuple):
        entries = _entries(dict(enumerate(values)), paths)
        return [_without(value, inner) for _, value, inner in entries if () not in inner]
    return {}  # of another shape, perhaps a secret at the wrong place


def _secrets(values: object, paths: frozenset[Path], at: Path) -> Iterator[tuple[Path, Any]]:
    if () in paths:
        yield at, values
    elif isinstance(values, Mapping | list | tuple):
        named = values if isinstance(values, Mapping) else dict(enumerate(values))
        for key, value, inner in _entries(named, paths):
            yield from _secrets(value, inner, (*at, str(key)))


def _entries(
    values: Mapping[Any, object], paths: frozenset[Path]
) -> Iterator[tuple[Any, object, frozenset[Path]]]:
    """Each entry, with the secret paths below it."""
    for key, value in values.items():
        yield key, value, frozenset(path[1:] for path in paths if path[:1] in ((key,), (EACH,)))
