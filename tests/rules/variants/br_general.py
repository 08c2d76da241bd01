"""Expected values of br_general, by rules.md#defaults and rules.md#br_general."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=12, half=None, truco_won=(3, 0))
