"""The signed file of a closed tournament: docs/reference/evening.md.

It follows from the log alone: the number of its newest entry is the revision, and the tables are
those that the boxes had then. So the file of the same state has the same bytes on every day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy.engine import Connection

from scorer.hub.changes import tournament_of
from scorer.hub.identity import signing_keys
from scorer.hub.scores import match_in
from scorer.hub.store import log
from scorer.hub.store.database import DatabaseError
from scorer.hub.store.projections import Kind
from scorer.hub.times import local_day, seconds_of
from scorer.hub.tournaments import ClosedTournament, RunningTournament, read_closed
from scorer.season.evening import (
    Evening,
    EveningHall,
    EveningMatch,
    EveningPhase,
    EveningPlayer,
    EveningTeam,
    EveningTournament,
    NamesKind,
)
from scorer.season.evening_file import EveningRefusal, HallKey, read_evening, write_evening
from scorer.season.signing import public_key_of
from scorer.tournament import Reader
from scorer.tournament.model import blank_name, is_number
from scorer.tournament.public_names import public_state

_TABLE_KINDS = (Kind.DEVICE_ACCEPTED, Kind.DEVICE_NAMED, Kind.DEVICE_REINSTATED)
_PURPOSE = "truco evening"


class UnreadableEvening(DatabaseError):
    """A tournament of which no file can be made; the text says why."""


class EveningOptions(NamedTuple):
    """What the file of an evening has beside what follows from the log.

    ``hall``: its name. ``member_of``: the hash of the member with a name, or "".
    """

    hall: str
    names: NamesKind = NamesKind.PUBLIC
    member_of: Callable[[str], str] = lambda _: ""


class SignedFile(NamedTuple):
    """The file of an evening and the tournament that it was made of."""

    running: RunningTournament
    data: bytes


def evening_file(
    connection: Connection, closed: ClosedTournament, options: EveningOptions
) -> SignedFile:
    """The file of a closed tournament.

    Raises UnreadableEvening or another DatabaseError.
    """
    running, keys = read_closed(connection, closed), signing_keys(connection)
    state, reader = running.state, Reader(running.state)
    day = state.names.date or local_day(seconds_of(closed.begun.at))
    key = keys.of_day(day).private
    format_, (name, _, category) = state.format, state.names
    # 32 hexadecimal digits that no other tournament of any hall has.
    evening = Evening(
        id=sha256(f"{_PURPOSE}\n{keys.hall}\n{running.id}".encode()).hexdigest()[:32],
        revision=closed.until,
        date=day,
        names=options.names,
        hall=EveningHall(options.hall, public_key_of(key)),
        tournament=EveningTournament(name, category, format_.id, format_.title),
        is_complete=all(reader.is_complete(each.id) for each in format_.phases),
        phases=tuple(
            EveningPhase(each.id, each.title, each.kind, each.variant)
            for each in format_.phases
            if each.id in state.stages
        ),
        teams=tuple(_teams(reader, options)),
        matches=tuple(_matches(reader, _tables_then(connection, running, closed.until))),
    )
    data = write_evening(evening, key)
    found = read_evening(data, [HallKey(evening.hall.key)])
    if isinstance(found, EveningRefusal):
        raise UnreadableEvening(f"no season would read this evening: {found.text}")
    return SignedFile(running, data)


def _teams(reader: Reader, options: EveningOptions) -> Iterator[EveningTeam]:
    """All teams in the final order, with the names that the file may have."""
    state = reader.state
    shown = state if options.names is NamesKind.ALL else public_state(state)
    for place in reader.final_order():
        team, named = state.teams[place.team], shown.teams[place.team]
        players = (
            EveningPlayer(
                name if name in named.players else blank_name(team.id, at),
                "" if is_number(name) else options.member_of(name),
            )
            for at, name in enumerate(team.players, 1)
        )
        yield EveningTeam(
            place=place.rank,
            team=team.id,
            name=named.name,
            players=tuple(players),
            club=named.club,
            phase=place.phase,
            is_withdrawn=team.id in state.withdrawn,
        )


def _matches(reader: Reader, tables: Mapping[str, int]) -> Iterator[EveningMatch]:
    """The matches with a result, phase after phase."""
    for match in reader.state.matches():
        (one, other), result = reader.sides(match.id), reader.result(match.id)
        if result is None or one is None or other is None:
            continue
        yield EveningMatch(
            id=match.id,
            phase=match.phase,
            zone=match.group,
            round=match.round,
            table=tables.get(match.id, 0),
            teams=(one, other),
            games=result.games,
            points=result.points,
            winner=result.winner,
            ending=result.ending,
        )


def _tables_then(connection: Connection, running: RunningTournament, until: int) -> dict[str, int]:
    """The table of each match as its box had it when the match was assigned last."""
    numbers, found = dict[int, int](), dict[str, int]()
    newest = running.id
    before = log.entries(connection, 0, _TABLE_KINDS, running.id)
    kinds = (*_TABLE_KINDS, Kind.TOURNAMENT_BEGUN, Kind.DESIRED_SET)
    for entry in [*before, *log.entries(connection, running.id, kinds, until)]:
        match Kind(entry.kind):
            case Kind.DEVICE_ACCEPTED:
                numbers[entry.seq] = entry.body["table"]
            case Kind.DEVICE_NAMED | Kind.DEVICE_REINSTATED:
                numbers[entry.body["device"]] = entry.body["table"]
            case Kind.TOURNAMENT_BEGUN:
                newest = entry.seq
            case _:
                assigned = match_in(entry.body["document"].get("header") or "")
                device = entry.body["device"]
                if (
                    assigned is not None
                    and tournament_of(entry, newest) == running.id
                    and running.devices.get(assigned.id) == device
                    and log.ABOVE not in entry.body
                ):
                    found[assigned.id] = numbers.get(device, 0)
    return found
