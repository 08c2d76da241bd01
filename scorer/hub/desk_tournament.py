"""What the desk is shown of the tournament: teams, phases, queue, tables."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from scorer.hub.changes import LastChange
from scorer.hub.hub import Hub
from scorer.hub.match_place import AT_END, MatchKey, MatchPlace, MatchPlaces
from scorer.hub.matches import is_late, marks_of, result_at
from scorer.hub.state import Json
from scorer.hub.store import log
from scorer.hub.tournament_documents import (
    clock_document,
    match_document,
    naming_document,
)
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import RunningTournament, shared_names
from scorer.tournament import EventRefusal, Reader, Result, Tournament, apply
from scorer.tournament.events import Enter, TakeBack
from scorer.tournament.format import PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, Fixture
from scorer.tournament.person_words import looks_like_people
from scorer.tournament.public_names import public_name, unjudged
from scorer.tournament.results import walkover
from scorer.tournament.tournament import Stage

_ANY_TEAM = Enter("\0")  # a name that no team has
_RESULTS = 40  # shown, to be corrected
_MOST_RESULTS = 200  # of those that are asked for


def desk_tournament(hub: Hub, language: str, tournament: int = 0) -> Json | None:
    """A tournament as a JSON object, 0: the first open one; None without one.

    ``seq`` is what a decision sends back as ``seen``. ``queue`` has the matches that wait for a
    table, ``missing`` those that wait for a team, ``next`` the calls that the hub would make now,
    ``free`` the boxes without a match, the longest free one first. A match at a table that was not
    accepted in time is late.
    """
    matches, found = hub.matches, hub.matches.tournament(tournament)
    if found is None:
        return None
    running, reader = matches.running(found.id), found.reader
    state, at_tables, waiting = running.state, matches.at_tables(found.id), matches.waiting()
    phrases = Phrases(reader, language)
    document = _document(hub, running, phrases, found.places)
    entered = apply(state, _ANY_TEAM)
    no_entry = entered.reason.value if isinstance(entered, EventRefusal) else ""
    waited = {
        each.match: hub.state.seconds_assigned(each.rev)
        for each in hub.state.view.assigned
        if each.match and hub.state.tournaments.halls.get(each.hall) == running.id
    }

    return {
        "id": running.id,
        "seq": hub.state.view.log_seq,
        "champion": phrases.champion,
        **naming_document(phrases),
        "name": state.names.name,
        "category": state.names.category,
        "is_open": running.is_open,
        "priority": running.priority,
        "calls_by_itself": running.calls_by_itself,
        "publish_after": running.publish_after,
        "is_drawn": bool(state.seed),
        "commitment": state.commitment,
        "players": state.format.players,
        "reserves": state.format.reserves,
        "can_enter": not no_entry,
        "no_entry": no_entry,
        "forbidden": [list(pair) for pair in sorted(state.forbidden)],
        "teams": [
            {
                **team._asdict(),
                "public_name": public_name(state, team),
                "is_of_people": state.of_people.get(team.id),
                "is_withdrawn": team.id in state.withdrawn,
                "withdrawal": _decision(_withdrawn(running, team.id)),
                "is_missing": team.id in state.missing,
                "table": state.tables.get(team.id, 0),
            }
            for team in state.teams.values()
        ],
        "unjudged": [
            {"team": each.id, "is_proposed": looks_like_people(each.name)}
            for each in unjudged(state)
        ],
        "phases": [
            {
                **_phase(phrases, phase, found.places),
                **({"todo": "drawing"} if hub.rounds.drawing.get(running.id) == phase.id else {}),
            }
            for phase in state.format.phases
        ],
        "queue": [document(key.match) for key in waiting.ready if key.tournament == found.id],
        "held": [*matches.held(found.id)],
        "missing": [document(key.match) for key in waiting.missing if key.tournament == found.id],
        "next": [
            {"match": key.match, "device": device}
            for key, device in matches.next_calls()
            if key.tournament == found.id
        ],
        "tables": [
            {
                "device": device,
                "match": document(match),
                "is_late": is_late(reader, match, place, waited.get(match, 0)),
            }
            for match, (device, place) in at_tables.items()
        ],
        "official": [document(match) for match in _newest(running, reader)[:_RESULTS]],
        "free": matches.free_tables(),
        "screens": dict(hub.state.tournaments.screens),
    }


def desk_tournaments(hub: Hub, language: str) -> list[Json]:
    """The open tournaments, the oldest first, as ``desk_tournament`` has them."""
    found = (desk_tournament(hub, language, each.id) for each in hub.state.tournaments.open)
    return [each for each in found if each is not None]


def people_document(hub: Hub, language: str) -> dict[str, list[Json]]:
    """The names that may be of one person in two tournaments.

    ``people``: those that are asked about, ``people_answered``: those that were. One object for
    each pair of tournaments, with their ids and titles, another one if the names are only alike;
    ``names``: their keys, and as they are written.
    """
    tournaments = hub.state.tournaments
    titles = {
        each.id: Phrases(each.reader, language).title for each in hub.matches.open_tournaments()
    }
    found: dict[str, dict[tuple[int, int, bool], Json]] = {"people": {}, "people_answered": {}}
    for shared, written in shared_names(tournaments):
        name, one, other, other_name = shared
        named: Json = {"name": name, "other_name": other_name, **written._asdict()}
        listed = found["people"]
        if shared in tournaments.is_same_person:
            listed = found["people_answered"]
            named["is_same_person"] = tournaments.is_same_person[shared]
        is_alike = bool(other_name)
        pair: Json = {
            "tournaments": [one, other],
            "titles": [titles[one], titles[other]],
            "is_alike": is_alike,
            "names": [],
        }
        listed.setdefault((one, other, is_alike), pair)["names"].append(named)
    return {kind: [*pairs.values()] for kind, pairs in found.items()}


def desk_results(hub: Hub, language: str, phase: str, team: int, tournament: int = 0) -> list[Json]:
    """The official results of a tournament, the newest first.

    ``phase`` "": of all; ``team`` 0: of all.
    """
    running, reader = hub.matches.running(tournament), hub.matches.reader(tournament)
    document = _document(hub, running, Phrases(reader, language), {})
    phases = [phase] if phase else list(reader.state.stages)
    of_phases = {
        match
        for each in phases
        if each in reader.state.stages
        for match in reader.state.stages[each].matches
    }
    found = (
        match
        for match in _newest(running, reader)
        if match in of_phases and (not team or team in reader.sides(match))
    )
    return [document(match) for match in islice(found, _MOST_RESULTS)]


def _document(
    hub: Hub, running: RunningTournament, phrases: Phrases, places: MatchPlaces
) -> Callable[[str], Json]:
    """Return a function that makes the JSON object of a match.

    ``places``: of the matches that are at tables, or wait. ``walkover``: the games and points that
    one gives the winner; ``outcome``: who has won, and how; ``at_table``: what its table says, with
    ``result`` null if no match of its phase ends so; ``is_decided``: its result was entered, and
    does not follow from a withdrawal; ``waits_at``: the tables at which it is called alone. An
    official match keeps its table and its marks when the next one is called there.
    """
    reader = phrases.reader
    kind = "desk", running.id, phrases.language

    def document(match: str) -> Json:
        place = places.get(match)
        if place is None or not place.table:
            place = hub.matches.place_of(MatchKey(running.id, match)) or place
        return hub.match_cache.get(kind, running, match, place, lambda: make(match, place))

    def make(match: str, place: MatchPlace | None) -> Json:
        phase = reader.phase_of(match)
        given = walkover(phase, 0)
        change, fixture = _deciding(running, reader, match), reader.state.match(match)
        assert fixture is not None, match
        return {
            **match_document(phrases, match, {} if place is None else {match: place}),
            "outcome": phrases.outcome(fixture, reader.result(match)),
            "walkover": {"games": given.games[0], "points": given.points[0]},
            "target": phase.target,
            "is_series": phase.is_series,
            "has_cap": phase.cap > 0,
            "has_draws": phase.draws,
            "at_table": _at_table(phrases, fixture, place),
            "decision": _decision(change),
            "is_decided": _is_decided(reader, match),
            "waits_at": [] if place is None else sorted(place.waits_at),
            "marks": marks_of(reader, match, place)._asdict(),
        }

    return document


def _at_table(phrases: Phrases, match: Fixture, place: MatchPlace | None) -> Json | None:
    """What the table of a match says once it is over there; None before."""
    if place is None or place.state not in AT_END:
        return None
    found = result_at(phrases.reader.phase_of(match.id), place)
    result = found if isinstance(found, Result) else None
    return {
        "games": place.games,
        "points": place.points,
        "ending": (Ending.CAP if place.by_time else Ending.PLAYED).value,
        "result": None if result is None else result._asdict(),
        "text": phrases.outcome(match, result),
    }


def _is_decided(reader: Reader, match: str) -> bool:
    """Whether the result of a match was entered; others follow from withdrawals."""
    stored = reader.state.results.get(match)
    return stored is not None and reader.result(match) == stored


def _deciding(running: RunningTournament, reader: Reader, match: str) -> LastChange | None:
    """The decision from which the result of a match follows; else the last one on it."""
    if _is_decided(reader, match) or reader.result(match) is None:
        return running.changes.get(match)
    gone = (_withdrawn(running, team) for team in reader.sides(match))
    return max(filter(None, gone), key=lambda change: change.seq, default=None)


def _withdrawn(running: RunningTournament, team: int | None) -> LastChange | None:
    """The withdrawal of a team; None of one that has not left."""
    return running.withdrawals.get(team) if team in running.state.withdrawn else None


def change_text(hub: Hub, change: LastChange, language: str) -> str:
    """The result, team, or table with its match of a decision; "" if unknown."""
    tournaments = hub.state.tournaments
    for running in tournaments.by_id.values():
        phrases = Phrases(hub.matches.reader(running.id), language)
        subjects = (key for key, each in running.changes.items() if each.seq == change.seq)
        subject = next(subjects, "")
        if (match := running.state.match(subject)) is not None:
            return phrases.outcome(match, running.state.results.get(subject))
        kind, _, number = subject.partition(" ")
        if kind == "team" and number.isdigit():
            return phrases.team(int(number))
    assigned = next((each for each in hub.state.view.assigned if each.rev == change.seq), None)
    tournament = tournaments.halls.get(assigned.hall) if assigned is not None else None
    if assigned is None or tournament is None or tournament not in tournaments.by_id:
        return ""
    phrases = Phrases(hub.matches.reader(tournament), language)
    if (found := phrases.state.match(assigned.match)) is None:
        return ""
    tables = {box.device: box.table for box in hub.state.view.boxes}
    table = phrases.say("hub.table", n=tables.get(assigned.device, 0))
    return f"{table}: {' – '.join(phrases.sides(found))}"


def _decision(change: LastChange | None) -> Json | None:
    """Who decided what last, when and why; ``who`` "": the hub itself."""
    if change is None:
        return None
    who = "" if change.who == log.HUB else change.who
    return {"who": who, "what": change.what, "at": change.at, "reason": change.reason}


def _newest(running: RunningTournament, reader: Reader) -> list[str]:
    """The matches with a result, the newest first; walk-overs by withdrawal too."""
    decided = {
        match.id: _deciding(running, reader, match.id)
        for match in running.state.matches()
        if reader.result(match.id) is not None
    }
    seqs = {match: change.seq if change else 0 for match, change in decided.items()}
    return sorted(seqs, key=lambda match: seqs[match], reverse=True)


def _phase(phrases: Phrases, phase: PhaseFormat, places: MatchPlaces) -> Json:
    """A phase; ``todo``: ``start``, ``pair`` or ``playoff`` if that can be done now."""
    reader = phrases.reader
    stage = reader.state.stages.get(phase.id)
    does_pair = phase.kind is PhaseKind.ROUNDS or phase.redraw
    matches = [] if stage is None else list(stage.matches)
    todo = ""
    if stage is None:
        todo = "start" if reader.state.seed and reader.is_ready(phase) else ""
    elif reader.unpaired(phase.id):
        todo = "playoff"
    elif does_pair and all(map(reader.is_over, stage.matches)) and not reader.is_complete(phase.id):
        todo = "pair"
    return {
        "id": phase.id,
        "title": phrases.phase(phase),
        "kind": phase.kind.value,
        "clock": None if stage is None else clock_document(phrases, phase, places),
        "is_begun": stage is not None,
        "is_over": reader.is_complete(phase.id),
        "todo": todo,
        "paired": 0 if stage is None else len(stage.rounds),
        "takes_back": _takes_back(reader.state, phase),
        **_absences(reader, phase),
        "may_enter_again": _may_enter_again(reader, phase),
        "matches": matches,
        "official": sum(reader.result(each) is not None for each in matches),
    }


def _takes_back(state: Tournament, phase: PhaseFormat) -> str:
    """What can be taken back: ``start``, ``round``, ``playoff``, ``end`` or ""."""
    if not isinstance(apply(state, TakeBack(phase.id)), Tournament):
        return ""
    stage = state.stages[phase.id]
    if stage.playoffs:
        return "playoff"
    return "end" if stage.is_ended else "round" if stage.rounds else "start"


def _absences(reader: Reader, phase: PhaseFormat) -> Json:
    """The round that is paired next, or 0, and who can or will miss it.

    ``exchangeable``: the teams of the last round whose match has no result, and its bye.
    """
    state = reader.state
    stage = state.stages.get(phase.id, Stage(tuple(state.teams)))
    number = len(stage.rounds) + 1
    is_known = phase.id in state.stages or phase is state.format.phases[0]
    exchangeable: list[int] = []
    if phase.kind is PhaseKind.ROUNDS and stage.rounds:
        last = stage.rounds[-1]
        open_ = (each for each in last.matches if reader.result(each) is None)
        exchangeable = [team for match in open_ for team in reader.sides(match) if team]
        if last.bye and exchangeable:
            exchangeable.append(last.bye)
    if phase.kind is not PhaseKind.ROUNDS or stage.has_all_rounds(phase) or not is_known:
        return {"next_round": 0, "may_miss": [], "absent": [], "exchangeable": exchangeable}
    absent = [team for team in stage.entrants if (phase.id, number, team) in state.absences]
    may_miss = [each for each in stage.entrants if each not in {*absent, *state.withdrawn}]
    return {
        "next_round": number,
        "may_miss": may_miss,
        "absent": absent,
        "exchangeable": exchangeable,
    }


def _may_enter_again(reader: Reader, phase: PhaseFormat) -> list[int]:
    """The losers who have not entered a repechage yet that is by entry."""
    state = reader.state
    if phase.id in state.stages:
        return []
    losers = (
        team
        for source in phase.entrants
        if source.by_entry and source.phase in state.stages
        for team in reader.losers_of(source)
    )
    return [team for team in losers if (phase.id, team) not in state.entered_again]
