"""A strip of WS2812 pixels on the data wire of SPI 0.

Each bit of a colour is four bits on the wire at 3.3 MHz: 1000 is a pulse of 0.30 µs, a zero, and
1110 one of 0.91 µs, a one. Both are within the data sheets of WS2812B and WS2812B-V5, also at the
lower rate to which a Pi rounds. The strip has no clock, no chip select and no answer: whether it
is there cannot be detected.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, cast

from scorer.hw.displays.buses import SpiDevice, config_txt_line
from scorer.hw.outputs.colour_light import (
    MAX_PIXELS,
    Colour,
    Percent,
    check_frame,
    scale_for,
)
from scorer.hw.ports import DeviceError
from scorer.plain_values import Range

HERTZ = 3_300_000
_PAIRS = (b"\x88", b"\x8e", b"\xe8", b"\xee")  # of two bits of a colour
# 310 µs low: the pixels take over their colours after 280. Sent before the colours too, because
# the wire may rest high between two transfers; the edge is then a bit that the pause discards. The
# two together exceed 96 bytes, from which the Pi uses DMA and leaves no gaps between bytes.
_PAUSE = bytes(128)
_ORDERS = {"grb": (1, 0, 2), "rgb": (0, 1, 2)}


class Options(NamedTuple):
    """The number of pixels, the order of their colours, and percent."""

    pixels: Annotated[int, Range(1, MAX_PIXELS)] = 8
    brightness: Percent = 30
    order: Literal["grb", "rgb"] = "grb"

    @property
    def pixel_count(self) -> int:
        return self.pixels

    @property
    def pins(self) -> Mapping[str, int]:
        return MappingProxyType({})

    @property
    def rests_high(self) -> bool:
        return False


def create(options: Options, *, spi: Callable[[], SpiDevice] | None = None) -> Strip:
    """Create a closed driver; ``spi`` replaces ``spidev.SpiDev``."""
    return Strip(options, spi or _spidev)


class Strip:
    """A ColourLight of WS2812 pixels. A write lasts 2.5 ms at most."""

    def __init__(self, options: Options, spi: Callable[[], SpiDevice]) -> None:
        self._spi, self._device = spi, cast("SpiDevice | None", None)
        self.pixel_count = options.pixels
        self._scale = scale_for(options.pixels, options.brightness)
        self._order = _ORDERS[options.order]

    def open(self) -> None:
        self.close()
        try:
            self._device = self._spi()
            self._device.open(0, 0)
            self._device.max_speed_hz = HERTZ
        except (OSError, ImportError) as error:
            self._release()
            raise DeviceError(_advice(error)) from error
        self.show([(0, 0, 0)] * self.pixel_count)

    def show(self, frame: Sequence[Colour]) -> None:
        check_frame(frame, self.pixel_count)
        if self._device is None:
            raise DeviceError("the strip on SPI 0.0 is not open")
        try:
            parts = (int(colour[at] * self._scale) for colour in frame for at in self._order)
            codes = (_PAIRS[part >> shift & 3] for part in parts for shift in (6, 4, 2, 0))
            self._device.writebytes(b"".join((_PAUSE, *codes, _PAUSE)))
        except OSError as error:
            raise DeviceError(_advice(error)) from error

    def close(self) -> None:
        with contextlib.suppress(DeviceError):
            self.show([(0, 0, 0)] * self.pixel_count)
        self._release()

    def _release(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(OSError):
                device.close()


def _spidev() -> SpiDevice:
    from spidev import SpiDev

    return cast("SpiDevice", SpiDev())


def _advice(error: Exception) -> str:
    """A sentence that tells the owner what to check."""
    if isinstance(error, ImportError):
        return f"the library of the strip is missing: {error}; install python3-spidev"
    match getattr(error, "errno", None):
        case errno.ENOENT:
            return f"SPI 0.0 is not there: {config_txt_line('spi', 0)} belongs in config.txt"
        case errno.EACCES | errno.EPERM:
            return "SPI 0.0 is forbidden: the user must be in the group spi"
        case _:
            return f"the strip on SPI 0.0 failed: {error}"
