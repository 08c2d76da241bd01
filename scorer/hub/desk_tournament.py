"""What the desk is shown of the tournament: teams, phases, queue, tables."""

from __future__ import annotations

from scorer.hub.hub import Hub, Json
from scorer.hub.matches import is_late, marks_of
from scorer.hub.store import log
from scorer.hub.times import seconds_of
from scorer.hub.tournament_documents import champion, match_document, team_name
from scorer.hub.tournaments import LastChange, RunningTournament
from scorer.tournament import Reader
from scorer.tournament.format import PhaseFormat, PhaseKind
from scorer.tournament.results import walkover

_RESULTS = 40  # shown, to be corrected


def desk_tournament(hub: Hub) -> Json | None:
    """The tournament as a JSON object; None without one.

    ``seq`` is what a decision sends back as ``seen``. ``queue`` has the matches that wait for a
    table, ``missing`` those that wait for a team, ``free`` the boxes without a match, the longest
    free one first. A match at a table that was not accepted in time is late.
    """
    running, matches = hub.running, hub.matches
    if running is None:
        return None
    reader = matches.reader
    state, at_tables, waiting = running.state, matches.at_tables(), matches.waiting()
    places = {match: place for match, (_, place) in at_tables.items()}
    now = hub.clock.time()
    waited = {each.match: now - seconds_of(each.at) for each in hub.view.assigned if each.match}

    def document(match: str) -> Json:
        """``walkover``: the games and points that one gives the winner."""
        phase = reader.phase_of(match)
        given = walkover(phase, 0)
        change = running.changes.get(match)
        return {
            **match_document(reader, match, places),
            "walkover": {"games": given.games[0], "points": given.points[0]},
            "has_cap": phase.cap > 0,
            "has_draws": phase.draws,
            "decision": _decision(change) if change else None,
            "marks": marks_of(reader, match, places.get(match))._asdict(),
        }

    return {
        "id": running.id,
        "seq": hub.view.log_seq,
        "champion": team_name(reader, champion(reader)),
        "title": state.format.title,
        "calls_by_itself": running.calls_by_itself,
        "publish_after": running.publish_after,
        "is_drawn": bool(state.seed),
        "commitment": state.commitment,
        "teams": [
            {
                **team._asdict(),
                "is_withdrawn": team.id in state.withdrawn,
                "is_missing": team.id in state.missing,
            }
            for team in state.teams.values()
        ],
        "phases": [_phase(reader, phase) for phase in state.format.phases],
        "queue": [document(match) for match in waiting.ready],
        "missing": [document(match) for match in waiting.missing],
        "tables": [
            {
                "device": device,
                "match": document(match),
                "is_late": is_late(reader, match, place, waited.get(match, 0)),
            }
            for match, (device, place) in at_tables.items()
        ],
        "official": [document(match) for match in _newest(running)],
        "free": matches.free_tables(),
        "screens": dict(running.screens),
    }


def _decision(change: LastChange) -> Json:
    """Who decided last on a match, and why; ``who`` "": the hub itself."""
    return {"who": "" if change.who == log.HUB else change.who, "reason": change.reason}


def _newest(running: RunningTournament) -> list[str]:
    """The matches whose official result is newest, the newest first."""
    results = running.state.results
    changed = {match: change.seq for match, change in running.changes.items() if match in results}
    return sorted(changed, key=lambda match: changed[match], reverse=True)[:_RESULTS]


def _phase(reader: Reader, phase: PhaseFormat) -> Json:
    """A phase; ``todo``: ``start``, ``pair`` or ``playoff`` if that can be done now."""
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
        "title": phase.title or phase.id,
        "kind": phase.kind.value,
        "is_begun": stage is not None,
        "is_over": reader.is_complete(phase.id),
        "todo": todo,
        "matches": matches,
        "official": sum(reader.result(each) is not None for each in matches),
    }
