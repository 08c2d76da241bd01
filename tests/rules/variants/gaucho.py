"""Expected values of gaucho, by rules.md#defaults and rules.md#gaucho."""

from tests.rules.variants import Rulebook

RULEBOOK = Rulebook(start=(0, 0), target=24, half=12, truco_won=(2, 0))
