"""An RGB LED on three pins, dimmed by gpiozero."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from scorer.hw import pins
from scorer.hw.outputs.colour_light import Colour, Percent, check_frame, scale_for
from scorer.hw.ports import DeviceError
from scorer.plain_values import Found


class Options(NamedTuple):
    """The pins of the colours (BCM numbers); ``active_high``: a high level lights."""

    red: int = 10
    green: int = 11
    blue: int = 8
    active_high: bool = True
    brightness: Percent = 100

    def find_problems(self) -> Iterator[Found]:
        refused = [(key, text) for key, pin in self.pins.items() if (text := pins.problem(pin))]
        yield from refused
        if not refused and len(set(self.pins.values())) < 3:
            yield "red", "three different pins, one for each colour"

    @property
    def pixel_count(self) -> int:
        return 1

    @property
    def pins(self) -> Mapping[str, int]:
        return {"red": self.red, "green": self.green, "blue": self.blue}

    @property
    def rests_high(self) -> bool:
        return not self.active_high


def create(options: Options, *, pin_factory: object = None) -> RgbLed:
    """Create a closed driver; ``pin_factory`` replaces the Pi's own pins."""
    return RgbLed(options, pin_factory)


class RgbLed:
    """A ColourLight of one pixel."""

    pixel_count = 1

    def __init__(self, options: Options, pin_factory: object) -> None:
        self._options, self._pin_factory = options, pin_factory
        self._scale = scale_for(1, options.brightness)
        self._device: _Device | None = None

    def open(self) -> None:
        self.close()
        try:
            from gpiozero import RGBLED

            factory = pins.lgpio_factory() if self._pin_factory is None else self._pin_factory
            self._device = RGBLED(
                self._options.red,
                self._options.green,
                self._options.blue,
                active_high=self._options.active_high,
                pin_factory=factory,
            )
        except pins.pin_exceptions() as error:
            raise pins.device_error(self._name, error) from error

    def show(self, frame: Sequence[Colour]) -> None:
        check_frame(frame, 1)
        if self._device is None:
            raise DeviceError(f"{self._name} is not open")
        red, green, blue = (part / 255 * self._scale for part in frame[0])
        try:
            self._device.value = (red, green, blue)
        except pins.pin_exceptions() as error:
            raise pins.device_error(self._name, error) from error

    def close(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        # A lost pin cannot be switched off, and close() reports no errors.
        with contextlib.suppress(*pins.pin_exceptions()):
            device.value = (0.0, 0.0, 0.0)
        with contextlib.suppress(*pins.pin_exceptions()):
            device.close()

    @property
    def _name(self) -> str:
        return f"the team light on GPIO {', '.join(map(str, self._options.pins.values()))}"


class _Device(Protocol):
    """The used part of gpiozero's RGBLED."""

    value: tuple[float, float, float]

    def close(self) -> None: ...
