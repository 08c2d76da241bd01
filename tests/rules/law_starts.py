"""From where the laws are walked: a short list for every run, and a long one for a long evening."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from scorer.rules import (
    Action,
    Game,
    Side,
    Step,
    find,
    variant_ids,
)
from scorer.rules.model import HandKind
from scorer.rules.perft_pins import LAST_DUEL, Start, choices, is_long, scores_of
from scorer.rules.variant import Rules, Seats


class Case(NamedTuple):
    """A variant and the start of one walk."""

    variant: str
    start: Start
    interrupted: bool

    def game(self) -> Game:
        return self.start.game(find(self.variant))

    def __str__(self) -> str:
        return f"{self.variant}: {self.start.name(find(self.variant))}"


# Options are chosen together, so many starts a variant that each value (of most) comes up.
_MIXES = {"argentine": 7}
# Hands too long for every pair of options: with a flor, thousands of states.
_LONG = frozenset(
    (
        "argentine_flor",
        "gaucho",
        "uruguayan",
        "venezuelan",
        "pica_pica",
        "pata_gallo",
        "destantado",
    )
)
# One of each family, in which also the interruptions are walked quickly.
_INTERRUPTED = frozenset(("argentine", "paulista"))
# ... and in which the hand that is played on after its end is.
_PLAYED_ON = frozenset(("argentine", "paulista"))


def quick_cases() -> Iterator[Case]:
    """The beginning, the last points of a game, special hands, and mixtures of all options."""
    for name in variant_ids():
        first, *_, last = variant_sides(name)
        scores = _scores(name)
        if find(name).open_bids:
            scores = scores[1:]  # the long hand is for the long list
        brief = find(name).special is not None
        yield Case(name, Start((), scores[0], first), interrupted=False)
        for score in scores[1:] if brief else scores[-1:]:
            yield Case(name, Start((), score, last), interrupted=name in _INTERRUPTED)
        if name in _PLAYED_ON:
            yield Case(name, _near_end(name, (("finish", "end_of_hand"),)), interrupted=False)
        for turn in range(_MIXES.get(name, 3)):
            yield Case(name, _mixture(name, turn), interrupted=False)


def _mixture(name: str, turn: int) -> Start:
    """All options at once at another value than their default, before the end of the game.

    Without ``finish``: a hand that is played on after the game has been won is a long one.
    """
    mixed = (option for option in find(name).options if option.key not in ("finish", "pica_add"))
    values = ((option.key, choices(option)) for option in mixed)
    options = tuple((key, chosen[turn % len(chosen)]) for key, chosen in values)
    rules = Start(options, (), Side.A).rules(find(name))
    start = Start(options, _last_points(rules), rules.sides[0])
    if rules.variant.open_bids:
        return start._replace(before=(Step(Side.A, Action.FALTA_ENVIDO),))
    if rules.seats is Seats.DUELS:
        # One duel, at the end of which the points of all of them are written.
        return start._replace(kind=HandKind.PICA, before=LAST_DUEL[: rules.duels - 1])
    return start


def _last_points(rules: Rules) -> tuple[int, ...]:
    """Everybody needs one more point (or has one left)."""
    alone = rules.seats is Seats.ALONE
    return (1 if alone else rules.target - 1,) * len(rules.sides)


def full_cases() -> Iterator[Case]:
    """Every score line for both manos, every option at four of them, and pairs of options."""
    yield from quick_cases()
    for name in variant_ids():
        scores = _scores(name)
        for mano in variant_sides(name):
            for score in scores:
                yield Case(name, Start((), score, mano), interrupted=score != scores[0])
        yield from _option_cases(name, scores)


def _option_cases(name: str, scores: tuple[tuple[int, ...], ...]) -> Iterator[Case]:
    first, *_ = variant_sides(name)
    single = [(o.key, value) for o in find(name).options for value in choices(o)]
    for key, value in single:
        if key != "target":
            for score in (scores[0], *scores[2:5]):
                yield Case(name, Start(((key, value),), score, first), interrupted=False)
    if name in _LONG:
        return
    for at, one in enumerate(single):
        for other in single[at + 1 :]:
            if one[0] != other[0]:
                yield Case(name, _near_end(name, (one, other), short_of=1), interrupted=False)


def variant_sides(name: str) -> tuple[Side, ...]:
    return Start((), (), Side.A).rules(find(name)).sides


def _scores(name: str) -> tuple[tuple[int, ...], ...]:
    """Score lines, the longest hands first: 0-0, around the half, before the end, special."""
    rules = Start((), (), Side.A).rules(find(name))
    if is_long(find(name)):
        return tuple(scores_of(rules))
    end = rules.target - 1
    lines = [(0, 0)]
    if rules.half:
        half = rules.half
        lines += [(half, half - 1), (half - 1, half + 1), (half, half), (half + 2, half)]
    lines += [(end - 2, 3), (end - 1, end - 2), (0, end), (end - 1, end), (end, end)]
    if rules.variant.special is not None:
        eve = rules.target - rules.variant.special.margin
        lines += [(eve - 1, 1), (eve, 3), (4, eve), (eve, eve), (end, eve)]
    rest = len(rules.sides) - 2
    return tuple((a, b, *(b,) * rest) for a, b in dict.fromkeys(lines))


def _near_end(name: str, options: tuple[tuple[str, Any], ...], short_of: int = 2) -> Start:
    """With those options, a hand that is short because it is dealt before the end of the game."""
    rules = Start(options, (), Side.A).rules(find(name))
    if rules.seats is Seats.ALONE:
        return Start(options, (1, short_of, 1), rules.sides[0])
    score = (rules.target - short_of, rules.target - 1)
    special = rules.variant.special
    if special is not None and any(key == "mao_truco" for key, _ in options):
        score = (rules.target - special.margin, 1)
    return Start(options, (*score, *(score[-1],) * (len(rules.sides) - 2)), rules.sides[0])
