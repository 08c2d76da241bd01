"""Inputs of the owner's file: each [[box]], and [consoles], the box called gpio.

Every input driver works for both and checks its own options (``hw.load``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, NamedTuple

from scorer.config.pin_map import pins_for
from scorer.hw import load
from scorer.hw.combined_input import CombinedInput
from scorer.hw.hotplug import HotplugInput
from scorer.hw.ports import DeviceError, Edge, InputPresence, InputSource
from scorer.plain_values import REST, Found, Key, WrongValues
from scorer.session.input.keymap import buttons
from scorer.session.values.seating import CONSOLES
from scorer.session.values.settings import NOTHING, Layout

DEFAULT_DRIVER = "box"
# The positions of a box: these for each of its consoles, then the shared buttons.
CONSOLE_KEYS = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
SHARED_KEYS = ("undo", "menu")
_MAX_CONSOLES = 2  # consoles per box: it has sixteen positions


class BoxConfig(NamedTuple):
    """A box: its consoles ("B", "AB"), its driver and that driver's options."""

    consoles: Annotated[str, Key("console")] = ""
    driver: str = DEFAULT_DRIVER
    options: Annotated[Mapping[str, object], REST] = NOTHING

    def find_problems(self) -> Iterator[Found]:
        if not are_consoles(self.consoles):
            yield (
                "console",
                'wants a letter, like "B", or those of all its consoles, like "AB"',
            )
            return
        if "lines" in self.options:
            yield "lines", "there is no such key; console says which buttons it has"
        try:
            values = self.values_without_buttons()
        except WrongValues as error:
            yield from error.problems
        else:
            yield from load.problems("inputs", self.driver, values, ("console", "driver"))

    @property
    def port(self) -> str:
        """The port of the box."""
        return load.resource_id("inputs", self.driver, self.values_without_buttons())

    @property
    def summary(self) -> str:
        """The consoles, and where the box is plugged."""
        return f"console {self.consoles}: {self.driver} on {self.port}"

    def pins(self, layout: Layout, count: int) -> dict[str, int]:
        """Its buttons on header pins, if its driver uses pins."""
        others = "".join(console for console in CONSOLES if console not in self.consoles)
        return pins_for(layout, count, others)

    def values_without_buttons(self) -> Mapping[str, object]:
        """Options of its driver while the layout is unknown. Raises WrongValues."""
        return {**self.options, "lines": {} if load.takes_pins(self.driver) else ()}


def button_lines(box: BoxConfig, layout: Layout, count: int) -> tuple[str, ...]:
    """The names of a box's buttons by position; "" if the layout has none."""
    return order_buttons(box.consoles, layout, count)


def order_buttons(consoles: str, layout: Layout, count: int) -> tuple[str, ...]:
    """The buttons of these consoles, then the shared ones; "" if the layout has none."""
    there = buttons(layout, count)
    places = [f"{console}.{key}" for console in consoles for key in CONSOLE_KEYS]
    return tuple(name if name in there else "" for name in (*places, *SHARED_KEYS))


def _driver_values(box: BoxConfig, layout: Layout, count: int) -> Mapping[str, object]:
    pins = load.takes_pins(box.driver)
    lines = box.pins(layout, count) if pins else button_lines(box, layout, count)
    return {**box.options, "lines": lines}


def buttons_without_levels(
    boxes: Sequence[BoxConfig], layout: Layout, count: int
) -> frozenset[str]:
    """Buttons without readable levels: a hold waits for the repeated edge."""
    return frozenset(
        line
        for box in boxes
        if load.input_options(box.driver, _driver_values(box, layout, count)).repeats_held_buttons
        for line in button_lines(box, layout, count)
    )


def build_inputs(
    boxes: Sequence[BoxConfig],
    pins: InputSource | None,
    layout: Layout,
    count: int,
    on_presence: Callable[[InputPresence], None],
) -> CombinedInput:
    """Pins and boxes as one closed input; reports presence changes."""
    plugged = [
        HotplugInput(
            box.consoles, button_lines(box, layout, count), partial(_create, box, layout, count)
        )
        for box in boxes
    ]
    return CombinedInput(pins, plugged, on_presence)


def open_box(
    box: BoxConfig, layout: Layout, count: int, emit: Callable[[Edge], None]
) -> InputSource:
    """Open a box for the doctor. Raises DeviceError."""
    source = _create(box, layout, count, lambda error: None)
    source.open(emit)
    return source


def _create(
    box: BoxConfig, layout: Layout, count: int, on_lost: Callable[[DeviceError], None]
) -> InputSource:
    return load.input_source(box.driver, _driver_values(box, layout, count), gone=on_lost)


def are_consoles(letters: str) -> bool:
    """Whether these are the letters of one console, or of two that share a device."""
    return 0 < len(set(letters)) == len(letters) <= _MAX_CONSOLES and set(letters) <= set(CONSOLES)
