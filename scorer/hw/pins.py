"""The header pins: which may be used, which library drives them, and how they fail.

One bank of pins serves every driver of a process: gpiozero keeps its local pins in one list, and
closing a second bank would close the pins of the first. What hangs on a pin is not known here.
"""

from __future__ import annotations

import os

from scorer.hw.lazy_exceptions import raised_by
from scorer.hw.ports import DeviceError

_RESERVED = {
    0: "reads the identity of a HAT",
    1: "reads the identity of a HAT",
    2: "is SDA, the wire of the panel",
    3: "is SCL, the wire of the panel",
}


def problem(pin: int) -> str | None:
    """Why nothing may hang on this pin (BCM number), None when it may."""
    if pin in _RESERVED:
        return f"GPIO {pin} {_RESERVED[pin]}: use another pin"
    if not 0 <= pin <= 27:
        return f"GPIO {pin} is not on the header: BCM numbers go from 4 to 27"
    return None


def lgpio_factory() -> object:
    """The pins through lgpio, the same object each time. Raises what ``failures()`` lists.

    An owner whose board wants something else sets GPIOZERO_PIN_FACTORY.
    """
    from gpiozero import Device

    if Device.pin_factory is None and "GPIOZERO_PIN_FACTORY" not in os.environ:
        # Named here and not left to gpiozero: it tries four libraries in turn and tells of the
        # last one's failure, and its look-up by name reads every installed package.
        from gpiozero.pins.lgpio import LGPIOFactory

        Device.pin_factory = LGPIOFactory()
    Device.ensure_pin_factory()
    factory: object = Device.pin_factory
    return factory


def pin_exceptions() -> tuple[type[Exception], ...]:
    """What a pin may raise, for an ``except`` clause.

    AttributeError is the empty package that is called lgpio too and has nothing in it.
    """
    library = raised_by("gpiozero:GPIOZeroError", "lgpio:error")
    return (OSError, ImportError, AttributeError, *library)


def device_error(what: str, error: Exception) -> DeviceError:
    """The failure of the pins as an owner may read it; raise it ``from error``."""
    match error:
        case ImportError() | AttributeError():
            hint = "install python3-gpiozero and python3-lgpio"
        case PermissionError():
            hint = "the user must be in the group gpio"
        case FileNotFoundError():
            hint = "no GPIO here, or the working directory cannot be written"
        case _:
            hint = "is the pin used twice or by another program?"
    return DeviceError(f"{what}: {error} ({hint})")
