"""Expected values of argentine, by rules.md#defaults and rules.md#argentine."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=30, half=15, truco_won=(2, 0))
