"""The port of a light with colours, and the limit of its current.

Used by the drivers of an RGB LED and of a strip; a table without such a light does not import it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Protocol

from scorer.plain_values import Range

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

CHANNEL_MA = 20.0  # milliamperes of one colour of a pixel at its brightest
Percent = Annotated[int, Range(1, 100, "% ")]
BUDGET_MA = 480.0  # milliamperes of all pixels: eight of them in white
MAX_PIXELS = 60


class LightOptions(Protocol):
    """Common members of ``Options`` of every light driver."""

    @property
    def brightness(self) -> int:
        """Percent of full brightness, 1 to 100."""

    @property
    def pixel_count(self) -> int:
        """The number of pixels, each with a colour of its own."""

    @property
    def pins(self) -> Mapping[str, int]:
        """The output pins of the driver's own by key (BCM numbers); none on SPI."""

    @property
    def rests_high(self) -> bool:
        """Whether a high level of its pins is dark."""


class ColourLight(Protocol):
    """Pixels in colours: one, or those of a strip."""

    @property
    def pixel_count(self) -> int:
        """The number of pixels of a frame."""

    def open(self) -> None:
        """Claim the wires, dark. Raises DeviceError."""

    def show(self, frame: Sequence[Colour]) -> None:
        """Show one colour per pixel (else ValueError). Raises DeviceError."""

    def close(self) -> None:
        """Leave it dark. Idempotent; allowed after a failed open."""


def scale_for(pixel_count: int, brightness: int) -> float:
    """The factor of every colour: ``brightness``, or what the budget allows."""
    return min(brightness / 100, BUDGET_MA / (pixel_count * 3 * CHANNEL_MA))


def max_current(options: LightOptions) -> float:
    """Milliamperes of all pixels in white."""
    factor = scale_for(options.pixel_count, options.brightness)
    return options.pixel_count * 3 * CHANNEL_MA * factor


def check_frame(frame: Sequence[Colour], pixel_count: int) -> None:
    """Raise ValueError if ``frame`` is not one colour per pixel."""
    if len(frame) != pixel_count or not all(0 <= part <= 255 for each in frame for part in each):
        raise ValueError(f"wants {pixel_count} colours of 0 to 255, not {frame}")
