"""The tables of a season: points, which evenings count, and the order.

docs/reference/season.md has the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scorer.circuit.formula import Formula
from scorer.circuit.season_file import PointsSection, Season, Tie


class SeasonOuting(NamedTuple):
    """What a team or a person has of one evening.

    ``entry``: the id of the team or person; ``evening``: its place in the season, from 0;
    ``teams``: how many played; ``place`` 0: withdrawn. ``beaten``: the entries that it has beaten,
    one for each win over a known one; ``wins``: all of them.
    """

    entry: str
    evening: int
    place: int
    teams: int
    wins: int
    beaten: tuple[str, ...] = ()


class Scored(NamedTuple):
    """An outing with its points; ``counts``: for the table."""

    outing: SeasonOuting
    points: int
    counts: bool


class TableRow(NamedTuple):
    """A row of a table.

    ``rank``: from 1, shared by those that nothing decides between; 0: too few evenings for one.
    ``wins``, ``firsts``: of all its evenings.
    """

    entry: str
    rank: int
    points: int
    wins: int
    firsts: int
    scored: tuple[Scored, ...]


def points_of(rules: PointsSection, formula: Formula | None, outing: SeasonOuting) -> int:
    """The points of an outing."""
    points = outing.wins * rules.win
    if not outing.place:
        return points
    if formula is not None:
        points += formula.points(outing.place, outing.teams)
    elif outing.place <= len(rules.places):
        points += rules.places[outing.place - 1]
    return points + rules.taking_part + (rules.winner if outing.place == 1 else 0)


def table(
    season: Season, outings: Iterable[SeasonOuting], evenings: int, names: Mapping[str, str]
) -> list[TableRow]:
    """The table of these outings, the best row first.

    ``evenings``: how many there were, of which the discards are taken; ``names``: of the entries,
    by which level ones are listed.
    """
    formula = Formula(season.points.formula) if season.points.formula else None
    of_entry: dict[str, list[tuple[SeasonOuting, int]]] = defaultdict(list)
    for outing in outings:
        of_entry[outing.entry].append((outing, points_of(season.points, formula, outing)))
    rules = season.counting
    most = rules.best or (max(1, evenings - rules.discards) if rules.discards else evenings)
    rows = list[TableRow]()
    for entry, earned in of_entry.items():
        # Of equal points the earlier evening counts.
        best = sorted(earned, key=lambda each: (-each[1], each[0].evening))[:most]
        counted = {outing.evening for outing, _ in best}
        scored = tuple(
            Scored(outing, points, outing.evening in counted)
            for outing, points in sorted(earned, key=lambda each: each[0].evening)
        )
        rows.append(
            TableRow(
                entry,
                0,  # the ranks follow
                sum(each.points for each in scored if each.counts),
                sum(each.outing.wins for each in scored),
                sum(each.outing.place == 1 for each in scored),
                scored,
            )
        )
    # The rows in their order, with ranks; those with too few evenings come last.
    listed = sorted(rows, key=lambda row: (-row.points, names[row.entry], row.entry))
    entitled = [row for row in listed if len(row.scored) >= rules.least_evenings]
    found: list[TableRow] = []
    for _, level in groupby(entitled, key=lambda row: row.points):
        for share in _parted([*level], rules.ties):
            rank = 1 + len(found)
            found += [row._replace(rank=rank) for row in share]
    return [*found, *(row for row in listed if len(row.scored) < rules.least_evenings)]


def _parted(level: list[TableRow], ties: Sequence[Tie]) -> list[list[TableRow]]:
    """Rows of equal points in their order, parted as far as the ties part them.

    Each tie is asked of those that are level after the one before it.
    """
    if len(level) < 2 or not ties:
        return [level]
    value = _values(level, ties[0])
    parted = [
        [row for row in level if value[row.entry] == each]
        for each in sorted(set(value.values()), reverse=True)
    ]
    return [share for part in parted for share in _parted(part, ties[1:])]


def _values(level: Sequence[TableRow], tie: Tie) -> dict[str, int]:
    """What a tie compares; more is better."""
    if tie == "wins":
        return {row.entry: row.wins for row in level}
    if tie == "firsts":
        return {row.entry: row.firsts for row in level}
    # The matches among them: won less lost.
    found = dict.fromkeys((row.entry for row in level), 0)
    for row in level:
        for scored in row.scored:
            for beaten in scored.outing.beaten:
                if beaten in found:
                    found[row.entry] += 1
                    found[beaten] -= 1
    return found


class ClubOuting(NamedTuple):
    """The points of a team of a club in an evening."""

    club: str
    evening: int
    points: int


class ClubRow(NamedTuple):
    """A row of the table of clubs.

    ``teams``: so many of its teams counted, over all evenings.
    """

    club: str
    rank: int
    points: int
    teams: int


def club_table(found: Iterable[ClubOuting], best: int, names: Mapping[str, str]) -> list[ClubRow]:
    """The clubs by the points of their ``best`` teams of each evening; 0: of all."""
    of_evening: dict[tuple[str, int], list[int]] = defaultdict(list)
    for each in found:
        of_evening[each.club, each.evening].append(each.points)
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (club, _), points in of_evening.items():
        counted = sorted(points, reverse=True)[: best or None]
        sums[club][0] += sum(counted)
        sums[club][1] += len(counted)
    order = sorted(sums, key=lambda club: (-sums[club][0], names[club], club))
    ranks: dict[int, int] = {}
    for at, club in enumerate(order, 1):
        ranks.setdefault(sums[club][0], at)
    return [ClubRow(club, ranks[sums[club][0]], *sums[club]) for club in order]
