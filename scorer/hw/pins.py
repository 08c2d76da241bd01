"""Header pins: which are usable, the library that drives them, and their errors.

All drivers of a process share one pin factory: gpiozero keeps its local pins in one list, and
closing a second factory would close the pins of the first.
"""

from __future__ import annotations

import os

from scorer.hw import gpio_chip
from scorer.hw.lazy_exceptions import raised_by
from scorer.hw.ports import DeviceError

_RESERVED = {
    0: "reads the identity of a HAT",
    1: "reads the identity of a HAT",
    2: "is SDA, the wire of the panel",
    3: "is SCL, the wire of the panel",
}


def problem(pin: int) -> str | None:
    """Why this pin (BCM number) cannot be used, or None."""
    if pin in _RESERVED:
        return f"GPIO {pin} {_RESERVED[pin]}: use another pin"
    if not 0 <= pin <= 27:
        return f"GPIO {pin} is not on the header: BCM numbers go from 4 to 27"
    return None


def lgpio_factory() -> object:
    """The lgpio pin factory, the same object each time. Raises ``pin_exceptions()``.

    After a failure it is created again: the driver of the header may load late. The environment
    variable GPIOZERO_PIN_FACTORY overrides it.
    """
    from gpiozero import Device

    if Device.pin_factory is None:
        # Imported explicitly: gpiozero tries four libraries in turn and reports only the last
        # failure, and its lookup by name reads the metadata of every installed package.
        match os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio"):
            case "lgpio":
                from gpiozero.pins.lgpio import LGPIOFactory

                # Without a number gpiozero opens the first chip, whatever it is.
                Device.pin_factory = LGPIOFactory(chip=gpio_chip.header_chip())
            case "mock":
                from gpiozero.pins.mock import MockFactory, MockPWMPin

                # A team light on pins is dimmed.
                Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    Device.ensure_pin_factory()
    factory: object = Device.pin_factory
    return factory


def pin_exceptions() -> tuple[type[Exception], ...]:
    """The exceptions a pin may raise, for an ``except`` clause.

    AttributeError comes from an empty package that is also named lgpio.
    """
    library = raised_by("gpiozero:GPIOZeroError", "lgpio:error")
    return (OSError, ImportError, AttributeError, *library)


def device_error(what: str, error: Exception) -> DeviceError:
    """Convert a pin failure to a DeviceError; raise it ``from error``."""
    kind = ""
    match error:
        case ImportError() | AttributeError():
            kind, hint = "no_pins", "install python3-gpiozero and python3-lgpio"
        case gpio_chip.NoHeaderChipError():
            kind, hint = "no_pins", "is this a Raspberry Pi?"
        case PermissionError():
            hint = "the user must be in the group gpio"
        case FileNotFoundError():
            kind, hint = "no_pins", "no GPIO here, or the working directory cannot be written"
        case _:
            hint = "is the pin used twice or by another program?"
    return DeviceError(f"{what}: {error} ({hint})", kind)
