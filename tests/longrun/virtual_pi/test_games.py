"""Whole games, pressed on the kernel's pins with bounce and read from the bus.

Each is an evening of ``tests/evenings``. After every line both panels equal those of the reference
table pixel by pixel, and the journal holds the same state.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evenings.evening import failures, read
from tests.longrun.virtual_pi.box import CHARGE_PUMP, Box
from tests.longrun.virtual_pi.reference_table import shadow_of
from tests.paths import EVENINGS

GAMES = ("game-paulista", "game-uruguayan")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end(box: Box, tmp_path: Path, name: str) -> None:
    evening = read(EVENINGS / f"{name}.evening")
    words = [word.removeprefix("--") for word in evening.options]
    options = dict(zip(words[::2], words[1::2], strict=True))
    with shadow_of(box, options, tmp_path) as both:
        answers = [both.play(moment.line) for moment in evening.moments]
    assert not failures(evening, answers)
    assert answers[-1]["state"]["winner"]
    assert box.not_understood() <= {CHARGE_PUMP}
