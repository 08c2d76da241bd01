"""The section [battery]: when a battery is marked, and the box switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from scorer.plain_values import Found, Range


class BatterySection(NamedTuple):
    """Percent at which a battery is marked (``low``) and the box switched off.

    0 is never. ``cells``: lithium cells in series before an INA219; 0 for a gauge that reports
    percent.
    """

    low: Annotated[int, Range(0, 90)] = 20
    off: Annotated[int, Range(0, 50)] = 3
    cells: Annotated[int, Range(0, 4)] = 0

    def find_problems(self) -> Iterator[Found]:
        if self.low and self.off >= self.low:
            yield "off", f"{self.off} % is not below low = {self.low}"
