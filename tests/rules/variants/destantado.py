"""What the rulebook says of destantado: rules.md#defaults, rules.md#destantado."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(10, 10, 10), target=10, half=None, truco_won=(8, 12, 10))
