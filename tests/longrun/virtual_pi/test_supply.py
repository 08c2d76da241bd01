"""Undervoltage reported by the kernel's sensor is shown on the panel."""

from __future__ import annotations

import pytest

from tests.longrun.virtual_pi.box import A, B, Box
from tests.longrun.virtual_pi.figures import Figures

LINGER = 60.0  # seconds that the mark stays


@pytest.mark.slow
def test_the_undervoltage_mark_appears_and_disappears(box: Box, figures: Figures) -> None:
    before = box.pictures()
    box.weak_supply(weak=True)
    since = box.guest.now()
    shown_at = box.guest.wait_for(
        lambda: all(box.cable.pixels(panel) != before[panel] for panel in (A, B)), 15, "the mark"
    )
    assert "power" in box.request(do="selftest")["marks"]
    figures.note("weak supply to the mark on the panel", f"{shown_at - since:.1f} s")
    box.weak_supply(weak=False)
    box.shows(before, LINGER + 45)


@pytest.mark.slow
def test_a_dip_shorter_than_the_interval_of_readings_is_shown(box: Box) -> None:
    before = box.pictures()
    box.weak_supply(weak=True)
    box.weak_supply(weak=False)
    box.guest.wait_for(
        lambda: all(box.cable.pixels(panel) != before[panel] for panel in (A, B)), 15, "the mark"
    )
    box.shows(before, LINGER + 45)
