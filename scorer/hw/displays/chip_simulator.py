"""Models of the offered controllers: messages in, the visible picture out.

Messages have the bus format, each beginning with its control byte. Facts are from the data sheets;
like the chips, the models ignore unknown commands, but record them in ``unknown``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.hw.displays.fake_bus import POWER_LOST

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


@dataclass(frozen=True, slots=True)
class Chip:
    """The differences between the controllers."""

    columns: int  # of RAM
    has_windows: bool  # commands 20, 21 and 22: addressing modes and windows
    has_charge_pump: bool  # dark until its charge pump is on
    argument_counts: dict[int, int]  # bytes that follow a command
    pages: int = 8
    is_wired_reversed: bool = True  # mirrored and scanned downward, its picture is upright


_COMMON = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_WINDOWS = {0x20: 1, 0x21: 2, 0x22: 2}
_SCROLL = {0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x2E: 0, 0x2F: 0, 0xA3: 2}

_SSD1306 = Chip(128, True, True, {**_COMMON, **_WINDOWS, **_SCROLL, 0x8D: 1})
CHIPS = {
    "ssd1306": _SSD1306,
    "ssd1309": Chip(128, True, False, {**_COMMON, **_WINDOWS, **_SCROLL, 0xFD: 1}),
    "ssd1315": _SSD1306,
    "sh1106": Chip(132, False, False, {**_COMMON, 0xAD: 1}),
    # It has no command DA, which luma sends; the argument counts as one.
    "sh1107": Chip(128, False, False, {**_COMMON, 0xAD: 1, 0xDC: 1}, 16, is_wired_reversed=False),
}
_WIRED_OFFSETS = {("sh1107", (64, 128)): 0x60}
"""The display offset (D3) with which row 0 of the memory is on top of the glass, if not 0."""


class SimulatedChip:
    """One chip and its glass. ``size`` is the size of the glass, before rotation.

    ``first_column``: of the memory behind the glass, by default the usual one.
    """

    def __init__(
        self,
        controller: str,
        size: tuple[int, int] = (128, 64),
        first_column: int | None = None,
    ) -> None:
        self._chip = CHIPS[controller]
        self._size = size
        # An SH1106 has two extra columns on each side; the glass of an SSD1306 of 64 columns is in
        # the middle.
        self._left = (self._chip.columns - 128) // 2
        if first_column is not None:
            self._left = first_column
        elif size[0] == 64 and self._chip.has_windows:
            self._left = 32
        self._wired_offset = _WIRED_OFFSETS.get((controller, size))
        self._lose_power()

    def _lose_power(self) -> None:
        """Power-on reset with lost memory: off, and black when switched on."""
        self.ram = [bytearray(self._chip.columns) for _ in range(self._chip.pages)]
        self.unknown: list[int] = []
        self.is_on = False
        self.contrast = 0x7F
        self._pump_on = False
        self._inverse = self._all_on = False
        self._mirrored = self._scans_down = False
        self._start_line = self._offset = 0
        self._mode = 2  # page addressing
        self._window = [0, self._chip.columns - 1, 0, self._chip.pages - 1]
        self._column = self._page = 0
        self._command: list[int] = []

    def feed(self, *messages: bytes) -> None:
        """Process messages in order; an empty one means that the chip lost power."""
        for message in messages:
            if message == POWER_LOST:
                self._lose_power()
            else:
                # A control byte with 0x80 applies to one byte, and another follows.
                rest = memoryview(message)
                while rest:
                    control, more = rest[0], bool(rest[0] & 0x80)
                    part, rest = (rest[1:2], rest[2:]) if more else (rest[1:], rest[:0])
                    (self._feed_pixels if control & 0x40 else self._feed_commands)(part)

    def picture(self, rotate: int = 0) -> Picture:
        """The visible picture, mode "1", of a panel mounted ``rotate`` quarter turns."""
        from PIL import Image

        glass = Image.new("1", self._size)
        if self.is_on and (self._pump_on or not self._chip.has_charge_pump):
            glass = self._draw_glass(glass)
        return glass.rotate(90 * rotate, expand=True)

    def _draw_glass(self, glass: Picture) -> Picture:
        from PIL import Image, ImageChops, ImageOps

        width, height = self._size
        if self._all_on:
            return Image.new("1", self._size, 1)
        scrolled = self._start_line
        if self._wired_offset is not None:
            scrolled += self._offset - self._wired_offset
        whole = ImageChops.offset(self._ram_image(), 0, -scrolled)
        glass.paste(whole.crop((self._left, 0, self._left + width, height)))
        is_upright = self._chip.is_wired_reversed
        glass = glass if self._mirrored == is_upright else ImageOps.mirror(glass)
        glass = glass if self._scans_down == is_upright else ImageOps.flip(glass)
        return ImageChops.invert(glass) if self._inverse else glass

    def _ram_image(self) -> Picture:
        """The whole RAM, columns by rows."""
        from PIL import Image

        whole = Image.new("1", (self._chip.columns, 8 * self._chip.pages))
        for page, columns in enumerate(self.ram):
            # A byte is a column of eight pixels, lowest bit on top. Pillow reads it as a row,
            # highest bit first: a quarter turn puts it upright.
            rows = Image.frombytes("1", (8, len(columns)), bytes(columns))
            whole.paste(rows.transpose(Image.Transpose.ROTATE_90), (0, 8 * page))
        return whole

    def _feed_commands(self, values: Iterable[int]) -> None:
        for value in values:
            self._command.append(value)
            if len(self._command) > self._chip.argument_counts.get(self._command[0], 0):
                first, *arguments = self._command
                self._command = []
                self._execute(first, arguments)

    def _execute(self, command: int, arguments: list[int]) -> None:
        match command:
            case 0xD3:
                self._offset = arguments[0]
            case 0xDC:
                self._start_line = arguments[0]
            case 0x20 if self._chip.has_windows:
                self._mode = arguments[0] & 3
            case 0x21 if self._chip.has_windows:
                self._window[:2] = (value & 0x7F for value in arguments)
                self._column = self._window[0]
            case 0x22 if self._chip.has_windows:
                self._window[2:] = (value & 7 for value in arguments)
                self._page = self._window[2]
            case 0x81:
                self.contrast = arguments[0]
            case 0x8D if self._chip.has_charge_pump:
                self._pump_on = bool(arguments[0] & 4)
            case 0xA0 | 0xA1:
                self._mirrored = command == 0xA1
            case 0xA4 | 0xA5:
                self._all_on = command == 0xA5
            case 0xA6 | 0xA7:
                self._inverse = command == 0xA7
            case 0xAE | 0xAF:
                self.is_on = command == 0xAF
            case _ if command >> 4 == 0xC:
                self._scans_down = bool(command & 8)
            case _ if 0x40 <= command <= 0x7F and 0xDC not in self._chip.argument_counts:
                self._start_line = command & 0x3F
            case 0x20 if self._chip.pages == 16:
                pass  # page addressing, which the model has only
            case _ if command < 0x20 or (command >> 4 == 0xB and command & 0xF < self._chip.pages):
                self._set_pointer(command)
            case _ if command not in self._chip.argument_counts and command != 0xE3:
                self.unknown.append(command)

    def _set_pointer(self, command: int) -> None:
        """Set the pointers of page addressing: the page, and the column in two halves."""
        if command >= 0xB0:
            self._page = command & 0xF
        elif command >= 0x10:
            self._column = (self._column & 0x0F) | (command & 0x0F) << 4
        else:
            self._column = (self._column & 0xF0) | command

    def _feed_pixels(self, values: memoryview) -> None:
        while values:
            count = min(self._columns_ahead(), len(values))
            if count > 0:
                # At once: a picture has a thousand bytes.
                self.ram[self._page][self._column : self._column + count] = values[:count]
                self._column += count
            else:
                count = 1
                if self._column < self._chip.columns:
                    self.ram[self._page][self._column] = values[0]
                self._advance()
            values = values[count:]

    def _columns_ahead(self) -> int:
        """Columns before the last one of a row; 0 or less if the page changes."""
        if self._mode == 1:
            return 0
        last = self._window[1] if self._mode == 0 else self._chip.columns - 1
        return last - self._column

    def _advance(self) -> None:
        first, last, top, bottom = self._window
        match self._mode:
            case 0:
                self._column, over = _next_in_ring(self._column, first, last)
                if over:
                    self._page, _ = _next_in_ring(self._page, top, bottom)
            case 1:
                self._page, over = _next_in_ring(self._page, top, bottom)
                if over:
                    self._column, _ = _next_in_ring(self._column, first, last)
            case _:
                self._column += 1
                if self._chip.has_windows:
                    self._column %= self._chip.columns


def _next_in_ring(value: int, first: int, last: int) -> tuple[int, bool]:
    """The next value in a ring, and whether it wrapped."""
    return (first, True) if value == last else ((value + 1) & 0x7F, False)
