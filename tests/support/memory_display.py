"""A display that records its pictures, with injectable faults.

The fake of all display drivers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from scorer.hw.displays.fake_bus import Fault
from scorer.hw.ports import DeviceError

if TYPE_CHECKING:
    from PIL.Image import Image


class Options(NamedTuple):
    """``size``: width and height in pixels; ``mode``: "1" for one bit, or "RGB"."""

    size: tuple[int, int] = (128, 64)
    mode: Literal["1", "RGB"] = "1"


class MemoryDisplay:
    """A Display: all pictures are in ``images``, the visible one in ``picture()``."""

    def __init__(self, options: Options) -> None:
        self.images: list[Image] = []
        self.level: int | None = None
        self._size, self._mode = options.size, options.mode
        self._is_open = False
        self._initialised = False
        self._dark = False
        self._shown: Image | None = None
        self._fault: Fault | None = None

    @property
    def mode(self) -> str:
        return self._mode

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def set_fault(self, fault: Fault | None) -> None:
        """Inject a fault, or None. An absent panel loses its picture and needs ``open()``."""
        self._fault = fault
        if fault is Fault.ABSENT:
            self._initialised = False

    def picture(self) -> Image:
        """The visible picture; black when dark, closed or unplugged."""
        if self._shown is None or self._dark or not self._initialised:
            from PIL import Image

            return Image.new(self._mode, self._size)
        return self._shown.copy()

    def open(self) -> None:
        self.close()
        self._raise_fault()
        self._is_open, self._dark, self._shown = True, False, None
        self._initialised = self._fault is None

    def show(self, image: Image) -> None:
        if image.mode != self._mode or image.size != self._size:
            wanted = f"mode {self._mode}, {self._size}"
            raise ValueError(f"wants {wanted}; got {image.mode}, {image.size}")
        self._require_open()
        self.images.append(image.copy())
        if self._fault is None:
            self._shown = image.copy()

    def contrast(self, level: int) -> None:
        if not 0 <= level <= 255:
            raise ValueError(f"contrast {level}: 0 to 255")
        self.level = level
        self._require_open()

    def dark(self, dark: bool) -> None:
        self._require_open()
        if self._dark and not dark:
            self.refresh()
        self._dark = dark

    def has_memory(self) -> bool:
        self._require_open()
        return self._initialised

    def refresh(self) -> None:
        self._require_open()
        self._initialised = self._initialised or self._fault is None

    def close(self) -> None:
        self._is_open = self._initialised = False

    def _require_open(self) -> None:
        if not self._is_open:
            raise DeviceError("the remembered panel is not open")
        self._raise_fault()

    def _raise_fault(self) -> None:
        # SWALLOW fails silently.
        if self._fault not in (None, Fault.SWALLOW):
            raise DeviceError(f"the remembered panel fails: {self._fault.value}")
