"""What follows from a tournament as JSON: standings, brackets, places, teams.

Names, numbers and the phrases for them in the language of ``phrases``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scorer.hub.match_cache import MatchCache
from scorer.hub.match_place import (
    AT_END,
    HallTournament,
    ListedTournament,
    MatchPlace,
    MatchPlaces,
    PlayingTime,
)
from scorer.hub.titles import date_text, event_title, title_text
from scorer.hub.tournament_phrases import Phrases, score_text
from scorer.i18n import Say
from scorer.tournament import Reader, Result, consequences
from scorer.tournament.consequences import start_taken_back
from scorer.tournament.format import PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, Fixture, Loser, Names, Slot, Winner
from scorer.tournament.names import plain
from scorer.tournament.tournament import Stage

Json = dict[str, Any]


def tournament_document(phrases: Phrases, places: MatchPlaces) -> Json:
    """What walls show: who plays where, and each phase that has begun."""
    reader = phrases.reader
    return {
        **naming_document(phrases),
        "teams": len(reader.state.teams),
        "champion": phrases.champion,
        "where": where_documents(phrases, places),
        "phases": [
            phase_document(phrases, phase, places)
            for phase in reader.state.format.phases
            if phase.id in reader.state.stages
        ],
    }


def naming_document(phrases: Phrases) -> Json:
    """What a tournament is called: ``date`` in words, ``day`` such as ``2026-11-28``."""
    return _naming(phrases.state.names, phrases.state.format.title, phrases.say)


def _naming(names: Names, format_title: str, say: Say) -> Json:
    name, date, category = names
    return {
        "title": event_title(name, format_title, category, say),
        "date": date_text(date, say),
        "day": date,
        "format": title_text(format_title, say),
    }


def tournaments_document(listed: Iterable[ListedTournament], say: Say) -> list[Json]:
    """The tournaments of the hall in a few words."""
    return [
        {
            "id": each.id,
            **_naming(each.names, each.format_title, say),
            "is_open": each.is_open,
            "teams": each.teams,
            "champion": each.champion,
        }
        for each in listed
    ]


def where_documents(phrases: Phrases, places: MatchPlaces) -> list[Json]:
    """The next match of each team that has one, by the name of the team; byes too."""
    found: dict[int, Json] = {}
    reader = phrases.reader
    for match_id in _open_matches(reader):
        document = match_document(phrases, match_id, places)
        for at, side in enumerate(document["sides"]):
            other = document["sides"][1 - at]["name"]
            row = {"name": side["name"], "team": side["team"], "opponent": other}
            found.setdefault(side["team"], {**row, "match": document})
    for stage in reader.state.stages.values():
        last = stage.rounds[-1] if stage.rounds else None
        if last and last.bye and any(reader.result(each) is None for each in last.matches):
            row = {"name": phrases.team(last.bye), "team": last.bye, "opponent": ""}
            found.setdefault(last.bye, {**row, "match": None})
    return sorted(found.values(), key=lambda row: (plain(row["name"]), row["team"]))


def table_documents(
    phrases: Phrases, tournament: HallTournament, made: MatchCache
) -> dict[int, Json]:
    """The match of each table that has one without a result."""
    reader, places = tournament.reader, tournament.places
    naming = {"tournament": tournament.id, "tournament_title": phrases.title}
    kind = "tables", tournament.id, phrases.language

    def document(match: str) -> Json:
        def make() -> Json:
            return {**match_document(phrases, match, places), **naming}

        return made.get(kind, reader.state, match, places[match], make)

    return {
        places[match].table: document(match)
        for match in _open_matches(reader)
        if match in places and places[match].table
    }


def phase_document(phrases: Phrases, phase: PhaseFormat, places: MatchPlaces) -> Json:
    """A phase that has begun: standings, or the rounds of its bracket."""
    reader = phrases.reader
    stage = reader.state.stages[phase.id]
    is_bracket = phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE)
    zones = range(1, len(stage.zones) + 1) if stage.zones else (0,)
    return {
        "id": phase.id,
        "title": phrases.phase(phase),
        "kind": phase.kind.value,
        "clock": clock_document(phrases, phase, places),
        "played": sum(reader.result(each) is not None for each in stage.matches),
        "matches": len(stage.matches),
        "standings": [standings_document(phrases, phase, zone) for zone in zones if not is_bracket],
        "bracket": round_documents(phrases, phase, places) if is_bracket else [],
    }


def clock_document(phrases: Phrases, phase: PhaseFormat, places: MatchPlaces) -> Json | None:
    """The clock of the round in play; None without one, or without a limit.

    ``text``: its round; ``clock``: how long its last match has; ``playing``: how many of its
    matches are in play.
    """
    timed: list[tuple[Fixture, PlayingTime]] = []
    for match_id, match in phrases.state.stages[phase.id].matches.items():
        place = places.get(match_id)
        if place is None or place.time is None or phrases.reader.result(match_id) is not None:
            continue
        if is_in_play(place) and place.time.ends is not None:
            timed.append((match, place.time))
    if not timed:
        return None
    number = min(match.round for match, _ in timed)
    of_round = [(match, time) for match, time in timed if match.round == number]
    last = max((time for _, time in of_round), key=lambda time: time.ends or 0)
    return {
        "text": phrases.round(of_round[0][0]),
        "clock": phrases.clock(last),
        "playing": len(of_round),
        **time_document(last),
    }


def time_document(time: PlayingTime) -> Json:
    """The minutes that are left, null: any number; and those since its time was over."""
    return {"left": time.left, "over": time.over}


def is_in_play(place: MatchPlace) -> bool:
    """Whether the clock of a match runs."""
    return place.time is not None and place.state not in (*AT_END, "official")


def standings_document(phrases: Phrases, phase: PhaseFormat, zone: int = 0) -> Json:
    """The standings of a phase or zone, with the value of each tie-break.

    ``title``: of the zone, or of a phase without zones; ``columns``: the short and the long name
    of the matches played and of each tie-break.
    """
    reader = phrases.reader
    return {
        "phase": phase.id,
        "zone": zone,
        "title": phrases.zone(zone) or phrases.phase(phase),
        "criteria": [each.value for each in phase.tiebreaks],
        "columns": phrases.columns(phase),
        "legend": phrases.legend(phase),
        "rows": [
            {
                "rank": each.rank,
                "team": each.team,
                "name": phrases.team(each.team),
                "played": sum(bool(o.opponent) for o in reader.outings(phase.id, each.team)),
                "is_withdrawn": each.team in reader.state.withdrawn,
                "values": [
                    phrases.value(criterion, value)
                    for criterion, value in zip(phase.tiebreaks, each.values, strict=True)
                ],
            }
            for each in reader.standings(phase.id, zone)
        ],
    }


def round_documents(phrases: Phrases, phase: PhaseFormat, places: MatchPlaces) -> list[Json]:
    """The rounds of a phase, zone after zone, and then its play-offs."""
    rounds: dict[tuple[bool, int, int], list[Json]] = {}
    for match in phrases.state.stages[phase.id].matches.values():
        document = match_document(phrases, match.id, places)
        rounds.setdefault((match.is_playoff, match.group, match.round), []).append(document)
    return [
        {"stage": matches[0]["stage"], "matches": matches} for _, matches in sorted(rounds.items())
    ]


def match_document(phrases: Phrases, match_id: str, places: MatchPlaces) -> Json:
    """One match: its teams or where they come from, its place and its result.

    ``name``: its short name; ``title``: its phase and stage; ``place``: its table and ``progress``;
    ``scores``: the numbers of each side; ``score``: the same in one line, "" before the first game.
    """
    reader, state = phrases.reader, phrases.state
    match = state.match(match_id)
    assert match is not None, match_id
    teams, result = reader.sides(match_id), reader.result(match_id)
    is_planned = None in teams or state.missing.intersection(filter(None, teams))
    place = places.get(match_id, MatchPlace(0, "planned" if is_planned else "ready"))
    official = None
    if result is not None:
        place = place._replace(state="official")
        # ``text``: how it ended, "" if it was played to its end.
        official = {
            "winner": result.winner,
            "games": list(result.games),
            "points": list(result.points),
            "ending": result.ending.value,
            "is_absence": result.ending is Ending.WALKOVER,
            "text": phrases.ending(result),
        }
    scores = phrases.scores(match, place)
    time = place.time if is_in_play(place) else None
    return {
        "id": match_id,
        "name": phrases.name(match_id),
        "phase": phrases.phase(reader.phase_of(match_id)),
        "stage": {
            "key": phrases.stage_key(match),
            "zone": match.group,
            "round": match.round,
            "text": phrases.stage(match),
        },
        "title": phrases.match(match),
        "sides": [
            {"team": team or 0, "name": phrases.team(team), "text": text, **_origin(slot)}
            for team, text, slot in zip(teams, phrases.sides(match), match.slots, strict=True)
        ],
        "table": place.table,
        "state": place.state,
        "place": phrases.place(place),
        "progress": phrases.progress(place),
        "queue": place.queue,
        "time": None if time is None else time_document(time),
        "clock": phrases.clock(time),
        "games": list(place.games),
        "points": list(place.points),
        "scores": [[pair[at] for pair in scores] for at in (0, 1)],
        "score": score_text(scores),
        "result": official,
    }


def team_document(phrases: Phrases, team: int, places: MatchPlaces) -> Json:
    """What a team asks: where and when, its results, its zone. Raises KeyError."""
    reader, state = phrases.reader, phrases.state
    entry = state.teams[team]
    documents = [
        _as_seen_by(phrases, team, match_document(phrases, match.id, places))
        for match in state.matches()
        if team in reader.sides(match.id)
    ]
    documents.sort(key=lambda document: document["result"] is None)  # what comes next stands last
    following = next((each for each in documents if each["result"] is None), None)
    return {
        **naming_document(phrases),
        "champion": phrases.champion,
        "team": team,
        "name": entry.name,
        "club": entry.club,
        "is_withdrawn": team in state.withdrawn,
        "next": following and {**following, "why": phrases.why(following["id"])},
        "matches": documents,
        "standings": [
            document
            for phase_id, stage in state.stages.items()
            for document in _standings_with(phrases, phase_id, stage, team)
        ],
    }


def _as_seen_by(phrases: Phrases, team: int, match: Json) -> Json:
    """The match from one team's side: its opponent, score and ``outcome``."""
    own = 0 if match["sides"][0]["team"] == team else 1
    result, scores = match["result"], match["scores"]
    outcome = ""
    if result is not None and result["ending"] != Ending.ANNULLED:
        is_lost = result["winner"] == 1 - own or (result["winner"] is None and result["is_absence"])
        outcome = "lost" if is_lost else "won" if result["winner"] == own else "drawn"
    return {
        **match,
        "opponent": match["sides"][1 - own]["text"],
        "score": score_text(zip(scores[own], scores[1 - own], strict=True)),
        "outcome": outcome,
        "outcome_text": phrases.say(f"hub.ending.{outcome}") if outcome else "",
    }


