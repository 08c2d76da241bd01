"""The pin map: every button of every layout has a usable pin of its own."""

from __future__ import annotations

import pytest

from scorer.config.pin_map import BUZZER, LAMPS, pins_for
from scorer.hw.pins import problem
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout


@pytest.mark.parametrize("consoles", [2, 3])
@pytest.mark.parametrize("layout", Layout)
def test_no_two_wires_share_a_pin(layout: Layout, consoles: int) -> None:
    pins = pins_for(layout, consoles)
    assert tuple(pins) == buttons(layout, consoles)
    used = [*pins.values(), *LAMPS.values(), BUZZER]
    assert len(used) == len(set(used))
    assert [problem(pin) for pin in used if problem(pin)] == []


@pytest.mark.parametrize("layout", Layout)
def test_the_third_console_has_the_four_buttons_that_the_spare_pins_give(layout: Layout) -> None:
    third = {name: pin for name, pin in pins_for(layout, 3).items() if name.startswith("C.")}
    assert third == {"C.truco": 10, "C.envido": 11, "C.quiero": 8, "C.tantos": 7}
