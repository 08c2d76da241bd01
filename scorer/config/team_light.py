"""The section [team_light]: a driver, and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from scorer.config.pin_claims import Claim, led_claims, strip_claims
from scorer.hw import load
from scorer.hw.options import OptionsError, did_you_mean
from scorer.hw.outputs.colour_light import LightOptions, max_current

DEFAULT_DRIVER = "ws2812"
Values = Mapping[str, object]


class TeamLightConfig(NamedTuple):
    """The driver of the team light and the options that are written."""

    driver: str
    options: Values

    @property
    def claims(self) -> list[Claim]:
        """Its wires on the header; none of invalid options."""
        try:
            built = self._built
        except OptionsError:
            return []  # reported elsewhere
        if not built.pins:
            return strip_claims()
        return led_claims(built.pins, rests_high=built.rests_high)

    @property
    def text(self) -> str:
        """The driver, its pixels, and the current of all of them in white."""
        built = self._built
        return (
            f"{self.driver}: pixels = {built.pixel_count}, brightness = {built.brightness} %,"
            f" at most {max_current(built):.0f} mA"
        )

    @property
    def _built(self) -> LightOptions:
        return cast("LightOptions", load.options("outputs", self.driver, self.options))


def parse_team_light(
    values: Values, add_problem: Callable[[str, str], None]
) -> TeamLightConfig | None:
    """Parse the section; ``add_problem`` gets a sentence and its key."""
    own = {key: value for key, value in values.items() if key != "driver"}
    driver = str(values.get("driver", DEFAULT_DRIVER))
    if driver not in (drivers := load.light_drivers()):
        add_problem(f"driver: no driver '{driver}', {did_you_mean(driver, drivers)}", "driver")
        return None
    for problem in load.problems("outputs", driver, own, ("driver",)):
        add_problem(problem, problem.partition(":")[0])
    return TeamLightConfig(driver, own)
