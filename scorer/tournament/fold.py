"""The fold: a state and an event give the next state, or a refusal."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from typing import Any

from scorer.tournament import results
from scorer.tournament.draw import commitment_to
from scorer.tournament.events import (
    Allow,
    AllowRematch,
    AnnulResult,
    AnswerNames,
    AttendRound,
    BlankName,
    ChangeTeam,
    Commit,
    CorrectResult,
    Draw,
    EndPhase,
    Enter,
    EnterAgain,
    Event,
    ExchangeTeams,
    FixTable,
    Forbid,
    MarkMissing,
    MarkPresent,
    MissRound,
    NameTournament,
    PairByHand,
    PairRound,
    RecordResult,
    Return,
    StartPhase,
    TakeBack,
    Withdraw,
)
from scorer.tournament.format import Format, PhaseFormat, PhaseKind
from scorer.tournament.model import (
    EventRefusal,
    Names,
    Reason,
    Result,
    Team,
    blank_name,
)
from scorer.tournament.names import folded
from scorer.tournament.reader import Reader, teams_of
from scorer.tournament.rounds import exchange, next_task, pair_next
from scorer.tournament.starting import drawn_start, start
from scorer.tournament.swiss import PairedRound, PairingTask
from scorer.tournament.ties import has_playoff
from scorer.tournament.tournament import Round, Stage, Tournament

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def begin(format_: Format) -> Tournament:
    """A tournament without teams."""
    return Tournament(format_)


def apply(state: Tournament, event: Event) -> Tournament | EventRefusal:
    """The state after ``event``, or why it is refused."""
    rule: Callable[[Tournament, Any], Tournament | EventRefusal] = _RULES[type(event)]
    return rule(state, event)


def as_logged(state: Tournament, event: Event) -> Event:
    """The event as the log has it: a start with its teams, a round with its pairs.

    They are computed; those that ``event`` has are ignored.
    """
    if not isinstance(event, StartPhase | PairRound):
        return event
    plain = type(event)(event.phase)
    if isinstance(event, StartPhase):
        phase, reader = state.format.phase(event.phase), Reader(state)
        if phase is None or _start_refusal(state, phase) or not reader.is_ready(phase):
            return plain
        return drawn_start(reader, phase)
    after = apply(state, plain)
    if isinstance(after, EventRefusal):
        return plain
    stage = after.stages[event.phase]
    is_playoff = len(stage.playoffs) > len(state.stages[event.phase].playoffs)
    last = Round((), stage.playoffs[-1], 0) if is_playoff else stage.rounds[-1]
    pairs = tuple(teams_of(stage.matches[each]) for each in last.matches)
    return PairRound(event.phase, pairs, last.bye)


def pairing_task(state: Tournament, event: PairRound) -> PairingTask | None:
    """What is solved for the pairs of ``as_logged``; None: nothing, or it is refused."""
    phase = state.format.phase(event.phase)
    if phase is None or phase.kind is not PhaseKind.ROUNDS or phase.id not in state.stages:
        return None
    return next_task(Reader(state), phase)


def displaced(before: Tournament, after: Tournament) -> tuple[str, ...]:
    """The matches with a result whose teams another state changes."""
    old, new = Reader(before), Reader(after)
    played = (each for each in before.results if each in after.results)
    return tuple(each for each in played if old.sides(each) != new.sides(each))


def _name(state: Tournament, event: NameTournament) -> Tournament | EventRefusal:
    if event.date and not _is_day(event.date):
        return EventRefusal(Reason.DATE)
    return state._replace(names=Names(*event))


def _is_day(text: str) -> bool:
    """Whether a text is a day of the calendar as ``2026-11-28``."""
    if (found := _DAY.fullmatch(text)) is None:
        return False
    year, month, day = map(int, found.groups())
    return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


# ---- teams --------------------------------------------------------------------------------------


def _enter(state: Tournament, event: Enter) -> Tournament | EventRefusal:
    team = Team(max(state.teams, default=0) + 1, *event)
    if refusal := _team_refusal(state, team):
        return refusal
    if len(state.teams) >= state.format.teams[1]:
        return EventRefusal(Reason.FULL)
    entered = state._replace(teams={**state.teams, team.id: team})
    if not state.stages:
        return entered
    first = state.format.phases[0]
    stage = state.stages[first.id]
    if first.kind is not PhaseKind.ROUNDS or stage.has_all_rounds(first) or len(state.stages) > 1:
        return EventRefusal(Reason.TOO_LATE)
    return _with_stage(entered, first, stage._replace(entrants=(*stage.entrants, team.id)))


def _change(state: Tournament, event: ChangeTeam) -> Tournament | EventRefusal:
    if event.team not in state.teams:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    team = Team(*event)
    if refusal := _team_refusal(state, team):
        return refusal
    if state.stages and team.seed != state.teams[team.id].seed:
        return EventRefusal(Reason.TOO_LATE)
    changed = state._replace(teams={**state.teams, team.id: team})
    # An answer is about the name that was shown.
    return changed if team.name == state.teams[team.id].name else _unjudged(changed, team.id)


def _answer_names(state: Tournament, event: AnswerNames) -> Tournament | EventRefusal:
    if not {*event.people, *event.others} <= state.teams.keys():
        return EventRefusal(Reason.UNKNOWN_TEAM)
    told = {**dict.fromkeys(event.others, False), **dict.fromkeys(event.people, True)}
    return state._replace(of_people={**state.of_people, **told})


def _unjudged(state: Tournament, team: int) -> Tournament:
    kept = {key: each for key, each in state.of_people.items() if key != team}
    return state._replace(of_people=kept)


def _blank_name(state: Tournament, event: BlankName) -> Tournament | EventRefusal:
    known = state.teams.get(event.team)
    if known is None:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    team = Team(known.id, blank_name(known.id), seed=known.seed)
    return _unjudged(state._replace(teams={**state.teams, team.id: team}), team.id)


def _team_refusal(state: Tournament, team: Team) -> EventRefusal | None:
    others = [each for each in state.teams.values() if each.id != team.id]
    # Numbers in place of names are taken by no other team.
    named = [each.name for each in others if not (each.is_blank or team.is_blank)]
    name = folded(team.name)
    if not name or name in map(folded, named):
        return EventRefusal(Reason.NAME)
    people = [folded(each) for each in (*team.players, *team.reserves)]
    right = len(team.players) in (0, state.format.players)
    right = right and len(team.reserves) <= state.format.reserves
    if not right or len(set(people)) < len(people):
        return EventRefusal(Reason.PLAYERS)
    taken = (folded(each) for other in others for each in (*other.players, *other.reserves))
    if people and not set(people).isdisjoint(taken):
        return EventRefusal(Reason.PLAYERS)
    return None


def _withdraw(state: Tournament, event: Withdraw) -> Tournament | EventRefusal:
    if event.team not in state.teams:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    if event.team in state.withdrawn:
        return EventRefusal(Reason.WITHDRAWN)
    if not {*event.annuls} <= {*may_annul(state, event.team)}:
        return EventRefusal(Reason.TOO_LATE)
    after = state._replace(
        withdrawn=state.withdrawn | {event.team},
        annulled=state.annulled | {(phase, event.team) for phase in event.annuls},
    )
    return _undisplaced(state, after)


def _return(state: Tournament, event: Return) -> Tournament | EventRefusal:
    if event.team not in state.withdrawn:
        return EventRefusal(Reason.NOT_WITHDRAWN)
    after = state._replace(
        withdrawn=state.withdrawn - {event.team},
        annulled=frozenset(each for each in state.annulled if each[1] != event.team),
    )
    return _undisplaced(state, after)


def _mark_missing(state: Tournament, event: MarkMissing) -> Tournament | EventRefusal:
    if event.team not in state.teams:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    if event.team in state.missing:
        return EventRefusal(Reason.MISSING)
    return state._replace(missing=state.missing | {event.team})


def _mark_present(state: Tournament, event: MarkPresent) -> Tournament | EventRefusal:
    if event.team not in state.missing:
        return EventRefusal(Reason.NOT_MISSING)
    return state._replace(missing=state.missing - {event.team})


def _fix_table(state: Tournament, event: FixTable) -> Tournament | EventRefusal:
    if event.team not in state.teams:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    others = {team: table for team, table in state.tables.items() if team != event.team}
    return state._replace(tables=others | ({event.team: event.table} if event.table else {}))


def _forbid(state: Tournament, event: Forbid) -> Tournament | EventRefusal:
    one, other = sorted(event)
    if not {one, other} <= state.teams.keys() or one == other:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    return state._replace(forbidden=state.forbidden | {(one, other)})


def _allow(state: Tournament, event: Allow) -> Tournament | EventRefusal:
    one, other = sorted(event)
    if (one, other) not in state.forbidden:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    return state._replace(forbidden=state.forbidden - {(one, other)})


def _miss_round(state: Tournament, event: MissRound) -> Tournament | EventRefusal:
    if refusal := _round_refusal(state, event):
        return refusal
    return state._replace(absences=state.absences | {(event.phase, event.round, event.team)})


def _attend_round(state: Tournament, event: AttendRound) -> Tournament | EventRefusal:
    if refusal := _round_refusal(state, event):
        return refusal
    absence = (event.phase, event.round, event.team)
    if absence not in state.absences:
        return EventRefusal(Reason.NOT_MISSING)
    return state._replace(absences=state.absences - {absence})


def _round_refusal(state: Tournament, event: MissRound | AttendRound) -> EventRefusal | None:
    """The refusal of a round that is paired already, or that the phase has not."""
    phase = state.format.phase(event.phase)
    if phase is None or phase.kind is not PhaseKind.ROUNDS:
        return EventRefusal(Reason.UNKNOWN_PHASE)
    if event.team not in state.teams:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    stage = state.stages.get(phase.id, Stage(()))
    is_open = len(stage.rounds) < event.round <= phase.rounds and not stage.is_ended
    return None if is_open else EventRefusal(Reason.TOO_LATE)


# ---- the draw -----------------------------------------------------------------------------------


def _commit(state: Tournament, event: Commit) -> Tournament | EventRefusal:
    if state.seed or state.commitment:
        return EventRefusal(Reason.ALREADY_DRAWN)
    return state._replace(commitment=event.digest)


def _draw(state: Tournament, event: Draw) -> Tournament | EventRefusal:
    if state.seed or not event.seed:
        return EventRefusal(Reason.ALREADY_DRAWN if state.seed else Reason.NOT_DRAWN)
    if state.commitment and commitment_to(event.seed) != state.commitment:
        return EventRefusal(Reason.NOT_COMMITTED)
    return state._replace(seed=event.seed)


# ---- phases -------------------------------------------------------------------------------------


def _enter_again(state: Tournament, event: EnterAgain) -> Tournament | EventRefusal:
    phase = state.format.phase(event.phase)
    if phase is None:
        return EventRefusal(Reason.UNKNOWN_PHASE)
    if phase.id in state.stages:
        return EventRefusal(Reason.TOO_LATE)
    reader = Reader(state)
    sources = [each for each in phase.entrants if each.by_entry and each.phase in state.stages]
    if not any(event.team in reader.losers_of(source) for source in sources):
        return EventRefusal(Reason.NOT_ENTITLED)
    return state._replace(entered_again=state.entered_again | {(phase.id, event.team)})


def _start(state: Tournament, event: StartPhase) -> Tournament | EventRefusal:
    phase = state.format.phase(event.phase)
    if phase is None:
        return EventRefusal(Reason.UNKNOWN_PHASE)
    if refusal := _start_refusal(state, phase):
        return refusal
    stage = start(Reader(state), phase, event)
    return stage if isinstance(stage, EventRefusal) else _with_stage(state, phase, stage)


def _start_refusal(state: Tournament, phase: PhaseFormat) -> EventRefusal | None:
    if phase.id in state.stages:
        return EventRefusal(Reason.ALREADY_STARTED)
    return None if state.seed else EventRefusal(Reason.NOT_DRAWN)


def _pair_round(state: Tournament, event: PairRound) -> Tournament | EventRefusal:
    phase = state.format.phase(event.phase)
    if phase is None or not (phase.kind is PhaseKind.ROUNDS or phase.redraw or has_playoff(phase)):
        return EventRefusal(Reason.UNKNOWN_PHASE)
    if phase.id not in state.stages:
        return EventRefusal(Reason.NOT_STARTED)
    stage = pair_next(Reader(state), phase, PairedRound(event.pairs, event.bye))
    return stage if isinstance(stage, EventRefusal) else _with_stage(state, phase, stage)


def _pair_by_hand(state: Tournament, event: PairByHand) -> Tournament | EventRefusal:
    found = _rounds_of(state, event.phase)
    if isinstance(found, EventRefusal):
        return found
    phase, _ = found
    if not event.pairs:
        return EventRefusal(Reason.NO_PAIRING)
    return _pair_round(state, PairRound(phase.id, event.pairs, event.bye))


def _exchange_teams(state: Tournament, event: ExchangeTeams) -> Tournament | EventRefusal:
    found = _rounds_of(state, event.phase)
    if isinstance(found, EventRefusal):
        return found
    stage = exchange(Reader(state), found[0], event.one, event.other)
    return stage if isinstance(stage, EventRefusal) else _with_stage(state, found[0], stage)


def _allow_rematch(state: Tournament, event: AllowRematch) -> Tournament | EventRefusal:
    found = _rounds_of(state, event.phase)
    if isinstance(found, EventRefusal):
        return found
    one, other = sorted((event.one, event.other))
    if not {one, other} <= state.teams.keys() or one == other:
        return EventRefusal(Reason.UNKNOWN_TEAM)
    return state._replace(rematches=state.rematches | {(event.phase, one, other)})


def _end(state: Tournament, event: EndPhase) -> Tournament | EventRefusal:
    found = _rounds_of(state, event.phase)
    if isinstance(found, EventRefusal):
        return found
    phase, stage = found
    if stage.has_all_rounds(phase):
        return EventRefusal(Reason.NO_ROUND_LEFT)
    if not stage.rounds:
        return EventRefusal(Reason.NOT_COMPLETE)
    return _with_stage(state, phase, stage._replace(is_ended=True))


def _rounds_of(state: Tournament, phase_id: str) -> tuple[PhaseFormat, Stage] | EventRefusal:
    """A phase of rounds that has begun."""
    phase = state.format.phase(phase_id)
    if phase is None or phase.kind is not PhaseKind.ROUNDS:
        return EventRefusal(Reason.UNKNOWN_PHASE)
    stage = state.stages.get(phase.id)
    return EventRefusal(Reason.NOT_STARTED) if stage is None else (phase, stage)


def _take_back(state: Tournament, event: TakeBack) -> Tournament | EventRefusal:
    stage = state.stages.get(event.phase)
    if stage is None:
        return EventRefusal(Reason.NOT_STARTED)
    if stage.is_ended and not stage.playoffs:
        if resting := _resting(state, event.phase):
            return EventRefusal(Reason.RESTS, resting)
        kept = stage._replace(is_ended=False)
        return state._replace(stages={**state.stages, event.phase: kept})
    last = _last_paired(stage)
    if played := tuple(each for each in last if each in state.results):
        return EventRefusal(Reason.RESTS, played)
    if resting := _resting(state, event.phase):
        return EventRefusal(Reason.RESTS, resting)
    if not stage.rounds and not stage.playoffs:
        stages = {key: each for key, each in state.stages.items() if key != event.phase}
        return state._replace(stages=stages)
    matches = {key: each for key, each in stage.matches.items() if key not in last}
    rounds = stage.rounds if stage.playoffs else stage.rounds[:-1]
    stage = stage._replace(matches=matches, rounds=rounds, playoffs=stage.playoffs[:-1])
    return state._replace(stages={**state.stages, event.phase: stage})


def _last_paired(stage: Stage) -> tuple[str, ...]:
    """The matches of the last play-off, else of the last round, else all."""
    if stage.playoffs:
        return stage.playoffs[-1]
    return stage.rounds[-1].matches if stage.rounds else tuple(stage.matches)


def may_annul(state: Tournament, team: int) -> tuple[str, ...]:
    """The phases in which the matches of a team can be annulled.

    Its zones, until a phase has begun with teams of them.
    """
    return tuple(
        phase_id
        for phase_id, stage in state.stages.items()
        if stage.zones and team in stage.entrants and not _resting(state, phase_id)
    )


def _resting(state: Tournament, phase_id: str) -> tuple[str, ...]:
    """The matches of phases that have begun with teams of this one."""
    return tuple(
        match_id
        for phase in state.format.phases
        if phase.id in state.stages and any(each.phase == phase_id for each in phase.entrants)
        for match_id in state.stages[phase.id].matches
    )


def _with_stage(state: Tournament, phase: PhaseFormat, stage: Stage) -> Tournament:
    return state._replace(stages={**state.stages, phase.id: stage})


# ---- results ------------------------------------------------------------------------------------


def _record(state: Tournament, event: RecordResult) -> Tournament | EventRefusal:
    if refusal := _result_refusal(state, event.match, event.result):
        return refusal
    reader = Reader(state)
    if reader.result(event.match) is not None:
        return EventRefusal(Reason.HAS_RESULT)
    if None in reader.sides(event.match):
        return EventRefusal(Reason.NO_TEAMS)
    return state._replace(results={**state.results, event.match: event.result})


def _correct(state: Tournament, event: CorrectResult) -> Tournament | EventRefusal:
    if refusal := _result_refusal(state, event.match, event.result):
        return refusal
    if event.match not in state.results:
        return EventRefusal(Reason.NO_RESULT)
    return _undisplaced(state, with_result(state, event.match, event.result))


def _annul(state: Tournament, event: AnnulResult) -> Tournament | EventRefusal:
    if state.match(event.match) is None:
        return EventRefusal(Reason.UNKNOWN_MATCH)
    if event.match not in state.results:
        return EventRefusal(Reason.NO_RESULT)
    return _undisplaced(state, with_result(state, event.match, None))


def with_result(state: Tournament, match_id: str, result: Result | None) -> Tournament:
    """The state with another result of a match, unchecked; None: without one."""
    kept = {key: each for key, each in state.results.items() if key != match_id}
    return state._replace(results={**kept, match_id: result} if result else kept)


def _result_refusal(state: Tournament, match_id: str, result: Result) -> EventRefusal | None:
    if state.match(match_id) is None:
        return EventRefusal(Reason.UNKNOWN_MATCH)
    return results.check(Reader(state).phase_of(match_id), result)


def _undisplaced(before: Tournament, after: Tournament) -> Tournament | EventRefusal:
    """``after``, unless it changes the teams of a match that has a result."""
    changed = displaced(before, after)
    return EventRefusal(Reason.RESTS, changed) if changed else after


_RULES: dict[type[Event], Callable[[Tournament, Any], Tournament | EventRefusal]] = {
    NameTournament: _name,
    Enter: _enter,
    ChangeTeam: _change,
    BlankName: _blank_name,
    AnswerNames: _answer_names,
    Withdraw: _withdraw,
    Return: _return,
    MarkMissing: _mark_missing,
    MarkPresent: _mark_present,
    FixTable: _fix_table,
    Forbid: _forbid,
    Allow: _allow,
    MissRound: _miss_round,
    AttendRound: _attend_round,
    Commit: _commit,
    Draw: _draw,
    EnterAgain: _enter_again,
    StartPhase: _start,
    PairRound: _pair_round,
    PairByHand: _pair_by_hand,
    ExchangeTeams: _exchange_teams,
    AllowRematch: _allow_rematch,
    EndPhase: _end,
    TakeBack: _take_back,
    RecordResult: _record,
    CorrectResult: _correct,
    AnnulResult: _annul,
}
