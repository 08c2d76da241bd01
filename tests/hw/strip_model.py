"""A strip of WS2812 pixels: what it shows after bytes on an SPI wire.

The bytes become levels and their durations; pulses become bits within the limits of the data
sheets; each pixel keeps the first 24 bits after a pause and passes on the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from scorer.hw.outputs.colour_light import Colour

# Microseconds that WS2812B and WS2812B-V5 accept in common.
ZERO_HIGH = (0.25, 0.38)
ONE_HIGH = (0.65, 0.95)
LOW_BETWEEN = (0.30, 5.0)
RESET_LOW = 280.0
REST_US = 1000.0  # of the wire, between two transfers


class StripModel:
    """``pixels``: the colours shown. Raises ValueError for a pulse outside the limits."""

    def __init__(self, count: int, hertz: float, *, rests_high: bool = False) -> None:
        self.pixels: list[Colour] = [(0, 0, 0)] * count
        self._us_per_bit = 1e6 / hertz
        self._rests_high = rests_high
        self._bits: list[int] = []

    def transfer(self, data: bytes) -> None:
        """Receive one transfer, after and before a rest of the wire."""
        rest = (self._rests_high, REST_US)
        wire = [rest, *self._levels(data), rest]
        runs = groupby(wire, lambda each: each[0])
        for is_high, parts in runs:
            self._run(is_high, sum(lasts for _, lasts in parts))

    def _levels(self, data: bytes) -> Iterator[tuple[bool, float]]:
        for byte in data:
            for shift in range(7, -1, -1):
                yield bool(byte >> shift & 1), self._us_per_bit

    def _run(self, is_high: bool, lasts: float) -> None:
        if not is_high:
            if lasts >= RESET_LOW:
                self._latch()
            elif not LOW_BETWEEN[0] <= lasts <= LOW_BETWEEN[1]:
                raise ValueError(f"low for {lasts:.2f} µs is neither a pause nor a reset")
        elif ZERO_HIGH[0] <= lasts <= ZERO_HIGH[1]:
            self._bits.append(0)
        elif ONE_HIGH[0] <= lasts <= ONE_HIGH[1] or lasts >= REST_US:
            self._bits.append(1)
        else:
            raise ValueError(f"high for {lasts:.2f} µs is neither a zero nor a one")

    def _latch(self) -> None:
        bits, self._bits = self._bits, []
        for at in range(min(len(self.pixels), len(bits) // 24)):
            green, red, blue = (
                int("".join(map(str, bits[24 * at + 8 * part : 24 * at + 8 * part + 8])), 2)
                for part in range(3)
            )
            self.pixels[at] = (red, green, blue)
