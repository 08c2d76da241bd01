"""What rests on a result, and why two teams meet."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from scorer.tournament.events import TakeBack, Withdraw
from scorer.tournament.fold import apply, displaced, may_annul, with_result
from scorer.tournament.format import Leaving, PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, EventRefusal, Fixture, Loser, Pair, Result, Winner
from scorer.tournament.reader import Reader, Sides, teams_of
from scorer.tournament.tournament import Tournament

# ---- consequences -------------------------------------------------------------------------------


class Exchange(NamedTuple):
    """A match whose teams change."""

    match: str
    before: Sides
    after: Sides


class EntrantsChange(NamedTuple):
    """A phase that has begun, and that would begin with other teams."""

    phase: str
    leaving: tuple[int, ...]
    entering: tuple[int, ...]


class TieChange(NamedTuple):
    """Teams that become level where their order matters, or are so no longer."""

    phase: str
    teams: tuple[int, ...]
    is_level: bool


class Consequences(NamedTuple):
    """What another result of a match, or the leaving of a team, changes.

    ``blocking``: matches with a result that other teams would have played, and what rests on
    these; annul them first, in this order.
    ``standings``: phase and zone (0: the whole phase) whose order changes.
    ``pairings``: rounds of the phase that were paired with the old score; they stay.
    ``ties``: teams that a play-off has to part now, or no longer.
    """

    blocking: tuple[str, ...]
    exchanges: tuple[Exchange, ...]
    standings: tuple[tuple[str, int], ...]
    pairings: tuple[int, ...]
    entrants: tuple[EntrantsChange, ...]
    ties: tuple[TieChange, ...]


def consequences(state: Tournament, match_id: str, result: Result | None) -> Consequences:
    """What follows if the match had this result; None: if it is annulled."""
    after = with_result(state, match_id, result)
    old, new = Reader(state), Reader(after)
    blocking, cleared = list[str](), after
    while blocked := displaced(state, cleared):
        blocking += blocked
        for each in blocked:
            cleared = with_result(cleared, each, None)
    # The latest first, as a match rests on matches before it alone.
    places = {match.id: place for place, match in enumerate(state.matches())}
    blocking.sort(key=places.__getitem__, reverse=True)
    return _between(old, new, tuple(blocking), _later_pairings(old, new, match_id))


def _between(
    old: Reader, new: Reader, blocking: tuple[str, ...], pairings: Iterable[int]
) -> Consequences:
    exchanges = (
        Exchange(match.id, old.sides(match.id), new.sides(match.id))
        for match in old.state.matches()
    )
    tables = [
        (phase_id, zone)
        for phase_id, stage in old.state.stages.items()
        for zone in (range(1, len(stage.zones) + 1) if stage.zones else (0,))
    ]
    ties = list[TieChange]()
    for phase_id in old.state.stages:
        before, after = old.ties(phase_id), new.ties(phase_id)
        ties += [TieChange(phase_id, each.teams, True) for each in after if each not in before]
        ties += [TieChange(phase_id, each.teams, False) for each in before if each not in after]
    return Consequences(
        blocking=blocking,
        exchanges=tuple(each for each in exchanges if each.before != each.after),
        standings=tuple(
            table
            for table in tables
            if [(each.rank, each.team) for each in old.standings(*table)]
            != [(each.rank, each.team) for each in new.standings(*table)]
        ),
        pairings=tuple(pairings),
        entrants=tuple(_changed_entrants(old, new)),
        ties=tuple(ties),
    )


def _later_pairings(old: Reader, new: Reader, match_id: str) -> list[int]:
    """The rounds after that of the match, if the score of a team changes."""
    phase = old.phase_of(match_id)
    match = old.state.match(match_id)
    if phase.kind is not PhaseKind.ROUNDS or match is None or match.is_playoff:
        return []
    teams = [team for team in old.sides(match_id) if team]
    before, after = old.scores(phase.id), new.scores(phase.id)
    if all(before[team] == after[team] for team in teams):
        return []
    rounds = old.state.stages[phase.id].rounds
    played = next(at for at, each in enumerate(rounds, 1) if match_id in each.matches)
    return list(range(played + 1, len(rounds) + 1))


def _changed_entrants(old: Reader, new: Reader) -> list[EntrantsChange]:
    changes = []
    for phase in old.state.format.phases:
        if phase.id not in old.state.stages or not any(each.phase for each in phase.entrants):
            continue
        if not new.is_ready(phase):
            continue
        now = set(old.state.stages[phase.id].entrants)
        then = {each.team for each in new.entrants(phase)}
        if now != then:
            leaving, entering = tuple(sorted(now - then)), tuple(sorted(then - now))
            changes.append(EntrantsChange(phase.id, leaving, entering))
    return changes


def start_taken_back(state: Tournament, phase_id: str) -> tuple[TakeBack, ...]:
    """The events that take back a phase with its rounds; () if one is refused."""
    events = []
    while phase_id in state.stages:
        after = apply(state, TakeBack(phase_id))
        if isinstance(after, EventRefusal):
            return ()
        events.append(TakeBack(phase_id))
        state = after
    return tuple(events)


# ---- a team that leaves -------------------------------------------------------------------------


class Departure(NamedTuple):
    """What follows when a team leaves: its matches, and all else that changes.

    ``changed``: its matches that are annulled or lost; ``kept``: those whose result stays.
    """

    after: Tournament
    changed: tuple[str, ...]
    kept: tuple[str, ...]
    rest: Consequences


def annulled_by_rule(reader: Reader, team: int) -> tuple[str, ...]:
    """The phases in which the format annuls all matches of a team that leaves now."""
    phases = reader.state.format.phase
    return tuple(
        phase_id
        for phase_id in may_annul(reader.state, team)
        if (phase := phases(phase_id)) is not None and _does_annul(reader, phase, team)
    )


def _does_annul(reader: Reader, phase: PhaseFormat, team: int) -> bool:
    """A match lost or won by walk-over counts as not played; an annulled one is none."""
    if phase.leaving is not Leaving.HALF:
        return phase.leaving is Leaving.ANNUL
    endings = [
        result.ending if (result := reader.result(match.id)) else None
        for match in reader.state.stages[phase.id].matches.values()
        if team in match.slots and not match.is_playoff
    ]
    played = [each for each in endings if each not in (None, Ending.WALKOVER, Ending.ANNULLED)]
    return 2 * len(played) < len(endings) - endings.count(Ending.ANNULLED)


def departure(
    state: Tournament, team: int, annuls: tuple[str, ...] = ()
) -> Departure | EventRefusal:
    """What follows if a team left now."""
    after = apply(state, Withdraw(team, "", annuls))
    if isinstance(after, EventRefusal):
        return after
    old, new = Reader(state), Reader(after)
    own = [match.id for match in state.matches() if team in old.sides(match.id)]
    changed = tuple(match for match in own if new.result(match) != old.result(match))
    kept = tuple(match for match in own if old.result(match) and match not in changed)
    return Departure(after, changed, kept, _between(old, new, (), ()))


# ---- why this pair? -----------------------------------------------------------------------------


class Obstacle(StrEnum):
    """Why a team does not meet one with a nearer score."""

    MET = "met"
    FORBIDDEN = "forbidden"
    CLUB = "club"
    BETTER_SO = "better_so"  # the other pairs of the round would be worse, or impossible


class Nearer(NamedTuple):
    """An opponent with a nearer score, and why ``team`` does not meet it."""

    team: int
    opponent: int
    obstacle: Obstacle


class ByScore(NamedTuple):
    """Paired by score: the scores before the round, and the nearer opponents."""

    scores: Pair
    nearer: tuple[Nearer, ...]


class BySeed(NamedTuple):
    """Both come from the draw or the standings: their places in seed order, from 1."""

    seeds: Pair


class ByResult(NamedTuple):
    """At least one comes from another match of the bracket."""

    matches: tuple[str, ...]


class ByZone(NamedTuple):
    """Every pair of a zone meets."""

    zone: int


class ByTie(NamedTuple):
    """A play-off: the teams that are level on every criterion before it."""

    teams: tuple[int, ...]


Why = ByScore | BySeed | ByResult | ByZone | ByTie


def why(state: Tournament, match_id: str) -> Why:
    """Why the teams of a match meet. Raises KeyError if there is no such match."""
    match = state.match(match_id)
    if match is None:
        raise KeyError(match_id)
    stage, reader = state.stages[match.phase], Reader(state)
    if match.is_playoff:
        ties = (each.teams for each in reader.ties(match.phase))
        return ByTie(next((each for each in ties if {*match.slots} <= {*each}), teams_of(match)))
    if stage.zones:
        return ByZone(match.group)
    phase = reader.phase_of(match_id)
    if phase.kind is PhaseKind.ROUNDS:
        paired = next(each for each in stage.rounds if match_id in each.matches)
        scores = {each.team: each.score for each in paired.contestants}
        one, other = teams_of(match)
        gap = abs(scores[one] - scores[other])
        nearer = tuple(
            Nearer(team, opponent, _obstacle(state, match, team, opponent))
            for team in (one, other)
            for opponent, score in scores.items()
            if opponent != team and abs(score - scores[team]) < gap
        )
        return ByScore((scores[one], scores[other]), nearer)
    if feeders := tuple(each.match for each in match.slots if isinstance(each, Winner | Loser)):
        return ByResult(feeders)
    one, other = (stage.entrants.index(each) + 1 for each in match.slots if isinstance(each, int))
    return BySeed((one, other))


def _obstacle(state: Tournament, match: Fixture, team: int, opponent: int) -> Obstacle:
    pair = {team, opponent}
    before = (
        each for each in state.stages[match.phase].matches.values() if each.round < match.round
    )
    if any(pair == set(each.slots) for each in before):
        return Obstacle.MET
    if tuple(sorted(pair)) in state.forbidden:
        return Obstacle.FORBIDDEN
    if state.teams[team].club and state.teams[team].club == state.teams[opponent].club:
        return Obstacle.CLUB
    return Obstacle.BETTER_SO
