"""Speaking and scoring sides, answers and consoles of each kind of table.

Every question that two teams, pata de gallo and destantado answer differently is a field or a
method of ``Seating``, so that no other module compares kinds of tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scorer.rules.actions import Side

TWO: Final = (Side.A, Side.B)
THREE: Final = (Side.A, Side.B, Side.C)


class Seats(StrEnum):
    """Who plays against whom, as declared by a variant."""

    TEAMS = "teams"
    DUELS = "duels"  # pica-pica: six players, full hands alternating with three duels
    GALLO = "gallo"  # pata de gallo: one against the other two, in turn
    ALONE = "alone"  # destantado: three players, each alone


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Seating:
    """The sides of a table; ``gallo`` in a method: who plays alone in the hand."""

    scoring_sides: tuple[Side, ...] = TWO  # in play order
    speaking_sides: tuple[Side, ...] = TWO
    has_duels: bool = False  # hands of duels alternate with full hands
    has_gallo: bool = False  # one plays alone against the others, who speak as the pair
    each_alone: bool = False  # each answers, bets and pays for himself; the winner leads next
    counts_down: bool = False  # scores are piles that shrink to nothing; the rest is in the pot
    max_consoles: int = len(TWO)

    def speaker_of(self, side: Side, gallo: Side | None) -> Side:
        """The side that speaks for ``side``: itself, or its camp in pata de gallo."""
        if gallo is None:
            return side
        return Side.GALLO if side is gallo else Side.PAIR

    def scorers_of(self, speaker: Side, gallo: Side | None) -> tuple[Side, ...]:
        """The sides with a score that ``speaker`` speaks for, in play order."""
        if speaker is Side.PAIR:
            return self.pair_of(gallo)
        if speaker is Side.GALLO:
            assert gallo is not None
            return (gallo,)
        return (speaker,)

    def pair_of(self, gallo: Side | None) -> tuple[Side, ...]:
        """The two that play together against ``gallo``; empty without a gallo."""
        return () if gallo is None else tuple(s for s in self.scoring_sides if s is not gallo)

    def next_side(self, side: Side) -> Side:
        """The scoring side after ``side`` in play order."""
        return self.sides_from(side)[1]

    def sides_from(self, first: Side) -> tuple[Side, ...]:
        """The scoring sides in play order, ``first`` first."""
        at = self.scoring_sides.index(first)
        return (*self.scoring_sides[at:], *self.scoring_sides[:at])

    def starting_score(self, target: int) -> tuple[int, ...]:
        """The score of a fresh game: nothing, or full piles."""
        return ((target if self.counts_down else 0),) * len(self.scoring_sides)

    def start_scores(self, target: int) -> range:
        """The scores with which a side may start; a pile may hold all there is."""
        return range(1, self.piles_total(target) + 1) if self.counts_down else range(target)

    def piles_total(self, target: int) -> int:
        """The points in all piles and the pot together, which never change."""
        return target * len(self.scoring_sides)

    def capped(self, points: int, target: int) -> int:
        """A score as displayed: at most the target, but a pile may outgrow its start."""
        return points if self.counts_down else min(points, target)

    def side_at_target(
        self, score: Sequence[int], target: int, mano: Side, gallo: Side | None
    ) -> Side | None:
        """The side that has won with ``score``: an empty pile or the one best score.

        Of the pair in pata de gallo the one nearer to the mano wins (rules.md#pata_gallo); a tie
        of rivals is decided by another hand.
        """
        sides = self.scoring_sides
        if self.counts_down:
            return next((s for s, pile in zip(sides, score, strict=True) if pile <= 0), None)
        best = max(score)
        if best < target:
            return None
        if score.count(best) == 1:
            return sides[score.index(best)]
        tied = [side for side in self.sides_from(mano) if score[sides.index(side)] == best]
        return None if gallo is None or gallo in tied else tied[0]

    def console_count(self, wired: int) -> int:
        """How many of the ``wired`` consoles are in use, at least two."""
        return max(len(TWO), min(wired, self.max_consoles))

    def sides_at(self, console: int, wired: int) -> tuple[Side, ...]:
        """The sides that speak at ``console`` (from 0); all that remain at the last."""
        last = console == self.console_count(wired) - 1
        return self.speaking_sides[console:] if last else self.speaking_sides[console : console + 1]


SEATINGS: Final = {
    Seats.TEAMS: Seating(),
    Seats.DUELS: Seating(has_duels=True),
    Seats.GALLO: Seating(THREE, (Side.GALLO, Side.PAIR), has_gallo=True),
    Seats.ALONE: Seating(THREE, THREE, each_alone=True, counts_down=True, max_consoles=len(THREE)),
}
