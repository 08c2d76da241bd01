"""What the rulebook says of pata_gallo: rules.md#defaults, rules.md#pata_gallo."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0, 0), target=30, half=15, truco_won=(2, 0, 0))
