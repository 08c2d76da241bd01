"""The table of a random night: variant, options and hardware, from a seed."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from scorer.i18n import languages
from scorer.rules import Header, RulesError, find_variant, header_of, rules_for, variant_ids
from scorer.rules.options import value_text
from scorer.rules.variant import Option
from scorer.session.values.settings import Layout

SIZES = ((128, 64), (128, 32))
NAMES = (
    (),
    (),
    ("Los Pibes del Fondo", "La Yunta Brava", "Doña Ñata"),
    ("Ñandúes", "Os Çampeões", "Zé"),
    ("W" * 40, "Extraordinariamente", "M" * 30),
)
MOST_OPTIONS = 3
THREE_CONSOLES = 0.5  # share of the nights with a variant that can use a third console


class Kind(NamedTuple):
    """A table before the first press."""

    variant: str
    options: str = ""
    layout: Layout = Layout.FULL
    consoles: int = 2
    language: str = "es-AR"
    names: tuple[str, ...] = ()
    panels: tuple[tuple[int, int], ...] = ()  # width and height in pixels; empty: nothing is drawn

    @property
    def header(self) -> Header:
        """The header of the first game."""
        named = zip(("NameA", "NameB", "NameC"), self.names, strict=False)
        tags = [("Variant", self.variant), ("Options", self.options), *named]
        return header_of([(tag, value) for tag, value in tags if value])


def kind_of(seed: int, *, drawing: bool) -> Kind:
    """The table of night ``seed``: neighbours differ in variant, layout and language."""
    chance = Random(f"table {seed}")
    variant = variant_ids()[seed % len(variant_ids())]
    layout = list(Layout)[seed // len(variant_ids()) % 2]
    return Kind(
        variant,
        _options(variant, chance),
        layout,
        3 if chance.random() < THREE_CONSOLES else 2,
        chance.choice(languages()),
        chance.choice(NAMES),
        tuple(chance.choice(SIZES) for _ in range(chance.choice((0, 1, 1, 2)))) if drawing else (),
    )


def _options(variant: str, chance: Random) -> str:
    """A valid combination of options, as a score sheet writes them."""
    known = find_variant(variant)
    for _ in range(20):
        some = chance.sample(known.options, chance.randrange(MOST_OPTIONS + 1))
        chosen = {option.key: _value(option, chance) for option in some}
        try:
            rules_for(known, chosen)
        except RulesError:
            continue
        return " ".join(f"{key}={value_text(value)}" for key, value in chosen.items())
    return ""


def _value(option: Option, chance: Random) -> str | int | bool:
    if option.choices:
        return chance.choice(option.choices)
    return chance.randint(option.low, min(option.high, option.low + 20))
