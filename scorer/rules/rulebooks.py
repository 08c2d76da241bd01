"""Rulebooks: named sets of options with a source (rules.md#rulebooks).

Which rulebook a game follows is read from its options: the one that they differ from in the fewest,
if that are no more than they differ from the defaults.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scorer.plain_values import suggestion
from scorer.rules.options import RulesError, Value, rules_for, value_of
from scorer.rules.variant import Rules, Variant

_NO_OPTIONS: Mapping[str, Value] = {}


class Rulebook(NamedTuple):
    """The variants of a rulebook, and the options that differ from defaults."""

    id: str
    title: str
    source: str  # code of its source
    variants: tuple[str, ...]
    options: Mapping[str, Value] = _NO_OPTIONS

    def rules(self, variant: Variant) -> Rules:
        """The rules of the book for ``variant``, which is one of its variants."""
        return rules_for(variant, self.options)


RULEBOOKS = (
    Rulebook(
        "granaventura",
        "GranAventura",
        "GA",
        ("uruguayan", "uruguayan_six"),
        {
            "best_of": 3,
            "free_envido": True,
            "flor_bids": "all",
            "resto": "leader_plus_flor",
        },
    ),
    Rulebook(
        "retruco",
        "ReTruco",
        "RT",
        ("uruguayan",),
        {"target": 20, "players": 2, "free_envido": True},
    ),
    Rulebook("vep", "VEP", "VEP", ("venezuelan",)),
    Rulebook("envidoytruco", "Envido y Truco", "S1", ("argentine", "argentine_flor")),
)


class Followed(NamedTuple):
    """The rulebook of a game, and the options in which the game differs from it."""

    book: Rulebook
    differing: tuple[str, ...]


def find_rulebook(rulebook_id: str) -> Rulebook:
    """The rulebook with that id. Raises RulesError, which suggests the nearest id."""
    for book in RULEBOOKS:
        if book.id == rulebook_id:
            return book
    hint = suggestion(rulebook_id, [book.id for book in RULEBOOKS])
    raise RulesError([f"no rulebook '{rulebook_id[:40]}'{hint}"])


def options_of(rulebook_id: str, variant_id: str) -> Mapping[str, Value]:
    """The options of a rulebook for one of its variants; none of "".

    Raises RulesError.
    """
    if not rulebook_id:
        return _NO_OPTIONS
    book = find_rulebook(rulebook_id)
    if variant_id not in book.variants:
        raise RulesError([f"{book.title} is a rulebook of {', '.join(book.variants)}"])
    return book.options


def rulebooks_of(variant: Variant) -> tuple[Rulebook, ...]:
    """The rulebooks about ``variant``; an owner's variant has none."""
    return tuple(book for book in RULEBOOKS if variant.id in book.variants)


def followed_rulebook(rules: Rules) -> Followed | None:
    """The rulebook nearest to ``rules``, if one is nearer than the defaults."""
    known, options = list[Followed](), rules.variant.options
    for book in rulebooks_of(rules.variant):
        other = book.rules(rules.variant)
        differing = (each.key for each in options if value_of(rules, each) != value_of(other, each))
        known.append(Followed(book, tuple(differing)))
    nearest = min(known, key=lambda each: len(each.differing), default=None)
    if nearest is None or len(nearest.differing) > len(rules.chosen):
        return None
    return nearest