def consequences_document(phrases: Phrases, match_id: str, result: Result | None) -> Json:
    """What another result of a match changes; None: the match is annulled.

    ``change``: the old and the new result; ``questions``: what is unusual in the new one;
    ``lines``: all that follows in words; ``blocking``: the matches that are annulled with it;
    ``begun``: the phases whose start can be taken back, each with the question whether to.
    """
    found, match = consequences(phrases.state, match_id, result), phrases.state.match(match_id)
    assert match is not None, match_id
    return {
        "change": phrases.change(match, phrases.reader.result(match_id), result),
        "questions": [] if result is None else phrases.questions(match, result),
        "lines": phrases.consequences(found),
        "blocking": list(found.blocking),
        "begun": [
            {
                "id": each.phase,
                "text": phrases.say("phrase.changes.begun", phase=phrases.phase_of_id(each.phase)),
            }
            for each in found.entrants
            if start_taken_back(phrases.state, each.phase)
        ],
    }


def _open_matches(reader: Reader) -> list[str]:
    """The matches that can be played, in the order of their rounds."""
    matches = sorted(reader.state.matches(), key=lambda match: match.round)
    return [
        match.id
        for match in matches
        if reader.result(match.id) is None and None not in reader.sides(match.id)
    ]


def _standings_with(phrases: Phrases, phase_id: str, stage: Stage, team: int) -> Iterable[Json]:
    phase = phrases.state.format.phase(phase_id)
    assert phase is not None, phase_id
    if phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE):
        return []
    zones = [at for at, teams in enumerate(stage.zones, 1) if team in teams]
    if not stage.zones and team in stage.entrants:
        zones = [0]
    return [standings_document(phrases, phase, zone) for zone in zones]


def _origin(slot: Slot) -> Json:
    """The match from which a team comes."""
    match slot:
        case Winner(match_id):
            return {"winner_of": match_id}
        case Loser(match_id):
            return {"loser_of": match_id}
        case _:
            return {}
