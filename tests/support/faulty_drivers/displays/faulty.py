"""A panel that is lost while a file with its name exists in $FAULTS."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.hw.ports import DeviceError

if TYPE_CHECKING:
    from PIL.Image import Image


class Options(NamedTuple):
    """``name``: of the file."""

    name: str = "panel"
    size: tuple[int, int] = (128, 64)


def create(options: Options, **seams: object) -> FaultyDisplay:
    return FaultyDisplay(options)


class FaultyDisplay:
    def __init__(self, options: Options) -> None:
        self._file = Path(os.environ["FAULTS"]) / options.name
        self.mode, self.size = "1", options.size

    def open(self) -> None:
        self._work()

    def show(self, image: Image) -> None:
        self._work()

    def contrast(self, level: int) -> None:
        self._work()

    def dark(self, dark: bool) -> None:
        self._work()

    def has_memory(self) -> bool:
        self._work()
        return True

    def refresh(self) -> None:
        self._work()

    def close(self) -> None:
        """No-op."""

    def _work(self) -> None:
        if self._file.exists():
            raise DeviceError(f"{self._file.name} is unplugged: look at its wires")
