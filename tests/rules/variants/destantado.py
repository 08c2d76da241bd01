"""Expected values of destantado, by rules.md#defaults and rules.md#destantado."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(10, 10, 10), target=10, half=None, truco_won=(8, 12, 10))
