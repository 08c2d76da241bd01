"""Load drivers by name: modules in ``inputs/``, ``displays/`` and ``outputs/``.

A driver is a module with a record ``Options`` and a function ``create(options, **seams)``. Seams
(a clock, a bus, a bank of pins) are passed through unchanged. Loading opens no device.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, cast, get_origin

from scorer.hw.ports import (
    Buzzer,
    DeviceError,
    Display,
    InputDriver,
    InputOptions,
    InputSource,
    Lamp,
    Wire,
    ignore_loss,
)
from scorer.plain_values import ValueProblem, WrongValues, kinds_of, read, suggestion

if TYPE_CHECKING:
    from scorer.hw.outputs.channel_lights import ChannelLights
    from scorer.hw.outputs.colour_light import ColourLight
    from scorer.hw.outputs.word_display import WordDisplay

Kind = Literal["inputs", "displays", "outputs"]
Values = Mapping[str, object]


def drivers(kind: Kind) -> tuple[str, ...]:
    """The sorted names of all drivers of this kind; imports them, which opens nothing."""
    package = importlib.import_module(f"scorer.hw.{kind}")
    names = (module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(sorted(name for name in names if _is_driver(_module(kind, name))))


def output_drivers(member: str) -> tuple[str, ...]:
    """The output drivers whose ``Options`` have ``member``.

    Of a light with colours it is ``pixel_count``, of a chip that lights buttons ``channel_count``,
    of a display of words ``columns``.
    """
    outputs = drivers("outputs")
    return tuple(n for n in outputs if hasattr(_module("outputs", n).Options, member))


def options(kind: Kind, name: str, values: Values, other_keys: Iterable[str] = ()) -> object:
    """Build the driver's ``Options``. Raises WrongValues with every problem."""
    built: object = read(_driver(kind, name).Options, values, other_keys)
    return built


def wires(kind: Kind, name: str, values: Values) -> Sequence[Wire]:
    """The wires of a device on the header; none if its ``Options`` have none."""
    try:
        found: Sequence[Wire] = getattr(options(kind, name, values), "wires", ())
    except WrongValues:
        return ()
    return found


def input_options(name: str, values: Values) -> InputOptions:
    """The options of an input driver. Raises WrongValues."""
    return cast("InputOptions", options("inputs", name, values))


def problems(
    kind: Kind, name: str, values: Values, other_keys: Iterable[str] = ()
) -> tuple[ValueProblem, ...]:
    """Problems of these settings; empty if they are valid.

    ``other_keys``: further keys of the section, for suggestions.
    """
    try:
        options(kind, name, values, other_keys)
    except WrongValues as error:
        return error.problems
    return ()


@cache
def takes_pins(name: str) -> bool:
    """Whether ``lines`` of an input maps names to pins. Raises WrongValues."""
    form = kinds_of(_driver("inputs", name).Options)["lines"]
    return get_origin(form) is not tuple


def resource_id(kind: Kind, name: str, values: Values) -> str:
    """The resource that the device occupies exclusively, "" if its driver names none.

    Raises WrongValues.
    """
    return str(getattr(options(kind, name, values), "resource_id", ""))


def input_source(
    name: str,
    values: Values,
    *,
    gone: Callable[[DeviceError], None] = ignore_loss,
    **seams: object,
) -> InputSource:
    """Create a closed input driver, which calls ``gone`` on a loss.

    Raises WrongValues.
    """
    module: Any = _driver("inputs", name)
    driver: InputDriver = module
    return driver.create(input_options(name, values), gone=gone, **seams)


def display(name: str, values: Values, **seams: object) -> Display:
    """Create a display driver, closed. Raises WrongValues."""
    driver = _driver("displays", name)
    made: Display = driver.create(read(driver.Options, values), **seams)
    return made


def lamp(name: str, values: Values, **seams: object) -> Lamp:
    """Create a lamp driver, closed. Raises WrongValues."""
    driver = _driver("outputs", name)
    made: Lamp = driver.create(read(driver.Options, values), **seams)
    return made


def buzzer(name: str, values: Values, **seams: object) -> Buzzer:
    """Create a buzzer driver, closed. Raises WrongValues."""
    driver = _driver("outputs", name)
    made: Buzzer = driver.create(read(driver.Options, values), **seams)
    return made


def colour_light(name: str, values: Values, **seams: object) -> ColourLight:
    """Create the driver of a light with colours, closed. Raises WrongValues."""
    driver = _driver("outputs", name)
    made: ColourLight = driver.create(read(driver.Options, values), **seams)
    return made


def channel_lights(name: str, values: Values, **seams: object) -> ChannelLights:
    """Create the driver of a chip that lights buttons, closed. Raises WrongValues."""
    driver = _driver("outputs", name)
    made: ChannelLights = driver.create(read(driver.Options, values), **seams)
    return made


def word_display(name: str, values: Values, **seams: object) -> WordDisplay:
    """Create the driver of a display of words, closed. Raises WrongValues."""
    driver = _driver("outputs", name)
    made: WordDisplay = driver.create(read(driver.Options, values), **seams)
    return made


def _driver(kind: Kind, name: str) -> ModuleType:
    try:
        module = _module(kind, name) if name.isidentifier() else None
    except ModuleNotFoundError as error:
        # A driver whose own import is missing is a different fault: do not hide it.
        if error.name != f"scorer.hw.{kind}.{name}":
            raise
        module = None
    if module is None or not _is_driver(module):
        raise WrongValues(
            [
                ValueProblem(
                    ("driver",),
                    f"no driver {name!r} in {kind}{suggestion(name, drivers(kind))}",
                )
            ]
        )
    return module


def _module(kind: Kind, name: str) -> ModuleType:
    return importlib.import_module(f"scorer.hw.{kind}.{name}")


def _is_driver(module: ModuleType) -> bool:
    return hasattr(module, "create") and hasattr(module, "Options")
