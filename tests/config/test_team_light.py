"""The section [team_light]: its errors, its pins, and what check and setup print."""

from __future__ import annotations

import pytest

from scorer.config.loader import default_config, parse_config
from scorer.config.sources import config_lines, resolve
from scorer.makers.boot_config import boot_lines
from tests.config.problems import check_problems
from tests.paths import ROOT
from tests.support.fake_settings import FakeSettings

STRIP = "[team_light]\n"
LED = '[team_light]\ndriver = "rgb_led"\n'
SPI = '[[panel]]\ninterface = "spi"\n'
THREE = "[consoles]\ncount = 3\n"

WRONG = (
    # the file; line and beginning of each problem
    ("team_light = 1\n", [(1, "team_light: is a section, write it as [team_light]")]),
    (STRIP + 'driver = "ws2813"\n', [(2, "team_light.driver: no driver 'ws2813'; did you mean")]),
    (STRIP + 'driver = "lamp"\n', [(2, "team_light.driver: no driver 'lamp'; known are rgb_led")]),
    (STRIP + "pixel = 8\n", [(2, "team_light.pixel: no such key; did you mean 'pixels'?")]),
    (STRIP + "pixels = 61\n", [(2, "team_light.pixels: 61 is not from 1 to 60")]),
    (LED + "brightness = 0\n", [(3, "team_light.brightness: 0 % is not from 1 to 100")]),
    (
        STRIP + "pixels = 500\nbrightness = 0\n",
        [
            (2, "team_light.pixels: 500 is not from 1 to 60"),
            (3, "team_light.brightness: 0 % is not from 1 to 100"),
        ],
    ),
    (LED + "red = 18\n", [(3, "team_light.red: GPIO 18 is already [lamps] A")]),
    (
        SPI + STRIP,
        [
            (
                3,
                "team_light: GPIO 10 for the strip without chip select is already MOSI of SPI 0",
            )
        ],
    ),
    (
        "[[panel]]\nport = 3\n" + STRIP,
        [
            (
                3,
                "team_light: GPIO 10 for the strip without chip select is already SDA of I2C bus 3",
            ),
            (3, "team_light: GPIO 11 for SCLK of SPI 0 is already SCL of I2C bus 3"),
        ],
    ),
    (
        THREE + STRIP,
        [
            (3, "team_light: GPIO 10 for the strip without chip select is already the b"),
            (3, "team_light: GPIO 11 for SCLK of SPI 0 is already the button C.envido"),
            (3, "team_light: GPIO 8 for CE0 of SPI 0 is already the button C.quiero"),
        ],
    ),
)


@pytest.mark.parametrize(("text", "found"), WRONG)
def test_an_error_is_reported_with_its_line(text: str, found: list[tuple[int, str]]) -> None:
    check_problems(text, found)


def test_a_box_as_installed_has_no_light() -> None:
    assert default_config().team_light is None


@pytest.mark.parametrize(
    ("text", "line", "pins"),
    [
        (
            STRIP,
            "ws2812: pixels = 8, brightness = 30 %, at most 144 mA",
            ["the strip without chip select", "SCLK of SPI 0", "CE0 of SPI 0"],
        ),
        (STRIP + "pixels = 60\n", "pixels = 60, brightness = 30 %, at most 480 mA", []),
        (
            LED,
            "rgb_led: pixels = 1, brightness = 100 %, at most 60 mA",
            ["team light red", "team light green", "team light blue"],
        ),
    ],
)
def test_check_prints_the_current_and_the_pins(text: str, line: str, pins: list[str]) -> None:
    told = "\n".join(config_lines(resolve(text, None, FakeSettings())))
    assert line in told
    for pin in pins:
        assert pin in told


def test_the_lines_of_config_txt_have_its_bus_or_its_pins() -> None:
    strip, led = (boot_lines(parse_config(text).claims) for text in (STRIP, LED))
    assert "dtoverlay=spi0-1cs,no_miso" in strip
    assert "gpio=8-12,18=op,dl" in led
    steady = strip.index("[pi3]")
    assert boot_lines(default_config().claims) == tuple(
        line for line in strip[:steady] if not line.startswith("dtoverlay=spi0")
    )


def test_an_led_that_a_low_level_lights_is_dark_from_power_on() -> None:
    lines = boot_lines(parse_config(LED + "active_high = false\n").claims)
    assert {"gpio=9,12,18=op,dl", "gpio=8,10,11=op,dh"} <= set(lines)


def test_a_strip_has_a_bus_clock_that_does_not_follow_the_load() -> None:
    wired = (ROOT / "wiring.md").read_text(encoding="utf-8")
    lines = boot_lines(parse_config(STRIP).claims)
    assert lines[lines.index("[pi3]") :][-1] == "[all]"
    for line in lines[lines.index("[pi3]") :]:
        assert f"\n{line}\n" in wired
