"""An evening: a tournament of a hall that is over, as the values of its file.

The document is that of docs/reference/evening.md. Within a version keys are only added: a reader
passes over those that it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date as Date
from enum import StrEnum
from typing import Annotated, Any, Final, NamedTuple

from scorer.hall.fields import hexadecimal, optional_hexadecimal
from scorer.plain_values import Count, Found, Like, OneLine, Range, is_record, read
from scorer.tournament.format import MAX_PHASES, MAX_TEAMS, Id, PhaseKind
from scorer.tournament.model import EMPTY, Ending, is_number

VERSION: Final = 1
VERSION_KEY: Final = "truco_evening"
MAX_NAME: Final = 80  # characters of a name of a team, person, club or hall
MAX_MATCHES: Final = 20_000

_Name = Annotated[str, OneLine(MAX_NAME)]
_OptionalName = Annotated[str, OneLine(MAX_NAME, 0)]
_Number = Annotated[int, Range(0, 999_999)]
_TeamNumber = Annotated[int, Range(1, MAX_TEAMS)]
_Side = Annotated[int, Range(0, MAX_TEAMS)]
_Pair = tuple[_Number, _Number]


class NamesKind(StrEnum):
    """Which names an evening has."""

    PUBLIC = "public"  # those that may be published; numbers in place of the others
    ALL = "all"  # of a club, for itself


class EveningHall(NamedTuple):
    """The hall that signs; ``key``: its public key of Ed25519 in hexadecimal."""

    name: _OptionalName
    key: Annotated[str, hexadecimal(64)]


class EveningTournament(NamedTuple):
    """What a tournament is called.

    ``format``: its id; ``title``: of the format, of our own ones a key of the catalogues such as
    ``format.swiss``.
    """

    name: _OptionalName
    category: _OptionalName
    format: Annotated[str, OneLine(MAX_NAME)]
    title: _OptionalName


class EveningPhase(NamedTuple):
    """A phase that was played; ``title``: as that of a tournament, or ""."""

    id: Id
    title: _OptionalName
    kind: PhaseKind
    variant: Id


class EveningPlayer(NamedTuple):
    """A player: a name, or a number such as ``#12.1``.

    ``member``: what ``members.member_hash`` makes of the number of a member, or "".
    """

    name: _Name
    member: Annotated[str, optional_hexadecimal(64)] = ""

    @property
    def is_named(self) -> bool:
        """Whether it has a name, not a number."""
        return not is_number(self.name)


class EveningTeam(NamedTuple):
    """A team in the final order.

    ``place``: over all phases, from 1; teams that are level share one. ``team``: the number of its
    entry. ``name``: a number such as ``#12`` where it has no name. ``phase``: that in which the
    place was decided, "" for none.
    """

    place: _TeamNumber
    team: _TeamNumber
    name: _Name
    players: Annotated[tuple[EveningPlayer, ...], Count(0, 20)] = ()
    club: _OptionalName = ""
    phase: Annotated[str, OneLine(20, 0)] = ""
    is_withdrawn: bool = False

    @property
    def is_named(self) -> bool:
        """Whether it has a name, not a number."""
        return not is_number(self.name)


class EveningMatch(NamedTuple):
    """A match with a result.

    ``teams``: the numbers of two, 0: none came from the match before. ``zone``: 0 without zones.
    ``table``: 0: not known. ``winner``: 0 or 1; None: a draw, both were absent, or annulled.
    """

    id: Annotated[str, OneLine(60)]
    phase: Id
    zone: _Number
    round: _Number
    table: _Number
    teams: tuple[_Side, _Side]
    games: _Pair
    points: _Pair
    winner: Annotated[int, Range(0, 1)] | None
    ending: Ending


class Evening(NamedTuple):
    """A tournament that is over, with every team and result.

    ``id``: 32 hexadecimal digits, the same in every revision. ``revision``: a corrected evening
    has a greater one. ``date``: such as ``2026-11-28``. ``is_complete``: no match was missing.
    ``teams``: in the final order.
    """

    id: Annotated[str, hexadecimal(32)]
    revision: Annotated[int, Range(1)]
    date: Annotated[str, Like(r"\d{4}-\d\d-\d\d", "is not like 2026-11-28")]
    names: NamesKind
    hall: EveningHall
    tournament: EveningTournament
    is_complete: bool
    phases: Annotated[tuple[EveningPhase, ...], Count(0, MAX_PHASES)]
    teams: Annotated[tuple[EveningTeam, ...], Count(0, MAX_TEAMS)]
    matches: Annotated[tuple[EveningMatch, ...], Count(0, MAX_MATCHES)]

    def find_problems(self) -> Iterator[Found]:
        """What the values, each readable, say against each other."""
        try:
            Date.fromisoformat(self.date)
        except ValueError:
            yield "date", "is no day of the calendar"
        phases = {each.id for each in self.phases}
        yield from _twice("phases", (each.id for each in self.phases))
        yield from _twice("teams", (each.team for each in self.teams))
        yield from _twice("matches", (each.id for each in self.matches))
        place = 0
        for at, team in enumerate(self.teams, 1):
            if team.place not in (place, at):
                yield ("teams", str(at - 1), "place"), "does not follow from the places before it"
            if team.phase and team.phase not in phases:
                yield ("teams", str(at - 1), "phase"), "is no phase of the evening"
            place = team.place
        known = {EMPTY, *(each.team for each in self.teams)}
        for number, match in enumerate(self.matches):
            if not known.issuperset(match.teams):
                yield ("matches", str(number), "teams"), "are no teams of the evening"
            if match.phase not in phases:
                yield ("matches", str(number), "phase"), "is no phase of the evening"


def evening_document(evening: Evening) -> dict[str, Any]:
    """The evening as JSON values, without digest and signature."""
    return {VERSION_KEY: VERSION, **_plain(evening)}


def read_document(document: Mapping[str, object]) -> Evening:
    """The evening of a document. Raises WrongValues with every problem."""
    return read(Evening, document, skips_unknown=True)


def _plain(value: object) -> Any:  # noqa: ANN401
    """A record as JSON values."""
    if is_record(type(value)):
        assert isinstance(value, tuple)
        return {name: _plain(getattr(value, name)) for name in type(value)._fields}  # type: ignore[attr-defined]
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.value if isinstance(value, StrEnum) else value


def _twice(key: str, listed: Iterable[object]) -> Iterator[Found]:
    found = [*listed]
    if len({*found}) < len(found):
        yield key, "has one twice"
