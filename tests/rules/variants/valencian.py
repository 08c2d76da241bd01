"""Expected values of valencian, by rules.md#defaults and rules.md#valencian."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=18, half=9, truco_won=(2, 0))
