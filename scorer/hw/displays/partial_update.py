"""luma's devices for the SSD1306, SSD1309 and SH1106, made to send only what changed.

Each keeps a copy of what the chip's RAM holds. The copy is trusted only while every message got
through; else it is forgotten, and the next picture is sent whole. The library is not named here:
who has imported it hands over its class. What a picture shows is never known.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from scorer.hw.displays.ram_changes import Window, changed_runs, stack_windows

if TYPE_CHECKING:
    from PIL.Image import Image

# On I2C every message begins with the chip's address and a control byte; a window takes one message
# of commands and one of pixels.
_MESSAGES = 2 * 2
_COLUMNS, _PAGES = 0x21, 0x22  # SSD1306: window of columns, of pages
_PAGE, _LOW, _HIGH = 0xB0, 0x00, 0x10  # SH1106: page, halves of the column


def to_pages(image: Image) -> bytes:
    """The bytes of a picture as the chips hold them: page by page, the lowest bit on top."""
    from PIL.Image import Transpose

    # A row of the turned picture is a column from the bottom up: Pillow packs it as the chip does.
    columns = image.transpose(Transpose.ROTATE_270).tobytes()
    pages = image.height // 8
    return b"".join([columns[page::pages] for page in reversed(range(pages))])


class PartialUpdate:
    """What is put in front of a luma device class: its ``display`` in place of luma's."""

    overhead: ClassVar[int]  # bytes on an I2C wire that a window costs besides its own

    # What luma's class has.
    _w: int
    _h: int
    command: Callable[..., None]
    data: Callable[[Sequence[int]], None]
    preprocess: Callable[[Image], Image]

    _held: bytes | None = None  # the RAM behind the glass; None: not known

    def display(self, image: Image) -> None:
        """Bring the RAM behind the glass to this picture (mode "1", of the device's size)."""
        wanted, held = to_pages(self.preprocess(image)), self._held
        # Whatever goes wrong from here on leaves the RAM in a state that nobody knows.
        self._held = None
        for window in self._windows(held, wanted):
            self._send(window, wanted)
        self._held = wanted

    def _windows(self, held: bytes | None, wanted: bytes) -> Iterable[Window]:
        raise NotImplementedError

    def _select_window(self, window: Window) -> None:
        """Say where the next pixels belong."""
        raise NotImplementedError

    def _send(self, window: Window, wanted: bytes) -> None:
        # Said anew for each window: one lost byte would shift everything after it for good.
        self._select_window(window)
        self.data(window.extract(wanted, self._w))


class Windowed(PartialUpdate):
    """SSD1306 and SSD1309: the pixels of a window follow each other by themselves."""

    overhead = _MESSAGES + 6

    _colstart: int  # luma's: the first column that has a glass

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
    """SH1106: it knows a page and a column to start from, and never goes on to the next page."""

    overhead = _MESSAGES + 3

    # luma's: columns of RAM before the glass begins. Older ones have no name for it.
    _page_address_offset: int = 2

    def _windows(self, held: bytes | None, wanted: bytes) -> list[Window]:
        if held is None:
            return [Window(page, page + 1, 0, self._w) for page in range(self._h // 8)]
        return changed_runs(held, wanted, self._w, self.overhead)

    def _select_window(self, window: Window) -> None:
        column = self._page_address_offset + window.left
        self.command(_PAGE | window.top, _LOW | column & 0x0F, _HIGH | column >> 4)


_ADDRESSING: dict[str, type[PartialUpdate]] = {
    "ssd1306": Windowed,
    "ssd1309": Windowed,
    "sh1106": Paged,
}


@functools.cache
def with_partial_update(name: str, chip: type) -> type:
    """luma's class for the controller ``name``, made to send what changed where we know how."""
    kind = _ADDRESSING.get(name)
    return chip if kind is None else type(name, (kind, chip), {})
