"""Expected values of uruguayan, by rules.md#defaults and rules.md#uruguayan."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=40, half=20, truco_won=(2, 0))
