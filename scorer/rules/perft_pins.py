"""Starting positions whose perft counts are pinned, and the text of the pin files.

Pins show that behaviour has not changed; the article tests and the oracle cover correctness.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorer.rules.actions import Action, Side
from scorer.rules.deal import new_game
from scorer.rules.engine import apply
from scorer.rules.model import Game, HandKind, Start, Step
from scorer.rules.notation import step_text
from scorer.rules.options import Value, rules_for, value_text
from scorer.rules.perft import perft, perft_text
from scorer.rules.variant import FlorStyle, Option, Rules, Variant

# Values to count where an option takes any number.
_NUMBERS = {"target": (15, 18), "best_of": (3,), "pica_from": (9,), "pica_until": (25,)}


# Options about the flor, which need it enabled where it is optional.
_FLOR_OPTIONS = frozenset(
    (
        "players",
        "flor_vs_flor",
        "flor_value",
        "resto_floor",
        "me_achico",
        "contraflor_refused",
        "resto",
        "resto_refused_direct",
        "resto_refused_after_contra",
        "pica_resto_cap",
    )
)
# Start in the last duel: three duels in a row, with an envido in each, have too many lines to
# count. All three are counted where the game ends among them.
LAST_DUEL = (Step(Side.A, Action.HAND_WON), Step(Side.B, Action.HAND_WON))
_FIRST_TRICK = (Step(None, Action.FIRST_TRICK_DONE),)

# With open bets, count an option only from the calls that it affects.
_AFTER_FALTA = (Step(Side.A, Action.FALTA_ENVIDO), Step(Side.B, Action.QUIERO), *_FIRST_TRICK)
_STEPS_BEFORE = {
    **dict.fromkeys(("falta", "half_inclusive", "buenas", "target", "finish"), _AFTER_FALTA),
    "envido_refused": (Step(Side.A, Action.ENVIDO), Step(Side.B, Action.ENVIDO)),
    "players": (Step(Side.A, Action.FLOR),),
    "flor_vs_flor": (Step(Side.A, Action.FLOR), Step(Side.B, Action.FLOR)),
    "flor_value": (Step(Side.A, Action.FLOR), Step(Side.B, Action.FLOR)),
    "flor_over_refused": (
        Step(Side.A, Action.ENVIDO),
        Step(Side.B, Action.NO_QUIERO),
        *_FIRST_TRICK,
    ),
    "falta_floor": (
        Step(Side.A, Action.ENVIDO, 5),
        Step(Side.B, Action.FALTA_ENVIDO),
        Step(Side.A, Action.QUIERO),
        *_FIRST_TRICK,
    ),
    "tied": _FIRST_TRICK,
    "best_of": _FIRST_TRICK,
}
_FLOORS = frozenset(("falta_floor", "resto_floor"))


class PinnedStart(NamedTuple):
    """One hand to count: options, score per side, and the mano (or the gallo)."""

    options: tuple[tuple[str, Value], ...]
    score: tuple[int, ...]
    mano: Side
    kind: HandKind | None = None
    before: tuple[Step, ...] = ()  # steps played before the count begins

    def rules(self, variant: Variant) -> Rules:
        """The rules of this start."""
        return rules_for(variant, dict(self.options))

    def game(self, variant: Variant) -> Game:
        """The dealt hand."""
        rules = self.rules(variant)
        if rules.seating.has_gallo:
            game = new_game(Start(rules, self.score, gallo=self.mano))
        else:
            game = new_game(Start(rules, self.score, self.mano, kind=self.kind))
        for step in self.before:
            game = apply(game, step)
        return game

    def name(self, variant: Variant) -> str:
        """One-line title of the start in the pin file."""
        rules = self.rules(variant)
        score = " ".join(f"{s}={n}" for s, n in zip(rules.scoring_sides, self.score, strict=True))
        options = " ".join(f"{key}={value_text(value)}" for key, value in self.options)
        seat = "gallo" if rules.seating.has_gallo else "mano"
        kind = f"hand_kind={self.kind} " if self.kind else ""
        after = "after " + "; ".join(map(step_text, self.before)) if self.before else ""
        return " ".join(f"start {score} {seat}={self.mano} {kind}{options} {after}".split())


def pinned_starts(variant: Variant) -> Iterator[PinnedStart]:
    """The pinned starts: the beginning, the halves, the end, and every option once."""
    plain = rules_for(variant)
    first, *_, last = plain.scoring_sides
    scores = tuple(scores_of(plain))
    for score in scores:
        yield PinnedStart((), score, first)
    # With three single players, what the other mano changes also shows after the envido.
    yield PinnedStart(
        (), scores[0], last, before=_FIRST_TRICK if variant.seating.each_alone else ()
    )
    if variant.seating.has_duels:
        for score in scores:
            if has_last_duel(plain, score):
                yield PinnedStart((), score, first, HandKind.PICA, LAST_DUEL)
        yield from _duels_in_a_row(plain)
    for option in variant.options:
        for value in other_values(option):
            yield _option_start(variant, option.key, value)


def has_last_duel(rules: Rules, score: tuple[int, ...]) -> bool:
    """False if the game ends in the duels before: their points count at once."""
    return not (rules.pica_live and max(score) + 1 >= rules.target)


def _duels_in_a_row(rules: Rules) -> Iterator[PinnedStart]:
    """Starts with several duels: all three at the end of a game, the last two plain."""
    end = rules.target - 1
    first, *_ = rules.scoring_sides
    live = () if rules.pica_live else (("pica_add", "live"),)
    yield PinnedStart(live, (end - 1, end), first, HandKind.PICA)
    yield PinnedStart((), (end - 3, end), first, HandKind.PICA, (*LAST_DUEL[:1], *_FIRST_TRICK))


def _option_start(variant: Variant, key: str, value: Value) -> PinnedStart:
    """The start that counts this value of an option."""
    options = with_required_options(variant, key, value)
    rules = rules_for(variant, dict(options))
    start = PinnedStart(options, _revealing_score(rules, key), rules.scoring_sides[0])
    if key.startswith(("pica", "duels")):
        before = LAST_DUEL[:1] if key == "duels" else LAST_DUEL
        return start._replace(kind=HandKind.PICA, before=before)
    if variant.seating.each_alone:
        return start._replace(before=_FIRST_TRICK)  # these options affect the tricks or the match
    if variant.open_bids and key in _STEPS_BEFORE:
        return start._replace(before=_STEPS_BEFORE[key])
    return start


def with_required_options(
    variant: Variant, key: str, value: Value
) -> tuple[tuple[str, Value], ...]:
    """The option with the other options it requires to have an effect."""
    chosen: list[tuple[str, Value]] = [(key, value)]
    if key in _FLOR_OPTIONS and variant.option("flor") is not None:
        chosen.insert(0, ("flor", True))
    if key == "flor_bet_refused":
        chosen.insert(0, ("flor_vs_flor", "per_flor"))
    if key == "resto_floor" and variant.flor is FlorStyle.WITH_ENVIDO:
        chosen.insert(0, ("resto", "leader_to_target"))
    return tuple(chosen)


def other_values(option: Option) -> tuple[Value, ...]:
    """The values of an option other than its default (samples for numbers)."""
    values: tuple[Value, ...] = option.choices or _NUMBERS.get(option.key, (option.high,))
    return tuple(value for value in values if value != option.default)


def pin_block(variant: Variant, start: PinnedStart) -> str:
    """The pin of one start: title and count, ending in a newline."""
    text = perft_text(perft(start.game(variant))).replace("\n", "\n  ")
    return f"{start.name(variant)}\n  {text}\n"


def pins_text(variant: Variant) -> str:
    """The complete pin file of a variant."""
    head = f"# Every line of one hand of {variant.id}; scorer perft {variant.id} --write\n"
    return "\n".join([head, *(pin_block(variant, start) for start in pinned_starts(variant))])


def is_long(variant: Variant) -> bool:
    """True if a hand has too many lines to count often, unless it starts near the end."""
    return variant.open_bids or variant.seating.each_alone


def scores_of(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Scores at which hands differ: start, around the half, near the end, special."""
    if rules.seating.counts_down:
        # Piles that some payments empty and others do not.
        yield from ((2, 3, 2), (1, 1, 1), (3, 4, 5))
        return
    end = rules.target - 1
    lines = [(0, 0)]
    if rules.half and not is_long(rules.variant):
        lines += [(rules.half, rules.half - 1), (rules.half, rules.half + 1)]
    if is_long(rules.variant):
        lines = [(end - 3, end - 1)]
    lines += [(end - 1, end), (0, end), (end, end)]
    if rules.variant.special is not None:
        eve = rules.target - rules.variant.special.margin
        lines += [(eve, 3), (3, eve), (eve, eve), (eve - 1, eve - 2)]
    rest = len(rules.scoring_sides) - 2
    for a, b in dict.fromkeys(lines):
        yield (a, b, *(b,) * rest)


def _revealing_score(rules: Rules, key: str) -> tuple[int, ...]:
    """A score at which another value of this option has an effect."""
    if rules.seating.counts_down:
        return (2, 3, 2)
    end = rules.target - 1
    score = (max(0, end - 3), max(0, end - 1))
    long = key == "free_envido" or (is_long(rules.variant) and key not in _STEPS_BEFORE)
    if rules.half and key not in ("finish", "best_of") and not long:
        score = (rules.half, max(0, rules.half - 4))
    if key in _FLOORS:
        score = (4, end - rules.cantando)  # with cantando, the last point has no bets
    if key == "cantando":
        score = (end - 2, end)
    if rules.variant.special is not None and key == "mao_truco":
        score = (rules.target - rules.variant.special.margin, 2)
    return (*score, *(score[-1],) * (len(rules.scoring_sides) - 2))
