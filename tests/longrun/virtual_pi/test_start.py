"""A new box without configuration shows a picture after power-on."""

from __future__ import annotations

import time

from tests.longrun.virtual_pi.box import CHARGE_PUMP, A, B, Box
from tests.longrun.virtual_pi.figures import Figures
from tests.longrun.virtual_pi.guest import Guest
from tests.longrun.virtual_pi.recipe import Parts


def test_a_new_box_shows_a_picture_after_power_on(parts: Parts, figures: Figures) -> None:
    with Guest(parts) as guest:
        box = Box(guest)
        box.wait_until_drawn()
        wall = time.monotonic() - guest.started
        first = next(at for at in lit_at(box))
        guest.shell("systemctl is-system-running --wait")
        assert guest.shell("systemctl --failed --no-legend") == ""
        assert box.restarts() == 0
        log = guest.shell("journalctl -u scorer -u scorer.socket -b -o cat --no-pager -p warning")
        assert log == ""
        assert box.not_understood() <= {CHARGE_PUMP}
        ready = box.ready_at()
    figures.note("power-on to READY", f"{ready:.1f} s")
    figures.note("power-on to the first picture", f"{first:.1f} s (on the wall {wall:.0f} s)")


def lit_at(box: Box) -> list[float]:
    """The times at which lit pixels went to a panel."""
    pixels = (m for m in box.cable.messages if m.address in (A, B) and m.data[:1] == b"\x40")
    return [message.at for message in pixels if any(message.data[1:])]
