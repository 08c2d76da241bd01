"""A device that floods is muted, shown and logged; other buttons count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from scorer.config.loader import parse_config
from scorer.demo.buttons import PinEdge
from scorer.session.input.edge_limit import MUTED_AFTER, QUIET
from scorer.table.service import _devices_of_lines
from tests.table.table_process import TableDriver, running_table, table_on
from tests.table.test_late_buttons import START, LateBox, box  # noqa: F401

MARK = "botones con ruido, mudos"
RATE = 300  # changes a second
# One more change would leave the button down.
CHANGES = round(RATE * (MUTED_AFTER + 1.0)) // 2 * 2


def flood(table: TableDriver, lines: Sequence[str]) -> None:
    """Change these lines in turn, ``RATE`` times a second."""
    edges = [
        PinEdge(table.now + at / RATE, lines[at // 2 % len(lines)], at % 2) for at in range(CHANGES)
    ]
    table.apply_edges(edges, CHANGES / RATE)


def test_a_line_that_floods_is_muted_until_it_is_quiet(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as table:
        flood(table, ["A.quiero"])
        table.wait(0.1)
        assert MARK in table.text
        assert table.press("B.truco") == "taken", "the other buttons count"
        seq = table.report.seq
        table.press("A.quiero", duration_s=1.0)
        assert table.report.seq == seq and table.state["pending"]["call"] == "truco"
        table.wait(QUIET)
        assert MARK not in table.text
        assert table.press("A.quiero") == "taken"
        assert table.state["pending"] is None


@pytest.mark.sampled(0)
def test_a_button_that_is_down_when_its_line_is_heard_again_plays_nothing(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as table:
        table.press("B.truco")
        flood(table, ["A.quiero"])
        seq = table.report.seq
        table.hold("A.quiero", duration_s=QUIET + 1.0)
        table.release("A.quiero")
        assert (table.report.seq, table.state["pending"]["call"]) == (seq, "truco")
        assert table.press("A.quiero") == "taken"


def test_the_log_names_it_once(box: LateBox, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    box.load_driver()
    for number in range(CHANGES):
        at, is_down = number / RATE, number % 2 == 0
        box.inbox.at(at, partial(box.inputs.feed, "A.quiero", down=is_down, at=START + at))
    marks: list[tuple[str, ...]] = []
    box.inbox.at(4.0, lambda: marks.append(box.table.view.marks))
    box.run(20.0)
    assert marks == [("muted",)] and box.table.view.marks == ()
    said = [line for line in capsys.readouterr().err.splitlines() if "A.quiero" in line]
    assert said == [
        "scorer run: A.quiero: more than 60 changes a second; it is ignored until it has been "
        "quiet for 5 s",
        "scorer run: A.quiero: it is quiet, and heard again",
    ]


BOX = '[[box]]\nconsole = "B"\n{}\n'
SERIAL = BOX.format('port = "/dev/ttyUSB0"')
KEYPAD = BOX.format('driver = "keypad"\nname = "x"')


@pytest.mark.parametrize(
    ("text", "shared", "alone"),
    [
        ("", {}, ["A.truco", "undo"]),
        (SERIAL, {"B.flor": "B", "undo": "B"}, ["A.flor"]),
        (KEYPAD, {"B.flor": "B"}, ["A.flor"]),
        ('[consoles]\ndriver = "box"\nport = "/dev/ttyUSB0"\n', {"A.truco": "consoles"}, []),
        ('consoles.driver = "none"\n[[box]]\nconsole = "AB"\ndriver = "gpio"\n', {}, ["A.truco"]),
    ],
)  # fmt: skip
def test_a_box_and_a_keypad_are_one_device_and_a_line_of_the_header_is_its_own(
    text: str, shared: dict[str, str], alone: Sequence[str]
) -> None:
    config = parse_config(text)
    found = _devices_of_lines(config)
    assert shared.items() <= found.items()
    assert not found.keys() & {*alone, ""}
