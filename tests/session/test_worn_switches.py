"""A press of a worn switch does what a clean press does.

Its contact opens and closes again under the finger.
"""

from __future__ import annotations

from itertools import product

import pytest

from scorer.session.input import keymap
from scorer.session.values.settings import Layout
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

GAPS_MS = (1, 5, 8, 10, 20, 40, 59)
SITUATIONS = {
    "a new hand": ("argentine_flor", ()),
    "a call to answer": ("argentine_flor", ("A envido",)),
    "a flor to answer": ("argentine_flor", ("B flor",)),
    "something to take back": ("argentine", ("A truco", "B quiero", "A tantos")),
    "an open bid": ("uruguayan", ("B envido",)),
}


def press(
    situation: str, layout: Layout, button: str, gap_ms: int = 0, times: int = 0
) -> tuple[list[str], tuple[int, ...]]:
    """The journal and the score after one press whose contact opens some times."""
    variant, before = SITUATIONS[situation]
    rig = SessionRig(variant, settings=settings_with(layout=layout))
    rig.do(
        *(line if layout is Layout.FULL else line.replace("flor", "envido hold") for line in before)
    )
    # Shorter altogether than the time after which a hold is announced.
    for _ in range(times):
        rig._edge(button, True)
        rig.pass_time(0.01)
        rig._edge(button, False)
        rig.pass_time(gap_ms / 1000)
    rig._edge(button, True)
    rig.pass_time(0.1)
    rig._edge(button, False)
    rig.pass_time(0.5)
    return rig.lines, rig.score


@pytest.mark.sampled(1)
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_press_of_a_worn_switch_is_one_press(situation: str, layout: Layout) -> None:
    for button in keymap.buttons(layout, 2):
        clean = press(situation, layout, button)
        for gap_ms, times in product(GAPS_MS, (1, 2)):
            worn = press(situation, layout, button, gap_ms, times)
            assert worn == clean, f"{button} opens {times} times for {gap_ms} ms"


SLOW_MS = (45, 45, 45, 45, 120)  # closed, open, closed, open, closed


@pytest.mark.sampled(8)
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_slow_press_of_a_worn_switch_is_a_slow_press(situation: str, layout: Layout) -> None:
    """Also where the panel has announced a hold, which is let go before it fires."""
    variant, before = SITUATIONS[situation]
    for button in keymap.buttons(layout, 2):
        ends = []
        for durations_ms in ((sum(SLOW_MS),), SLOW_MS):
            rig = SessionRig(variant, settings=settings_with(layout=layout))
            rig.do(
                *(
                    line if layout is Layout.FULL else line.replace("flor", "envido hold")
                    for line in before
                )
            )
            for at, duration_ms in enumerate(durations_ms):
                rig._edge(button, at % 2 == 0)
                rig.pass_time(duration_ms / 1000)
            rig._edge(button, False)
            rig.pass_time(0.5)
            ends.append((rig.lines, rig.score, rig.view))
        assert ends[0] == ends[1], button
