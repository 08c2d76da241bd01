"""What follows from a tournament as JSON: standings, brackets, places, teams.

Names and numbers only; the pages have the words. ``MatchPlace`` is what the hall knows of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from scorer.tournament import Consequences, Reader, Result, consequences, why
from scorer.tournament.bracket import FINAL, LOSERS, MAIN
from scorer.tournament.consequences import ByResult, ByScore, BySeed, ByTie, start_taken_back
from scorer.tournament.entry_list import plain
from scorer.tournament.format import Criterion, PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, Fixture, Loser, Pair, Slot, Winner
from scorer.tournament.tournament import Stage

Json = dict[str, Any]

_ROUNDS_TO_THE_END = {0: "final", 1: "semifinal", 2: "quarterfinal"}
_DIFFERENCES = (Criterion.GAMES_DIFFERENCE, Criterion.POINTS_DIFFERENCE)
_NEGATIVE = (Criterion.WALKOVERS, Criterion.DRAW)  # counted negative, shown positive


class MatchPlace(NamedTuple):
    """Where a match is played, and how far it is; ``table`` 0: at none.

    ``state``: ``later``, ``ready``, ``offered``, ``accepted``, ``playing``, ``ended``, ``agreed``
    or ``contested``. ``by_time``: the time of the match was over before it was decided.
    ``misses_leg``: a leg before the newest one is not known here.
    """

    table: int
    state: str
    games: Pair = (0, 0)
    points: Pair = (0, 0)
    by_time: bool = False
    misses_leg: bool = False


MatchPlaces = Mapping[str, MatchPlace]  # of matches


class HallTournament(NamedTuple):
    """The tournament of a hall; ``screens``: what the desk has chosen for each code."""

    reader: Reader
    places: MatchPlaces
    screens: Mapping[str, Json]


def tournament_document(reader: Reader, places: MatchPlaces) -> Json:
    """What walls show: who plays where, and each phase that has begun."""
    return {
        "title": reader.state.format.title,
        "teams": len(reader.state.teams),
        "champion": team_name(reader, champion(reader)),
        "where": where_documents(reader, places),
        "phases": [
            phase_document(reader, phase, places)
            for phase in reader.state.format.phases
            if phase.id in reader.state.stages
        ],
    }


def champion(reader: Reader) -> int:
    """The first of the last phase once it is over; 0 before."""
    last = reader.state.format.phases[-1]
    if not reader.is_complete(last.id):
        return 0
    first = [each.team for each in reader.standings(last.id) if each.rank == 1]
    return first[0] if len(first) == 1 else 0


def where_documents(reader: Reader, places: MatchPlaces) -> list[Json]:
    """The next match of each team that has one, by the name of the team; byes too."""
    found: dict[int, Json] = {}
    for match_id in _open_matches(reader):
        document = match_document(reader, match_id, places)
        for at, side in enumerate(document["sides"]):
            other = document["sides"][1 - at]["name"]
            row = {"name": side["name"], "team": side["team"], "opponent": other}
            found.setdefault(side["team"], {**row, "match": document})
    for stage in reader.state.stages.values():
        last = stage.rounds[-1] if stage.rounds else None
        if last and last.bye and any(reader.result(each) is None for each in last.matches):
            row = {"name": team_name(reader, last.bye), "team": last.bye, "opponent": ""}
            found.setdefault(last.bye, {**row, "match": None})
    return sorted(found.values(), key=lambda row: (plain(row["name"]), row["team"]))


def table_documents(tournament: HallTournament) -> dict[int, Json]:
    """The match of each table that has one without a result."""
    reader, places, _ = tournament
    matches = [match_document(reader, each, places) for each in _open_matches(reader)]
    return {each["table"]: each for each in matches if each["table"]}


def phase_document(reader: Reader, phase: PhaseFormat, places: MatchPlaces) -> Json:
    """A phase that has begun: standings, or the rounds of its bracket."""
    stage = reader.state.stages[phase.id]
    is_bracket = phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE)
    zones = range(1, len(stage.zones) + 1) if stage.zones else (0,)
    return {
        "id": phase.id,
        "title": phase.title or phase.id,
        "kind": phase.kind.value,
        "played": sum(reader.result(each) is not None for each in stage.matches),
        "matches": len(stage.matches),
        "standings": [
            standings_document(reader, phase.id, zone) for zone in zones if not is_bracket
        ],
        "bracket": bracket_document(reader, phase, places) if is_bracket else [],
    }


def standings_document(reader: Reader, phase_id: str, zone: int = 0) -> Json:
    """The standings of a phase or zone, with the value of each tie-break."""
    phase = _phase(reader, phase_id)
    return {
        "phase": phase_id,
        "zone": zone,
        "criteria": [each.value for each in phase.tiebreaks],
        "rows": [
            {
                "rank": each.rank,
                "team": each.team,
                "name": team_name(reader, each.team),
                "played": sum(bool(o.opponent) for o in reader.outings(phase_id, each.team)),
                "is_withdrawn": each.team in reader.state.withdrawn,
                "values": [
                    _shown(criterion, value)
                    for criterion, value in zip(phase.tiebreaks, each.values, strict=True)
                ],
            }
            for each in reader.standings(phase_id, zone)
        ],
    }


def bracket_document(reader: Reader, phase: PhaseFormat, places: MatchPlaces) -> list[Json]:
    """The rounds of a bracket, in the order in which they are played."""
    rounds: dict[tuple[int, int], list[Json]] = {}
    for match in reader.state.stages[phase.id].matches.values():
        document = match_document(reader, match.id, places)
        rounds.setdefault((match.group, match.round), []).append(document)
    return [
        {"stage": matches[0]["stage"], "matches": matches} for _, matches in sorted(rounds.items())
    ]


def match_document(reader: Reader, match_id: str, places: MatchPlaces) -> Json:
    """One match: its teams or where they come from, its place and its result."""
    match = reader.state.match(match_id)
    assert match is not None, match_id
    phase = _phase(reader, match.phase)
    teams, result = reader.sides(match_id), reader.result(match_id)
    is_planned = None in teams or reader.state.missing.intersection(filter(None, teams))
    place = places.get(match_id, MatchPlace(0, "planned" if is_planned else "ready"))
    return {
        "id": match_id,
        "phase": phase.title or phase.id,
        "stage": _stage_of(reader.state.stages[phase.id], phase, match),
        "sides": [
            {"team": team or 0, "name": team_name(reader, team), **_origin(slot)}
            for team, slot in zip(teams, match.slots, strict=True)
        ],
        "table": place.table,
        "state": "official" if result is not None else place.state,
        "games": list(place.games),
        "points": list(place.points),
        "result": None if result is None else result_document(result),
    }


def result_document(result: Result) -> Json:
    return {
        "winner": result.winner,
        "games": list(result.games),
        "points": list(result.points),
        "ending": result.ending.value,
        "is_absence": result.ending is Ending.WALKOVER,
    }


def team_document(reader: Reader, team: int, places: MatchPlaces) -> Json:
    """What a team asks: where and when, its results, its zone. Raises KeyError."""
    entry = reader.state.teams[team]
    documents = [
        match_document(reader, match.id, places)
        for match in reader.state.matches()
        if team in reader.sides(match.id)
    ]
    documents.sort(key=lambda each: each["result"] is None)  # what comes next stands last
    following = next((each for each in documents if each["result"] is None), None)
    return {
        "title": reader.state.format.title,
        "champion": team_name(reader, champion(reader)),
        "team": team,
        "name": entry.name,
        "club": entry.club,
        "is_withdrawn": team in reader.state.withdrawn,
        "next": following and {**following, "why": why_document(reader, following["id"])},
        "matches": documents,
        "standings": [
            {**document, "title": _phase(reader, phase_id).title or phase_id}
            for phase_id, stage in reader.state.stages.items()
            for document in _standings_with(reader, phase_id, stage, team)
        ],
    }


def consequences_document(reader: Reader, match_id: str, result: Result | None) -> Json:
    """What another result of a match changes; None: the match is annulled."""
    found: Consequences = consequences(reader.state, match_id, result)

    def names(teams: Iterable[int | None]) -> list[str]:
        return [team_name(reader, team) for team in teams]

    def label(match: str) -> Json:
        document = match_document(reader, match, {})
        return {key: document[key] for key in ("id", "phase", "stage", "sides")}

    return {
        "blocking": [label(each) for each in found.blocking],
        "exchanges": [
            {**label(each.match), "before": names(each.before), "after": names(each.after)}
            for each in found.exchanges
        ],
        "standings": [
            {"phase": _phase(reader, phase).title or phase, "zone": zone}
            for phase, zone in found.standings
        ],
        "pairings": list(found.pairings),
        "entrants": [
            {
                "phase": _phase(reader, each.phase).title or each.phase,
                "leaving": names(each.leaving),
                "entering": names(each.entering),
                "id": each.phase,
                "can_take_back": bool(start_taken_back(reader.state, each.phase)),
            }
            for each in found.entrants
        ],
        "ties": [
            {
                "phase": _phase(reader, each.phase).title or each.phase,
                "teams": names(each.teams),
                "is_level": each.is_level,
            }
            for each in found.ties
        ],
    }


def why_document(reader: Reader, match_id: str) -> Json:
    """Why the teams of a match meet. Raises KeyError."""
    found = why(reader.state, match_id)
    match found:
        case ByScore():
            nearer = [
                {
                    "team": team_name(reader, each.team),
                    "opponent": team_name(reader, each.opponent),
                    "obstacle": each.obstacle.value,
                }
                for each in found.nearer
            ]
            return {"why": "score", "scores": list(found.scores), "nearer": nearer}
        case BySeed():
            return {"why": "seed", "seeds": list(found.seeds)}
        case ByResult():
            return {"why": "result", "matches": list(found.matches)}
        case ByTie():
            return {"why": "playoff", "teams": [team_name(reader, each) for each in found.teams]}
        case _:
            return {"why": "zone", "zone": found.zone}


def team_name(reader: Reader, team: int | None) -> str:
    """The name of a team; "" of none."""
    return reader.state.teams[team].name if team else ""


def _phase(reader: Reader, phase_id: str) -> PhaseFormat:
    found = reader.state.format.phase(phase_id)
    assert found is not None, phase_id
    return found


def _open_matches(reader: Reader) -> list[str]:
    """The matches that can be played, in the order of their rounds."""
    matches = sorted(reader.state.matches(), key=lambda match: match.round)
    return [
        each.id
        for each in matches
        if reader.result(each.id) is None and None not in reader.sides(each.id)
    ]


def _standings_with(reader: Reader, phase_id: str, stage: Stage, team: int) -> list[Json]:
    if _phase(reader, phase_id).kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE):
        return []
    zones = [at for at, teams in enumerate(stage.zones, 1) if team in teams]
    if not stage.zones and team in stage.entrants:
        zones = [0]
    return [standings_document(reader, phase_id, zone) for zone in zones]


def _shown(criterion: Criterion, value: Fraction | None) -> str:
    if value is None:
        return ""
    if criterion in _NEGATIVE:
        return str(-value)
    sign = "+" if criterion in _DIFFERENCES and value > 0 else ""
    return f"{sign}{value}"


def _stage_of(stage: Stage, phase: PhaseFormat, match: Fixture) -> Json:
    """What the round of a match is called."""
    return {"key": _stage_key(stage, phase, match), "zone": match.group, "round": match.round}


def _stage_key(stage: Stage, phase: PhaseFormat, match: Fixture) -> str:
    if match.is_playoff:
        return "playoff"
    if phase.kind is PhaseKind.ZONES:
        return "zone"
    if phase.kind is PhaseKind.DOUBLE:
        if match.group == FINAL:
            return "second_final" if match.is_second_final else "final"
        return "upper" if match.group == MAIN else "lower"
    if phase.kind is PhaseKind.ROUNDS or phase.redraw or phase.survivors > 1:
        return "round"
    if match.group == LOSERS:
        return "third"
    last = max(each.round for each in stage.matches.values() if each.group == MAIN)
    return _ROUNDS_TO_THE_END.get(last - match.round, "round")


def _origin(slot: Slot) -> Json:
    """The match from which a team comes."""
    match slot:
        case Winner(match_id):
            return {"winner_of": match_id}
        case Loser(match_id):
            return {"loser_of": match_id}
        case _:
            return {}
