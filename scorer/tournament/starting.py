"""The start of a phase: its teams in seed order, and its zones or first places."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.tournament.bracket import (
    double_elimination,
    first_places,
    section_size,
    single_elimination,
)
from scorer.tournament.events import StartPhase
from scorer.tournament.format import PhaseFormat, PhaseKind
from scorer.tournament.model import EMPTY, EventRefusal, Fixture, Reason
from scorer.tournament.reader import Reader
from scorer.tournament.rematches import without_rematches
from scorer.tournament.tournament import Stage, Tournament
from scorer.tournament.zones import distribute, zone_count, zone_matches


def start(reader: Reader, phase: PhaseFormat, known: StartPhase) -> Stage | EventRefusal:
    """The stage of a phase that begins.

    ``known``: its teams and where they begin; without teams they are computed here.
    """
    if not reader.is_ready(phase):
        return EventRefusal(Reason.NOT_COMPLETE)
    event = known if known.entrants else drawn_start(reader, phase)
    least = reader.state.format.teams[0] if phase is reader.state.format.phases[0] else 2
    if len(event.entrants) < max(least, 2 * phase.zones):
        return EventRefusal(Reason.TOO_FEW)
    if known.entrants and not _is_whole(reader.state, phase, known):
        return EventRefusal(Reason.NO_PAIRING)
    matches = {each.id: each for each in _matches(phase, event.groups)}
    zones = event.groups if phase.kind is PhaseKind.ZONES else ()
    return Stage(event.entrants, zones, matches)


def drawn_start(reader: Reader, phase: PhaseFormat) -> StartPhase:
    """The start of a phase, with its teams and where they begin."""
    entrants = reader.entrants(phase)
    groups: Iterable[Iterable[int]] = ()
    if phase.kind is PhaseKind.ZONES and entrants:
        groups = distribute(entrants, zone_count(len(entrants), phase.zones, phase.zone_size))
    elif _has_places(phase):
        groups = first_places(entrants, phase.survivors)
        if phase.apart and (met := _met_in_rounds(reader, phase)):
            groups = without_rematches(groups, entrants, met)
    return StartPhase(phase.id, tuple(each.team for each in entrants), tuple(map(tuple, groups)))


def _met_in_rounds(reader: Reader, phase: PhaseFormat) -> set[frozenset[int | None]]:
    """The pairs that have met in the rounds from which teams enter a phase."""
    sources = {each.phase for each in phase.entrants if each.phase}
    stages = (reader.state.stages[each] for each in sources)
    return {
        frozenset(reader.sides(match))
        for stage in stages
        if stage.rounds
        for match in stage.matches
    }


def _has_places(phase: PhaseFormat) -> bool:
    """True for a bracket whose matches are made when it begins."""
    return phase.kind is PhaseKind.DOUBLE or (phase.kind is PhaseKind.BRACKET and not phase.redraw)


def _is_whole(state: Tournament, phase: PhaseFormat, event: StartPhase) -> bool:
    """True if teams that are here have each one place of this phase."""
    teams = set(event.entrants)
    if len(teams) < len(event.entrants) or not teams <= state.teams.keys() - state.withdrawn:
        return False
    sizes = [len(each) for each in event.groups]
    placed = sorted(team for group in event.groups for team in group if team != EMPTY)
    if phase.kind is PhaseKind.ZONES:
        count = zone_count(len(teams), phase.zones, phase.zone_size)
        is_right = len(sizes) == count and sum(sizes) == len(teams) and max(sizes) - min(sizes) < 2
    elif _has_places(phase):
        size = section_size(len(teams), phase.survivors)
        is_right = sizes == [size] * phase.survivors and not any(
            one == other == EMPTY
            for group in event.groups
            for one, other in zip(group[::2], group[1::2], strict=False)
        )
    else:
        return not sizes
    return is_right and placed == sorted(teams)


def _matches(phase: PhaseFormat, groups: tuple[tuple[int, ...], ...]) -> Iterable[Fixture]:
    if phase.kind is PhaseKind.ZONES:
        return (
            match
            for number, zone in enumerate(groups, 1)
            for match in zone_matches(phase.id, number, zone, double=phase.twice)
        )
    if phase.kind is PhaseKind.DOUBLE:
        return double_elimination(phase.id, groups[0], second_final=phase.second_final)
    return single_elimination(phase.id, groups, third_place=phase.third_place) if groups else ()
