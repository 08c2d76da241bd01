"""Test buttons, panels, lights and buzzer directly, while no table runs.

Every opened device is closed again, also on an interrupt. Time and bus replacements are arguments.
"""

from __future__ import annotations

import errno
import queue
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.api.buttons_report import buttons_report
from scorer.api.scoreboard_protocol import encode_no_score
from scorer.config.config import NO_PINS, Config
from scorer.config.input_boxes import BoxConfig, open_box
from scorer.config.schema import ChosenDriver, PanelConfig
from scorer.display import deferred
from scorer.doctor import running_table
from scorer.doctor.findings import Finding, fail, ok, warn
from scorer.doctor.panel_picture import draw_test_picture
from scorer.doctor.press_check import AskForPress, OpenedLines, PressIo, check_presses
from scorer.hw import load
from scorer.hw.ports import DeviceError, Display, Edge, InputSource, Lamp
from scorer.hw.serial.lines import seal
from scorer.hw.serial.port import Port
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout

if TYPE_CHECKING:
    from PIL import Image

    from scorer.config.word_display import WordDisplayConfig
    from scorer.hw.outputs.channel_lights import ChannelLights
    from scorer.hw.outputs.colour_light import ColourLight

Seams = Callable[[ChosenDriver], Mapping[str, object]]

LIT_TIME = 0.5  # seconds a lamp is lit and the buzzer sounds
WORDS = ("TRUCO SCORER", "0123456789 ñáãç")  # on a display of words
SHOWN_TIME = 3.0  # seconds the pictures stay, enough to walk around the table

# Finding keys by errno of a panel.
PANEL_FINDINGS = {
    errno.ENOENT: "panel.no_bus",
    errno.EACCES: "panel.forbidden",
    errno.EPERM: "panel.forbidden",
    errno.ETIMEDOUT: "panel.hangs",
    errno.EREMOTEIO: "panel.silent",
    errno.EIO: "panel.silent",
    errno.ENXIO: "panel.silent",
}


class DeviceIo(NamedTuple):
    """Time functions, and replacements of the buses."""

    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic
    seams: Seams = lambda _: {}
    press: PressIo = PressIo()


def check_outputs(config: Config, io: DeviceIo) -> Iterator[Finding]:
    """Show a picture on every panel, light every lamp, beep.

    The pictures stay a while.
    """
    with ExitStack() as stack:
        for panel in config.panels:
            yield _check_panel(panel, io, stack)
        for side, pin in config.lamps.pins.items():
            lamp = load.lamp("lamp", {"pin": pin})
            fault = _light(lamp, partial(lamp.set, True), io)
            yield fail("lamp.lost", side, why=fault) if fault else ok("lamp.fine", side)
        yield _check_buzzer(config, io)
        # Only their owner can see whether a strip of pixels or lights of buttons are there.
        if (chosen := config.team_light) is not None:
            light = load.colour_light(chosen.driver, chosen.options, **io.seams(chosen))
            white = [(255, 255, 255)] * light.pixel_count
            fault = _light(light, partial(light.show, white), io)
            yield fail("light.lost", why=fault) if fault else ok("light.fine")
        for chip in config.button_lights:
            lights = load.channel_lights(chip.driver, chip.options, **io.seams(chip))
            all_lit = [chip.lit] * chip.built.channel_count
            fault = _light(lights, partial(lights.show, all_lit), io)
            if fault:
                yield fail("button_lights.lost", chip.consoles, why=fault)
            else:
                yield ok("button_lights.fine", chip.consoles)
        if config.word_display is not None:
            yield _check_words(config.word_display, io, stack)
        for board in config.scoreboards:
            yield _check_scoreboard(board.port, board.baud)
        if config.panels or config.word_display is not None:
            io.sleep(SHOWN_TIME)


def _check_panel(panel: PanelConfig, io: DeviceIo, stack: ExitStack) -> Finding:
    where = panel.place
    try:
        display = load.display(panel.driver, panel.options, **io.seams(panel))
        stack.callback(display.close)
        display.open()
        display.contrast(255)
        display.show(_test_picture(panel.side, where, display))
    except DeviceError as error:
        if panel.driver == "framebuffer":
            # It has no bus, and its own message says what to check.
            return fail("panel.lost", panel.side, where=where, why=error)
        key = PANEL_FINDINGS.get(_system_errno(error) or 0, "panel.lost")
        return fail(key, panel.side, where=where, why=error)
    return ok("panel.shown", panel.side, where=where)


def _test_picture(name: str, where: str, display: Display) -> Image.Image:
    """The test picture; enlarged for a television."""
    if display.mode == "1":
        return draw_test_picture(name, where, display.size).image

    def small(size: tuple[int, int]) -> Image.Image:
        return draw_test_picture(name, where, size).image

    return deferred.defer_enlarged(small, lambda: display.size)()


