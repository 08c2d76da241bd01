"""The pages of the hub: HTML, CSS, JavaScript and the keys of their words."""

from __future__ import annotations

from scorer.i18n.hub_keys import DESK, ORGANISE, TOURNAMENT, WALL
from scorer.i18n.tournament_keys import FORMAT

_SIDES = ("side.ours", "side.theirs", "side.third")

WALL_KEYS = (*(f"hub.{key}" for key in WALL), *_SIDES)
TOURNAMENT_KEYS = (
    *WALL_KEYS,
    *(f"hub.{key}" for key in TOURNAMENT),
    *(f"format.{key}" for key in FORMAT),
)
DESK_KEYS = (
    *TOURNAMENT_KEYS,
    *(f"hub.{key}" for key in (*DESK, *ORGANISE)),
    *("paper.best_of", "paper.legs", "import.too_long"),
)
