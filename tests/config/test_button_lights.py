"""The sections [[button_lights]]: their errors, their wires, what is printed."""

from __future__ import annotations

import pytest

from scorer.config.loader import default_config, parse_config
from scorer.config.sources import config_lines, resolve
from scorer.makers.boot_config import boot_lines
from scorer.session.values.settings import Layout
from tests.config.problems import check_problems
from tests.support.fake_settings import FakeSettings

CHIP = "[[button_lights]]\n"
CHAIN = CHIP + 'driver = "shift_register"\n'
SPI = '[[panel]]\ninterface = "spi"\n'
THREE = "[consoles]\ncount = 3\n"

WRONG = (
    # the file; line and beginning of each problem
    ("[button_lights]\n", [(1, "button_lights: write each button_lights under a heading of its")]),
    (
        CHIP + 'driver = "lamp"\n',
        [(2, "button_lights.driver: no driver 'lamp'; known are pca9685")],
    ),
    (CHIP + "adress = 65\n", [(2, "button_lights.adress: no such key; did you mean 'address'?")]),
    (CHIP + "address = 0x70\n", [(2, "button_lights.address: 0x40 to 0x77, and not 0x70")]),
    (CHIP + "lit = 0\n", [(2, "button_lights.lit: 0 % is not from 1 to 100")]),
    (
        CHIP + "lit = 20\ndimmed = 50\n",
        [(3, "button_lights.dimmed: 50 % is brighter than lit = 20")],
    ),
    (CHIP + 'console = "ABC"\n', [(2, 'button_lights.console: wants a letter, like "B", or')]),
    (CHIP + 'console = ""\n', [(2, 'button_lights.console: wants a letter, like "B", or')]),
    (
        CHIP + 'console = "AC"\n',
        [(2, "button_lights.console: no console C here; write [consoles] count = 3")],
    ),
    (
        CHAIN + "chips = 1\n",
        [(1, "button_lights.console: 14 lights for AB, but shift_register has only 8")],
    ),
    (CHAIN + "clock = 5\n", [(3, "button_lights.clock: GPIO 5 is already the button A.truco")]),
    (CHAIN + "latch = 18\n", [(3, "button_lights.latch: GPIO 18 is already [lamps] A")]),
    (CHAIN + "data = 3\n", [(3, "button_lights.data: GPIO 3 is SCL, the wire of the panel")]),
    (
        SPI + CHAIN,
        [
            (2, "panel.interface: GPIO 10 for MOSI of SPI 0 is already data of the button lights"),
            (2, "panel.interface: GPIO 11 for SCLK of SPI 0 is already clock of the button lig"),
            (2, "panel.interface: GPIO 7 for D/C of SPI 0.0 is already enable of the button li"),
            (2, "panel.interface: GPIO 8 for CE0 of SPI 0 is already latch of the button light"),
        ],
    ),
    (
        "[team_light]\n" + CHAIN,
        [
            (1, "team_light: GPIO 10 for the strip without chip select is already data of the"),
            (1, "team_light: GPIO 11 for SCLK of SPI 0 is already clock of the button lights"),
            (1, "team_light: GPIO 8 for CE0 of SPI 0 is already latch of the button lights"),
        ],
    ),
    (
        THREE + CHIP + "port = 3\n",
        [
            (4, "button_lights.port: GPIO 10 for SDA of I2C bus 3 is already the button C.truco"),
            (4, "button_lights.port: GPIO 11 for SCL of I2C bus 3 is already the button C.envido"),
        ],
    ),
    (
        CHAIN + CHAIN + 'console = "B"\ndata = 14\nlatch = 15\nenable = 9\n',
        [
            (3, "button_lights.clock: GPIO 11 is already clock of the button lights at GPIO 10"),
            (5, "button_lights.console: chip 1 lights console B already; one must go"),
            (8, "button_lights.enable: GPIO 9 is already [lamps] B"),
        ],
    ),
    (
        "[[panel]]\naddress = 0x40\n" + CHIP,
        [(3, "button_lights.address: panel 1 is on I2C bus 1 at 0x40 too; give each device its")],
    ),
    (
        CHIP + 'console = "A"\n' + CHIP + 'console = "B"\n',
        [(3, "button_lights.address: chip 1 is on I2C bus 1 at 0x40 too; give each device its")],
    ),
    (
        CHIP + CHIP + 'console = "B"\naddress = 0x41\n',
        [(3, "button_lights.console: chip 1 lights console B already; one must go")],
    ),
)


@pytest.mark.parametrize(("text", "found"), WRONG)
def test_an_error_is_reported_with_its_line(text: str, found: list[tuple[int, str]]) -> None:
    check_problems(text, found)


def test_a_box_as_installed_lights_no_button() -> None:
    assert default_config().button_lights == ()


@pytest.mark.parametrize(
    ("text", "line", "pins"),
    [
        (CHIP, "console AB: pca9685 on I2C bus 1 at 0x40, lit = 100 %, dimmed = 15 %", []),
        (
            CHAIN + "dimmed = 40\n",
            "console AB: shift_register on GPIO 10, lit = 100 %, dimmed = 40 %",
            ["data of the button lights", "enable of the button lights"],
        ),
    ],
)
def test_check_prints_the_chip_and_its_pins(text: str, line: str, pins: list[str]) -> None:
    told = "\n".join(config_lines(resolve(text, None, FakeSettings())))
    for words in (line, *pins):
        assert words in told


def test_a_chain_is_dark_from_power_on_and_a_third_bus_is_switched_on() -> None:
    chain = boot_lines(parse_config(CHAIN).claims)
    assert {"gpio=8-12,18=op,dl", "gpio=7=op,dh"} <= set(chain)
    third = boot_lines(parse_config(CHIP + "port = 3\n").claims)
    assert "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=10,i2c_gpio_scl=11" in third
    assert boot_lines(parse_config(CHIP).claims) == boot_lines(default_config().claims)


@pytest.mark.parametrize(
    ("console", "layout", "channels"),
    [
        ("AB", Layout.FULL, {0: "A.truco", 5: "A.tantos", 6: "B.truco", 12: "undo", 13: "menu"}),
        ("B", Layout.FULL, {0: "B.truco", 5: "B.tantos", 6: "undo", 7: "menu"}),
        ("AB", Layout.COMPACT, {2: "", 3: "A.quiero", 4: "", 11: "B.tantos", 12: "undo", 13: ""}),
    ],
)
def test_channels_are_in_the_order_that_the_guide_says(
    console: str, layout: Layout, channels: dict[int, str]
) -> None:
    (chip,) = parse_config(f'{CHIP}console = "{console}"\n').button_lights
    buttons = chip.buttons(layout, 2)
    assert {at: buttons[at] for at in channels} == channels
