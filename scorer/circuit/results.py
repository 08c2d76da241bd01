"""The results of a season: tables, teams, persons, and what is odd about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from scorer.circuit.evenings import SeasonEvening
from scorer.circuit.formula import Formula
from scorer.circuit.matching import Entity, Matching, Sighting, match
from scorer.circuit.people import NameQuestion, PeopleFile
from scorer.circuit.scoring import (
    ClubOuting,
    ClubRow,
    SeasonOuting,
    TableRow,
    club_table,
    points_of,
    table,
)
from scorer.circuit.season_file import Season
from scorer.season.evening import EveningTeam


class Played(NamedTuple):
    """A team in an evening; ``entity`` None: without a name it is in no table."""

    team: EveningTeam
    entity: Entity | None
    persons: tuple[Entity, ...]
    club: Entity | None
    points: int
    wins: int


class EveningTeams(NamedTuple):
    """An evening with its teams in their final order."""

    read: SeasonEvening
    teams: tuple[Played, ...]


class SeasonTable(NamedTuple):
    """A table; ``category``: "" if the season has one table alone."""

    category: str
    rows: tuple[TableRow, ...]


class NoticeKind(StrEnum):
    """What is odd and stops nothing."""

    SAME_DAY = "same_day"  # a team or person is in two evenings of one day
    INCOMPLETE = "incomplete"  # an evening was closed before its last match


class SeasonNotice(NamedTuple):
    """Something odd; ``evenings``: by their places; ``entity``: of SAME_DAY."""

    kind: NoticeKind
    evenings: tuple[int, ...]
    entity: Entity | None = None


class Results(NamedTuple):
    """What the files of a season come to. ``clubs``: () without a table of clubs."""

    evenings: tuple[EveningTeams, ...]
    teams: dict[str, Entity]
    persons: dict[str, Entity]
    tables: tuple[SeasonTable, ...]
    clubs: tuple[ClubRow, ...]
    club_names: dict[str, str]
    notices: tuple[SeasonNotice, ...]


class Unanswered(NamedTuple):
    """Why there are no results yet."""

    questions: tuple[NameQuestion, ...]
    problems: tuple[str, ...]


def results(
    season: Season, evenings: Sequence[SeasonEvening], people: PeopleFile
) -> Results | Unanswered:
    """The results of these evenings, which are in their order."""
    sightings = [
        Sighting(at, each.hall, where(each), team)
        for at, each in enumerate(evenings)
        for team in each.evening.teams
    ]
    matching = match(sightings, people)
    if matching.questions or matching.problems:
        return Unanswered(matching.questions, matching.problems)
    played = _played(season, evenings, matching)
    teams = {each.id: each for each in matching.teams if each is not None}
    persons = {each.id: each for row in matching.persons for each in row}
    club_names = {each.id: each.name for each in matching.clubs if each is not None}
    of_clubs = [
        ClubOuting(each.club.id, at, each.points)
        for at, evening in enumerate(played)
        for each in evening.teams
        if each.club is not None
    ]
    clubs = [] if season.clubs is None else club_table(of_clubs, season.clubs.best, club_names)
    return Results(
        played,
        teams,
        persons,
        tuple(_tables(season, played, teams if season.ranks_teams else persons)),
        tuple(clubs),
        club_names,
        tuple(_notices(played)),
    )


def where(each: SeasonEvening) -> str:
    """An evening in a few words, for the organiser."""
    return f"{each.evening.date} {each.hall}, {each.locked.source}"


def entries_of(season: Season, played: Played) -> tuple[Entity, ...]:
    """Who is in the table for a team: itself, or its persons."""
    if not season.ranks_teams:
        return played.persons
    return () if played.entity is None else (played.entity,)


def _played(
    season: Season, evenings: Sequence[SeasonEvening], matching: Matching
) -> tuple[EveningTeams, ...]:
    formula = Formula(season.points.formula) if season.points.formula else None
    found = iter(zip(matching.teams, matching.persons, matching.clubs, strict=True))
    played = []
    for at, read in enumerate(evenings):
        won = Counter(winner for winner, _ in _won(read))
        teams = []
        for team, (entity, persons, club) in zip(read.evening.teams, found, strict=False):
            wins = won[team.team]
            place = 0 if team.is_withdrawn else team.place
            outing = SeasonOuting("", at, place, len(read.evening.teams), wins)
            points = points_of(season.points, formula, outing)
            teams.append(Played(team, entity, persons, club, points, wins))
        played.append(EveningTeams(read, tuple(teams)))
    return tuple(played)


def _won(read: SeasonEvening) -> Iterator[tuple[int, int]]:
    """The winner and the loser of each match that has one; 0: no team was there."""
    for each in read.evening.matches:
        if each.winner is not None:
            yield each.teams[each.winner], each.teams[1 - each.winner]


def _tables(
    season: Season, played: Sequence[EveningTeams], entries: dict[str, Entity]
) -> Iterator[SeasonTable]:
    names = {each.id: each.name for each in entries.values()}
    for category in season.season.categories or ("",):
        chosen = [(at, each) for at, each in enumerate(played) if each.read.category == category]
        outings = [found for at, each in chosen for found in _outings(season, at, each)]
        yield SeasonTable(category, tuple(table(season, outings, len(chosen), names)))


def _outings(season: Season, at: int, played: EveningTeams) -> Iterator[SeasonOuting]:
    entries = {each.team.team: entries_of(season, each) for each in played.teams}
    beaten: dict[int, list[str]] = defaultdict(list)
    for winner, loser in _won(played.read):
        beaten[winner] += (each.id for each in entries.get(loser, ()))
    for each in played.teams:
        place = 0 if each.team.is_withdrawn else each.team.place
        for entry in entries[each.team.team]:
            yield SeasonOuting(
                entry.id, at, place, len(played.teams), each.wins, tuple(beaten[each.team.team])
            )


def _notices(played: Sequence[EveningTeams]) -> Iterator[SeasonNotice]:
    for at, each in enumerate(played):
        if not each.read.evening.is_complete:
            yield SeasonNotice(NoticeKind.INCOMPLETE, (at,))
    of_day: dict[tuple[str, str], list[int]] = defaultdict(list)
    entities: dict[str, Entity] = {}
    for at, each in enumerate(played):
        for team in each.teams:
            for entity in filter(None, [team.entity, *team.persons]):
                entities[entity.id] = entity
                of_day[each.read.evening.date, entity.id].append(at)
    twice = {key: evenings for key, evenings in of_day.items() if len(evenings) > 1}
    # A team stands for its players.
    named = {
        (day, player.id): evenings
        for (day, id_), evenings in twice.items()
        for player in entities[id_].players
    }
    for key, evenings in sorted(twice.items()):
        if named.get(key) != evenings:
            for pair in combinations(evenings, 2):
                yield SeasonNotice(NoticeKind.SAME_DAY, pair, entities[key[1]])
