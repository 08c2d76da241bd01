"""The report of a self-test as lines of set-up: faults first, devices named."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.session.values.effects import Task
from scorer.session.values.keys import TextKey
from scorer.session.values.setup_view import ListView, MenuLine
from scorer.session.view.build_view import view_of
from scorer.table.selftest_report import SelfTestPage, report_lines
from tests.session.rig import SessionRig
from tests.session.test_setup import open_setup

SOUND = {"alive": True, "fault": "", "stuck": [], "touching": []}
FAULTLESS: dict[str, Any] = {
    "buttons": SOUND,
    "consoles": [{"name": "norte", "kind": ""}],
    "panels": [{"side": "A", "fault": ""}],
    "lamps": [{"name": "B", "fault": ""}],
    "buzzer": {"fault": ""},
    "light": {"fault": ""},
    "button_lights": [{"name": "AB", "fault": ""}],
    "words": {"fault": ""},
    "store": {"fault": ""},
}
LINES = (
    ("buttons", ""),
    ("console", "norte"),
    ("panel", "A"),
    ("lamp", "B"),
    ("buzzer", ""),
    ("light", ""),
    ("button_lights", "AB"),
    ("words", ""),
    ("store", ""),
)


def lines_of(report: dict[str, Any]) -> list[tuple[str, str]]:
    lines = report_lines(report)
    assert all(line.marked is False for line in lines)
    return [(line.key.removeprefix("setup.found."), line.figure) for line in lines]


def test_each_device_has_a_line_with_its_name() -> None:
    assert lines_of(FAULTLESS) == [*LINES]


@pytest.mark.parametrize(("device", "figure"), LINES[1:])
def test_a_device_with_a_fault_comes_first(device: str, figure: str) -> None:
    wrong = {"fault": "it is lost", "kind": "lost", "name": figure, "side": figure}
    key = next(key for key in (f"{device}s", device) if key in FAULTLESS)
    report = {**FAULTLESS, key: [wrong] if isinstance(FAULTLESS[key], list) else wrong}
    others = [line for line in LINES if line != (device, figure)]
    assert lines_of(report) == [(f"{device}_lost", figure), *others]


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        ({"alive": False}, [("buttons_lost", "")]),
        ({"fault": "no pins"}, [("buttons_lost", "")]),
        ({"stuck": ["A.no_quiero"]}, [("buttons_down", "A no quiero")]),
        (
            {"touching": [["A.truco", "A.flor"]]},
            [("buttons_touch", "A truco"), ("buttons_touch", "A flor")],
        ),
    ],
)
def test_buttons_with_a_fault_are_named(
    found: dict[str, object], lines: list[tuple[str, str]]
) -> None:
    assert lines_of({**FAULTLESS, "buttons": {**SOUND, **found}}) == [*lines, *LINES[1:]]


def test_a_second_self_test_waits() -> None:
    assert report_lines(None) == (MenuLine(TextKey("setup.found.wait")),)


def test_set_up_shows_the_report() -> None:
    desk = open_setup(SessionRig())
    shown = SelfTestPage(lambda now: FAULTLESS).handle(Task.SELFTEST, desk.session, desk.time)
    setup = view_of(shown).setup
    assert setup is not None and isinstance(setup.content, ListView)
    items, below = setup.content.items, setup.content.below
    assert items == report_lines(FAULTLESS)[: len(items)]
    assert len(items) + below == len(LINES)
