"""Teams and matches of each phase for a number of entries, or why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from scorer.tournament.bracket import section_size
from scorer.tournament.format import Format, Pairing, PhaseFormat, PhaseKind, Source
from scorer.tournament.places import snake
from scorer.tournament.swiss import LOOK_AHEAD, sure_rounds
from scorer.tournament.zones import zone_count


class Obstruction(StrEnum):
    """Why a phase cannot be played with so many teams."""

    TOO_FEW_ENTRIES = "too_few_entries"
    TOO_MANY_ENTRIES = "too_many_entries"
    TOO_FEW_TEAMS = "too_few_teams"  # of this phase
    TOO_MANY_ZONES = "too_many_zones"
    TOO_MANY_ROUNDS = "too_many_rounds"  # without a rematch
    NO_SUCH_PLACE = "no_such_place"  # in every zone before
    TOO_FEW_PLACES = "too_few_places"  # fewer zones have it than the best that advance
    TOO_MANY_SURVIVORS = "too_many_survivors"


class ImpossiblePhase(NamedTuple):
    """The first phase that cannot be played.

    ``wanted`` is what the format asks for, ``possible`` the most (or fewest) that would work.
    ``teams``: the nearest numbers of entries below and above that work; 0: none.
    """

    phase: str
    obstruction: Obstruction
    wanted: int
    possible: int
    teams: tuple[int, int] = (0, 0)


class PhaseSize(NamedTuple):
    """A phase: teams, sizes of zones, and matches without a second final."""

    teams: int
    zones: tuple[int, ...]
    matches: int


Sizes = Mapping[str, PhaseSize]


class ManyRounds(NamedTuple):
    """A phase whose last rounds may have no pairing; the first ``sure`` have one."""

    phase: str
    rounds: int
    teams: int
    sure: int


def many_rounds(format_: Format, found: Sizes) -> list[ManyRounds]:
    """The phases with more rounds than are sure; fewer teams look ahead."""
    return [
        ManyRounds(phase.id, phase.rounds, teams, sure_rounds(teams))
        for phase in format_.phases
        if phase.kind is PhaseKind.ROUNDS
        and (teams := found[phase.id].teams) > LOOK_AHEAD
        and phase.rounds > sure_rounds(teams)
    ]


class FewRounds(NamedTuple):
    """A Swiss phase that may end with several teams without a defeat.

    ``proposed``: the rounds that leave one at most, without draws and absences.
    """

    phase: str
    rounds: int
    teams: int
    proposed: int


def few_rounds(format_: Format, found: Sizes) -> list[FewRounds]:
    """The Swiss phases that decide, with fewer rounds than their teams need."""
    qualifying = {source.phase for phase in format_.phases for source in phase.entrants}
    return [
        FewRounds(phase.id, phase.rounds, teams, proposed)
        for phase in format_.phases
        if phase.kind is PhaseKind.ROUNDS and phase.pairing is Pairing.SWISS
        if phase.id not in qualifying
        # Each round halves those that have won every match.
        and (proposed := ((teams := found[phase.id].teams) - 1).bit_length()) > phase.rounds
    ]


def sizes(format_: Format, teams: int) -> Sizes | ImpossiblePhase:
    """What ``teams`` entries give, all of them present.

    Losers that enter a repechage by a new entry are counted as if all did.
    """
    found = _sizes(format_, teams)
    if not isinstance(found, ImpossiblePhase):
        return found
    least, most = format_.teams

    def nearest(numbers: Iterable[int]) -> int:
        works = (n for n in numbers if not isinstance(_sizes(format_, n), ImpossiblePhase))
        return next(works, 0)

    below = nearest(range(min(teams - 1, most), least - 1, -1))
    above = nearest(range(max(teams + 1, least), most + 1))
    return found._replace(teams=(below, above))


def _sizes(format_: Format, teams: int) -> dict[str, PhaseSize] | ImpossiblePhase:
    least, most = format_.teams
    first = format_.phases[0].id
    if teams < least:
        return ImpossiblePhase(first, Obstruction.TOO_FEW_ENTRIES, teams, least)
    if teams > most:
        return ImpossiblePhase(first, Obstruction.TOO_MANY_ENTRIES, teams, most)
    found: dict[str, PhaseSize] = {}
    for phase in format_.phases:
        entrants = 0
        for source in phase.entrants:
            if not source.phase:
                entrants = teams
                continue
            count = _from_source(format_, phase, source, found[source.phase])
            if isinstance(count, ImpossiblePhase):
                return count
            entrants += count
        size = _size(phase, entrants)
        if isinstance(size, ImpossiblePhase):
            return size
        found[phase.id] = size
    return found


def _from_source(
    format_: Format, phase: PhaseFormat, source: Source, before: PhaseSize
) -> int | ImpossiblePhase:
    """How many teams one source gives."""
    origin = format_.phase(source.phase)
    assert origin is not None
    if source.losers_of:
        # The matches of a round of a bracket, from 1; byes are in the first one only.
        places = section_size(before.teams, origin.survivors) * origin.survivors
        if places >> source.losers_of < origin.survivors:
            return 0
        return before.teams - places // 2 if source.losers_of == 1 else places >> source.losers_of
    if not before.zones:
        if source.last > before.teams:
            return ImpossiblePhase(phase.id, Obstruction.NO_SUCH_PLACE, source.last, before.teams)
        return max(0, (source.last or before.teams) - source.first + 1)
    smallest = min(before.zones)
    if source.best:
        having = sum(size >= source.first for size in before.zones)
        if having < source.best:
            return ImpossiblePhase(phase.id, Obstruction.TOO_FEW_PLACES, source.best, having)
        return source.best
    if source.last > smallest:
        return ImpossiblePhase(phase.id, Obstruction.NO_SUCH_PLACE, source.last, smallest)
    return sum(max(0, (source.last or size) - source.first + 1) for size in before.zones)


def _size(phase: PhaseFormat, teams: int) -> PhaseSize | ImpossiblePhase:
    if teams < 2:
        return ImpossiblePhase(phase.id, Obstruction.TOO_FEW_TEAMS, teams, 2)
    match phase.kind:
        case PhaseKind.ZONES:
            count = zone_count(teams, phase.zones, phase.zone_size)
            if 2 * count > teams:
                return ImpossiblePhase(phase.id, Obstruction.TOO_MANY_ZONES, count, teams // 2)
            counted = tuple(Counter(snake(teams, count)).values())
            matches = sum(size * (size - 1) // 2 for size in counted) * (2 if phase.twice else 1)
            return PhaseSize(teams, counted, matches)
        case PhaseKind.ROUNDS:
            # Each team meets every other; an odd one has a bye in one round more.
            most = teams - 1 + teams % 2
            if phase.rounds > most:
                return ImpossiblePhase(phase.id, Obstruction.TOO_MANY_ROUNDS, phase.rounds, most)
            return PhaseSize(teams, (), phase.rounds * (teams // 2))
        case PhaseKind.DOUBLE:
            return PhaseSize(teams, (), 2 * teams - 2)
        case PhaseKind.BRACKET if phase.survivors >= teams:
            most = teams - 1
            return ImpossiblePhase(phase.id, Obstruction.TOO_MANY_SURVIVORS, phase.survivors, most)
    has_semifinals = phase.third_place and teams > 3
    return PhaseSize(teams, (), teams - phase.survivors + has_semifinals)
