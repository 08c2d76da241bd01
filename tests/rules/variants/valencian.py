"""What the rulebook says of valencian: rules.md#defaults, rules.md#valencian."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=18, half=9, truco_won=(2, 0))
