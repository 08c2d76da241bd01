"""From which starts the hands of a variant are counted, and how the counts are written down.

Pins prove that nothing has changed, not that it is right: what is right, the article tests and the
oracle say. It knows options only by name and value, and no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorer.rules.deal import new_game
from scorer.rules.model import Game, Side
from scorer.rules.options import Value, rules_for
from scorer.rules.perft import perft, perft_text
from scorer.rules.variant import Option, Rules, Variant

# Numbers to try where an option takes any number.
_NUMBERS = {"target": (15, 18), "best_of": (3,)}


class Start(NamedTuple):
    """One hand to count: the options that differ, the score a side, and who is mano."""

    options: tuple[tuple[str, Value], ...]
    score: tuple[int, ...]
    mano: Side

    def rules(self, variant: Variant) -> Rules:
        """What is played by."""
        return rules_for(variant, dict(self.options))

    def game(self, variant: Variant) -> Game:
        """The hand, dealt."""
        rules = self.rules(variant)
        return new_game(rules, dict(zip(rules.sides, self.score, strict=True)), self.mano)

    def name(self, variant: Variant) -> str:
        """The start in one line, as it stands above its count."""
        score = " ".join(
            f"{s}={n}" for s, n in zip(self.rules(variant).sides, self.score, strict=True)
        )
        options = " ".join(f"{key}={_said(value)}" for key, value in self.options)
        return f"start {score} mano={self.mano} {options}".rstrip()


def starts(variant: Variant) -> Iterator[Start]:
    """The starts that are pinned: the beginning, the halves, the end, and every option once."""
    plain = rules_for(variant)
    first, *_, last = plain.actors
    for score in _scores(plain):
        yield Start((), score, first)
    yield Start((), plain.start, last)
    for option in variant.options:
        for value in choices(option):
            options = ((option.key, value),)
            yield Start(options, _telling(rules_for(variant, dict(options)), option.key), first)


def choices(option: Option) -> tuple[Value, ...]:
    """The values of an option other than its default (samples where it takes any number)."""
    values: tuple[Value, ...] = option.choices or _NUMBERS.get(option.key, (option.high,))
    return tuple(value for value in values if value != option.default)


def block(variant: Variant, start: Start) -> str:
    """The pin of one start: its name, then the count, ending with a line end."""
    text = perft_text(perft(start.game(variant))).replace("\n", "\n  ")
    return f"{start.name(variant)}\n  {text}\n"


def pins_text(variant: Variant) -> str:
    """The whole pin file of a variant."""
    head = f"# Every line of one hand of {variant.id}; scorer perft {variant.id} --write\n"
    return "\n".join([head, *(block(variant, start) for start in starts(variant))])


def _scores(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Where hands differ: at nothing, around the half, before the end, in special hands."""
    end = rules.target - 1
    lines = [(0, 0)]
    if rules.half:
        lines += [(rules.half, rules.half - 1), (rules.half, rules.half + 1)]
    lines += [(end - 1, end), (0, end), (end, end)]
    if rules.variant.special is not None:
        eve = rules.target - rules.variant.special.margin
        lines += [(eve, 3), (3, eve), (eve, eve), (eve - 1, eve - 2)]
    rest = len(rules.sides) - 2
    for a, b in dict.fromkeys(lines):
        yield (a, b, *(b,) * rest)


def _telling(rules: Rules, key: str) -> tuple[int, ...]:
    """A score at which another value of this option shows."""
    end = rules.target - 1
    score = (max(0, end - 3), max(0, end - 1))
    if rules.half and key not in ("finish", "best_of"):
        score = (rules.half, max(0, rules.half - 4))
    if rules.variant.special is not None and key == "mao_truco":
        score = (rules.target - rules.variant.special.margin, 2)
    return (*score, *(score[-1],) * (len(rules.sides) - 2))


def _said(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
