"""Switching off by button or menu shows the message to unplug until the end.

The last picture is read after power-off: it must be the message that the plug may be pulled, and no
score.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorer.display.oled.shutdown import draw_safe_to_unplug
from tests.longrun.virtual_pi.box import A, B, Box
from tests.longrun.virtual_pi.figures import Figures
from tests.longrun.virtual_pi.guest import Guest
from tests.longrun.virtual_pi.recipe import Parts


def by_the_button(box: Box) -> None:
    """Three seconds on GPIO 4: the kernel and logind do the rest."""
    box.power_button(3.0)


def by_the_menu(box: Box) -> None:
    """MENU held; up from the last hand to the last line of set-up; QUIERO."""
    box.press("menu", held=0.9)
    for _ in range(3):
        box.guest.now(0.5)
        box.press("A.tantos")
    box.guest.now(0.5)
    box.press("A.quiero")


@pytest.mark.slow
@pytest.mark.parametrize("switch_off", [by_the_button, by_the_menu])
def test_the_panels_say_that_the_plug_may_be_pulled(
    parts: Parts, figures: Figures, switch_off: Callable[[Box], None]
) -> None:
    with Guest(parts) as guest:
        guest.shell("systemctl is-system-running --wait")
        box = Box(guest)
        box.settle()
        box.press("A.tantos")
        box.guest.now(1.0)
        requested_at = guest.now()
        switch_off(box)
        guest.wait_until_off()
        wanted = draw_safe_to_unplug("es-AR", (128, 64)).image.tobytes()
        assert box.cable.pixels(A) == wanted
        assert box.cable.pixels(B) == wanted
        assert all(chip.is_on for chip in box.chips())
        last = box.cable.messages[-1].at - requested_at
    name = switch_off.__name__.replace("_", " ")
    figures.note(f"switched off {name}, to the last word on the bus", f"{last:.1f} s")
