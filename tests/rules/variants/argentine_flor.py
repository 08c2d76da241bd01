"""Expected values of argentine_flor: rules.md#defaults, rules.md#argentine_flor."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=30, half=15, truco_won=(2, 0))
