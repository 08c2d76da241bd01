"""Starting states for the laws: a short list for every run, and a full list."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product, zip_longest
from typing import NamedTuple

from scorer.rules import Action, Side, Step, find_variant, variant_ids
from scorer.rules.model import Game, HandKind
from scorer.rules.options import Value
from scorer.rules.perft import PINNED_BET_LIMITS, OpenBetLimits
from scorer.rules.perft_pins import LAST_DUEL, PinnedStart, has_last_duel, other_values
from scorer.rules.seating import Seats
from scorer.rules.variant import Rules
from tests.rules import pairwise

# Open bets that are tried: two sizes and the falta, or all samples.
FEW_BETS = OpenBetLimits((None, 2), 2)
ALL_BETS = OpenBetLimits((None, 2, 3, 5), 2)
NO_LIMIT = 99  # steps: more than any hand has
# Their flor makes long hands of the same calls: only the opening here, all in the full list.
_OPENING_ONLY = frozenset(
    ("gaucho", "gaucho_six", "uruguayan", "uruguayan_six", "amostra", "amostra_six")
)
_FIRST_TRICK = Step(None, Action.FIRST_TRICK_DONE)


class Case(NamedTuple):
    """A variant and the start of one walk."""

    variant: str
    start: PinnedStart
    interrupted: bool
    bet_limits: OpenBetLimits = PINNED_BET_LIMITS
    steps: int = NO_LIMIT  # maximum distance from the start

    def game(self) -> Game:
        return self.start.game(find_variant(self.variant))

    def __str__(self) -> str:
        far = f" within {self.steps} steps" if self.steps < NO_LIMIT else ""
        return f"{self.variant}: {self.start.name(find_variant(self.variant))}{far}"


# --- the short list ------------------------------------------------------------------------------


def quick_cases() -> Iterator[Case]:
    """The beginning, the last points of a game, special hands, and mixed options."""
    for name in variant_ids():
        rules = _rules(name)
        for start in _quick_starts(name, rules):
            yield Case(name, start, interrupted=False, bet_limits=FEW_BETS)
        steps = 3 if _is_long(rules) else 4 if name in _OPENING_ONLY else NO_LIMIT
        start = PinnedStart((), rules.starting_score, rules.scoring_sides[0])
        yield Case(name, start, interrupted=False, bet_limits=FEW_BETS, steps=steps)
        for start in _paid_bet_starts(rules):
            yield Case(name, start, interrupted=True, bet_limits=FEW_BETS)
        if not rules.bids:
            for score in _special(rules):
                yield Case(name, PinnedStart((), score, rules.scoring_sides[-1]), interrupted=True)
        if name in ("argentine", "paulista"):
            # Playing on after the game is won makes long hands: once per family.
            options = (("finish", "end_of_hand"),)
            start = PinnedStart(options, _short_of_the_end(rules, 2, 1), rules.scoring_sides[0])
            yield Case(name, start, interrupted=False)


def _quick_starts(name: str, rules: Rules) -> Iterator[PinnedStart]:
    first, *_, last = rules.scoring_sides
    if rules.variant.seats is Seats.ALONE:
        refused = (Step(Side.A, Action.TRUCO), Step(Side.B, Action.NO_QUIERO))
        yield PinnedStart((), (2, 3, 2), last, before=(_FIRST_TRICK,))
        yield PinnedStart((), (2, 3, 2), last, before=refused)
        yield PinnedStart((), (2, 3, 2), first, before=_falta(rules))
        options = (("destantado_plain_hand", "rivals"), ("best_of", 3), ("target", 15))
        yield PinnedStart(options, (1, 1, 1), first, before=(Step(Side.B, Action.ENVIDO),))
        return
    if rules.variant.open_bids:
        for before in _parts_of_a_long_hand(rules):
            yield PinnedStart((), rules.starting_score, first, before=before)
        for behind in (4, 2):  # one side has cantando; from 2 a priver's truco must be played
            yield PinnedStart((), _short_of_the_end(rules, 1, behind), last)
    yield PinnedStart((), _short_of_the_end(rules, 1, 1), last)
    if rules.variant.seats is Seats.DUELS:
        yield PinnedStart((), _short_of_the_end(rules, 3, 2), last, HandKind.PICA, LAST_DUEL)
        live = () if rules.pica_live else (("pica_add", "live"),)
        yield PinnedStart(live, _short_of_the_end(rules, 2, 1), first, HandKind.PICA)
    for row in _mixtures(name, {"argentine": 4, "pica_pica": 1}.get(name, 2)):
        yield _mixed(name, row)


def _mixtures(name: str, most: int) -> Iterator[dict[str, Value]]:
    """All options at once, each at a non-default value, covering every value.

    Without ``finish``: playing on after the game is won makes long hands; and without points of
    duels that count at once: with them the last duel is over before it begins.
    """
    options = find_variant(name).options
    mixed = [o for o in options if o.key != "finish" and (o.key, o.default) != ("pica_add", "end")]
    columns = zip_longest(*(other_values(option) for option in mixed))
    for at, row in enumerate(columns):
        if at < most:
            filled = zip(mixed, row, strict=True)
            mixture = {o.key: other_values(o)[0] if value is None else value for o, value in filled}
            yield next(without_contradictions(mixture))


def contradict(one: tuple[str, Value], other: tuple[str, Value]) -> bool:
    """True for two values of which a game has one at most (``contradictions.py``)."""
    return one == ("con_flor_envido_pays", "six") and (
        other == ("flor_bet_refused", "all") or (other[0] == "flor_value" and other[1] != 3)
    )


def without_contradictions(row: dict[str, Value]) -> Iterator[dict[str, Value]]:
    """``row``, or those without each of two values that contradict each other."""
    moot = [(one, other) for one, other in product(row.items(), repeat=2) if contradict(one, other)]
    if not moot:
        yield row
        return
    yield {key: value for key, value in row.items() if key not in {one for (one, _), _ in moot}}
    yield {key: value for key, value in row.items() if key not in {two for _, (two, _) in moot}}


def _mixed(name: str, row: dict[str, Value]) -> PinnedStart:
    """A hand with these options, near the end of the game."""
    options = tuple(row.items())
    rules = PinnedStart(options, (), Side.A).rules(find_variant(name))
    start = PinnedStart(options, _short_of_the_end(rules, 1, 1), rules.scoring_sides[0])
    if rules.variant.open_bids:
        return start._replace(before=(*_falta(rules), _FIRST_TRICK))
    if rules.variant.seats is Seats.DUELS:
        # One duel, at whose end the points of all duels are added.
        before = (*LAST_DUEL[: rules.duels - 1], Step(Side.A, Action.FLOR))
        return start._replace(kind=HandKind.PICA, before=before)
    return start


def _paid_bet_starts(rules: Rules) -> Iterator[PinnedStart]:
    """Hands with a paid bet or a refused envido, which may be reversed."""
    if not rules.bids:
        return
    one, other = rules.speaking_sides[:2]
    alone, duels = rules.variant.seats is Seats.ALONE, rules.variant.seats is Seats.DUELS
    told = Step(one, Action.ENVIDO_WON)
    envido = [Step(one, rules.bids[0].action), Step(other, Action.QUIERO), told]
    if alone:
        envido[2:] = [Step(Side.C, Action.NO_QUIERO), told, Step(Side.C, Action.FOLD)]
    start = PinnedStart((), _short_of_the_end(rules, 4, 4), rules.scoring_sides[0])
    if rules.flor is not None:
        yield start._replace(before=(Step(one, Action.FLOR), Step(other, Action.NO_FLOR)))
        return
    if alone:
        start = start._replace(score=(3, 4, 5))
    if duels:
        start = start._replace(kind=HandKind.PICA, before=LAST_DUEL)
    yield start._replace(before=(*start.before, *envido))


def _parts_of_a_long_hand(rules: Rules) -> Iterator[tuple[Step, ...]]:
    """Venezuela: tricks while an accepted envido has no winner, and bets of flores."""
    one, other = rules.scoring_sides
    yield (*_falta(rules), _FIRST_TRICK)
    yield (Step(one, Action.FLOR), Step(other, Action.FLOR), Step(one, Action.FLOR_ENVIDA))


def _falta(rules: Rules) -> tuple[Step, ...]:
    one, other, *_ = rules.speaking_sides
    falta = Step(one, Action.FALTA_ENVIDO)
    return (falta,) if rules.variant.seats is Seats.ALONE else (falta, Step(other, Action.QUIERO))


# --- the full list -------------------------------------------------------------------------------


def full_cases() -> Iterator[Case]:
    """Every score line for both manos, every option value, and every pair of them."""
    yield from quick_cases()
    for name in variant_ids():
        yield from _score_cases(name)
        yield from _option_cases(name)


def _score_cases(name: str) -> Iterator[Case]:
    rules = _rules(name)
    scores = _scores(rules)
    # Awards, corrections and reversals everywhere make twelve times the states.
    short = scores[-1 if _is_long(rules) else -3 :]
    stones = FEW_BETS if rules.variant.open_bids else ALL_BETS
    for score in scores:
        for mano in _manos(rules, score):
            start = PinnedStart((), score, mano)
            yield Case(name, start, interrupted=score in short, bet_limits=stones)
            if rules.variant.seats is Seats.DUELS and has_last_duel(rules, score):
                duel = start._replace(kind=HandKind.PICA, before=LAST_DUEL)
                yield Case(name, duel, interrupted=False)
    if rules.variant.open_bids:
        deep = PinnedStart((), scores[1], rules.scoring_sides[0])
        yield Case(name, deep, interrupted=False, bet_limits=ALL_BETS)
    if rules.variant.seats is Seats.DUELS:
        at_once = () if rules.pica_live else (("pica_add", "live"),)
        live = PinnedStart(at_once, scores[-1], rules.scoring_sides[0], HandKind.PICA)
        yield Case(name, live, interrupted=True)
        two = PinnedStart(
            (),
            scores[-1] if has_last_duel(rules, scores[-1]) else scores[0],
            rules.scoring_sides[0],
            HandKind.PICA,
            (*LAST_DUEL[:1], _FIRST_TRICK),
        )
        yield Case(name, two, interrupted=False)


def _manos(rules: Rules, score: tuple[int, ...]) -> tuple[Side, ...]:
    """Every mano; a single one if all three players stand alike, by symmetry."""
    alike = rules.variant.seats is Seats.ALONE and len(set(score)) == 1
    return rules.scoring_sides[:1] if alike else rules.scoring_sides


def _option_cases(name: str) -> Iterator[Case]:
    """Each value alone in a first hand; every pair where the score matters most."""
    variant = find_variant(name)
    long = _is_long(_rules(name))
    for option in variant.options:
        for value in other_values(option):
            yield _option_case(name, {option.key: value}, "end" if long else "start")
    values = {option.key: (option.default, *other_values(option)) for option in variant.options}
    for row in chain.from_iterable(map(without_contradictions, pairwise.rows(values))):
        yield _option_case(name, row, "end")
        if not long:
            yield _option_case(name, row, "eve" if variant.special else "half")


def _option_case(name: str, row: dict[str, Value], where: str) -> Case:
    """A hand with these options at a position known to ``_placed``."""
    options = tuple((key, value) for key, value in row.items() if _differs(name, key, value))
    rules = PinnedStart(options, (), Side.A).rules(find_variant(name))
    start = PinnedStart(options, _score_at(rules, where), rules.scoring_sides[0])
    if not has_last_duel(rules, start.score):
        return Case(name, start, interrupted=False)
    if rules.variant.seats is Seats.DUELS and any(
        key.startswith(("pica", "duels")) for key, _ in options
    ):
        start = start._replace(kind=HandKind.PICA, before=LAST_DUEL[: rules.duels - 1])
    stones = FEW_BETS if rules.variant.open_bids else ALL_BETS
    return Case(name, start, interrupted=False, bet_limits=stones)


def _score_at(rules: Rules, where: str) -> tuple[int, ...]:
    if rules.variant.seats is Seats.ALONE:
        return (1, 2, 1)
    if where == "start":
        return rules.starting_score
    if where == "half" and rules.half:
        return _score_line(rules, rules.half, rules.half - 1)
    if where == "eve" and rules.variant.special is not None:
        return _short_of_the_end(rules, rules.variant.special.margin, rules.target - 1)
    # With cantando, a point before the end, there are no bets.
    return (
        _short_of_the_end(rules, 3, 4)
        if rules.variant.open_bids
        else _short_of_the_end(rules, 2, 1)
    )


def _differs(name: str, key: str, value: Value) -> bool:
    option = find_variant(name).option(key)
    return option is not None and option.default != value


def _scores(rules: Rules) -> list[tuple[int, ...]]:
    """Score lines, longest hands first: 0-0, around the half, near the end, special."""
    if rules.variant.seats is Seats.ALONE:
        # Piles that every payment empties, that some do, and that none does.
        return [rules.starting_score, (3, 4, 5), (2, 3, 2), (1, 2, 10), (1, 1, 1)]
    end = rules.target - 1
    lines = [(0, 0)]
    if rules.half:
        half = rules.half
        lines += [(half, half - 1), (half - 1, half + 1), (half, half), (half + 2, half)]
    lines += [(end - 2, 3), (end - 1, end - 2), *_special_lines(rules)]
    lines += [(0, end), (end - 1, end), (end, end)]
    return [_score_line(rules, *line) for line in dict.fromkeys(lines)]


def _special(rules: Rules) -> list[tuple[int, ...]]:
    return [_score_line(rules, *line) for line in _special_lines(rules)]


def _special_lines(rules: Rules) -> list[tuple[int, int]]:
    special = rules.variant.special
    if special is None:
        return []
    end, eve = rules.target - 1, rules.target - special.margin
    return list(dict.fromkeys([(eve - 1, 1), (eve, 3), (4, eve), (eve, eve), (end, eve)]))


def _is_long(rules: Rules) -> bool:
    """True for thousands of states: walked near the end only, not from every score."""
    return rules.variant.open_bids or rules.variant.seats is Seats.ALONE


def _short_of_the_end(rules: Rules, one: int, other: int) -> tuple[int, ...]:
    """Scores that many points short of the target."""
    return _score_line(rules, rules.target - one, rules.target - other)


def _score_line(rules: Rules, one: int, other: int) -> tuple[int, ...]:
    """A score per side; with three sides, the third equals the second."""
    return (one, *(other,) * (len(rules.scoring_sides) - 1))


def _rules(name: str) -> Rules:
    return PinnedStart((), (), Side.A).rules(find_variant(name))
