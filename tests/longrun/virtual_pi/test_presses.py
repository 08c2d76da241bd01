"""A press on a kernel pin and its picture on both panels."""

from __future__ import annotations

from statistics import median

import pytest

from scorer.session.values.settings import ConsolesSection
from tests.longrun.virtual_pi.box import A, B, Box
from tests.longrun.virtual_pi.figures import Figures

TIMES = 12
GUARD = 1.0  # seconds; the guard of the same button is a little shorter


def test_a_press_changes_both_panels_and_undo_brings_them_back(box: Box) -> None:
    before = box.pictures()
    box.press("A.truco")
    box.guest.wait_for(lambda: all(box.cable.pixels(panel) != before[panel] for panel in (A, B)))
    assert box.pending() == "truco"
    box.press("undo")
    box.shows(before, 30)
    assert box.pending() is None


@pytest.mark.slow
def test_a_bouncing_contact_is_one_press_each_time(box: Box) -> None:
    for _ in range(TIMES):
        box.press("A.envido")
        box.waits_for("envido")
        box.guest.now(GUARD)
        box.press("undo")
        box.waits_for(None)
    assert box.state()["seq"] == 2 * TIMES


def test_the_first_byte_leaves_soon_after_the_edge(box: Box, figures: Figures) -> None:
    late, debounce = [], 1000 * ConsolesSection().debounce
    for _ in range(TIMES):
        box.rest()  # otherwise it would be a byte of the picture before
        edge, *_ = box.press("A.truco")  # has no hold function: it acts at its edge
        box.guest.wait_for(lambda: box.first_message(A, edge), 10, "a byte")  # noqa: B023 - at once
        message = box.first_message(A, edge)
        assert message is not None
        late.append(1000 * (message.at - edge))
        box.waits_for("truco")
        box.press("undo")
        box.waits_for(None)
    assert min(late) > debounce, "that was another picture's"
    summary = f"median {median(late):.0f} ms, worst {max(late):.0f} ms; {debounce:.0f} are debounce"
    figures.note("edge of the kernel to the first byte on the bus", summary)


@pytest.mark.slow
def test_a_button_on_each_pin_works(box: Box) -> None:
    """Every line of the full layout, by its effect on the state or the panel."""
    for button in ("A.flor", "A.no_quiero", "B.flor", "B.no_quiero", "A.quiero", "B.quiero"):
        before = box.pictures()
        box.press(button)
        box.guest.wait_for(lambda: box.pictures() != before, 10, button)  # noqa: B023 - at once
        box.shows(before, 30)
