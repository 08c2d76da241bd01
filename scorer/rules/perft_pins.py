"""From which starts the hands of a variant are counted, and how the counts are written down.

Pins prove that nothing has changed, not that it is right: what is right, the article tests and the
oracle say. It knows options only by name and value, and no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorer.rules.deal import new_game
from scorer.rules.engine import apply
from scorer.rules.model import Action, Game, HandKind, Side, Step
from scorer.rules.notation import step_text
from scorer.rules.options import Value, rules_for
from scorer.rules.perft import perft, perft_text
from scorer.rules.variant import Option, Rules, Variant

# Numbers to try where an option takes any number.
_NUMBERS = {"target": (15, 18), "best_of": (3,), "pica_from": (9,), "pica_until": (25,)}


# A flor is played there only where the table wants it, and these options are about it.
_FLOR_OPTIONS = frozenset(
    (
        "flor_vs_flor",
        "me_achico",
        "contraflor_refused",
        "resto",
        "resto_refused_direct",
        "resto_refused_after_contra",
    )
)
# The last duel alone: three in a row, with an envido in each, have more lines than anybody waits
# for. All three are counted where the game ends among them.
LAST_DUEL = (Step(Side.A, Action.HAND_WON), Step(Side.B, Action.HAND_WON))
_FIRST_TRICK = (Step(None, Action.FIRST_TRICK_DONE),)

# Where any number may be bet, what an option says is counted from the words that it is about.
_AFTER_FALTA = (Step(Side.A, Action.FALTA_ENVIDO), Step(Side.B, Action.QUIERO), *_FIRST_TRICK)
_STEPS_BEFORE = {
    **dict.fromkeys(("falta", "half_inclusive", "buenas", "target", "finish"), _AFTER_FALTA),
    "envido_refused": (Step(Side.A, Action.ENVIDO), Step(Side.B, Action.ENVIDO)),
    "flor_vs_flor": (Step(Side.A, Action.FLOR), Step(Side.B, Action.FLOR)),
    "tied": _FIRST_TRICK,
    "best_of": _FIRST_TRICK,
}


class Start(NamedTuple):
    """One hand to count: the options that differ, the score a side, who is mano (or the gallo)."""

    options: tuple[tuple[str, Value], ...]
    score: tuple[int, ...]
    mano: Side
    kind: HandKind | None = None
    before: tuple[Step, ...] = ()  # what was played when the count begins

    def rules(self, variant: Variant) -> Rules:
        """What is played by."""
        return rules_for(variant, dict(self.options))

    def game(self, variant: Variant) -> Game:
        """The hand, dealt."""
        rules = self.rules(variant)
        score = dict(zip(rules.scoring_sides, self.score, strict=True))
        if rules.seating.has_gallo:
            game = new_game(rules, score, gallo=self.mano)
        else:
            game = new_game(rules, score, self.mano, kind=self.kind)
        for step in self.before:
            game = apply(game, step)
        return game

    def name(self, variant: Variant) -> str:
        """The start in one line, as it stands above its count."""
        rules = self.rules(variant)
        score = " ".join(f"{s}={n}" for s, n in zip(rules.scoring_sides, self.score, strict=True))
        options = " ".join(f"{key}={_value_text(value)}" for key, value in self.options)
        seat = "gallo" if rules.seating.has_gallo else "mano"
        kind = f"hand_kind={self.kind} " if self.kind else ""
        after = "after " + "; ".join(map(step_text, self.before)) if self.before else ""
        return " ".join(f"start {score} {seat}={self.mano} {kind}{options} {after}".split())


def pinned_starts(variant: Variant) -> Iterator[Start]:
    """The starts that are pinned: the beginning, the halves, the end, and every option once."""
    plain = rules_for(variant)
    first, *_, last = plain.scoring_sides
    scores = tuple(scores_of(plain))
    for score in scores:
        yield Start((), score, first)
    # What the other mano changes for three who play alone, it changes after the envido too.
    yield Start((), scores[0], last, before=_FIRST_TRICK if variant.seating.each_alone else ())
    if variant.seating.has_duels:
        for score in scores:
            yield Start((), score, first, HandKind.PICA, LAST_DUEL)
        yield from _duels_in_a_row(plain)
    for option in variant.options:
        for value in other_values(option):
            yield _option_start(variant, option.key, value)


def _duels_in_a_row(rules: Rules) -> Iterator[Start]:
    """More duels than the last: all of them where the game ends, the last two without a bet."""
    end = rules.target - 1
    first, *_ = rules.scoring_sides
    yield Start((("pica_add", "live"),), (end - 1, end), first, HandKind.PICA)
    yield Start((), (end - 3, end), first, HandKind.PICA, (*LAST_DUEL[:1], *_FIRST_TRICK))


def _option_start(variant: Variant, key: str, value: Value) -> Start:
    """The start at which this value of an option is counted."""
    options = with_required_options(variant, key, value)
    rules = rules_for(variant, dict(options))
    start = Start(options, _revealing_score(rules, key), rules.scoring_sides[0])
    if key.startswith(("pica", "duels")):
        before = LAST_DUEL[:1] if key == "duels" else LAST_DUEL
        return start._replace(kind=HandKind.PICA, before=before)
    if variant.seating.each_alone:
        return start._replace(before=_FIRST_TRICK)  # they are about the tricks, or the match
    if variant.open_bids and key in _STEPS_BEFORE:
        return start._replace(before=_STEPS_BEFORE[key])
    return start


def with_required_options(
    variant: Variant, key: str, value: Value
) -> tuple[tuple[str, Value], ...]:
    """The option, and what it needs beside it to say anything."""
    if key in _FLOR_OPTIONS and variant.option("flor") is not None:
        return (("flor", True), (key, value))
    return ((key, value),)


def other_values(option: Option) -> tuple[Value, ...]:
    """The values of an option other than its default (samples where it takes any number)."""
    values: tuple[Value, ...] = option.choices or _NUMBERS.get(option.key, (option.high,))
    return tuple(value for value in values if value != option.default)


def pin_block(variant: Variant, start: Start) -> str:
    """The pin of one start: its name, then the count, ending with a line end."""
    text = perft_text(perft(start.game(variant))).replace("\n", "\n  ")
    return f"{start.name(variant)}\n  {text}\n"


def pins_text(variant: Variant) -> str:
    """The whole pin file of a variant."""
    head = f"# Every line of one hand of {variant.id}; scorer perft {variant.id} --write\n"
    return "\n".join([head, *(pin_block(variant, start) for start in pinned_starts(variant))])


def is_long(variant: Variant) -> bool:
    """Has a hand too many lines to be counted often, unless it is dealt near the end?"""
    return variant.open_bids or variant.seating.each_alone


def scores_of(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Where hands differ: at nothing, around the half, before the end, in special hands."""
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
    """A score at which another value of this option shows."""
    if rules.seating.counts_down:
        return (2, 3, 2)
    end = rules.target - 1
    score = (max(0, end - 3), max(0, end - 1))
    long = key == "free_envido" or (is_long(rules.variant) and key not in _STEPS_BEFORE)
    if rules.half and key not in ("finish", "best_of") and not long:
        score = (rules.half, max(0, rules.half - 4))
    if key == "cantando":
        score = (end - 2, end)
    if rules.variant.special is not None and key == "mao_truco":
        score = (rules.target - rules.variant.special.margin, 2)
    return (*score, *(score[-1],) * (len(rules.scoring_sides) - 2))


def _value_text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