def _system_errno(error: BaseException | None) -> int | None:
    """The errno of the system error in a chain of exceptions."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        error = error.__cause__ or error.__context__
    return None


def _light(
    light: Lamp | ColourLight | ChannelLights, switch_on: Callable[[], None], io: DeviceIo
) -> DeviceError | None:
    """Switch a light on for a moment; return the error if it fails."""
    try:
        light.open()
        switch_on()
        io.sleep(LIT_TIME)
    except DeviceError as error:
        return error
    finally:
        light.close()
    return None


def _check_buzzer(config: Config, io: DeviceIo) -> Finding:
    if not config.sound.on:
        return ok("buzzer.off")
    buzzer = load.buzzer("buzzer", {"pin": config.sound.pin})
    try:
        buzzer.open()
        due = buzzer.play(((LIT_TIME, 0.05),), io.now())
        while due is not None:
            io.sleep(max(0.0, due - io.now()))
            due = buzzer.tick(io.now())
    except DeviceError as error:
        return fail("buzzer.lost", why=error)
    finally:
        buzzer.close()
    return ok("buzzer.fine")


def _check_words(chosen: WordDisplayConfig, io: DeviceIo, stack: ExitStack) -> Finding:
    """Show words that stay as long as the pictures."""
    try:
        display = load.word_display(chosen.driver, chosen.options, **io.seams(chosen))
        stack.callback(display.close)
        display.open()
        display.show(WORDS)
    except DeviceError as error:
        return fail("words.lost", why=error)
    return ok("words.fine", words=WORDS[0])


def _check_scoreboard(path: str, baud: int) -> Finding:
    """Show dashes on a scoreboard; only its owner can see whether they appear."""
    port = Port(path, baud)
    try:
        port.open()
        port.write(b"\n" + b"".join(map(seal, encode_no_score())))
    except DeviceError as error:
        return fail("board.lost", why=error)
    finally:
        port.close()
    return ok("board.told", port=path)


def check_inputs(
    config: Config, io: DeviceIo, ask_for: AskForPress | None, *, has_pins: bool
) -> Iterator[Finding]:
    """Report which buttons are down, and whether each console on a cable answers.

    With ``ask_for``, then ask for a press of each button of the table in turn.
    """
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    levels: dict[str, bool] = {}
    with ExitStack() as stack:
        if has_pins and config.consoles.driver != NO_PINS:
            yield from _check_pins(config, edges.put, levels, stack)
        for box in config.boxes:
            yield from _check_box(box, config, edges.put, levels, stack)
        if ask_for is not None:
            wanted = buttons(Layout(config.table.layout), config.consoles.count)
            lines = [name for name in wanted if name in levels]
            opened = OpenedLines(config.pins if has_pins else {}, levels, edges)
            yield from check_presses(lines, opened, io.press, ask_for)


def _check_pins(
    config: Config, emit: Callable[[Edge], None], levels: dict[str, bool], stack: ExitStack
) -> Iterator[Finding]:
    """Open the buttons of the header until ``stack`` ends, and add their levels."""
    try:
        inputs: InputSource = load.input_source(config.consoles.driver, config.console_values)
        stack.callback(inputs.close)
        inputs.open(emit)
        own = inputs.levels()
    except DeviceError as error:
        yield from running_table.button_findings(
            buttons_report({}, (), alive=False, fault=str(error))
        )
        return
    levels |= own
    yield from running_table.button_findings(buttons_report(own, (), alive=inputs.is_alive()))


def _check_box(
    box: BoxConfig,
    config: Config,
    emit: Callable[[Edge], None],
    levels: dict[str, bool],
    stack: ExitStack,
) -> Iterator[Finding]:
    """Open a console on a cable until ``stack`` ends, and add its levels.

    Does it answer, and is its path stable?
    """
    try:
        source = open_box(box, Layout(config.table.layout), config.consoles.count, emit)
        stack.callback(source.close)
        for name, is_down in source.levels().items():
            levels[name] = levels.get(name, False) or is_down
    except DeviceError as error:
        yield fail("console.lost", box.consoles, why=error)
    else:
        yield ok("console.fine", box.consoles, port=box.port)
    if stable := _stable_port_name(box.port):
        yield warn("console.moves", box.consoles, port=box.port, stable=stable)


def _stable_port_name(port: str, names: Path = Path("/dev/serial/by-id")) -> str:
    """The stable name of a USB port given by an unstable one; else ""."""
    if not Path(port).name.startswith(("ttyUSB", "ttyACM")):
        return ""
    try:
        return next((str(name) for name in names.iterdir() if name.resolve() == Path(port)), "")
    except OSError:
        return ""
