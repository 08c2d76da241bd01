"""The decisions of the desk in a tournament, as values and as JSON objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from scorer.tournament.model import Ending, Pair, Result


class Enter(NamedTuple):
    """A team enters; its id is the next number.

    A late entry joins the rounds that are left.
    """

    name: str
    players: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()
    club: str = ""
    seed: int = 0


class ChangeTeam(NamedTuple):
    """Replace what is known of a team; the seed only before the first phase."""

    team: int
    name: str
    players: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()
    club: str = ""
    seed: int = 0


class Withdraw(NamedTuple):
    """A team leaves: its matches without a result are lost by walk-over."""

    team: int
    reason: str


class Return(NamedTuple):
    """Take a withdrawal back."""

    team: int


class MarkMissing(NamedTuple):
    """A team is not in the hall: its matches are not called."""

    team: int


class MarkPresent(NamedTuple):
    """A missing team has come."""

    team: int


class Forbid(NamedTuple):
    """Do not pair two teams in rounds."""

    one: int
    other: int


class Allow(NamedTuple):
    """Take back that two teams are not paired."""

    one: int
    other: int


class MissRound(NamedTuple):
    """A team does not play a round that is not paired yet."""

    phase: str
    round: int
    team: int


class Commit(NamedTuple):
    """Publish the digest of the number of the draw, ``draw.commitment_to``."""

    digest: str


class Draw(NamedTuple):
    """The number of the draw, that of the digest if one was published."""

    seed: str


class EnterAgain(NamedTuple):
    """A loser enters a repechage that is ``by_entry``."""

    phase: str
    team: int


class StartPhase(NamedTuple):
    """Begin a phase: its teams are fixed, and its matches made.

    ``entrants``, in seed order, and ``groups``: as they were drawn, so that a log is read without
    drawing again; without them they are computed. A group is a zone, or the first places of a
    section of a bracket; 0: a bye.
    """

    phase: str
    entrants: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()


class PairRound(NamedTuple):
    """Pair the next round of a phase of rounds, or of a bracket drawn anew each round.

    After the last round, and in zones: the matches of a play-off.

    ``pairs`` and ``bye``: as they were paired, so that a log is read without pairing again;
    without them they are computed. ``bye`` 0: none.
    """

    phase: str
    pairs: tuple[Pair, ...] = ()
    bye: int = 0


class TakeBack(NamedTuple):
    """Take back the last paired round, or the start of a phase; without results only."""

    phase: str


class RecordResult(NamedTuple):
    """The official result of a match.

    ``reason``: of one that was not played to its end.
    """

    match: str
    result: Result
    reason: str = ""


class CorrectResult(NamedTuple):
    """Another official result; ``consequences.consequences`` lists what rests on it."""

    match: str
    result: Result
    reason: str


class AnnulResult(NamedTuple):
    """The match has no result: it is played again."""

    match: str
    reason: str


Event = (
    Enter
    | ChangeTeam
    | Withdraw
    | Return
    | MarkMissing
    | MarkPresent
    | Forbid
    | Allow
    | MissRound
    | Commit
    | Draw
    | EnterAgain
    | StartPhase
    | PairRound
    | TakeBack
    | RecordResult
    | CorrectResult
    | AnnulResult
)
_EVENTS: Mapping[str, type[Event]] = {each.__name__: each for each in get_args(Event)}


class NoEvent(NamedTuple):
    """Why an object is no event, in one sentence."""

    text: str


def encode(event: Event) -> dict[str, Any]:
    """The event as a JSON object."""
    values = {key: _plain(value) for key, value in event._asdict().items()}
    if isinstance(event, RecordResult) and not event.reason:
        del values["reason"]  # logs from before it had one keep their bytes
    return {"do": type(event).__name__, **values}


def parse(values: Mapping[str, Any]) -> Event | NoEvent:
    """The event of a JSON object."""
    kind = _EVENTS.get(str(values.get("do")))
    if kind is None:
        return NoEvent(f"do is one of {', '.join(_EVENTS)}")
    try:
        fields = dict(values)
        del fields["do"]
        event: Event = _read_fields(kind, fields)
    except ValueError as error:
        return NoEvent(f"{kind.__name__}: {error}")
    return event


def _plain(value: object) -> object:
    if isinstance(value, Result):
        return {key: _plain(each) for key, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _read_fields(kind: type[Any], values: object) -> Any:  # noqa: ANN401
    """A value of the fields of ``kind``. Raises ValueError."""
    if not isinstance(values, dict):
        raise ValueError("is an object")
    readers = _READERS[kind]
    if not values.keys() <= readers.keys():
        unknown = values.keys() - readers.keys()
        raise ValueError(f"has no {', '.join(sorted(map(str, unknown)))}")
    if len(values) < len(readers) and (missing := _NEEDED[kind] - values.keys()):
        raise ValueError(f"lacks {', '.join(sorted(missing))}")
    return kind(**{key: readers[key](key, value) for key, value in values.items()})


_Read = Callable[[str, object], object]  # of a field and its value; raises ValueError


def _reader_of(hint: Any) -> _Read:  # noqa: ANN401
    """What reads a field of this type.

    Found once for each field of an event, because a log has thousands of them.
    """
    if hint is Result:
        return lambda _, value: _read_fields(Result, value)
    if hint is Ending:
        return _read_ending
    if get_origin(hint) is tuple:
        return _reader_of_list(*get_args(hint))
    allowed = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    wanted = " or ".join(each.__name__ for each in allowed)

    def read(key: str, value: object) -> object:
        if type(value) not in allowed:
            raise ValueError(f"{key} is {wanted}")
        return value

    return read


def _read_ending(key: str, value: object) -> Ending:
    if isinstance(value, str) and (ending := _ENDINGS.get(value)):
        return ending
    raise ValueError(f"{key} is one of {', '.join(Ending)}")


def _reader_of_list(kind: Any, *others: Any) -> _Read:  # noqa: ANN401
    count = None if others == (Ellipsis,) else 1 + len(others)
    read_one = _reader_of(kind)

    def read(key: str, value: object) -> object:
        if isinstance(value, list) and len(value) == (len(value) if count is None else count):
            return tuple([read_one(key, each) for each in value])
        raise ValueError(f"{key} is a list" + (f" of {count}" if count else ""))

    return read


_ENDINGS: Mapping[str, Ending] = {each.value: each for each in Ending}
_READERS: Mapping[type[Any], Mapping[str, _Read]] = {
    kind: {name: _reader_of(hint) for name, hint in get_type_hints(kind).items()}
    for kind in (*get_args(Event), Result)
}
_NEEDED: Mapping[type[Any], frozenset[str]] = {
    kind: frozenset(readers.keys() - kind._field_defaults.keys())
    for kind, readers in _READERS.items()
}
