"""The strip and the RGB LED: what arrives at their pixels, and their faults."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterable

import pytest

from scorer.hw import load
from scorer.hw.outputs import rgb_led, ws2812
from scorer.hw.outputs.colour_light import BUDGET_MA, CHANNEL_MA, MAX_PIXELS, Colour, max_current
from scorer.hw.ports import DeviceError
from scorer.plain_values import WrongValues
from tests.hw.rigs import LIGHTS
from tests.hw.strip_model import StripModel

WHITE: Colour = (255, 255, 255)


class FakeSpi:
    """The SPI device of a strip; ``fault`` is the errno that every call raises."""

    def __init__(self, model: StripModel | None = None) -> None:
        self.model, self.fault, self.is_open = model, 0, False
        self.max_speed_hz = 0
        self.sent: list[bytes] = []

    def open(self, port: int, device: int) -> None:
        self._check()
        assert (port, device) == (0, 0)
        self.is_open = True

    def writebytes(self, data: Iterable[int]) -> None:
        self._check()
        assert self.is_open and self.max_speed_hz == ws2812.HERTZ
        self.sent.append(bytes(data))
        if self.model is not None:
            self.model.transfer(bytes(data))

    def close(self) -> None:
        self.is_open = False

    def _check(self) -> None:
        if self.fault:
            raise OSError(self.fault, os.strerror(self.fault))


def strip(options: ws2812.Options, spi: FakeSpi) -> ws2812.Strip:
    made = ws2812.create(options, spi=lambda: spi)
    made.open()
    return made


def test_the_drivers_of_lights_are_found() -> None:
    assert load.output_drivers("pixel_count") == LIGHTS


def rounded_rate(core_hertz: float) -> float:
    """The rate of the SPI of a Pi: its core clock by the next even divisor."""
    divisor = math.ceil(core_hertz / ws2812.HERTZ)
    return core_hertz / (divisor + divisor % 2)


# Core clocks of a Pi 3, a Zero 2 W, a Pi 4 and a Pi 5.
@pytest.mark.sampled(7)
@pytest.mark.parametrize("core_hertz", [250e6, 400e6, 500e6, 200e6])
@pytest.mark.parametrize("rests_high", [False, True])
def test_a_strip_shows_every_value_of_every_colour(core_hertz: float, rests_high: bool) -> None:
    model = StripModel(8, rounded_rate(core_hertz), rests_high=rests_high)
    light = strip(ws2812.Options(pixels=8, brightness=100), FakeSpi(model))
    for first in range(0, 256, 8):
        frame = [(first + at, 255 - first - at, (first + 85 * at) % 256) for at in range(8)]
        light.show(frame)
        assert model.pixels == frame
    light.close()
    assert model.pixels == [(0, 0, 0)] * 8


@pytest.mark.parametrize("pixels", [1, 8, 9, 30, MAX_PIXELS])
@pytest.mark.parametrize("brightness", [1, 30, 100])
def test_no_frame_exceeds_the_brightness_or_the_budget(pixels: int, brightness: int) -> None:
    options = ws2812.Options(pixels=pixels, brightness=brightness)
    model = StripModel(pixels, ws2812.HERTZ)
    strip(options, FakeSpi(model)).show([WHITE] * pixels)
    drawn = sum(CHANNEL_MA * part / 255 for colour in model.pixels for part in colour)
    assert drawn <= max_current(options) + 1e-6 <= BUDGET_MA + 1e-3
    assert all(part <= 255 * brightness / 100 for colour in model.pixels for part in colour)


def test_the_order_of_the_colours_can_be_changed() -> None:
    model = StripModel(1, ws2812.HERTZ)
    light = strip(ws2812.Options(pixels=1, brightness=100, order="rgb"), FakeSpi(model))
    light.show([(1, 2, 3)])
    assert model.pixels == [(2, 1, 3)], "the model reads green first"


def test_a_transfer_is_long_enough_for_dma_and_short_enough_for_spidev() -> None:
    for pixels in (1, MAX_PIXELS):
        spi = FakeSpi()
        strip(ws2812.Options(pixels=pixels), spi).show([WHITE] * pixels)
        assert 96 <= len(spi.sent[-1]) <= 4096


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (errno.ENOENT, "dtoverlay=spi0-1cs,no_miso belongs in config.txt"),
        (errno.EACCES, "the group spi"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_fault_of_the_bus_is_a_device_error_and_reopening_recovers(
    fault: int, words: str
) -> None:
    spi = FakeSpi(StripModel(8, ws2812.HERTZ))
    light = strip(ws2812.Options(), spi)
    spi.fault = fault
    with pytest.raises(DeviceError, match=words):
        light.show([WHITE] * 8)
    with pytest.raises(DeviceError, match=words):
        light.open()
    with pytest.raises(DeviceError, match="not open"):
        light.show([WHITE] * 8)
    light.close()
    spi.fault = 0
    light.open()
    light.show([WHITE] * 8)
    assert spi.model is not None
    assert spi.model.pixels == [(76, 76, 76)] * 8


def test_a_frame_of_another_length_is_a_broken_contract() -> None:
    with pytest.raises(ValueError, match="8 colours"):
        strip(ws2812.Options(), FakeSpi()).show([WHITE])


# ---- the RGB LED --------------------------------------------------------------------------------


class Pins:
    """The mock pins of an RGB LED."""

    def __init__(self) -> None:
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        self.factory = MockFactory(pin_class=MockPWMPin)

    def levels(self) -> list[float]:
        return [round(float(self.factory.pin(pin).state), 3) for pin in (10, 11, 8)]


def test_an_rgb_led_mixes_its_colours() -> None:
    pins = Pins()
    options = rgb_led.Options(brightness=50)
    light = rgb_led.create(options, pin_factory=pins.factory)
    assert options.pixel_count == light.pixel_count
    light.open()
    assert pins.levels() == [0, 0, 0]
    light.show([(255, 51, 0)])
    assert pins.levels() == [0.5, 0.1, 0]
    light.close()
    assert pins.levels() == [0, 0, 0]
    light.close()
    with pytest.raises(DeviceError, match="not open"):
        light.show([WHITE])


def test_an_rgb_led_whose_pin_is_taken_is_a_device_error() -> None:
    from gpiozero import LED

    pins = Pins()
    thief = LED(11, pin_factory=pins.factory)
    light = rgb_led.create(rgb_led.Options(), pin_factory=pins.factory)
    with pytest.raises(DeviceError, match="GPIO 10, 11, 8"):
        light.open()
    thief.close()
    light.open()
    light.close()


@pytest.mark.parametrize(
    ("driver", "values", "words"),
    [
        ("ws2812", {"pixels": 0}, "pixels: 0 is not from 1 to 60"),
        ("ws2812", {"pixels": 61}, "pixels: 61 is not"),
        ("ws2812", {"order": "bgr"}, "order: wants one of grb, rgb"),
        ("ws2812", {"brightness": 0}, "brightness: 0 % is not from 1 to 100"),
        ("rgb_led", {"brightness": 101}, "brightness: 101 %"),
        ("rgb_led", {"red": 3}, "red: GPIO 3 is SCL"),
        ("rgb_led", {"green": 3}, "green: GPIO 3 is SCL"),
        ("rgb_led", {"blue": 3}, "blue: GPIO 3 is SCL"),
        ("rgb_led", {"red": 11}, "three different pins"),
    ],
)
def test_wrong_options_are_refused(driver: str, values: dict[str, object], words: str) -> None:
    with pytest.raises(WrongValues, match=words):
        load.options("outputs", driver, values)
