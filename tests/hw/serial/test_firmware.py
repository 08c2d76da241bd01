"""The firmware, run: what it says is what the documented box says, letter by letter.

It is the file that is copied to a board, on CPython and, where it is there, on MicroPython itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.config.input_boxes import CONSOLE_KEYS, SHARED_KEYS
from scorer.hw.serial import box_lines
from scorer.hw.serial.box_lines import QUERY, BoxMessage, Change, decode_line
from scorer.hw.serial.lines import LineBuffer
from tests.hw.serial.button_box_model import REPEAT_AFTER, FakeBox
from tests.hw.serial.firmware_process import FIRMWARE, PINS, Pico, needs_micropython
from tests.hw.serial.ptys import Cable

WORLDS = [("python", "usb"), ("python", "uart"), ("micropython", "usb"), ("micropython", "uart")]
BITS = {name: at for at, name in enumerate((*CONSOLE_KEYS, *SHARED_KEYS))}
STORY = [
    # milliseconds later
    (20, "truco", True),
    (90, "truco", False),
    (4, "tantos", True),
    (1, "quiero", True),
    (350, "quiero", False),
]
LONG = [
    *STORY,
    (5200, "tantos", False),  # held for longer than anybody holds
    (400, "menu", True),
    (9, "menu", False),
    (11000, "undo", True),
]


@pytest.fixture(params=WORLDS, ids=["-".join(world) for world in WORLDS])
def wired(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Pico, Cable]]:
    on, link = request.param
    if on == "micropython":
        needs_micropython()
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, link, on=on)
    yield pico, cable
    pico.unplug()
    cable.pull()


def test_what_it_says_is_what_the_documented_box_says(wired: tuple[Pico, Cable]) -> None:
    compare(*wired, STORY)


def test_it_repeats_itself_as_long_as_it_should(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor)
    compare(pico, cable, LONG)
    pico.unplug()
    cable.pull()


def compare(pico: Pico, cable: Cable, story: list[tuple[int, str, bool]]) -> None:
    """The firmware and the box of the tests tell the same story."""
    heard = b""
    pico.pin(2, 1)
    wanted: list[bytes] = []
    # Its clock has begun to go when the first order is read.
    box = FakeBox(wanted.append)
    box.run_until(0.001)
    for milliseconds, button, down in story:
        pico.advance(milliseconds)
        heard += cable.read_from_box()
        box.run_until(round(box.now + milliseconds / 1000, 3))
        pico.press(button, down=down)
        box.press(BITS[button], down=down)
    pico.advance(350)
    box.run_until(box.now + 0.35)
    heard += cable.read_from_box(len(wanted) - heard.count(b"\n"))
    started = LineBuffer().feed(heard)[0].split()[1]
    said = [decode_line(line) for line in LineBuffer().feed(heard)]
    assert said == [
        line._replace(boot_id=started.decode()) if isinstance(line, BoxMessage) else line
        for line in (decode_line(line.rstrip(b"\n")) for line in wanted)
    ]


def test_it_answers_who_asks(wired: tuple[Pico, Cable]) -> None:
    pico, cable = wired
    pico.advance(50)
    assert cable.read_from_box() == b""
    cable.send_to_box(QUERY)
    for _ in range(400):  # much less than until it says something by itself
        pico.advance(5)
        if heard := cable.read_from_box():
            break
    heard += cable.read_from_box(1 - heard.count(b"\n"))
    (line,) = LineBuffer().feed(heard)
    assert isinstance(decode_line(line), BoxMessage)


def test_a_contact_that_chatters_for_ever_does_not_fill_the_lines(
    wired: tuple[Pico, Cable],
) -> None:
    pico, cable = wired
    pico.advance(20)
    for at in range(40):
        pico.press("truco", down=at % 2 == 0)
        pico.advance(1)
        cable.read_from_box()
    pico.press("quiero", down=True)
    pico.advance(10)
    lines, newest = LineBuffer(), list[Change]()
    while not any(change[:2] == (BITS["quiero"], True) for change in newest):
        for line in map(decode_line, lines.feed(cable.read_from_box(1))):
            newest = list(line.changes) if isinstance(line, BoxMessage) else []
    assert len(newest) <= 40 / 4 + 2


def test_its_times_are_those_that_the_table_counts_on() -> None:
    tree = ast.parse(FIRMWARE.read_text(encoding="utf-8"))
    numbers = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    assert numbers["BEAT"] == box_lines.BEAT * 1000
    assert numbers["REPEAT"] == box_lines.REPEAT * 1000
    assert numbers["AFTER"] == round(REPEAT_AFTER * 1000)
    assert numbers["HELD"] == box_lines.HELD * 1000
    assert (numbers["MEMORY"], numbers["MOST"]) == (box_lines.MEMORY, box_lines.MAX_CHANGES)


def test_its_pins_are_those_of_the_wiring_list() -> None:
    tree = ast.parse(FIRMWARE.read_text(encoding="utf-8"))
    pins = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PINS"
    )
    assert dict(zip((*CONSOLE_KEYS, *SHARED_KEYS), pins, strict=True)) == PINS
