"""The sections [[button_lights]]: chips that light the buttons of consoles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple, cast

from scorer.config.input_boxes import CONSOLE_KEYS, SHARED_KEYS, are_consoles, order_buttons
from scorer.hw import load
from scorer.hw.outputs.channel_lights import ChannelOptions
from scorer.hw.outputs.colour_light import Percent
from scorer.hw.ports import Wire
from scorer.plain_values import REST, Found, Key, suggestion
from scorer.session.values.settings import NOTHING, Layout

DEFAULT_DRIVER = "pca9685"
_OWN_KEYS = ("console", "driver", "lit", "dimmed")


class ButtonLightsConfig(NamedTuple):
    """A chip: its consoles, its driver and that driver's options.

    ``lit`` and ``dimmed``: percent, while the panels are lit, and while they are dim and in the
    quiet hours.
    """

    consoles: Annotated[str, Key("console")] = "AB"
    driver: str = DEFAULT_DRIVER
    lit: Percent = 100
    dimmed: Percent = 15
    options: Annotated[Mapping[str, object], REST] = NOTHING

    def find_problems(self) -> Iterator[Found]:
        if not are_consoles(self.consoles):
            yield "console", 'wants a letter, like "B", or those of all its consoles, like "AB"'
            return
        if self.dimmed > self.lit:
            yield "dimmed", f"{self.dimmed} % is brighter than lit = {self.lit}"
        known = load.output_drivers("channel_count")
        if self.driver not in known:
            yield "driver", f"no driver '{self.driver}'{suggestion(self.driver, known)}"
            return
        problems = load.problems("outputs", self.driver, self.options, _OWN_KEYS)
        yield from problems
        needed = len(self.consoles) * len(CONSOLE_KEYS) + len(SHARED_KEYS)
        if not problems and self.built.channel_count < needed:
            yield (
                "console",
                f"{needed} lights for {self.consoles}, but {self.driver} has only"
                f" {self.built.channel_count}",
            )

    @property
    def built(self) -> ChannelOptions:
        """The options of its driver. Raises WrongValues."""
        return cast("ChannelOptions", load.options("outputs", self.driver, self.options))

    @property
    def wires(self) -> Sequence[Wire]:
        """Its wires on the header."""
        return self.built.wires

    @property
    def place(self) -> str:
        """The bus and the address, or the pin, as the doctor and the log name it."""
        return self.built.resource_id

    def buttons(self, layout: Layout, count: int) -> tuple[str, ...]:
        """The button of each channel, in the order of a [[box]]; "" where there is none."""
        return order_buttons(self.consoles, layout, count)

    @property
    def summary(self) -> str:
        """The consoles, the chip, and its brightness."""
        return (
            f"console {self.consoles}: {self.driver} on {self.place},"
            f" lit = {self.lit} %, dimmed = {self.dimmed} %"
        )
