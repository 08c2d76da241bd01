"""What follows from a tournament: the teams of a match, winners, standings."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from scorer.tournament.bracket import FINAL, LOSERS, MAIN, section_size
from scorer.tournament.draw import drawn_order
from scorer.tournament.format import PhaseFormat, PhaseKind, Source
from scorer.tournament.model import EMPTY, Ending, Fixture, Loser, Pair, Result, Slot, Winner
from scorer.tournament.places import Entrant
from scorer.tournament.results import annulled, double_walkover, walkover
from scorer.tournament.standings import Outing, RankedTeam, Scoring, level_groups, rank
from scorer.tournament.ties import (
    Tie,
    UnpairedMatch,
    before_playoff,
    cut_groups,
    has_playoff,
    parted_groups,
    taken_from,
    unpaired,
)
from scorer.tournament.tournament import Stage, Tournament

Sides = tuple[int | None, int | None]  # None: not known yet; EMPTY: no team comes
NO_SIDES: Sides = (None, None)


class PlacedTeam(NamedTuple):
    """A place over all phases; ``phase``: where it was decided, "" for none."""

    rank: int
    team: int
    phase: str


class Reader:
    """What follows from one state; each answer is computed once."""

    def __init__(self, state: Tournament) -> None:
        self.state = state
        self._sides: dict[str, Sides] = {}
        self._played: dict[str, dict[int, list[str]]] = {}  # matches by phase and team
        self._ranked: dict[tuple[str, int], list[RankedTeam]] = {}
        self._within: dict[str, list[Tie]] = {}  # by phase
        self._across: dict[str, list[Tie]] = {}

    # ---- matches --------------------------------------------------------------------------------

    def sides(self, match_id: str) -> Sides:
        """The teams of a match; none of a second final or play-off that is not needed."""
        if match_id not in self._sides:
            match = self._match(match_id)
            if self._is_superfluous(match):
                self._sides[match_id] = NO_SIDES
            else:
                one, other = match.slots
                self._sides[match_id] = (self._team(one), self._team(other))
        return self._sides[match_id]

    def result(self, match_id: str) -> Result | None:
        """The result of a match, or the one that follows from a withdrawal."""
        stored = self.state.results.get(match_id)
        if self.state.annulled:
            # A match counts for no team if one of them has left.
            match = self._match(match_id)
            left = [team for team in match.slots if (match.phase, team) in self.state.annulled]
            if left and not match.is_playoff:
                return annulled(stored)
        if stored:
            return stored
        sides = self.sides(match_id)
        if None in sides:
            return None
        absent = [side == EMPTY or side in self.state.withdrawn for side in sides]
        if all(absent):
            return double_walkover()
        return walkover(self.phase_of(match_id), absent.index(False)) if any(absent) else None

    def winner(self, match_id: str) -> int | None:
        """The team that won; EMPTY if no team did, None if it is not known yet."""
        return self._outcome(match_id, 0)

    def loser(self, match_id: str) -> int | None:
        return self._outcome(match_id, 1)

    def is_over(self, match_id: str) -> bool:
        """True if the match has a result, or is not needed (second final, play-off)."""
        match = self._match(match_id)
        if match.is_playoff and self.sides(match_id) == NO_SIDES:
            return True
        if match.is_second_final and self.sides(match_id) == NO_SIDES:
            return all(self.result(slot.match) for slot in match.slots if isinstance(slot, Loser))
        return self.result(match_id) is not None

    def phase_of(self, match_id: str) -> PhaseFormat:
        """The phase of a match, as its rules; a play-off has a winner."""
        match = self._match(match_id)
        phase = self._phase(match.phase)
        if match.is_playoff:
            return replace(phase, draws=False) if phase.draws else phase
        if not phase.best_of_last:
            return phase
        return replace(phase, best_of=self._best_of(phase, match), best_of_last=())

    def _best_of(self, phase: PhaseFormat, match: Fixture) -> int:
        """The games of a match where the last rounds have other ones than the rest."""
        if phase.kind is PhaseKind.DOUBLE:
            return phase.best_of_last[0] if match.group == FINAL else phase.best_of
        last = phase.rounds
        if phase.kind is PhaseKind.BRACKET:
            teams = len(self.state.stages[phase.id].entrants)
            last = section_size(teams, phase.survivors).bit_length() - 1
        # The match for third place is one of the semifinals.
        after = last - match.round + (phase.kind is PhaseKind.BRACKET and match.group == LOSERS)
        return phase.best_of_last[after] if after < len(phase.best_of_last) else phase.best_of

    def _match(self, match_id: str) -> Fixture:
        match = self.state.match(match_id)
        assert match is not None, match_id
        return match

    def _phase(self, phase_id: str) -> PhaseFormat:
        phase = self.state.format.phase(phase_id)
        assert phase is not None, phase_id
        return phase

    def _team(self, slot: Slot) -> int | None:
        match slot:
            case Winner(match_id):
                return self.winner(match_id)
            case Loser(match_id):
                return self.loser(match_id)
            case _:
                return slot

    def _outcome(self, match_id: str, at: int) -> int | None:
        result = self.result(match_id)
        if result is None:
            return None
        return EMPTY if result.winner is None else self.sides(match_id)[result.winner ^ at]

    def _is_superfluous(self, match: Fixture) -> bool:
        """True for a second final that is not needed, and a play-off without a tie."""
        if match.is_second_final:
            first = next(slot.match for slot in match.slots if isinstance(slot, Winner))
            result = self.result(first)
            return result is None or result.winner != 1
        if not match.is_playoff or match.id in self.state.results:
            return False
        of_zones = bool(self.state.stages[match.phase].zones)
        is_across = of_zones and match.group == 0
        ties = self._ties_across(match.phase) if is_across else self._ties_within(match.phase)
        return not any({*match.slots} <= {*tie.teams} for tie in ties)

    # ---- phases ---------------------------------------------------------------------------------

    def is_complete(self, phase_id: str) -> bool:
        """True if no match of a phase is missing, of a play-off neither."""
        stage = self.state.stages.get(phase_id)
        if stage is None or not all(map(self.is_over, stage.matches)):
            return False
        phase = self._phase(phase_id)
        if phase.kind is PhaseKind.ROUNDS and not stage.has_all_rounds(phase):
            return False
        if phase.redraw and len(self.still_in(stage)) > 1:
            return False
        return not self.unpaired(phase_id)

    @property
    def champion(self) -> int:
        """The first of the last phase once it is over; 0 before, or if several are first."""
        last = self.state.format.phases[-1]
        if not self.is_complete(last.id):
            return 0
        first = [each.team for each in self.standings(last.id) if each.rank == 1]
        return first[0] if len(first) == 1 else 0

    def still_in(self, stage: Stage) -> list[int]:
        """The teams of a bracket drawn anew each round that have not lost, in seed order."""
        lost = {self.loser(match_id) for match_id in stage.matches}
        lost |= {
            team
            for match_id in stage.matches
            if self.winner(match_id) == EMPTY
            for team in self.sides(match_id)
        }
        return [team for team in stage.entrants if team not in lost]

    def standings(self, phase_id: str, zone: int = 0) -> list[RankedTeam]:
        """The standings of a phase that has begun; of zones, those of one zone.

        In a bracket teams that left at the same level share a rank.
        """
        if (phase_id, zone) not in self._ranked:
            phase, stage = self._phase(phase_id), self.state.stages[phase_id]
            if phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE):
                ranked = self._rank_bracket(stage)
            else:
                teams = stage.zones[zone - 1] if zone else stage.entrants
                ranked = self._rank_teams(phase, teams, zone)
            self._ranked[phase_id, zone] = ranked
        return self._ranked[phase_id, zone]

    def final_order(self) -> list[PlacedTeam]:
        """All teams over the phases that have begun.

        A team has its place in the last phase that it entered. A phase is before those whose best
        it takes, else the one that the format lists first; those that lost a round whose losers
        may enter again, and did not, come after all phases. Teams that left a bracket at the same
        level share a rank. Those at one place of several zones are compared as for the next phase,
        before those at the next place; of zones, teams that have withdrawn come last.
        """
        stages, phases = self.state.stages, self.state.format.phases
        last = {team: e.id for e in phases if e.id in stages for team in stages[e.id].entrants}
        lost = {
            (source.phase, team)
            for phase in phases
            for source in phase.entrants
            if source.losers_of and source.phase in stages
            for team in self.losers_of(source)
        }
        levels = [
            (phase.id, [team for team in level if last[team] == phase.id])
            for phase in self._from_the_top()
            for level in self._levels(phase)
        ]
        first = [(phase, [t for t in level if (phase, t) not in lost]) for phase, level in levels]
        found: dict[int, PlacedTeam] = {}
        for phase_id, level in [*first, *levels, ("", [*self.state.teams])]:
            rank = 1 + len(found)
            for team in level:
                found.setdefault(team, PlacedTeam(rank, team, phase_id))
        return [*found.values()]

    def _from_the_top(self) -> list[PhaseFormat]:
        """The phases that have begun, each before those whose best it takes."""
        left, found = list(self.state.format.phases), list[PhaseFormat]()
        while left:
            taken = {s.phase for each in left for s in each.entrants if not s.losers_of}
            found.append(next(each for each in left if each.id not in taken))
            left.remove(found[-1])
        return [each for each in found if each.id in self.state.stages]

    def _levels(self, phase: PhaseFormat) -> list[list[int]]:
        """The teams of a phase from the best on, those that are level together."""
        if phase.kind is not PhaseKind.ZONES:
            ranked = self.standings(phase.id)
            return [[e.team for e in level] for _, level in groupby(ranked, lambda e: e.rank)]
        zones = self.state.stages[phase.id].zones
        places = range(1, 1 + max(map(len, zones), default=0))
        order = [each.team for place in places for each in self._compared(phase, place)]
        gone = (team for zone in zones for team in zone if team in self.state.withdrawn)
        return [[team] for team in (*order, *gone)]

    def outings(self, phase_id: str, team: int) -> list[Outing]:
        """The rounds of a team so far."""
        phase, stage = self._phase(phase_id), self.state.stages[phase_id]
        played = self._matches_by_team(phase_id).get(team, [])
        if phase.kind is not PhaseKind.ROUNDS:
            return [outing for each in played if (outing := self._outing(phase, each, team))]
        found = []
        by_round = {self._match(match_id).round: match_id for match_id in played}
        for number, paired in enumerate(stage.rounds, 1):
            match_id = by_round.get(number)
            if match_id is not None:
                outing = self._outing(phase, match_id, team)
                found += [outing] if outing else []
            elif team == paired.bye:
                is_win = phase.bye_score == phase.score[0]
                found.append(Outing(EMPTY, phase.bye_score, is_won=is_win, is_played=False))
            else:
                found.append(Outing(EMPTY, phase.score[2], is_played=False, is_absence=True))
        return found

    def scores(self, phase_id: str) -> dict[int, int]:
        """The score of each team after the rounds so far: the sum of its outings."""
        phase, stage = self._phase(phase_id), self.state.stages[phase_id]
        loss = phase.score[2]
        found = dict.fromkeys(stage.entrants, loss * len(stage.rounds))
        for paired in stage.rounds:
            if paired.bye:
                found[paired.bye] += phase.bye_score - loss
        for match_id in self._regular(stage):
            result = self.result(match_id)
            for at, team in enumerate(self.sides(match_id)):
                if team:
                    found[team] += (_score(phase, result, at) if result else 0) - loss
        return found

    def _matches_by_team(self, phase_id: str) -> dict[int, list[str]]:
        if phase_id not in self._played:
            played: dict[int, list[str]] = {}
            for match_id in self._regular(self.state.stages[phase_id]):
                for team in self.sides(match_id):
                    if team:
                        played.setdefault(team, []).append(match_id)
            self._played[phase_id] = played
        return self._played[phase_id]

    def _outing(self, phase: PhaseFormat, match_id: str, team: int) -> Outing | None:
        result = self.result(match_id)
        if result is None or result.ending is Ending.ANNULLED:
            return None
        sides = self.sides(match_id)
        at = sides.index(team)
        is_walkover = result.ending is Ending.WALKOVER
        is_won = result.winner == at
        return Outing(
            opponent=sides[1 - at] or EMPTY,
            score=_score(phase, result, at),
            games=result.games if at == 0 else result.games[::-1],
            points=result.points if at == 0 else result.points[::-1],
            is_won=is_won,
            is_played=not is_walkover,
            is_absence=is_walkover and not is_won,
        )

    def _rank_teams(
        self, phase: PhaseFormat, teams: Collection[int], zone: int, *, each_match: bool = False
    ) -> list[RankedTeam]:
        drawn = drawn_order(self.state.seed, f"{phase.id}: tie-break", teams)
        places = {team: place for place, team in enumerate(drawn, 1)}
        record = self._record(phase, teams)
        ranked = rank(
            record,
            phase.tiebreaks,
            Scoring(*phase.score),
            places,
            each_match=each_match,
            playoffs=self._playoff_outings(phase, record, zone),
        )
        nothing = (None,) * len(phase.tiebreaks)
        out = (team for team in drawn if team not in record)
        return ranked + [
            RankedTeam(place, team, nothing) for place, team in enumerate(out, len(ranked) + 1)
        ]

    def _record(self, phase: PhaseFormat, teams: Iterable[int]) -> dict[int, list[Outing]]:
        """The rounds of each team, without those whose matches are all annulled."""
        return {
            team: self.outings(phase.id, team)
            for team in teams
            if (phase.id, team) not in self.state.annulled
        }

    def _rank_bracket(self, stage: Stage) -> list[RankedTeam]:
        # A team without a match has gone through by a bye.
        top = max((match.level for match in stage.matches.values()), default=0)
        reached = dict.fromkeys(stage.entrants, (0, 0))
        met = {team for match_id in stage.matches for team in self.sides(match_id)}
        reached |= {team: (top, 2) for team in stage.entrants if team not in met}
        for match_id, match in stage.matches.items():
            winner = self.winner(match_id)
            for team in self.sides(match_id):
                if team in reached:
                    how = 1 if winner is None else 2 if team == winner else 0
                    reached[team] = max(reached[team], (match.level, how))
        order = sorted(stage.entrants, key=lambda team: reached[team], reverse=True)
        better = [sum(reached[o] > reached[team] for o in order) for team in order]
        return [RankedTeam(1 + at, team) for team, at in zip(order, better, strict=True)]

    # ---- play-offs ------------------------------------------------------------------------------

    def ties(self, phase_id: str) -> list[Tie]:
        """Teams that are level before the criterion ``playoff``; their order matters.

        None while a match of the phase itself is missing. Teams of several zones are compared once
        the ties within the zones are decided.
        """
        return [*self._ties_within(phase_id), *self._ties_across(phase_id)]

    def unpaired(self, phase_id: str) -> list[UnpairedMatch]:
        """The matches of play-offs that are to be made.

        None once every phase that takes teams of this one has begun.
        """
        phase, stages = self._phase(phase_id), self.state.stages
        takers = [each.id for each, _, _ in taken_from(self.state.format, phase)]
        if phase_id not in stages or (takers and stages.keys() >= set(takers)):
            return []
        return unpaired(self.ties(phase_id), {*self._paired_off(phase_id)})

    def _ties_within(self, phase_id: str) -> list[Tie]:
        if phase_id not in self._within:
            phase, stage = self._phase(phase_id), self.state.stages[phase_id]
            teams_of = dict(enumerate(stage.zones, 1)) or {0: stage.entrants}
            self._within[phase_id] = [
                self._tie(phase, zone, group)
                for zone, teams in teams_of.items()
                if has_playoff(phase) and self._is_played(phase, stage)
                for group in parted_groups(
                    self.state.format, phase, self._level_groups(phase, teams)
                )
            ]
        return self._within[phase_id]

    def _ties_across(self, phase_id: str) -> list[Tie]:
        if phase_id not in self._across:
            self._across[phase_id] = self._find_ties_across(self._phase(phase_id))
        return self._across[phase_id]

    def _find_ties_across(self, phase: PhaseFormat) -> list[Tie]:
        """Those at the same place of several zones, of which the best advance."""
        stage, within = self.state.stages[phase.id], self._ties_within(phase.id)
        if not stage.zones or not has_playoff(phase) or not self._is_played(phase, stage):
            return []
        paired = self._paired_off(phase.id)
        if not all(
            pair in paired and self.result(paired[pair]) for tie in within for pair in tie.pairs()
        ):
            return []
        groups = [
            group
            for _, _, source in taken_from(self.state.format, phase)
            if source.best
            for group in cut_groups(
                self._level_groups(phase, self._at_place(phase.id, source.first), each_match=True),
                source.best,
            )
        ]
        return list(dict.fromkeys(self._tie(phase, 0, group) for group in groups))

    def _tie(self, phase: PhaseFormat, zone: int, teams: Iterable[int]) -> Tie:
        return Tie(zone, tuple(drawn_order(self.state.seed, f"{phase.id}: tie-break", teams)))

    def _level_groups(
        self, phase: PhaseFormat, teams: Iterable[int], *, each_match: bool = False
    ) -> list[list[int]]:
        """The teams that have not withdrawn; those that are level share a group."""
        groups = level_groups(
            self._record(phase, teams),
            before_playoff(phase),
            Scoring(*phase.score),
            each_match=each_match,
        )
        return [[team for team in each if team not in self.state.withdrawn] for each in groups]

    def _is_played(self, phase: PhaseFormat, stage: Stage) -> bool:
        """True if no match is missing apart from those of play-offs."""
        is_paired = phase.kind is not PhaseKind.ROUNDS or stage.has_all_rounds(phase)
        return is_paired and all(map(self.is_over, self._regular(stage)))

    def _regular(self, stage: Stage) -> list[str]:
        """The matches of a stage that are of no play-off."""
        return [each.id for each in stage.matches.values() if not each.is_playoff]

    def _paired_off(self, phase_id: str) -> dict[Pair, str]:
        """The match of each pair of teams in a play-off, the smaller id first."""
        matches = self.state.stages[phase_id].matches.values()
        found = ((teams_of(each), each.id) for each in matches if each.is_playoff)
        return {(min(teams), max(teams)): match_id for teams, match_id in found}

    def _playoff_outings(
        self, phase: PhaseFormat, teams: Iterable[int], zone: int
    ) -> dict[int, list[Outing]]:
        """The matches of play-offs of a zone, by each of ``teams`` that has not withdrawn."""
        if not has_playoff(phase):
            return {}
        found: dict[int, list[Outing]] = {t: [] for t in teams if t not in self.state.withdrawn}
        for match in self.state.stages[phase.id].matches.values():
            if match.is_playoff and match.group == zone:
                for team in found.keys() & {*teams_of(match)}:
                    outing = self._outing(phase, match.id, team)
                    found[team] += [outing] if outing else []
        return found

    # ---- who enters a phase ---------------------------------------------------------------------

    def is_ready(self, phase: PhaseFormat) -> bool:
        """True if everything is over that decides who enters a phase."""
        return all(self._is_over_for(source) for source in phase.entrants)

    def _is_over_for(self, source: Source) -> bool:
        if not source.phase:
            return True
        stage = self.state.stages.get(source.phase)
        if not source.losers_of or stage is None:
            return self.is_complete(source.phase)
        return all(map(self.is_over, self._of_round(stage, source.losers_of)))

    def entrants(self, phase: PhaseFormat) -> list[Entrant]:
        """The teams that enter a phase, in seed order; withdrawn ones make room."""
        found: dict[int, Entrant] = {}
        for number, source in enumerate(phase.entrants):
            for entrant in self._from_source(phase, source, number):
                found.setdefault(entrant.team, entrant)
        if phase.drawn:
            order = drawn_order(self.state.seed, f"{phase.id}: order", found)
            found = {team: found[team]._replace(tier=0) for team in order}
        if not phase.apart:
            return [each._replace(origins=frozenset()) for each in found.values()]
        return list(found.values())

    def _from_source(self, phase: PhaseFormat, source: Source, number: int) -> list[Entrant]:
        tier = 1000 * (number + 1)
        if not source.phase:
            teams = [
                each for each in self.state.teams.values() if each.id not in self.state.withdrawn
            ]
            seeded = sorted((each.seed, each.id) for each in teams if each.seed)
            unseeded = (each.id for each in teams if not each.seed)
            drawn = drawn_order(self.state.seed, f"{phase.id}: order", unseeded)
            return [
                *(self._entrant(team, tier + at) for at, (_, team) in enumerate(seeded)),
                *(self._entrant(team, tier + len(seeded)) for team in drawn),
            ]
        if source.losers_of:
            losers = self.losers_of(source)
            if source.by_entry:
                losers = [each for each in losers if (phase.id, each) in self.state.entered_again]
            order = drawn_order(self.state.seed, f"{phase.id}: order", losers)
            return [self._entrant(team, tier) for team in order]
        if self._phase(source.phase).kind is PhaseKind.ZONES:
            return self._from_zones(source, tier)
        ranked = self._present(self.standings(source.phase))
        chosen = ranked[source.first - 1 : source.last or None]
        return [self._entrant(each.team, tier + each.rank) for each in chosen]

    def losers_of(self, source: Source) -> list[int]:
        """The losers of a round that were there and are not withdrawn."""
        stage = self.state.stages[source.phase]
        losers = (self.loser(match_id) for match_id in self._of_round(stage, source.losers_of))
        return [team for team in losers if team and team not in self.state.withdrawn]

    def _of_round(self, stage: Stage, number: int) -> list[str]:
        matches = stage.matches.values()
        return [each.id for each in matches if (each.group, each.round) == (MAIN, number)]

    def _from_zones(self, source: Source, tier: int) -> list[Entrant]:
        last = source.last or max(map(len, self.state.stages[source.phase].zones))
        found: list[Entrant] = []
        for place in range(source.first, last + 1):
            zone_of = self._at_place(source.phase, place)
            found += [
                self._entrant(each.team, tier + place, (source.phase, zone_of[each.team]))
                for each in self._compared(self._phase(source.phase), place)
            ]
        return found[: source.best or None]

    def _compared(self, phase: PhaseFormat, place: int) -> list[RankedTeam]:
        """The teams at a place of each zone, from the best on."""
        return self._rank_teams(phase, self._at_place(phase.id, place), 0, each_match=True)

    def _at_place(self, phase_id: str, place: int) -> dict[int, int]:
        """The team at a place of each zone, and its zone."""
        zones = range(1, len(self.state.stages[phase_id].zones) + 1)
        ranked = {zone: self._present(self.standings(phase_id, zone)) for zone in zones}
        return {
            standings[place - 1].team: zone
            for zone, standings in ranked.items()
            if len(standings) >= place
        }

    def _present(self, standings: list[RankedTeam]) -> list[RankedTeam]:
        return [each for each in standings if each.team not in self.state.withdrawn]

    def _entrant(self, team: int, tier: int, zone: Hashable = None) -> Entrant:
        club = self.state.teams[team].club
        origins = [("club", club)] if club else []
        return Entrant(team, tier, frozenset([*origins, *([zone] if zone else [])]))


def teams_of(match: Fixture) -> Pair:
    """The teams of a match that come from no other match."""
    one, other = (slot for slot in match.slots if isinstance(slot, int))
    return one, other


def _score(phase: PhaseFormat, result: Result, at: int) -> int:
    """The points of the table that a result gives to one of its sides."""
    win, draw, loss = phase.score
    if result.winner is None:
        return loss if result.ending is Ending.WALKOVER else draw
    return win if result.winner == at else loss
