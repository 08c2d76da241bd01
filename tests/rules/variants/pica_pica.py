"""What the rulebook says of pica_pica: rules.md#defaults, rules.md#pica_pica."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=30, half=15, truco_won=(2, 0))
