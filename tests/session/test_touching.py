"""Two buttons whose wires touch are found by their presses."""

from __future__ import annotations

import pytest

from scorer.session.input.touching import TOGETHER, TouchingButtons

Change = tuple[float, str, bool]


def press(at: float, *lines: str, apart: float = 0.0, lasts: float = 0.15) -> list[Change]:
    """The edges of these lines, each ``apart`` seconds after the one before."""
    return [
        (at + nth * apart + late, line, down)
        for late, down in ((0.0, True), (lasts, False))
        for nth, line in enumerate(lines)
    ]


def found(*presses: list[Change]) -> tuple[tuple[str, str], ...]:
    buttons = TouchingButtons()
    for time, line, down in sorted(change for each in presses for change in each):
        buttons.hear(line, down, time)
    return buttons.pairs


PAIR = (("A.envido", "A.truco"),)
BOTH = ("A.truco", "A.envido")


@pytest.mark.parametrize("apart", [0.0, 1e-5, TOGETHER * 0.9])
def test_two_contacts_that_close_and_open_together_twice_touch(apart: float) -> None:
    assert found(press(1, *BOTH, apart=apart), press(2, *BOTH, apart=apart)) == PAIR


def test_once_is_chance_or_a_dip_of_the_supply() -> None:
    assert found(press(1, *BOTH)) == ()


def test_a_button_that_was_pressed_alone_touches_no_other() -> None:
    twice = (press(1, *BOTH), press(2, *BOTH))
    assert found(*twice, press(3, "A.truco")) == ()
    assert found(*twice, press(3, "A.truco"), press(4, *BOTH), press(5, *BOTH)) == PAIR


@pytest.mark.parametrize("apart", [0.003, 0.02, 0.05])
def test_two_hands_do_not_touch(apart: float) -> None:
    assert found(press(1, *BOTH, apart=apart), press(2, *BOTH, apart=apart)) == ()


def test_fingers_that_fall_together_and_rise_apart_do_not_touch() -> None:
    falls = [(1.0, "A.truco", True), (1.0, "A.envido", True)]
    rises = [(1.1, "A.truco", False), (1.2, "A.envido", False)]
    again = [(time + 1, line, down) for time, line, down in falls + rises]
    assert found(falls + rises, again) == ()


def test_a_contact_that_bounces_bounces_on_both_lines() -> None:
    bounces = [press(1 + at / 100, *BOTH, lasts=0.004) for at in range(5)]
    assert found(*bounces, press(1.06, *BOTH)) == PAIR


def test_three_wires_make_three_pairs_and_other_consoles_are_compared() -> None:
    three = ("A.truco", "A.envido", "B.truco")
    assert len(found(press(1, *three), press(2, *three))) == 3


def test_a_repeated_level_is_no_press() -> None:
    held = [(1.0 + at / 10, line, True) for at in range(5) for line in BOTH]
    assert found(held) == ()
