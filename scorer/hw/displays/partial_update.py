"""luma devices that send only changed bytes, for each offered controller.

Each keeps a copy of the chip's RAM. A failed message invalidates the copy, and the next picture is
sent whole. The luma classes are passed in, so this module does not import luma.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from scorer.hw.displays.buses import is_refused
from scorer.hw.displays.ram_changes import Window, changed_runs, stack_windows

if TYPE_CHECKING:
    from PIL.Image import Image

# On I2C every message begins with an address byte and a control byte; a window needs one message of
# commands and one of pixels.
_MESSAGES = 2 * 2
_COLUMNS, _PAGES = 0x21, 0x22  # SSD1306: window of columns, of pages
_PAGE, _LOW, _HIGH = 0xB0, 0x00, 0x10  # SH1106: page, halves of the column


def to_pages(image: Image) -> bytes:
    """The bytes of a picture in chip layout: page by page, the lowest bit on top."""
    from PIL.Image import Transpose

    # A row of the rotated picture is a column from the bottom up, which Pillow packs like the chip.
    columns = image.transpose(Transpose.ROTATE_270).tobytes()
    pages = image.height // 8
    return b"".join([columns[page::pages] for page in reversed(range(pages))])


class PartialUpdate:
    """Mixin for a luma device class that replaces its ``display``."""

    overhead: ClassVar[int]  # bytes on an I2C wire per window besides its pixels
    first_column: ClassVar[int] = 0  # columns of RAM before the glass begins, without windows

    # Attributes of luma's class.
    _w: int
    _h: int
    command: Callable[..., None]
    data: Callable[[Sequence[int]], None]
    preprocess: Callable[[Image], Image]

    _held: bytes | None = None  # RAM behind the glass; None: unknown

    def restore(self, settings: Sequence[int]) -> None:
        """Send the settings and the whole RAM again, without a visible change."""
        held, self._held = self._held, None
        self.command(*settings)
        if held is not None:
            for window in self._windows(None, held):
                self._send(window, held)
            self._held = held

    def display(self, image: Image) -> None:
        """Update the RAM to this picture (mode "1", of the device's size)."""
        wanted, held = to_pages(self.preprocess(image)), self._held
        # An exception from here on leaves the RAM in an unknown state.
        self._held = None
        for window in self._windows(held, wanted):
            self._send(window, wanted)
        self._held = wanted

    def _windows(self, held: bytes | None, wanted: bytes) -> Iterable[Window]:
        raise NotImplementedError

    def _select_window(self, window: Window) -> None:
        """Set the position of the next pixels."""
        raise NotImplementedError

    def _send(self, window: Window, wanted: bytes) -> None:
        # Sent for each window: otherwise one lost byte would shift everything after it.
        self._select_window(window)
        pixels = window.extract(wanted, self._w)
        try:
            self.data(pixels)
        except OSError as error:
            if not is_refused(error):
                raise
            # The chip may have taken a part, and moved its position.
            self._select_window(window)
            self.data(pixels)


class Windowed(PartialUpdate):
    """SSD1306 and its relatives: the pixels of a window wrap within it."""

    overhead = _MESSAGES + 6

    _colstart: int  # luma's: the first visible column

    def _windows(self, held: bytes | None, wanted: bytes) -> list[Window]:
        whole = Window(0, self._h // 8, 0, self._w)
        if held is None:
            return [whole]
        windows = stack_windows(changed_runs(held, wanted, self._w, self.overhead), self.overhead)
        cost = sum(window.area + self.overhead for window in windows)
        return windows if cost < whole.area + self.overhead else [whole]

    def _select_window(self, window: Window) -> None:
        columns = (self._colstart + window.left, self._colstart + window.right - 1)
        self.command(_COLUMNS, *columns, _PAGES, window.top, window.bottom - 1)


class Paged(PartialUpdate):
    """SH1106 and SH1107: pages and start columns only; they stay in a page."""

    overhead = _MESSAGES + 3

    def _windows(self, held: bytes | None, wanted: bytes) -> list[Window]:
        if held is None:
            return [Window(page, page + 1, 0, self._w) for page in range(self._h // 8)]
        return changed_runs(held, wanted, self._w, self.overhead)

    def _select_window(self, window: Window) -> None:
        column = self.first_column + window.left
        self.command(_PAGE | window.top, _LOW | column & 0x0F, _HIGH | column >> 4)


@functools.cache
def with_partial_update(chip: type, *, has_windows: bool, first_column: int = 0) -> type:
    """luma's class ``chip``, with partial updates.

    ``has_windows``: the controller has windows of RAM, and luma knows their first column.
    """
    kind = Windowed if has_windows else Paged
    return type(chip.__name__, (kind, chip), {"first_column": first_column})
