"""The firmware sends exactly what the model of the documented box sends.

It is the file copied to a board, run on CPython and, if installed, on MicroPython.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.config.input_boxes import CONSOLE_KEYS, SHARED_KEYS
from scorer.hw.serial import box_lines
from scorer.hw.serial.box_lines import QUERY, BoxMessage, Change, decode_line
from scorer.hw.serial.lines import LineBuffer
from tests.hw.serial.button_box_model import REPEAT_AFTER, FakeBox
from tests.hw.serial.firmware_process import (
    ESP32_PINS,
    FIRMWARE,
    PATIENCE,
    PINS,
    WATCHDOG_CODE,
    Pico,
    needs_micropython,
)
from tests.hw.serial.ptys import Cable
from tests.paths import ROOT

RUNTIMES = [("python", "usb"), ("python", "uart"), ("micropython", "usb"), ("micropython", "uart")]
BITS = {name: at for at, name in enumerate((*CONSOLE_KEYS, *SHARED_KEYS))}
PRESSES = [
    # milliseconds after the one before
    (20, "truco", True),
    (90, "truco", False),
    (4, "tantos", True),
    (1, "quiero", True),
    (350, "quiero", False),
]
LONG_PRESSES = [
    *PRESSES,
    (5200, "tantos", False),  # held longer than any hold
    (400, "menu", True),
    (9, "menu", False),
    (11000, "undo", True),
]


@pytest.fixture(params=RUNTIMES, ids=["-".join(world) for world in RUNTIMES])
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


def test_the_firmware_sends_what_the_model_sends(wired: tuple[Pico, Cable]) -> None:
    compare(*wired, PRESSES)


def test_lines_are_repeated_for_the_documented_time(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor)
    compare(pico, cable, LONG_PRESSES)
    pico.unplug()
    cable.pull()


def compare(pico: Pico, cable: Cable, presses: list[tuple[int, str, bool]]) -> None:
    """Check that firmware and model send the same lines."""
    received = b""
    pico.pin(2, 1)
    wanted: list[bytes] = []
    # Its clock starts when the first command is read.
    box = FakeBox(wanted.append)
    box.run_until(0.001)
    for milliseconds, button, down in presses:
        pico.advance(milliseconds)
        received += cable.read_from_box()
        box.run_until(round(box.now + milliseconds / 1000, 3))
        pico.press(button, down=down)
        box.press(BITS[button], down=down)
    pico.advance(350)
    box.run_until(box.now + 0.35)
    received += cable.read_from_box(2 * len(wanted) - received.count(b"\n"))
    started = LineBuffer().feed(received)[0].split()[1]
    messages = [decode_line(line) for line in LineBuffer().feed(received)]
    assert messages == [
        line._replace(boot_id=started.decode()) if isinstance(line, BoxMessage) else line
        for line in (decode_line(line.strip(b"\n")) for line in wanted)
    ]


def test_a_query_is_answered(wired: tuple[Pico, Cable]) -> None:
    pico, cable = wired
    pico.advance(50)
    assert cable.read_from_box() == b""
    cable.send_to_box(QUERY)
    for _ in range(400):  # well before the next periodic line
        pico.advance(5)
        if received := cable.read_from_box():
            break
    received += cable.read_from_box(2 - received.count(b"\n"))
    (line,) = LineBuffer().feed(received)
    assert isinstance(decode_line(line), BoxMessage)


def test_a_chattering_contact_does_not_fill_the_lines(wired: tuple[Pico, Cable]) -> None:
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


def test_its_times_are_those_of_the_protocol() -> None:
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


@pytest.mark.parametrize("column", ["Pico", "ESP32"])
def test_its_pins_are_those_of_the_documentation(column: str) -> None:
    tree = ast.parse(FIRMWARE.read_text(encoding="utf-8"))
    boards = next(
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "BOARDS"
    )
    assert isinstance(boards, ast.Dict)
    board = dict(zip(("Pico", "ESP32"), boards.values, strict=True))[column]
    assert isinstance(board, ast.Call)
    first, second, shared, *_ = (ast.literal_eval(word) for word in board.args)
    pins = dict(zip((*CONSOLE_KEYS, *SHARED_KEYS), (*first, *shared), strict=True))
    assert pins == (PINS if column == "Pico" else ESP32_PINS)
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "firmware" / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    at = rows[0].index(column)
    documented = {row[0].lower().replace(" ", "_"): row[at : at + 2] for row in rows[1:9]}
    assert documented == {
        **{
            key: [str(one), str(other)]
            for key, one, other in zip(CONSOLE_KEYS, first, second, strict=True)
        },
        **{key: [str(pin), ""] for key, pin in zip(SHARED_KEYS, shared, strict=True)},
    }


@pytest.mark.parametrize("on", ["python", "micropython"])
def test_an_esp32_sends_the_same_lines_from_its_own_pins(tmp_path: Path, on: str) -> None:
    if on == "micropython":
        needs_micropython()
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, "uart", on=on, family="esp32")
    compare(pico, cable, PRESSES)
    pico.unplug()
    cable.pull()


@pytest.mark.sampled(2)
def test_a_program_that_hangs_for_eight_seconds_is_started_again(
    wired: tuple[Pico, Cable],
) -> None:
    pico, _ = wired
    pico.advance(20_000)
    pico.hang(7_900)
    pico.advance(20)
    assert pico.process.poll() is None
    with contextlib.suppress(ConnectionError, AssertionError):
        pico.hang(8_200)
        pico.advance(20)
    assert pico.process.wait(PATIENCE) == WATCHDOG_CODE
