"""A light with colours that remembers its frame."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.hw.outputs.colour_light import Colour
from scorer.hw.ports import DeviceError


class MemoryLight:
    """``frame`` is its state; ``absent`` makes it fail like a missing bus."""

    def __init__(self, pixel_count: int) -> None:
        self.pixel_count = pixel_count
        self.absent = False
        self.writes = 0
        self.frame: tuple[Colour, ...] = ((0, 0, 0),) * pixel_count
        self._is_open = False

    def open(self) -> None:
        self.close()
        if self.absent:
            raise DeviceError("the remembered light is not there")
        self._is_open = True

    def show(self, frame: Sequence[Colour]) -> None:
        if not self._is_open or self.absent:
            raise DeviceError("the remembered light is not open")
        self.writes += 1
        self.frame = tuple(frame)

    def close(self) -> None:
        self.frame = ((0, 0, 0),) * self.pixel_count
        self._is_open = False
