"""The draft of a new game in set-up: rules, names, mano and starting scores."""

from typing import Final, NamedTuple

from scorer.rules import (
    Game,
    Rules,
    RulesError,
    Side,
    Start,
    find_variant,
    new_game,
    rules_for,
)
from scorer.rules.deal import may_start_at
from scorer.rules.options import Value
from scorer.rules.options import value_of as chosen_value

# Variants that differ by the flor alone.
_FLOR_TWINS: Final = {"argentine": "argentine_flor", "argentine_flor": "argentine"}


class Draft(NamedTuple):
    """A drafted game: its start and the names of the sides."""

    start: Start
    names: tuple[str, ...]

    def game(self) -> Game | None:
        """The game with its first hand dealt; None if it cannot start at these scores."""
        try:
            return new_game(self.start)
        except ValueError:
            return None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @property
    def scores(self) -> tuple[int, ...]:
        """The starting scores."""
        return self.start.score or self.rules.starting_score

    @property
    def first(self) -> Side:
        """The mano of the first hand; in pata de gallo, its gallo."""
        return self.start.gallo or self.start.mano or self.rules.scoring_sides[0]

    @property
    def has_gallo(self) -> bool:
        """True if one side plays alone against two."""
        return self.rules.seating.has_gallo

    def with_scores(self, scores: tuple[int, ...]) -> "Draft":
        """The draft with these starting scores."""
        return self._replace(start=self.start._replace(score=scores))

    def with_first(self, side: Side) -> "Draft":
        """The draft with another ``first``."""
        mano, gallo = (None, side) if self.has_gallo else (side, None)
        return self._replace(start=self.start._replace(mano=mano, gallo=gallo))


def draft_of(game: Game, names: tuple[str, ...]) -> Draft:
    """The draft that follows from ``game``: its rules, next mano and names."""
    mano = game.mano if game.gallo is None else None
    start = Start(game.rules, mano=mano, gallo=game.gallo)
    return Draft(start, _padded(names, len(game.rules.scoring_sides)))


def with_rules(draft: Draft, rules: Rules) -> Draft:
    """The draft under other rules; incompatible values are reset to their defaults."""
    sides, scores = rules.scoring_sides, draft.scores
    fits = draft.rules.seating is rules.seating
    keeps = fits and all(may_start_at(rules, points) for points in scores)
    at_start = scores == draft.rules.starting_score
    start = draft.start._replace(rules=rules, score=scores if keeps and not at_start else None)
    changed = Draft(start, _padded(draft.names, len(sides)))
    return changed.with_first(draft.first if draft.first in sides else sides[0])


def variant_rules(variant: str, *known: Rules) -> Rules:
    """The rules of ``variant``: with the house's options if known, else its defaults."""
    found = find_variant(variant)
    # Compares the objects, not their ids: the file of a custom variant may have changed since.
    return next((rules for rules in known if rules.variant is found), None) or rules_for(found)


def option_rules(rules: Rules, key: str, value: Value) -> Rules | None:
    """The rules with another value of an option; None if the combination is invalid."""
    try:
        return rules_for(rules.variant, {**dict(rules.chosen), key: value})
    except RulesError:
        return None


def with_flor(rules: Rules, *, has_flor: bool) -> Rules | None:
    """The same rules with flor or without it; None if the variant leaves no choice."""
    if (rules.flor is not None) is has_flor:
        return rules
    if rules.variant.option("flor") is not None:
        return option_rules(rules, "flor", has_flor)
    twin = _FLOR_TWINS.get(rules.variant.id)
    if twin is None:
        return None
    variant = find_variant(twin)
    chosen = {key: value for key, value in rules.chosen if variant.option(key) is not None}
    return rules_for(variant, chosen)


def value_of(rules: Rules, key: str) -> Value:
    """The current value of an option."""
    option = rules.variant.option(key)
    assert option is not None
    return chosen_value(rules, option)


def _padded(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    return (*names, *("",) * count)[:count]
