"""The section [word_display]: its driver, and that driver's options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple, cast

from scorer.hw import load
from scorer.hw.outputs.word_display import WordDisplayOptions
from scorer.hw.ports import Wire
from scorer.plain_values import REST, Found, suggestion
from scorer.session.values.settings import NOTHING

DEFAULT_DRIVER = "hd44780"


class WordDisplayConfig(NamedTuple):
    """The driver of the display and the options that are written."""

    driver: str = DEFAULT_DRIVER
    options: Annotated[Mapping[str, object], REST] = NOTHING

    def find_problems(self) -> Iterator[Found]:
        if self.driver not in (known := load.output_drivers("columns")):
            yield "driver", f"no driver '{self.driver}'{suggestion(self.driver, known)}"
        else:
            yield from load.problems("outputs", self.driver, self.options, ("driver",))

    @property
    def built(self) -> WordDisplayOptions:
        """The options of its driver. Raises WrongValues."""
        return cast("WordDisplayOptions", load.options("outputs", self.driver, self.options))

    @property
    def wires(self) -> Sequence[Wire]:
        """Its wires on the header."""
        return self.built.wires

    @property
    def place(self) -> str:
        """The bus and the address, as the doctor and the log name it."""
        return self.built.resource_id

    @property
    def summary(self) -> str:
        """The driver, the place and the length of a line."""
        return f"{self.driver} on {self.place}, columns = {self.built.columns}"
