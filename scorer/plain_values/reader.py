"""The reader of plain values."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from functools import cache, partial
from itertools import islice
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from scorer.plain_values.bounds import LISTED, MAX_INTEGER, REST, SECRET, Bound, Count
from scorer.plain_values.fields import is_record, key_of, kinds_of, metadata_of, secret_paths
from scorer.plain_values.problems import (
    NO_KEY,
    NO_LIST,
    NO_TABLE,
    ValueProblem,
    WrongValues,
    shown,
    suggestion,
    wrong_value,
)

_MAX_UNKNOWN = 20  # of the unknown keys of a record that are reported

T = TypeVar("T")
_Read = Callable[[object], Any]  # raises WrongValues


def read(
    kind: type[T], values: object, other_keys: Iterable[str] = (), *, skips_unknown: bool = False
) -> T:
    """Read ``values`` as the type ``kind``.

    ``other_keys``: further keys to suggest for an unknown one. ``skips_unknown``: leave out unknown
    keys, of a message that a newer program may have sent.

    Raises WrongValues with every problem.
    """
    reader = reader_of(cast("object", kind), skips_unknown=skips_unknown)
    if isinstance(reader, _RecordReader):
        return cast("T", reader.read(values, other_keys))
    return cast("T", reader(values))


def read_tagged(
    tag: str, kinds: Mapping[str, type[T]], values: object, *, skips_unknown: bool = False
) -> T:
    """Read ``values`` as the kind that its key ``tag`` names. Raises WrongValues."""
    if not isinstance(values, Mapping):
        raise wrong_value(f"{NO_TABLE}, not {shown(values)}")
    name = values.get(tag)
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise WrongValues([ValueProblem((tag,), f"wants one of {', '.join(kinds)}")])
    rest = {key: value for key, value in values.items() if key != tag}
    return read(kind, rest, skips_unknown=skips_unknown)


@cache
def reader_of(kind: object, *, is_secret: bool = False, skips_unknown: bool = False) -> _Read:
    """The function that reads a value of this type and raises WrongValues. Made once."""
    inner = partial(reader_of, is_secret=is_secret, skips_unknown=skips_unknown)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bare = arguments[0]
        is_secret = is_secret or SECRET in arguments
        if LISTED in arguments:
            readers = [
                reader_of(each, is_secret=is_secret, skips_unknown=skips_unknown)
                for each in kinds_of(bare).values()
            ]
            return partial(_read_listed, bare, readers, is_secret)
        read_one = reader_of(bare, is_secret=is_secret, skips_unknown=skips_unknown)
        for each in arguments[1:]:
            if isinstance(each, Count):
                read_one = partial(_read_counted, each, read_one)
        bounds = [b for b in arguments[1:] if hasattr(b, "problem") and not isinstance(b, Count)]
        return _bounded(read_one, bare, bounds, is_secret) if bounds else read_one
    if origin is Literal:
        return partial(_read_choice, {each: each for each in arguments}, is_secret)
    if origin in (Union, UnionType):
        others = [each for each in arguments if each is not NoneType]
        read_one = (
            inner(others[0]) if len(others) == 1 else partial(_read_scalar, others, is_secret)
        )
        return read_one if len(others) == len(arguments) else partial(_read_optional, read_one)
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return partial(_read_list, inner(arguments[0]), is_secret)
        return partial(_read_row, [inner(each) for each in arguments], is_secret)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_read_table, inner(arguments[1]), is_secret)
    if kind in (object, Any):
        return _read_any
    if isinstance(kind, type) and issubclass(kind, Enum):
        return partial(_read_choice, {each.value: each for each in kind}, is_secret)
    if is_record(kind):
        return _RecordReader(
            cast("type[Any]", kind), is_secret=is_secret, skips_unknown=skips_unknown
        )
    return partial(_read_scalar, [cast("type", kind)], is_secret)


class _RecordReader:
    """Reads the fields of a record; their readers are made when they are needed."""

    def __init__(self, kind: type[Any], *, is_secret: bool, skips_unknown: bool) -> None:
        self._kind, self._is_secret, self._skips_unknown = kind, is_secret, skips_unknown
        self._hints = kinds_of(cast("Hashable", kind))
        self._needed = _needed(kind)
        self._rest = next((n for n, hint in self._hints.items() if REST in metadata_of(hint)), "")
        self._fields = {
            key_of(name, hint): name for name, hint in self._hints.items() if name != self._rest
        }
        self._keys = {name: key for key, name in self._fields.items()}
        self._readers: dict[str, _Read] = {}
        self._check = getattr(kind, "find_problems", None)

    def __call__(self, value: object) -> Any:  # noqa: ANN401
        return self.read(value, ())

    def read(self, value: object, other_keys: Iterable[str]) -> Any:  # noqa: ANN401
        """The record. Raises WrongValues."""
        if type(value) is not dict and not isinstance(value, Mapping):
            raise _unwanted(NO_TABLE, value, self._is_secret or bool(secret_paths(self._kind)))
        given: dict[str, object] = {}
        rest: dict[str, object] = {}
        problems: list[ValueProblem] = []
        for key, item in value.items():
            name = self._fields.get(key)
            if name is None:
                rest[key] = item
                continue
            try:
                given[name] = (self._readers.get(name) or self._reader(name))(item)
            except WrongValues as error:
                problems += error.below(key)
        if self._rest:
            try:
                given[self._rest] = self._reader(self._rest)(rest)
            except WrongValues as error:
                problems += error.problems
        elif rest and not self._skips_unknown:
            known = {*self._fields, *other_keys}
            problems += [
                ValueProblem((str(key),), f"{NO_KEY}{suggestion(str(key), known)}")
                for key in islice(rest, _MAX_UNKNOWN)
            ]
        record = None
        if self._needed <= given.keys():
            record = self._kind(**given)
            if self._check is not None:
                # A field that is unreadable has its default here.
                unread = {problem.path[:1] for problem in problems}
                checked = (
                    ValueProblem((key,) if isinstance(key, str) else key, sentence)
                    for key, sentence in self._check(record)
                )
                problems += [each for each in checked if each.path[:1] not in unread]
        else:
            needed = {self._keys[name] for name in self._needed if name in self._keys}
            problems += [ValueProblem((k,), "is missing") for k in needed - value.keys()]
        if problems:
            raise WrongValues(sorted(set(problems)))
        return record

    def _reader(self, name: str) -> _Read:
        reader = reader_of(
            self._hints[name], is_secret=self._is_secret, skips_unknown=self._skips_unknown
        )
        return self._readers.setdefault(name, reader)


def _bounded(read_one: _Read, kind: object, bounds: list[Bound], is_secret: bool) -> _Read:
    finders = [bound.problem for bound in bounds]

    def read_bounded(value: object) -> object:
        found = value if type(value) is kind else read_one(value)
        for find_problem in finders:
            if sentence := find_problem(found):
                raise wrong_value(sentence if is_secret else f"{shown(value)} {sentence}")
        return found

    return read_bounded


def _read_any(value: object) -> object:
    return value


def _read_optional(read_one: _Read, value: object) -> object:
    return None if value is None else read_one(value)


def _read_scalar(kinds: list[type], is_secret: bool, value: object) -> object:
    # type(), not isinstance(): a bool is no number.
    kind = type(value)
    if kind in kinds:
        return value
    if kind is int and float in kinds and abs(cast("int", value)) <= MAX_INTEGER:
        return float(cast("int", value))
    if len(kinds) > 1:
        raise _unwanted("wants one value", value, is_secret)
    if is_secret and kinds == [str]:
        raise wrong_value("wants a text between quotes")
    raise _unwanted(f"wants {_TYPE_NAMES[kinds[0]]}", value, is_secret)


def _read_choice(choices: Mapping[object, object], is_secret: bool, value: object) -> object:
    # A bool equals a number, and a list is no key.
    if isinstance(value, str | int) and value in choices and not isinstance(value, bool):
        return choices[value]
    raise _unwanted(f"wants one of {', '.join(map(str, choices))}", value, is_secret)


def _read_counted(count: Count, read_one: _Read, value: object) -> object:
    """Count the entries before any of them is read."""
    if isinstance(value, list | tuple | Mapping) and (sentence := count.problem(value)):
        raise wrong_value(sentence)
    return read_one(value)


def _read_list(read_one: _Read, is_secret: bool, value: object) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise _unwanted(NO_LIST, value, is_secret)
    try:
        return tuple([read_one(item) for item in value])
    except WrongValues:
        return _read_all([read_one] * len(value), value)


def _read_row(readers: list[_Read], is_secret: bool, value: object) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise _unwanted(NO_LIST, value, is_secret)
    if len(value) != len(readers):
        raise wrong_value(f"wants {len(readers)} values, not {len(value)}")
    try:
        return tuple([read_one(item) for read_one, item in zip(readers, value, strict=True)])
    except WrongValues:
        return _read_all(readers, value)


def _read_listed(
    kind: Any,  # noqa: ANN401
    readers: list[_Read],
    is_secret: bool,
    value: object,
) -> object:
    if not isinstance(value, list | tuple):
        raise _unwanted(NO_LIST, value, is_secret)
    if len(value) != len(readers):
        raise wrong_value(f"wants {len(readers)} values, not {len(value)}")
    try:
        return kind._make([read_one(item) for read_one, item in zip(readers, value, strict=True)])
    except WrongValues:
        values = dict(zip(kind._fields, value, strict=True))
        return reader_of(kind, is_secret=is_secret)(values)


def _read_all(
    readers: list[_Read], values: list[object] | tuple[object, ...]
) -> tuple[object, ...]:
    found: list[object] = []
    problems: list[ValueProblem] = []
    for at, (read_one, item) in enumerate(zip(readers, values, strict=True)):
        try:
            found.append(read_one(item))
        except WrongValues as error:
            problems += error.below(str(at))
    if problems:
        raise WrongValues(problems)
    return tuple(found)


def _read_table(read_one: _Read, is_secret: bool, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise _unwanted(NO_TABLE, value, is_secret)
    found: dict[str, object] = {}
    problems: list[ValueProblem] = []
    for key, item in value.items():
        try:
            found[str(key)] = read_one(item)
        except WrongValues as error:
            problems += error.below(str(key))
    if problems:
        raise WrongValues(problems)
    return found


def _unwanted(wanted: str, value: object, is_secret: bool) -> WrongValues:
    return wrong_value(wanted if is_secret else f"{wanted}, not {shown(value)}")


def _needed(kind: Any) -> frozenset[str]:  # noqa: ANN401
    """The fields of a record without a default."""
    if issubclass(kind, tuple):
        return frozenset(set(kind._fields) - kind._field_defaults.keys())
    needed = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]
    return frozenset(needed)


_TYPE_NAMES: Mapping[type, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
}
