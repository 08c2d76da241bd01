"""The section [word_display]: its errors, its place, and what check prints."""

from __future__ import annotations

import pytest

from scorer.config.loader import default_config, parse_config
from scorer.config.sources import config_lines, resolve
from scorer.makers.boot_config import boot_lines
from tests.config.problems import check_problems
from tests.support.fake_settings import FakeSettings

WORDS = "[word_display]\n"

WRONG = (
    # the file; line and beginning of each problem
    ("word_display = 1\n", [(1, "word_display: is a section, write it as [word_display]")]),
    (WORDS + 'driver = "hd4470"\n', [(2, "word_display.driver: no driver 'hd4470'; did you mean")]),
    (
        WORDS + 'driver = "lamp"\n',
        [(2, "word_display.driver: no driver 'lamp'; known are hd44780")],
    ),
    (WORDS + "column = 16\n", [(2, "word_display.column: no such key; did you mean 'columns'?")]),
    (WORDS + "columns = 40\n", [(2, "word_display.columns: ")]),
    (WORDS + "address = 0x40\n", [(2, "word_display.address: ")]),
    (WORDS + 'font = "A01"\n', [(2, "word_display.font: ")]),
    (
        "[[panel]]\naddress = 0x3C\n[word_display]\naddress = 0x3C\n",
        [(4, "word_display.address: panel 1 is on I2C bus 1 at 0x3c too; give each device its")],
    ),
    (
        "[consoles]\ncount = 3\n[word_display]\nport = 3\n",
        [
            (4, "word_display.port: GPIO 10 for SDA of I2C bus 3 is already the button C.truco"),
            (4, "word_display.port: GPIO 11 for SCL of I2C bus 3 is already the button C.envido"),
        ],
    ),
)


@pytest.mark.parametrize(("text", "found"), WRONG)
def test_an_error_is_reported_with_its_line(text: str, found: list[tuple[int, str]]) -> None:
    check_problems(text, found)


def test_a_box_as_installed_has_no_display_of_words() -> None:
    assert default_config().word_display is None


def test_check_prints_the_display_and_setup_the_bus() -> None:
    told = "\n".join(config_lines(resolve(WORDS + "columns = 20\n", None, FakeSettings())))
    assert "hd44780 on I2C bus 1 at 0x27, columns = 20" in told
    assert boot_lines(parse_config(WORDS).claims) == boot_lines(default_config().claims)
    third = boot_lines(parse_config(WORDS + "port = 3\n").claims)
    assert "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=10,i2c_gpio_scl=11" in third
