"""Standings: teams ranked by the tie-breaks of a phase, with exact values.

docs/reference/tournament.md#tie-breaks defines every criterion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from scorer.tournament.format import Criterion
from scorer.tournament.model import Pair


class Outing(NamedTuple):
    """One round of one team, with its score, games and points (for, against).

    ``opponent`` 0: a bye, or a round without a match. ``is_played``: the match took place.
    ``is_absence``: the team itself was not there.
    """

    opponent: int
    score: int
    games: Pair = (0, 0)
    points: Pair = (0, 0)
    is_won: bool = False
    is_played: bool = True
    is_absence: bool = False


class RankedTeam(NamedTuple):
    """A place, and the value of each criterion; None: it did not apply."""

    rank: int
    team: int
    values: tuple[Fraction | None, ...] = ()


class Scoring(NamedTuple):
    """Points of a result: win, draw, defeat."""

    win: int
    draw: int
    defeat: int


Outings = Mapping[int, Sequence[Outing]]  # the rounds of each team, in order
_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})
# Values of matches among those that are level, not of a team.
_AMONG_THEM: Final = (Criterion.MET, Criterion.PLAYOFF)


def rank(
    record: Outings,
    chain: Sequence[Criterion],
    scoring: Scoring,
    drawn: Mapping[int, int],
    *,
    each_match: bool = False,
    playoffs: Outings = _NONE,
) -> list[RankedTeam]:
    """The teams of ``record`` from the first place on; every place is of one team.

    ``drawn``: the place of each team in the draw. ``each_match``: values are divided by the matches
    of the team, to compare zones of unequal size; MET then never applies. ``playoffs``: the matches
    of a play-off of each team that has not withdrawn.
    """
    counted = _Counted(record, scoring, drawn, playoffs, each_match=each_match)
    groups = _grouped(list(record), list(chain), counted)

    def value(criterion: Criterion, team: int) -> Fraction | None:
        if criterion in _AMONG_THEM:
            return counted.among_them[criterion].get(team)
        return counted.value(criterion, team)

    return [
        RankedTeam(place, team, tuple(value(criterion, team) for criterion in chain))
        for place, team in enumerate((team for group in groups for team in group), 1)
    ]


def level_groups(
    record: Outings,
    chain: Sequence[Criterion],
    scoring: Scoring,
    *,
    each_match: bool = False,
) -> list[list[int]]:
    """All teams from the first place on, those that are level in one group."""
    counted = _Counted(record, scoring, _NONE, _NONE, each_match=each_match)
    return _grouped(list(record), list(chain), counted)


def _grouped(tied: list[int], chain: list[Criterion], counted: _Counted) -> list[list[int]]:
    """``tied`` in order; those that stay level share a group."""
    for at, criterion in enumerate(chain):
        if len(tied) == 1:
            break
        values = counted.values(criterion, tied)
        if values is None:
            continue
        # The teams in groups of equal value, the best first.
        ordered = sorted(tied, key=lambda team: -values[team])
        groups = [list(group) for _, group in groupby(ordered, key=values.__getitem__)]
        if len(groups) > 1:
            # After MET the chain begins again for those still tied: MET among them alone.
            again = {Criterion.MET: 0, Criterion.PLAYOFF: at}.get(criterion, at + 1)
            rest = chain[again:]
            return [part for each in groups for part in _grouped(each, rest, counted)]
    return [tied]


def _among(record: Outings, tied: Sequence[int]) -> Outings | None:
    """The matches of ``record`` between these teams; None unless all of them have met."""
    teams = set(tied)
    found = {t: [each for each in record[t] if each.opponent in teams] for t in tied}
    have_met = all({each.opponent for each in found[t]} == teams - {t} for t in tied)
    return found if have_met else None


class _Counted:
    """The values of a record, computed once."""

    def __init__(
        self,
        record: Outings,
        scoring: Scoring,
        drawn: Mapping[int, int],
        playoffs: Outings,
        *,
        each_match: bool,
    ) -> None:
        self.among_them: dict[Criterion, dict[int, Fraction]] = {key: {} for key in _AMONG_THEM}
        self._record = record
        self._playoffs = playoffs
        self._scoring = scoring
        self._drawn = drawn
        self._each_match = each_match
        self._values: dict[tuple[Criterion, int], Fraction] = {}
        self._scores = {team: sum(each.score for each in record[team]) for team in record}

    def value(self, criterion: Criterion, team: int) -> Fraction:
        """More is better; of DRAW and WALKOVERS the value is negative."""
        key = (criterion, team)
        if key not in self._values:
            outings = self._record[team]
            value = self._sum(criterion, team, outings)
            is_average = self._each_match and criterion is not Criterion.DRAW
            self._values[key] = value / max(1, len(outings)) if is_average else value
        return self._values[key]

    def values(self, criterion: Criterion, tied: Sequence[int]) -> dict[int, Fraction] | None:
        """The value of each; None if the criterion does not apply to them."""
        match criterion:
            case Criterion.MET:
                # The score of each in the matches among them; None unless all of them have met.
                among = None if self._each_match else _among(self._record, tied)
                values = None
                if among is not None:
                    values = {
                        team: Fraction(sum(each.score for each in among[team])) for team in tied
                    }
            case Criterion.PLAYOFF:
                values = self._played_off(tied)
            case _:
                return {team: self.value(criterion, team) for team in tied}
        shown = ((team, value) for team, value in (values or {}).items() if value >= 0)
        self.among_them[criterion].update(shown)
        return values

    def _played_off(self, tied: Sequence[int]) -> dict[int, Fraction] | None:
        """The matches of the play-off that each has won against the others.

        None unless all that have not withdrawn have met in it. Those that have withdrawn lose it.
        """
        here = [team for team in tied if team in self._playoffs]
        among = _among(self._playoffs, here)
        if among is None or len(here) < 2:
            return None
        won = {team: Fraction(sum(each.is_won for each in among[team])) for team in here}
        return {team: won.get(team, Fraction(-1)) for team in tied}

    def _sum(self, criterion: Criterion, team: int, outings: Sequence[Outing]) -> Fraction:
        match criterion:
            case Criterion.DRAW:
                return Fraction(-self._drawn[team])
            case Criterion.SCORE:
                return Fraction(self._scores[team])
            case Criterion.WINS:
                return Fraction(sum(each.is_won for each in outings))
            case Criterion.GAMES:
                return Fraction(sum(each.games[0] for each in outings))
            case Criterion.GAMES_DIFFERENCE:
                return Fraction(sum(each.games[0] - each.games[1] for each in outings))
            case Criterion.POINTS_DIFFERENCE:
                return Fraction(sum(each.points[0] - each.points[1] for each in outings))
            case Criterion.POINTS_FOR:
                return Fraction(sum(each.points[0] for each in outings))
            case Criterion.WALKOVERS:
                return Fraction(-sum(each.is_absence for each in outings))
            case Criterion.BUCHHOLZ:
                return Fraction(sum(self._opponents(team)))
            case Criterion.BUCHHOLZ_CUT:
                # Without the score of an absence, else the lowest: FIDE C.07 (2023), on voluntarily
                # unplayed rounds.
                scores = self._opponents(team)
                is_absent = any(each.is_absence for each in outings)
                cut = self._scores[team] if is_absent else min(scores, default=0)
                return Fraction(sum(scores) - cut)
            case Criterion.SONNEBORN_BERGER:
                pairs = zip(outings, self._opponents(team), strict=True)
                return sum(
                    (Fraction(each.score, self._scoring.win) * score for each, score in pairs),
                    start=Fraction(0),
                )
        raise ValueError(f"{criterion} has no value of its own")

    def _opponents(self, team: int) -> list[int]:
        """The score of each opponent; a round not played counts the team's own score.

        FIDE C.07 (2023): such a round is a match against a dummy with the same score.
        """
        return [
            self._adjusted(each.opponent) if each.is_played else self._scores[team]
            for each in self._record[team]
        ]

    def _adjusted(self, team: int) -> int:
        """The score for the opponents: absences since its last match count as draws."""
        present = (
            at for at, each in enumerate(reversed(self._record[team])) if not each.is_absence
        )
        missed = next(present, len(self._record[team]))
        return self._scores[team] + missed * (self._scoring.draw - self._scoring.defeat)
