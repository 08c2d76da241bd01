"""Expected values of mineiro, by rules.md#defaults and rules.md#mineiro."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=12, half=None, truco_won=(4, 0))
