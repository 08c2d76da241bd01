"""A lamp on a pin."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.hw.outputs.switch import Switch, check_pin


@dataclass(frozen=True, slots=True)
class Options:
    """``pin``: BCM number; ``active_high``: a high level lights it."""

    pin: int
    active_high: bool = True

    def __post_init__(self) -> None:
        check_pin(self.pin)


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
