"""Two wires on one pin are an error with the line to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.config.loader import default_config, parse_config
from scorer.config.pin_claims import ClaimKind, find_conflicts
from scorer.config.toml_reader import ConfigError
from scorer.hw import displays
from scorer.session.values.settings import Layout
from tests.config.problems import check_problems

SPI = '[[panel]]\ninterface = "spi"\n'
THREE = "[consoles]\ncount = 3\n"
SCOREBOARD = '[[scoreboard]]\nport = "/dev/serial0"\n'
THIRD_BUS = "[[panel]]\nport = 3\n"

CONFLICTS = (
    # the file; line and sentence of each problem
    (
        '[[panel]]\ncontroller = "ssd1308"\n',
        [(2, "panel.controller: no controller 'ssd1308'; did you mean 'ssd1309'?")],
    ),
    (
        '[[panel]]\ncontroller = "banana"\n',
        [(2, "panel.controller: no controller 'banana'; known are sh1106, sh1107,")],
    ),
    (SPI + "gpio_dc = 24\n", [(3, "panel.gpio_dc: GPIO 24 is already the button B.no_quiero")]),
    (
        SPI + THREE,
        [
            (2, "panel.interface: GPIO 10 for MOSI of SPI 0 is already the button C.truco"),
            (2, "panel.interface: GPIO 11 for SCLK of SPI 0 is already the button C.envido"),
            (2, "panel.interface: GPIO 7 for D/C of SPI 0.0 is already the button C.tantos"),
            (2, "panel.interface: GPIO 8 for CE0 of SPI 0 is already the button C.quiero"),
        ],
    ),
    (
        '[consoles.lines]\n"A.truco" = 11\n' + SPI,
        [(4, "panel.interface: GPIO 11 for SCLK of SPI 0 is already the button A.truco")],
    ),
    (
        THREE + THIRD_BUS,
        [
            (4, "panel.port: GPIO 10 for SDA of I2C bus 3 is already the button C.truco"),
            (4, "panel.port: GPIO 11 for SCL of I2C bus 3 is already the button C.envido"),
        ],
    ),
    (
        '[consoles.lines]\n"A.truco" = 4\n',
        [(2, "consoles.lines.A.truco: GPIO 4 is already the power button of config.txt")],
    ),
    (
        '[consoles.lines]\n"A.truco" = 14\n' + SCOREBOARD,
        [(4, "scoreboard.port: GPIO 14 for TX of the serial port is already the button A.truco")],
    ),
    # Beyond these: the key that was written is to blame, not the default.
    ("[sound]\npin = 4\n", [(2, "sound.pin: GPIO 4 is already the power button of config.txt")]),
    ("[lamps]\nB = 14\n" + SCOREBOARD, [(2, "lamps.B: GPIO 14 is already TX of the serial port")]),
    (
        '[consoles.lines]\n"A.truco" = 12\n',
        [(2, "consoles.lines.A.truco: GPIO 12 is already [sound] pin")],
    ),
    (SPI + "gpio_rst = 18\n", [(3, "panel.gpio_rst: GPIO 18 is already [lamps] A")]),
    (
        SPI + "device = 1\n",
        [(2, "panel.interface: GPIO 7 for D/C of SPI 0.1 is already CE1 of SPI 0")],
    ),
    (
        SPI + "port = 1\ngpio_dc = 8\n",
        [
            (2, "panel.interface: GPIO 18 for CE0 of SPI 1 is already [lamps] A"),
            (3, "panel.port: GPIO 19 for MISO of SPI 1 is already the button A.quiero"),
            (3, "panel.port: GPIO 20 for MOSI of SPI 1 is already the button undo"),
            (3, "panel.port: GPIO 21 for SCLK of SPI 1 is already the button menu"),
        ],
    ),
    (
        SPI + "[[panel]]\nport = 3\n",
        [
            (4, "panel.port: GPIO 10 for SDA of I2C bus 3 is already MOSI of SPI 0"),
            (4, "panel.port: GPIO 11 for SCL of I2C bus 3 is already SCLK of SPI 0"),
        ],
    ),
    (
        '[printer]\ndevice = "/dev/ttyS0"\n[lamps]\nA = 15\n',
        [(4, "lamps.A: GPIO 15 is already RX of the serial port")],
    ),
    (SPI + SPI, [(3, "panel: panel 1 is on SPI 0.0 too")]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "found"), CONFLICTS)
def test_two_wires_on_one_pin_are_reported_with_the_line_to_change(
    text: str, found: list[tuple[int, str]]
) -> None:
    check_problems(text, found)


FINE = (
    "",
    # CE0 and the wires of the bus are shared by nothing here, and lamp B keeps MISO.
    SPI,
    # Compact has no NO QUIERO, whose pin is free.
    'table.layout = "compact"\n' + SPI + "gpio_dc = 24\n",
    # A console in a box has no pins.
    SPI + THREE + '[[box]]\nconsole = "C"\nport = "/dev/ttyACM0"\n',
    # Two panels share the wires of their bus.
    "[[panel]]\nport = 3\n[[panel]]\nport = 3\naddress = 0x3D\n",
    SPI + SPI + "device = 1\ngpio_dc = 15\n[consoles.lines]\n" if False else SPI,
    # Another number: an overlay of the owner's own, on pins that only the owner knows.
    THREE + "[[panel]]\nport = 4\n",
    # A scoreboard on a plug takes no pins.
    '[consoles.lines]\n"A.truco" = 14\n[[scoreboard]]\nport = "/dev/ttyUSB0"\n',
)


@pytest.mark.parametrize("text", FINE)
def test_a_configuration_without_a_shared_pin_is_valid(text: str) -> None:
    parse_config(text)


@pytest.mark.parametrize("consoles", [2, 3])
@pytest.mark.parametrize("layout", Layout)
def test_the_defaults_have_no_conflict(layout: Layout, consoles: int) -> None:
    config = parse_config(f'table.layout = "{layout}"\nconsoles.count = {consoles}\n')
    assert list(find_conflicts(config.claims)) == []
    buttons = {claim.name: claim.pin for claim in config.claims if claim.kind is ClaimKind.BUTTON}
    assert buttons == config.pins


def test_the_table_has_every_wire_of_the_default_box() -> None:
    kinds = {claim.kind for claim in default_config().claims}
    more = {ClaimKind.SERIAL, ClaimKind.LED, ClaimKind.STRIP, ClaimKind.OUTPUT}
    assert kinds == set(ClaimKind) - more


OWN_DRIVER = """
from typing import NamedTuple

from scorer.hw.ports import Wire
from tests.config.problems import check_problems
from tests.support.memory_display import MemoryDisplay
from tests.support.memory_display import Options as MemoryOptions


class Options(NamedTuple):
    gpio_dc: int = 25

    @property
    def resource_id(self):
        return "tft"

    @property
    def wires(self):
        return (Wire(self.gpio_dc, "D/C of the TFT", ("gpio_dc",)),)


def create(options, **seams):
    return MemoryDisplay(MemoryOptions())
"""


def test_the_wires_of_a_driver_of_ones_own_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tft_of_ones_own.py").write_text(OWN_DRIVER)
    monkeypatch.setattr(displays, "__path__", [*displays.__path__, str(tmp_path)])
    with pytest.raises(ConfigError) as raised:
        parse_config('[[panel]]\ndriver = "tft_of_ones_own"\ngpio_dc = 24\n')
    told = [(problem.line, problem.sentence) for problem in raised.value.problems]
    assert told == [(3, "panel.gpio_dc: GPIO 24 is already the button B.no_quiero")]
    config = parse_config('[[panel]]\ndriver = "tft_of_ones_own"\ngpio_dc = 0\n')
    assert [claim.name for claim in config.claims if claim.pin == 0] == ["D/C of the TFT"]
