"""A lamp on a pin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorer.hw.outputs.switch import Switch, pin_problems
from scorer.plain_values import Found


class Options(NamedTuple):
    """``pin``: BCM number; ``active_high``: a high level lights it."""

    pin: int
    active_high: bool = True

    def find_problems(self) -> Iterator[Found]:
        return pin_problems(self.pin)


def create(options: Options, *, pin_factory: object = None) -> GpioLamp:
    """Create a closed driver; ``pin_factory`` replaces the Pi's own pins."""
    return GpioLamp(options, pin_factory)


class GpioLamp:
    """A Lamp on one pin."""

    def __init__(self, options: Options, pin_factory: object) -> None:
        self._switch = Switch("the lamp", options.pin, options.active_high, pin_factory)

    def open(self) -> None:
        self._switch.open()

    def set(self, lit: bool) -> None:
        self._switch.set(lit)

    def close(self) -> None:
        self._switch.close()
