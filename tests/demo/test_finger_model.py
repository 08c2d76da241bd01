"""Presses with contact bounce, the keys of the keyboard, and their timing."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from scorer.demo import keys
from scorer.demo.buttons import BOUNCE, COMPACT_HINTS, CONSOLE_BUTTONS, PinEdge, press_edges
from scorer.demo.finger_model import FingerModel
from scorer.demo.keys import TOUCH, KeyAction

FULL = [f"{side}.{button}" for side in "AB" for button in CONSOLE_BUTTONS] + ["undo", "menu"]
COMPACT = [line for line in FULL if line.rpartition(".")[2] not in COMPACT_HINTS]


@pytest.mark.parametrize("seed", range(50))
def test_a_press_is_two_trains_of_bounces(seed: int) -> None:
    edges = press_edges("A.truco", 10.0, 0.15, Random(seed))
    closing = [edge for edge in edges if edge.time <= 10.0 + BOUNCE]
    opening = edges[len(closing) :]
    assert (closing[0].time, closing[-1].level) == (10.0, 0)
    assert (opening[0].time, opening[-1].level) == (10.15, 1)
    assert opening[-1].time <= 10.15 + BOUNCE
    for train in (closing, opening):
        assert all(before.level != after.level for before, after in pairwise(train))
        assert [edge.time for edge in train] == sorted(edge.time for edge in train)


def test_contacts_bounce_reproducibly_by_seed() -> None:
    trains = [press_edges("A.truco", 1.0, 0.15, Random(seed)) for seed in range(20)]
    assert {len(train) for train in trains} > {2, 4}
    assert trains[3] == press_edges("A.truco", 1.0, 0.15, Random(3))


@pytest.mark.parametrize(
    ("key", "fingers"),
    [
        ("q", KeyAction(("A.truco",), TOUCH)),
        ("Q", KeyAction(("A.truco",), 0.9)),
        ("l", KeyAction(("B.tantos",), TOUCH)),
        ("alt+d", KeyAction(("A.tantos", "B.tantos"), TOUCH)),
        ("alt+l", KeyAction(("A.tantos", "B.tantos"), TOUCH)),
        ("alt+shift+s", KeyAction(("A.no_quiero", "B.no_quiero"), 0.9)),
        ("alt+D", KeyAction(("A.tantos", "B.tantos"), 0.9)),
        ("z", KeyAction(("undo",), TOUCH)),
        ("backspace", KeyAction(("undo",), TOUCH)),
        ("alt+z", KeyAction(("undo",), TOUCH)),
        ("M", KeyAction(("menu",), 0.9)),
        ("r", None),  # no third console
        ("x", None),
        ("f1", None),
        ("", None),
    ],
)
def test_a_key_presses_its_buttons(key: str, fingers: KeyAction | None) -> None:
    assert keys.key_action(key, keys.lines_by_letter(FULL)) == fingers


def test_every_button_has_a_letter() -> None:
    for lines in (FULL, COMPACT, [*FULL, *(f"C.{button}" for button in CONSOLE_BUTTONS)]):
        assert len(keys.lines_by_letter(lines)) == len(lines)


def test_a_key_presses_at_once_and_releases_later() -> None:
    hands = FingerModel(Random(1))
    hands.press(KeyAction(("A.truco",), 0.12), 5.0)
    assert {edge.level for edge in hands.due(5.0)} == {0}
    assert hands.due(5.0) == []
    rest = hands.due(6.0)
    assert (rest[-1].line, rest[-1].level) == ("A.truco", 1)
    assert hands.due(99.0) == []


def test_a_button_already_down_is_not_pressed_again() -> None:
    hands = FingerModel(Random(1))
    hands.press(KeyAction(("A.truco",), 0.9), 5.0)
    hands.press(KeyAction(("A.truco", "B.truco"), 0.12), 5.5)
    edges = hands.due(9.0)
    assert _settled(edges, "A.truco") == [(5.0, 0), (5.9, 1)]
    assert _settled(edges, "B.truco") == [(5.5, 0), (5.62, 1)]


def test_without_power_no_release_is_reported() -> None:
    hands = FingerModel(Random(1))
    hands.press(KeyAction(("A.truco",), 0.9), 5.0)
    hands.due(5.1)
    hands.clear()
    assert hands.due(9.0) == []
    hands.press(KeyAction(("A.truco",), 0.12), 5.2)
    assert hands.due(5.2)


def _settled(edges: list[PinEdge], line: str) -> list[tuple[float, int]]:
    """The first edge of each train of bounces of a line."""
    of_line = [edge for edge in edges if edge.line == line]
    firsts = [of_line[0]]
    firsts += [after for before, after in pairwise(of_line) if after.time - before.time > 0.05]
    return [(round(edge.time, 6), edge.level) for edge in firsts]
