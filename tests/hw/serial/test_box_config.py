"""Boxes in the configuration: their buttons, and every error with its line."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import cast

import pytest

from scorer.config.input_boxes import build_inputs, button_lines, buttons_without_levels
from scorer.config.loader import parse_config
from scorer.config.sources import config_lines, resolve
from scorer.config.toml_reader import ConfigError
from scorer.doctor import devices
from scorer.doctor.devices import DeviceIo
from scorer.doctor.findings import Level
from scorer.doctor.press_check import PressIo
from scorer.session.values.settings import Layout
from scorer.table.service import _build_inputs
from tests.hw.serial.firmware_process import Pico
from tests.hw.serial.ptys import Cable
from tests.support.fake_settings import FakeSettings

BOX_B = '[[box]]\nconsole = "B"\nport = "/dev/ttyAMA0"\n'


def test_a_console_in_a_box_frees_its_pins_and_has_the_shared_buttons() -> None:
    config = parse_config(BOX_B)
    assert {button for button in config.pins if button[0] in "AB"} == {
        f"A.{key}" for key in ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
    }
    assert {"undo", "menu"} <= set(config.pins)
    (box,) = config.boxes
    assert button_lines(box, Layout.FULL, 2) == (
        "B.truco", "B.envido", "B.flor", "B.quiero", "B.no_quiero", "B.tantos", "undo", "menu",
    )  # fmt: skip


def test_a_compact_table_uses_fewer_buttons_of_the_same_box() -> None:
    (box,) = parse_config(f'table.layout = "compact"\n{BOX_B}').boxes
    assert button_lines(box, Layout.COMPACT, 2) == (
        "B.truco", "B.envido", "", "B.quiero", "", "B.tantos", "undo", "",
    )  # fmt: skip


def test_one_box_may_contain_both_consoles() -> None:
    (box,) = parse_config(BOX_B.replace('"B"', '"AB"')).boxes
    lines = button_lines(box, Layout.FULL, 2)
    assert (lines[0], lines[6], lines[12:]) == ("A.truco", "B.truco", ("undo", "menu"))
    assert len(lines) == 14


def test_any_input_may_be_the_consoles_or_a_box() -> None:
    config = parse_config('[consoles]\ndriver = "box"\nport = "/dev/ttyAMA0"\n')
    assert config.console_values["port"] == "/dev/ttyAMA0"
    lines = cast("tuple[str, ...]", config.console_values["lines"])
    assert lines[6:9] == ("B.truco", "B.envido", "B.flor")
    inputs, without_levels, _ = _build_inputs(config, queue.SimpleQueue())
    assert {"A.truco", "undo"} <= without_levels
    inputs.close()
    config = parse_config('consoles.driver = "none"\n[[box]]\nconsole = "AB"\ndriver = "gpio"\n')
    assert config.pins == {}
    with pytest.raises(ConfigError, match="GPIO 20 is already the button undo"):
        parse_config(
            'consoles.driver = "none"\nlamps.A = 20\n[[box]]\nconsole = "AB"\ndriver = "gpio"\n'
        )


def test_a_freed_pin_may_drive_a_lamp() -> None:
    """GPIO 17 is TRUCO of console B, if that console uses pins."""
    assert parse_config(f"{BOX_B}[lamps]\nA = 17\n").lamps.pins == {"A": 17}
    with pytest.raises(ConfigError, match="GPIO 17 is already the button"):
        parse_config("[lamps]\nA = 17\n")


def test_a_table_of_only_boxes_uses_no_pins() -> None:
    config = parse_config(
        f'consoles.driver = "none"\n{BOX_B.replace("B", "AB", 1)}'.replace('"B"', '"AB"')
    )
    assert config.pins == {}


def test_holds_wait_for_repeats_only_on_inputs_without_levels() -> None:
    boxes = parse_config(BOX_B).boxes
    assert buttons_without_levels(boxes, Layout.FULL, 2) >= {"B.truco", "undo"}
    keypad = '[[box]]\nconsole = "B"\ndriver = "keypad"\nname = "Numeric"\n'
    assert buttons_without_levels(parse_config(keypad).boxes, Layout.FULL, 2) == frozenset()


def test_buttons_that_are_also_on_pins_have_levels() -> None:
    inputs, without_levels, _ = _build_inputs(parse_config(BOX_B), queue.SimpleQueue())
    assert "B.truco" in without_levels and "undo" not in without_levels
    inputs.close()


TWO = '[[box]]\nconsole = "B"\nport = "/dev/ttyUSB1"\n'


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (BOX_B + TWO, 5, "box.console: box 1 is console B already; one must go"),
        (BOX_B + BOX_B.replace('"B"', '"A"'), 6, "box.port: box 1 is on /dev/ttyAMA0 already"),
        (BOX_B.replace('"B"', '"C"'), 2, "no console C here; write [consoles] count = 3"),
        (BOX_B.replace('"B"', '"D"'), 2, "box.console: wants a letter, like"),
        (BOX_B.replace('"B"', '"ABC"'), 2, "box.console: wants a letter, like"),
        ('[[box]]\nport = "/dev/ttyAMA0"\n', 1, "box.console: wants a letter, like"),
        ('[[box]]\nconsole = "B"\n', 1, "box.port: is missing"),
        (BOX_B.replace("/dev/", ""), 3, "box.port: 'ttyAMA0' is no path like /dev/serial/by-id/"),
        (BOX_B + "baud = 1200\n", 4, "box.baud: 1200 is not one of 9600, 19200"),
        (BOX_B + "buad = 9600\n", 4, "box.buad: no such key; did you mean 'baud'?"),
        (BOX_B + 'driver = "boxx"\n', 4, "box.driver: no driver 'boxx' in inputs; did you mean"),
        (
            '[[box]]\nconsole = "B"\ndriver = "gpio"\n',
            1,
            "box.port: [consoles] is on the pins of the header already",
        ),
        (
            '[consoles]\ndriver = "box"\nport = "/dev/ttyAMA0"\n' + BOX_B,
            6,
            "box.port: [consoles] is on /dev/ttyAMA0 already",
        ),
        ('[consoles]\ndriver = "box"\n', 1, "consoles.port: is missing"),
        (
            '[consoles]\ndriver = "box"\nprot = "/dev/ttyAMA0"\n',
            3,
            "consoles.prot: no such key; did you mean 'port'?",
        ),
        ("[consoles]\nhodl = 1.0\n", 2, "consoles.hodl: no such key; did you mean 'hold'?"),
        ('[consoles]\ndriver = "none"\nport = 1\n', 3, "consoles.port: no such key"),
        (
            '[consoles]\ndriver = "box"\nport = "/dev/ttyAMA0"\nlines = { "A.truco" = 10 }\n',
            4,
            "consoles.lines: moves buttons to other pins; 'box' has no pins",
        ),
        (
            '[consoles]\ndriver = "keypad"\ndevice = "/dev/input/by-id/usb-keypad"\n',
            2,
            "consoles.driver: a keypad is a [[box]]: write it under [[box]] with console = ...",
        ),
        (BOX_B + 'lines = ["A.truco"]\n', 4, "box.lines: there is no such key"),
        ('[box]\nconsole = "B"\n', 1, "write each box under a heading of its own, [[box]]"),
        (
            BOX_B + '[consoles]\nlines = { "B.truco" = 10 }\n',
            5,
            "consoles.lines: console B is a box and hangs on no pins",
        ),
        (
            BOX_B + '[consoles]\ndriver = "none"\n',
            5,
            "consoles.driver: no pins, and no [[box]] for console A",
        ),
    ],
)
def test_invalid_boxes_are_reported_with_their_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    problems = [(problem.line, problem.sentence) for problem in caught.value.problems]
    assert any(at == line and sentence in text for at, text in problems), problems


def test_scorer_check_lists_the_console_of_each_box() -> None:
    settled = resolve(BOX_B, None, FakeSettings())
    assert "box        console B: box on /dev/ttyAMA0  (the owner's file)" in list(
        config_lines(settled)
    )


# ---- the doctor ---------------------------------------------------------------------------------


def test_the_doctor_finds_a_box_and_reports_a_missing_one(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, real=True)
    other = f'[[box]]\nconsole = "A"\nport = "{tmp_path}/nowhere"\n'
    config = parse_config(BOX_B.replace("/dev/ttyAMA0", str(cable.path)) + other)
    found = devices.check_inputs(config, DeviceIo(), None, has_pins=False)
    levels = [(each.level, each.key, each.name) for each in found]
    assert levels == [(Level.OK, "console.fine", "B"), (Level.FAIL, "console.lost", "A")]
    pico.unplug()
    cable.pull()


def test_the_doctor_asks_for_the_buttons_of_a_box_and_finds_a_short_circuit(
    tmp_path: Path,
) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, real=True)
    text = BOX_B.replace("/dev/ttyAMA0", str(cable.path))
    lines = button_lines(parse_config(text).boxes[0], Layout.FULL, 2)
    shorted, broken = ("truco", "envido"), "flor"
    thumbs: list[threading.Timer] = []

    def press(name: str) -> None:
        key = name.rpartition(".")[2]
        wires = shorted if key in shorted else () if key == broken else (key,)
        for wire in wires:
            pico.press(wire, down=True)

        def let_go() -> None:
            for wire in wires:
                pico.press(wire, down=False)

        thumbs.append(threading.Timer(0.1, let_go))
        thumbs[-1].start()

    io = DeviceIo(press=PressIo(press_timeout=1.0))
    found = list(devices.check_inputs(parse_config(text), io, press, has_pins=False))
    assert [each.name for each in found] == ["B", *lines]
    assert {each.name: each.key for each in found if each.level is Level.FAIL} == {
        "B.truco": "button.touch_box",
        "B.envido": "button.touch_box",
        "B.flor": "button.silent_box",
    }
    for thumb in thumbs:
        thumb.join()
    pico.unplug()
    cable.pull()


def test_a_box_over_wi_fi_has_a_console_like_one_on_a_cable() -> None:
    config = parse_config('[[box]]\nconsole = "B"\ndriver = "radio"\nname = "norte"\n')
    (box,) = config.boxes
    assert box.summary == "console B: radio on the box norte"
    assert not {button for button in config.pins if button.startswith("B.")}
    assert button_lines(box, Layout.FULL, 2)[0] == "B.truco"
    assert "B.truco" in buttons_without_levels(config.boxes, Layout.FULL, 2)


@pytest.mark.parametrize(
    ("lines", "number", "sentence"),
    [
        (['name = "Norte"'], 4, "'Norte' is no name of a box: it wants 1 to 8 of the letters"),
        (['name = "norte-oeste"'], 4, "'norte-oeste' is no name of a box"),
        (['nmae = "norte"'], 4, "did you mean 'name'"),
        (['name = "norte"', 'socket = "radio.sock"'], 5, "'radio.sock' is no path like /run/"),
        (['name = "norte"', "baud = 9600"], 5, "box.baud: belongs under"),
        (
            ['name = "norte"', "[[box]]", 'console = "A"', 'driver = "radio"', 'name = "norte"'],
            8,
            "box 1 is on the box norte already",
        ),
    ],
)
def test_a_mistake_in_a_box_over_wi_fi_is_named_with_its_line(
    lines: list[str], number: int, sentence: str
) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config("\n".join(["[[box]]", 'console = "B"', 'driver = "radio"', *lines, ""]))
    assert any(
        problem.line == number and sentence in problem.sentence for problem in error.value.problems
    ), error.value.problems


def test_the_doctor_names_the_service_that_a_box_over_wi_fi_lacks(tmp_path: Path) -> None:
    path = tmp_path / "radio.sock"
    text = f'[[box]]\nconsole = "B"\ndriver = "radio"\nname = "norte"\nsocket = "{path}"\n'
    config = parse_config(
        f'consoles.driver = "none"\nconsoles.count = 2\n{text}'.replace(
            'console = "B"', 'console = "AB"'
        )
    )
    (found,) = devices.check_inputs(config, DeviceIo(), None, has_pins=False)
    assert found.level is Level.FAIL
    assert "scorer-radio does not run: systemctl enable --now scorer-radio" in str(found)


def test_the_doctor_suggests_the_stable_name(tmp_path: Path) -> None:
    names = tmp_path / "by-id"
    names.mkdir()
    port = tmp_path / "ttyACM0"
    port.touch()
    (names / "usb-Pico").symlink_to(port)
    assert devices._stable_port_name(str(port), names) == f"{names}/usb-Pico"
    assert devices._stable_port_name(str(tmp_path / "ttyAMA0"), names) == ""
    assert devices._stable_port_name(str(port), tmp_path / "none") == ""


def test_boxes_that_were_never_opened_can_be_closed(tmp_path: Path) -> None:
    both = build_inputs(parse_config(BOX_B).boxes, None, Layout.FULL, 2, lambda presence: None)
    both.close()
    assert not both.is_alive()
