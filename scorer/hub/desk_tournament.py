"""What the desk is shown of the tournament: teams, phases, queue, tables."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from scorer.hub.changes import LastChange
from scorer.hub.hub import Hub
from scorer.hub.matches import is_late, marks_of
from scorer.hub.state import Json
from scorer.hub.store import log
from scorer.hub.tournament_documents import champion, match_document
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import RunningTournament
from scorer.tournament import Reader, Tournament, apply
from scorer.tournament.events import Enter, TakeBack
from scorer.tournament.format import PhaseFormat, PhaseKind
from scorer.tournament.results import walkover
from scorer.tournament.tournament import Stage

_ANY_TEAM = Enter("\0")  # a name that no team has
_RESULTS = 40  # shown, to be corrected
_MOST_RESULTS = 200  # of those that are asked for


def desk_tournament(hub: Hub, language: str) -> Json | None:
    """The tournament as a JSON object; None without one.

    ``seq`` is what a decision sends back as ``seen``. ``queue`` has the matches that wait for a
    table, ``missing`` those that wait for a team, ``next`` the calls that the hub would make now,
    ``free`` the boxes without a match, the longest free one first. A match at a table that was not
    accepted in time is late.
    """
    running, matches = hub.state.running, hub.matches
    if running is None:
        return None
    reader = matches.reader
    state, at_tables, waiting = running.state, matches.at_tables(), matches.waiting()
    phrases = Phrases(reader, language)
    document = _document(hub, phrases)
    waited = {
        each.match: hub.state.seconds_assigned(each.rev)
        for each in hub.state.view.assigned
        if each.match
    }

    return {
        "id": running.id,
        "seq": hub.state.view.log_seq,
        "champion": phrases.team(champion(reader)),
        "title": phrases.title,
        "calls_by_itself": running.calls_by_itself,
        "publish_after": running.publish_after,
        "is_drawn": bool(state.seed),
        "commitment": state.commitment,
        "players": state.format.players,
        "reserves": state.format.reserves,
        "can_enter": isinstance(apply(state, _ANY_TEAM), Tournament),
        "forbidden": [list(pair) for pair in sorted(state.forbidden)],
        "teams": [
            {
                **team._asdict(),
                "is_withdrawn": team.id in state.withdrawn,
                "is_missing": team.id in state.missing,
            }
            for team in state.teams.values()
        ],
        "phases": [_phase(phrases, phase) for phase in state.format.phases],
        "queue": [document(match) for match in waiting.ready],
        "missing": [document(match) for match in waiting.missing],
        "next": [each._asdict() for each in matches.next_calls()],
        "tables": [
            {
                "device": device,
                "match": document(match),
                "is_late": is_late(reader, match, place, waited.get(match, 0)),
            }
            for match, (device, place) in at_tables.items()
        ],
        "official": [document(match) for match in _newest(running)[:_RESULTS]],
        "free": matches.free_tables(),
        "screens": dict(running.screens),
    }


def desk_results(hub: Hub, language: str, phase: str, team: int) -> list[Json]:
    """The official results, the newest first.

    ``phase`` "": of all; ``team`` 0: of all.
    """
    running, reader = hub.state.running, hub.matches.reader
    assert running is not None  # or there were no reader
    document = _document(hub, Phrases(reader, language))
    phases = [phase] if phase else list(reader.state.stages)
    of_phases = {
        match
        for each in phases
        if each in reader.state.stages
        for match in reader.state.stages[each].matches
    }
    found = (
        match
        for match in _newest(running)
        if match in of_phases and (not team or team in reader.sides(match))
    )
    return [document(match) for match in islice(found, _MOST_RESULTS)]


def _document(hub: Hub, phrases: Phrases) -> Callable[[str], Json]:
    """What makes the JSON object of a match; there is a tournament.

    ``walkover``: the games and points that one gives the winner. An official match keeps its table
    and its marks when the next one is called there.
    """
    reader, running = phrases.reader, hub.state.running
    assert running is not None

    def document(match: str) -> Json:
        phase = reader.phase_of(match)
        given = walkover(phase, 0)
        change, place = running.changes.get(match), hub.matches.place_of(match)
        places = {} if place is None else {match: place}
        return {
            **match_document(phrases, match, places),
            "walkover": {"games": given.games[0], "points": given.points[0]},
            "has_cap": phase.cap > 0,
            "has_draws": phase.draws,
            "decision": _decision(change) if change else None,
            "marks": marks_of(reader, match, place)._asdict(),
        }

    return document


def _decision(change: LastChange) -> Json:
    """Who decided last on a match, and why; ``who`` "": the hub itself."""
    return {"who": "" if change.who == log.HUB else change.who, "reason": change.reason}


def _newest(running: RunningTournament) -> list[str]:
    """The matches whose official result is newest, the newest first."""
    results = running.state.results
    changed = {match: change.seq for match, change in running.changes.items() if match in results}
    return sorted(changed, key=lambda match: changed[match], reverse=True)


def _phase(phrases: Phrases, phase: PhaseFormat) -> Json:
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
    """What can be taken back: ``start``, last ``round`` or ``playoff``, or ""."""
    if not isinstance(apply(state, TakeBack(phase.id)), Tournament):
        return ""
    stage = state.stages[phase.id]
    return "playoff" if stage.playoffs else "round" if stage.rounds else "start"


def _absences(reader: Reader, phase: PhaseFormat) -> Json:
    """The round that is paired next, or 0, and who can or will miss it."""
    state = reader.state
    stage = state.stages.get(phase.id, Stage(tuple(state.teams)))
    number = len(stage.rounds) + 1
    is_known = phase.id in state.stages or phase is state.format.phases[0]
    if phase.kind is not PhaseKind.ROUNDS or number > phase.rounds or not is_known:
        return {"next_round": 0, "may_miss": [], "absent": []}
    absent = [team for team in stage.entrants if (phase.id, number, team) in state.absences]
    may_miss = [each for each in stage.entrants if each not in {*absent, *state.withdrawn}]
    return {"next_round": number, "may_miss": may_miss, "absent": absent}


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
