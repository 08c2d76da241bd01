"""Independent count of all lines of a hand, written from rules.md#all-variants.

It does not import the engine: no state machine, no steps, no replay. Each function returns the
number of ways in which the hand can end from here, as a ``Counter`` from final score to number of
lines. If two independent programs agree on all these numbers, errors are unlikely.

A line is a sequence of calls, answers, winners, folds, the three ties and the end of the first
trick (once), until the hand is over. Excluded are steps that may come anywhere or repeat others:
awards and corrections, trick lists, redeals, and reversals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

Score = tuple[int, int]
Lines = Counter[Score]
After = Callable[[Score], Lines]

BOTH = (0, 1)


def add_points(score: Score, side: int, points: int) -> Score:
    """The score with ``points`` added for ``side``."""
    return (score[0] + points, score[1]) if side == 0 else (score[0], score[1] + points)


def single_line(score: Score, side: int, points: int) -> Lines:
    """A single line, ending with ``points`` for ``side``."""
    return Counter({add_points(score, side, points): 1})


def merge(*parts: Lines) -> Lines:
    total: Lines = Counter()
    for part in parts:
        total.update(part)
    return total


def payoffs(lines: Lines, start: Score) -> Lines:
    """The lines by what they pay the two sides."""
    return Counter({(a - start[0], b - start[1]): n for (a, b), n in lines.items()})


def bare_ladder(rungs: int) -> int:
    """Lines of a hand with only a ladder of ``rungs`` calls, in closed form.

    After the first trick a pending rung with m rungs from it to the top has p(m) = 7 + 2 p(m-1)
    lines (two refusals; five ends once it is accepted; the next rung, raised now or later). Before
    the end of the first trick the same sum is taken with that one step still to come.
    """
    calls = 1 << rungs  # 2 ** rungs
    return 10 + 24 * (calls - 1) + 7 * rungs * calls


# Values of the hand on each rung in Argentina.
TRUCO = (1, 2, 3, 4)

# rules.md#envido by row: accepted, refused. None: the falta.
ENVIDO: dict[str, tuple[int | None, int]] = {
    "E": (2, 1),
    "R": (3, 1),
    "F": (None, 1),
    "EE": (4, 2),
    "ER": (5, 2),
    "EF": (None, 2),
    "RF": (None, 3),
    "EER": (7, 4),
    "EEF": (None, 4),
    "ERF": (None, 5),
    "EERF": (None, 7),
}


class Rest(NamedTuple):
    """The hand after an envido or flor: its accepted worth, and how it goes on.

    ``beside``: how it goes on while announced flores wait for their winner (Uruguay).
    """

    worth: int
    after: After
    beside: Callable[[Score, Score], Lines]


@dataclass(frozen=True)
class Argentine:
    """rules.md#argentine, side 0 to lead; four parameters make the gaúcho hand.

    With one flor a side it is a duel, whose points may wait: ``board`` is the score without them.
    """

    flor: bool = False
    target: int = 30
    half: int = 15
    fold_first: int = 2
    ties_to_mano: bool = True
    falta_of_loser: bool = False  # the falta is what the loser lacks
    doubling: bool = False  # all flores in play count, and a contra-flor doubles them
    flores: int = 2  # most of a side
    falta_cap: int = 99
    resto_cap: int = 99
    board: Score | None = None

    def hand(self, score: Score) -> Lines:
        """All lines of a hand dealt at ``score``, by the score they end at."""
        return self._playing(score, 0, BOTH, True, True)

    def _is_won(self, score: Score) -> bool:
        return self.board is None and max(score) >= self.target

    def _falta(self, score: Score, winner: int) -> int:
        return min(self._falta_worth(self.board or score, winner), self.falta_cap)

    def _falta_worth(self, score: Score, winner: int) -> int:
        if self.falta_of_loser:
            return self.target - score[1 - winner]
        if max(score) <= self.half:
            return self.target - score[winner]
        return self.target - max(score)

    def _go_on_unless_won(self, score: Score, after: After) -> Lines:
        """Continue the hand, unless the payment has won the game."""
        return Counter({score: 1}) if self._is_won(score) else after(score)

    def _fold_on_bet(self, score: Score, to: int, bet: int, worth: int) -> Lines:
        """Fold on a bet: the refused bet, and the hand at its last accepted value."""
        first = add_points(score, to, bet)
        return self._go_on_unless_won(first, lambda s: single_line(s, to, worth))

    @cache  # noqa: B019 - few oracles, alive as long as their test
    def _playing(
        self, score: Score, rung: int, may: tuple[int, ...], first: bool, no_bet_yet: bool
    ) -> Lines:
        worth = TRUCO[rung]
        in_time = first and no_bet_yet
        parts = [single_line(score, side, worth) for side in BOTH]
        if in_time and rung == 0 and self.fold_first == 2:
            # An envido that was not called is a separate point.
            parts += [self._fold_on_bet(score, side, 1, worth) for side in BOTH]
        else:
            parts += [single_line(score, side, worth) for side in BOTH]
        parts.append(single_line(score, 0, worth if self.ties_to_mano else 0))  # three ties
        if first:
            parts.append(self._playing(score, rung, may, False, False))
        if rung + 1 < len(TRUCO):
            parts += [self._called(score, rung + 1, side, first, no_bet_yet) for side in may]
        if in_time:
            rest = Rest(
                worth,
                lambda s: self._playing(s, rung, may, first, False),
                lambda s, sung: self._beside(s, sung, rung, may, None, first),
            )
            parts += [self._opened(score, side, rung == 0, rest) for side in BOTH]
        return merge(*parts)

    @cache  # noqa: B019
    def _called(self, score: Score, rung: int, caller: int, first: bool, no_bet_yet: bool) -> Lines:
        other = 1 - caller
        refused = single_line(score, caller, TRUCO[rung - 1])
        parts = [refused, refused]  # refused, or folded
        parts.append(self._playing(score, rung, (other,), first, no_bet_yet))
        if rung + 1 < len(TRUCO):
            parts.append(self._called(score, rung + 1, other, first, no_bet_yet))
        if first and no_bet_yet:  # the envido precedes the first truco, the flor every one
            rest = Rest(
                TRUCO[rung - 1],
                lambda s: self._called(s, rung, caller, first, False),
                lambda s, sung: self._beside(s, sung, rung, (), caller, first),
            )
            parts.append(self._opened(score, other, rung == 1, rest))
        return merge(*parts)

    def _opened(self, score: Score, side: int, with_envido: bool, rest: Rest) -> Lines:
        calls = "ERF" if with_envido else ""
        parts = [self._envido(score, call, side, rest) for call in calls]
        if self.flor:
            parts.append(self._flor(score, add_points((0, 0), side, 1), side, rest))
        return merge(*parts)

    def _envido(self, score: Score, chain: str, caller: int, rest: Rest) -> Lines:
        other = 1 - caller
        wanted, refused = ENVIDO[chain]
        parts = [self._go_on_unless_won(add_points(score, caller, refused), rest.after)]
        parts.append(self._fold_on_bet(score, caller, refused, rest.worth))
        for winner in BOTH:
            points = self._falta(score, winner) if wanted is None else wanted
            parts.append(self._go_on_unless_won(add_points(score, winner, points), rest.after))
        parts += [self._envido(score, chain + c, other, rest) for c in "ERF" if chain + c in ENVIDO]
        if self.flor:  # over the call, and over an envido waiting for its winner
            for side in BOTH:
                flor = self._flor(score, add_points((0, 0), side, 1), side, rest)
                parts += [flor, flor]
        return merge(*parts)

    def _flor(self, score: Score, sung: Score, caller: int, rest: Rest) -> Lines:
        """A plain flor awaits an answer; ``sung`` counts the flores per side."""
        other = 1 - caller
        points = 3 * sung[caller]
        small = self._go_on_unless_won(add_points(score, caller, points), rest.after)
        parts = [small, small, small]  # me achico, no quiero, no hay flor
        parts.append(self._fold_on_bet(score, caller, points, rest.worth))
        if sung[caller] < self.flores:
            parts.append(self._flor(score, add_points(sung, caller, 1), caller, rest))
        parts.append(self._compared(score, add_points(sung, other, 1), rest))
        in_play = points if self.doubling else 3
        parts.append(self._contraflor(score, other, in_play, rest))
        parts.append(self._resto(score, other, in_play, rest))
        return merge(*parts)

    def _beside(
        self,
        score: Score,
        sung: Score,
        rung: int,
        may: tuple[int, ...],
        caller: int | None,
        first: bool,
    ) -> Lines:
        """The hand while announced flores wait: elsewhere than in Uruguay they do not."""
        raise AssertionError("flores wait for their winner in Uruguay alone")

    def _compared(self, score: Score, sung: Score, rest: Rest) -> Lines:
        worth = (sum(sung),) * 2 if self.doubling else sung
        parts = [
            self._go_on_unless_won(add_points(score, side, 3 * worth[side]), rest.after)
            for side in BOTH
        ]
        parts += [
            self._compared(score, add_points(sung, side, 1), rest)
            for side in BOTH
            if sung[side] < self.flores
        ]
        return merge(*parts)

    def _contraflor(self, score: Score, caller: int, in_play: int, rest: Rest) -> Lines:
        refused = self._go_on_unless_won(add_points(score, caller, in_play), rest.after)
        parts = [refused, refused, self._fold_on_bet(score, caller, in_play, rest.worth)]
        parts += [
            self._go_on_unless_won(add_points(score, side, 2 * in_play), rest.after)
            for side in BOTH
        ]
        parts.append(self._resto(score, 1 - caller, 2 * in_play, rest))
        return merge(*parts)

    def _resto(self, score: Score, caller: int, accepted: int, rest: Rest) -> Lines:
        refused = self._go_on_unless_won(add_points(score, caller, accepted), rest.after)
        parts = [refused, refused, self._fold_on_bet(score, caller, accepted, rest.worth)]
        missing = min(self.target - max(self.board or score), self.resto_cap)
        worth = max(missing, accepted)  # never less than refused
        parts += [
            self._go_on_unless_won(add_points(score, side, worth), rest.after) for side in BOTH
        ]
        return merge(*parts)


@dataclass(frozen=True)
class Uruguayan(Argentine):
    """rules.md#uruguayan: flores are announced, then bet, and a plain contest waits."""

    flor: bool = True
    target: int = 40
    half: int = 20
    fold_first: int = 1

    def _falta_worth(self, score: Score, winner: int) -> int:
        return self.target - max(score)

    def _compared(self, score: Score, sung: Score, rest: Rest) -> Lines:
        return rest.beside(score, sung)

    @cache  # noqa: B019
    def _beside(
        self,
        score: Score,
        sung: Score,
        rung: int,
        may: tuple[int, ...],
        caller: int | None,
        first: bool,
    ) -> Lines:
        """Both announced: truco goes on, and ``flor_won`` is entered at any time."""
        worth = TRUCO[rung] if caller is None else TRUCO[rung - 1]

        def settled(at: Score) -> Lines:
            if caller is None:
                return self._playing(at, rung, may, first, False)
            return self._called(at, rung, caller, first, False)

        parts = [self._shown(score, sung, settled)]
        if first:
            rest = Rest(worth, settled, lambda s, n: self._beside(s, n, rung, may, caller, first))
            for side in BOTH:
                if sung[side] < self.flores:
                    more = add_points(sung, side, 1)
                    parts.append(self._beside(score, more, rung, may, caller, first))
                parts += [self._bet(score, bet, side, sung, rest) for bet in ("E", "C", "R")]
        if caller is None:
            # Won or folded, and three ties: paid after the flores.
            for to in (*BOTH, *BOTH, 0):
                parts.append(self._hand_then(score, sung, to, worth))
            if first:
                parts.append(self._beside(score, sung, rung, may, None, False))
            if rung + 1 < len(TRUCO):
                parts += [self._beside(score, sung, rung + 1, (), side, first) for side in may]
            return merge(*parts)
        other = 1 - caller
        parts += [self._hand_then(score, sung, caller, worth)] * 2  # refused, or folded
        parts.append(self._beside(score, sung, rung, (other,), None, first))
        if rung + 1 < len(TRUCO):
            parts.append(self._beside(score, sung, rung + 1, (), other, first))
        return merge(*parts)

    def _shown(self, score: Score, sung: Score, after: After) -> Lines:
        shown = (add_points(score, side, 3 * sung[side]) for side in BOTH)
        return merge(*(self._go_on_unless_won(each, after) for each in shown))

    def _hand_then(self, score: Score, sung: Score, to: int, worth: int) -> Lines:
        """The hand is decided before the flores, and paid after them."""
        return self._shown(score, sung, lambda s: single_line(s, to, worth))

    def _flor(self, score: Score, sung: Score, caller: int, rest: Rest) -> Lines:
        """As in Argentina, but the answering side has three raises and pays by its flores."""
        other, points = 1 - caller, 3 * sung[caller]
        small = self._go_on_unless_won(add_points(score, caller, points), rest.after)
        parts = [small, small, small]  # me achico, no quiero, no hay flor
        parts.append(self._fold_on_bet(score, caller, points, rest.worth))
        if sung[caller] < self.flores:
            parts.append(self._flor(score, add_points(sung, caller, 1), caller, rest))
        parts.append(self._compared(score, add_points(sung, other, 1), rest))
        parts += [self._bet(score, bet, other, sung, rest) for bet in ("E", "C", "R")]
        return merge(*parts)

    def _bet(self, score: Score, bets: str, caller: int, sung: Score, rest: Rest) -> Lines:
        """E: con flor envido, C: contraflor, R: al resto."""
        other = 1 - caller
        refused = 3 * max(1, sung[caller])
        if len(bets) > 1:
            refused = self._bet_worth(score, bets[:-1], caller, sung)
        no = self._go_on_unless_won(add_points(score, caller, refused), rest.after)
        parts = [no, no, self._fold_on_bet(score, caller, refused, rest.worth)]
        for side in BOTH:
            points = self._bet_worth(score, bets, side, sung)
            parts.append(self._go_on_unless_won(add_points(score, side, points), rest.after))
        if bets[-1] != "R":
            parts.append(self._bet(score, bets + "R", other, sung, rest))
        return merge(*parts)

    def _bet_worth(self, score: Score, bets: str, winner: int, sung: Score) -> int:
        each = [max(1, count) for count in sung]
        match bets[-1]:
            case "E":
                return 3 * each[winner] + 2
            case "C":
                return 3 * sum(each)
        resto = self.target - (self.board or score)[winner]
        raised = self._bet_worth(score, bets[:-1], winner, sung) if bets[:-1] else 3 * each[winner]
        return max(min(resto, self.resto_cap), raised)  # never less than refused


