"""The section [team_light]: a driver, and its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple, cast

from scorer.config.pin_claims import Claim, led_claims, strip_claims
from scorer.hw import load
from scorer.hw.outputs.colour_light import LightOptions, max_current
from scorer.plain_values import REST, Found, suggestion
from scorer.session.values.settings import NOTHING

DEFAULT_DRIVER = "ws2812"


class TeamLightConfig(NamedTuple):
    """The driver of the team light and the options that are written."""

    driver: str = DEFAULT_DRIVER
    options: Annotated[Mapping[str, object], REST] = NOTHING

    def find_problems(self) -> Iterator[Found]:
        if self.driver not in (drivers := load.output_drivers("pixel_count")):
            yield "driver", f"no driver '{self.driver}'{suggestion(self.driver, drivers)}"
        else:
            yield from load.problems("outputs", self.driver, self.options, ("driver",))

    @property
    def claims(self) -> list[Claim]:
        """Its wires on the header."""
        built = self._built
        if not built.pins:
            return strip_claims()
        return led_claims(built.pins, rests_high=built.rests_high)

    @property
    def summary(self) -> str:
        """The driver, its pixels, and the current of all of them in white."""
        built = self._built
        return (
            f"{self.driver}: pixels = {built.pixel_count}, brightness = {built.brightness} %,"
            f" at most {max_current(built):.0f} mA"
        )

    @property
    def _built(self) -> LightOptions:
        return cast("LightOptions", load.options("outputs", self.driver, self.options))
