"""Panels that fail on the wire and recover: score and pictures stay right.

The kernel's bus adapter injects the faults, so that errors reach the table as on a Pi.
"""

from __future__ import annotations

import pytest

from tests.longrun.virtual_pi.box import A, B, Box
from tests.longrun.virtual_pi.figures import Figures

SOON = 5.0  # seconds until a panel that is back shows the right picture
AWAY = 12.0  # longer than the longest pause between two attempts


CONDUCTS = ["absent", *(pytest.param(each, marks=pytest.mark.slow) for each in ("nak", "timeout"))]


@pytest.mark.parametrize("conduct", CONDUCTS)
def test_one_panel_fails_and_the_other_keeps_working(
    box: Box, figures: Figures, conduct: str
) -> None:
    before = box.pictures()
    box.panel(A, conduct)
    box.press("B.truco")
    box.guest.wait_for(lambda: box.cable.pixels(B) != before[B], 10, "panel B shows the call")
    box.waits_for("truco")
    box.press("undo")
    box.shows({B: before[B]}, 30)
    box.guest.now(AWAY)
    if conduct == "absent":
        box.cable.lose_power(A)
    box.panel(A, "answers")
    back = box.guest.now()
    right = box.shows(before, SOON)
    assert box.restarts() == 0
    figures.note(f"a panel that was {conduct}: right again after", f"{right - back:.1f} s")


def test_a_panel_that_forgot_is_right_again_without_a_press(box: Box, figures: Figures) -> None:
    """Its supply dips: it refuses nothing, and nothing is to be drawn."""
    before = box.pictures()
    box.cable.lose_power(A)
    box.panel(A, "forgets")
    assert box.pictures()[A] != before[A]
    lost = box.guest.now()
    figures.note(
        "a panel that forgot: right again after", f"{box.shows(before, SOON) - lost:.1f} s"
    )
    assert box.restarts() == 0


@pytest.mark.slow
def test_a_panel_that_aborts_every_other_picture_is_corrected(box: Box) -> None:
    before = box.pictures()
    for _ in range(5):
        box.panel(A, "nak 1")
        box.press("A.truco")
        box.guest.now(1.0)
        box.press("undo")
    box.shows(before, 30)
    assert box.state()["seq"] == 10


@pytest.mark.slow
def test_a_panel_that_holds_the_bus_delays_no_press(box: Box, figures: Figures) -> None:
    before = box.pictures()
    box.panel(A, "hang")
    box.press("A.truco")
    box.waits_for("truco")
    box.press("undo")
    box.waits_for(None)
    box.panel(A, "answers")
    freed = box.guest.now()
    figures.note("a bus that was held: right again after", f"{box.shows(before, 30) - freed:.1f} s")
    assert box.restarts() == 0


@pytest.mark.slow
def test_a_dead_bus_affects_only_the_panels(box: Box) -> None:
    before = box.pictures()
    box.panel(0, "timeout")
    box.press("A.truco")
    box.press("B.quiero")
    box.guest.wait_for(lambda: box.state()["stake"] == 2, 10, "the truco is accepted")
    box.press("undo")
    box.guest.now(0.2)  # a gap of a worn contact is shorter
    box.press("undo")
    box.guest.wait_for(lambda: box.state()["stake"] == 1, 10, "and taken back")
    box.panel(0, "answers")
    box.shows(before, 30)
    assert box.restarts() == 0
