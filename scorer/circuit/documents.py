"""``season.json``, by the schema docs/reference/api/season.schema.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from scorer.circuit.matching import Entity
from scorer.circuit.results import EveningTeams, Results, SeasonTable, entries_of
from scorer.circuit.scoring import TableRow
from scorer.circuit.season_file import Season

Json = dict[str, Any]
VERSION: Final = 1


def season_document(season: Season, found: Results) -> Json:
    """Everything that the pages of a season show."""
    entries = found.teams if season.ranks_teams else found.persons
    last = found.evenings[-1].read.evening.date
    teams = _by_name(found.teams)
    return {
        "truco_season": VERSION,
        "title": season.season.title,
        "ranked": season.season.ranked,
        "until": last,
        "evenings": [_evening(season, found, each) for each in found.evenings],
        "tables": [_table(season, each, entries) for each in found.tables],
        "clubs": [{**each._asdict(), "name": found.club_names[each.club]} for each in found.clubs],
        "teams": [
            {"id": team.id, "name": team.name, "players": [each.id for each in team.players]}
            for team in teams
        ],
        "persons": [
            {
                "id": person.id,
                "name": person.name,
                "teams": [team.id for team in teams if person in team.players],
            }
            for person in _by_name(found.persons)
        ],
        "notices": [
            {
                "kind": each.kind.value,
                "evenings": [*each.evenings],
                "id": each.entity.id if each.entity else None,
                "name": each.entity.name if each.entity else None,
            }
            for each in found.notices
        ],
    }


def _by_name(entities: Mapping[str, Entity]) -> list[Entity]:
    return sorted(entities.values(), key=lambda each: (each.name, each.id))


def _evening(season: Season, found: Results, each: EveningTeams) -> Json:
    evening = each.read.evening
    return {
        "id": evening.id,
        "revision": evening.revision,
        "digest": each.read.locked.digest,
        "date": evening.date,
        "hall": each.read.hall,
        "name": evening.tournament.name,
        "format": evening.tournament.title or evening.tournament.format,
        "category": evening.tournament.category,
        "is_complete": evening.is_complete,
        "teams": [
            {
                "place": played.team.place,
                "is_withdrawn": played.team.is_withdrawn,
                "name": played.team.name,
                "team": played.entity.id if played.entity else None,
                "persons": [person.id for person in played.persons],
                "club": found.club_names[played.club.id] if played.club else "",
                "wins": played.wins,
                # A team that is in no table has none.
                "points": played.points if entries_of(season, played) else None,
            }
            for played in each.teams
        ],
    }


def _table(season: Season, table: SeasonTable, entries: Mapping[str, Entity]) -> Json:
    qualified = season.final.qualified if season.final else 0
    return {
        "category": table.category,
        "rows": [
            _row(row, entries[row.entry].name, is_qualified=at < qualified and row.rank > 0)
            for at, row in enumerate(table.rows)
        ],
    }


def _row(row: TableRow, name: str, *, is_qualified: bool) -> Json:
    return {
        "rank": row.rank or None,
        "id": row.entry,
        "name": name,
        "points": row.points,
        "wins": row.wins,
        "firsts": row.firsts,
        "is_qualified": is_qualified,
        "evenings": [
            {
                "evening": each.outing.evening,
                "place": each.outing.place or None,
                "teams": each.outing.teams,
                "wins": each.outing.wins,
                "points": each.points,
                "counts": each.counts,
            }
            for each in row.scored
        ],
    }


def qualified_rows(table: Json) -> Iterable[Json]:
    """The rows of a table that play the final, in the order of their seeds."""
    return (row for row in table["rows"] if row["is_qualified"])
