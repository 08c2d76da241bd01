"""Inputs of the owner's file: each [[box]], and [consoles], the box called gpio.

Every input driver works for both and checks its own options (``hw.load``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from scorer.config.pin_map import pins_for
from scorer.hw import load
from scorer.hw.combined_input import CombinedInput
from scorer.hw.hotplug import HotplugInput
from scorer.hw.options import OptionsError
from scorer.hw.ports import DeviceError, InputOptions, InputPresence, InputSource
from scorer.session.input.keymap import buttons
from scorer.session.values.seating import CONSOLES
from scorer.session.values.settings import Layout

DEFAULT_DRIVER = "box"
# The positions of a box: these for each of its consoles, then the shared buttons.
CONSOLE_KEYS = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
SHARED_KEYS = ("undo", "menu")
_MAX_CONSOLES = 2  # consoles per box: it has sixteen positions


class BoxConfig(NamedTuple):
    """A box: its consoles ("B", "AB"), its driver and that driver's options."""

    consoles: str
    driver: str
    options: Mapping[str, object]

    @property
    def port(self) -> str:
        """The port of the box."""
        return load.resource_id("inputs", self.driver, self.values_without_buttons())

    def pins(self, layout: Layout, count: int) -> dict[str, int]:
        """Its buttons on header pins, if its driver uses pins."""
        others = "".join(console for console in CONSOLES if console not in self.consoles)
        return pins_for(layout, count, others)

    def values_without_buttons(self) -> Mapping[str, object]:
        """Options of its driver while the layout is unknown. Raises OptionsError."""
        return {**self.options, "lines": {} if load.takes_pins(self.driver) else ()}


def _driver_problems(box: BoxConfig) -> tuple[str, ...]:
    try:
        values = box.values_without_buttons()
    except OptionsError as error:
        return error.problems
    return load.problems("inputs", box.driver, values, ("console", "driver"))


AddProblem = Callable[..., None]  # a sentence, and the path of its key within the section


def parse_box(values: Mapping[str, object], add_problem: AddProblem) -> BoxConfig | None:
    """Parse one [[box]]; None if it is invalid, with every error reported."""
    own = {key: value for key, value in values.items() if key not in ("console", "driver")}
    consoles, driver = values.get("console"), values.get("driver", DEFAULT_DRIVER)
    if not _are_consoles(consoles):
        sentence = 'console: wants a letter, like "B", or those of all its consoles, like "AB"'
        add_problem(sentence, "console")
        return None
    lines = own.pop("lines", None)
    choice = BoxConfig(str(consoles), str(driver), own)
    problems = _driver_problems(choice)
    if lines is not None:
        problems = ("lines: there is no such key; console says which buttons it has", *problems)
    for problem in problems:
        key = "driver" if problem.startswith("no driver") else problem.partition(":")[0]
        add_problem(problem if key != "driver" else f"driver: {problem}", key)
    return None if problems else choice


def find_conflicts(boxes: Sequence[BoxConfig], count: int) -> Iterator[tuple[int, str, str]]:
    """Conflicts between boxes: the index of the box, the key and a sentence."""
    consoles: dict[str, int] = {}
    ports: dict[str, int] = {}
    for at, box in enumerate(boxes):
        for console in box.consoles:
            if console in consoles:
                other = consoles[console] + 1
                yield (
                    at,
                    "console",
                    f"box {other} is console {console} already; one must go",
                )
            elif console not in CONSOLES[:count]:
                yield at, "console", f"no console {console} here; write [consoles] count = 3"
            consoles.setdefault(console, at)
        if box.port in ports:
            yield at, "port", f"box {ports[box.port] + 1} is on {box.port} already"
        ports.setdefault(box.port, at)


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
        if _options(box, layout, count).repeats_held_buttons
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


def open_box(box: BoxConfig, layout: Layout, count: int) -> InputSource:
    """Open a box for the doctor. Raises DeviceError."""
    source = _create(box, layout, count, lambda error: None)
    source.open(lambda edge: None)
    return source


def _create(
    box: BoxConfig, layout: Layout, count: int, on_lost: Callable[[DeviceError], None]
) -> InputSource:
    return load.input_source(box.driver, _driver_values(box, layout, count), gone=on_lost)


def _options(box: BoxConfig, layout: Layout, count: int) -> InputOptions:
    return load.input_options(box.driver, _driver_values(box, layout, count))


def _are_consoles(value: object) -> bool:
    if not isinstance(value, str) or not value:
        return False
    return len(set(value)) == len(value) <= _MAX_CONSOLES and set(value) <= set(CONSOLES)
