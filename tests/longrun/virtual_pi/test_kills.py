"""Power cuts during play: every score that was shown is there after the restart.

SIGKILL of the emulator and a new start from the same card. Loss of unflushed writes is tested in
``power_cuts``, write by write.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from tests.longrun.virtual_pi.box import SETTINGS, A, Box
from tests.longrun.virtual_pi.figures import Figures
from tests.longrun.virtual_pi.guest import Guest
from tests.longrun.virtual_pi.recipe import Parts

KILLS = 2 if os.environ.get("QUICK") else 10
NO_GUARDS = "\n[guards]\nslap = 0\nclosed = 0\n"


def test_every_score_that_was_shown_is_there(parts: Parts, card: Path, figures: Figures) -> None:
    chance, shown, kept = Random(10), 0, 0
    drawn: list[float] = []
    guest = Guest(parts, card=card)
    try:
        box = Box(guest.start())
        box.settle(SETTINGS + NO_GUARDS)
        # As on a prepared card; later writes are the table's responsibility.
        guest.shell("sync")
        for _ in range(KILLS):
            shown = play_until_cut(box, chance, shown)
            guest.kill()
            guest.start()
            box.plug_in()
            box.wait_until_drawn()
            drawn.append(box.cable.messages[0].at)
            found = box.score()["A"]
            assert shown <= found <= shown + 1, f"{shown} points had been shown, {found} are there"
            kept += found - shown
            shown = found
    finally:
        guest.close()
    summary = f"{KILLS}, points shown lost 0, presses under way that were kept {kept}"
    figures.note("hard kills", summary)
    figures.note("power-on to the first message on the bus, worst", f"{max(drawn):.1f} s")


def play_until_cut(box: Box, chance: Random, points: int) -> int:
    """Win a hand and cut the power in the next press; return the points shown."""
    before = box.cable.pixels(A)
    box.press("A.tantos")
    box.guest.wait_for(lambda: box.cable.pixels(A) != before, 10, "it is shown")
    points = max(points, box.score()["A"])
    box.press("A.tantos")
    time.sleep(chance.uniform(0.0, 0.5))
    return points
