"""Expected values of pica_pica, by rules.md#defaults and rules.md#pica_pica."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=30, half=15, truco_won=(2, 0))
