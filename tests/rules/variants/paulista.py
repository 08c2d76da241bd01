"""What the rulebook says of paulista: rules.md#defaults, rules.md#paulista."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=12, half=None, truco_won=(3, 0))