@dataclass(frozen=True)
class Brazilian:
    """The hand of São Paulo, Minas and S4: a ladder and a special hand.

    Source: rules.md#special-hand.
    """

    ladder: tuple[int, ...] = (1, 3, 6, 9, 12)
    special: tuple[int, ...] = (11,)
    worth: int = 3
    run: int = 1
    truco_loses: bool = True
    ties_to_other: bool = False  # three ties go against the side that raised last

    def hand(self, score: Score) -> Lines:
        """All lines of a hand dealt at ``score``, by the score they end at."""
        there = [side for side in BOTH if score[side] in self.special]
        if len(there) == 2:
            return self._unraised(score, self.ladder[0], punished=False, first=True)
        if len(there) == 1:
            run = single_line(score, 1 - there[0], self.run)
            return merge(run, self._unraised(score, self.worth, self.truco_loses, first=True))
        return self._playing(score, 0, BOTH, True)

    def _ends(self, score: Score, worth: int, may: tuple[int, ...] = BOTH) -> Lines:
        won = merge(*(single_line(score, side, worth) for side in BOTH))
        tied = Counter({score: 1})
        if self.ties_to_other and len(may) == 1:
            tied = single_line(score, may[0], worth)
        return merge(won, won, tied)  # won, folded, three ties

    def _unraised(self, score: Score, worth: int, punished: bool, first: bool) -> Lines:
        parts = [self._ends(score, worth)]
        if punished:  # calling truco loses the hand
            parts += [single_line(score, side, worth) for side in BOTH]
        if first:
            parts.append(self._unraised(score, worth, punished, first=False))
        return merge(*parts)

    def _playing(self, score: Score, rung: int, may: tuple[int, ...], first: bool) -> Lines:
        parts = [self._ends(score, self.ladder[rung], may)]
        if first:
            parts.append(self._playing(score, rung, may, False))
        if rung + 1 < len(self.ladder):
            parts += [self._called(score, rung + 1, side, first) for side in may]
        return merge(*parts)

    def _called(self, score: Score, rung: int, caller: int, first: bool) -> Lines:
        refused = single_line(score, caller, self.ladder[rung - 1])
        parts = [refused, refused, self._playing(score, rung, (1 - caller,), first)]
        if rung + 1 < len(self.ladder):
            parts.append(self._called(score, rung + 1, 1 - caller, first))
        return merge(*parts)


GAUCHO = Argentine(
    flor=True,
    target=24,
    half=12,
    fold_first=1,
    ties_to_mano=False,
    falta_of_loser=True,
    doubling=True,
)
URUGUAYAN = Uruguayan()


def gaucho_volta() -> Argentine:
    """A volta of rules.md#gaucho_six: three flores a side."""
    return replace(GAUCHO, flores=3)


def gaucho_testa() -> Argentine:
    """A duel of rules.md#gaucho_six: one flor a side, no limit, points at once."""
    return replace(GAUCHO, flores=1)


def uruguayan_general(target: int) -> Uruguayan:
    """A general hand of rules.md#uruguayan_six, a volta of rules.md#amostra_six."""
    return Uruguayan(target=target, half=target // 2, flores=3)


def pico(target: int, board: Score) -> Uruguayan:
    """A duel of rules.md#uruguayan_six: at most 10 a bet, points at its end."""
    general = uruguayan_general(target)
    return replace(general, flores=1, falta_cap=10, resto_cap=10, board=board)


PAULISTA = Brazilian()
MINEIRO = Brazilian((2, 4, 6, 10, 12), (10, 11), worth=4, run=2)
BR_GENERAL = Brazilian(truco_loses=False)
