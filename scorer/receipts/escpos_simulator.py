"""Simulate a receipt printer: ESC/POS bytes to a picture of the paper.

Executes the commands like a printer, independently of the encoder, so that a preview shows wrong
commands or code pages. Unknown commands are collected in ``strange``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image, ImageOps

from scorer.display import fonts
from scorer.display.fonts import Font

LETTER: Final = Font(12, 24, 4, 16)  # dots of a character of font A, on most printers
DOTS: Final = {58: 384, 80: 576}  # dots of a line on paper of this width in millimetres
_LINE: Final = 30  # default line spacing in dots
# Numbers of ESC t, on most printers.
TABLES: Final = {
    0: "cp437",
    2: "cp850",
    3: "cp860",
    16: "cp1252",
    19: "cp858",
    40: "iso8859-15",
}
ESC, GS, FS, DLE = 0x1B, 0x1D, 0x1C, 0x10


class SimulatedPrinter:
    """A printer with paper. ``feed`` accepts commands split over several calls."""

    def __init__(self, width: int, tables: Mapping[int, str] = TABLES) -> None:
        """``width``: of the paper, in millimetres."""
        self._dots, self._tables = DOTS[width], tables
        self._rows: list[Image.Image] = []  # from top to bottom
        self._line = bytearray()
        self._waiting = bytearray()
        self.lines: list[str] = []  # printed text by line
        self.pictures: list[Image.Image] = []
        self.cuts = 0
        self.strange = bytearray()
        self._reset()

    def _reset(self) -> None:
        self._codec, self._align, self._bold, self._tall, self._wide = "cp437", 0, False, 1, 1
        self._spacing = _LINE

    def feed(self, data: bytes) -> None:
        """Print ``data``."""
        self._waiting += data
        while self._waiting and (used := self._consume(bytes(self._waiting))):
            del self._waiting[:used]

    def picture(self) -> Image.Image:
        """The paper so far, black on white."""
        margin = 24
        height = sum(row.height for row in self._rows)
        picture = Image.new("L", (self._dots + 2 * margin, height + 2 * margin), 255)
        top = margin
        for row in self._rows:
            picture.paste(ImageOps.invert(row.convert("L")), (margin, top))
            top += row.height
        return picture

    def _consume(self, data: bytes) -> int:
        """Execute the first command of ``data``; return its length, 0 if incomplete."""
        first = data[0]
        if first in (ESC, GS, FS, DLE):
            known = _COMMANDS.get(data[:2])
            if known is None:
                if len(data) > 1:
                    self.strange += data[:2]
                return min(len(data), 2) if len(data) > 1 else 0
            length, act = known
            if len(data) < 2 + length:
                return 0
            return 2 + length if act is None else act(self, data)
        if first == 0x0A:
            self._end_line()
        elif first >= 0x20:
            self._line.append(first)
        elif first != 0x0D:
            self.strange.append(first)
        return 1

    def _end_line(self) -> None:
        text = bytes(self._line).decode(self._codec, "replace")
        self._line.clear()
        self.lines.append(text)
        step = LETTER.width * self._wide
        row = Image.new("1", (self._dots, max(self._spacing, LETTER.height * self._tall)))
        left = (self._dots - step * len(text)) * self._align // 2
        for at, letter in enumerate(text):
            cell = Image.new("1", (LETTER.width, LETTER.height))
            if not letter.isspace():
                ink = fonts.picture(LETTER._replace(bold=self._bold), letter)
                cell.paste(ink, (max(0, (LETTER.width - ink.width) // 2), 0))
            row.paste(
                cell.resize((LETTER.width * self._wide, LETTER.height * self._tall)),
                (left + at * step, 0),
            )
        self._rows.append(row)

    # Commands; each returns the number of bytes consumed.

    def _initialise(self, data: bytes) -> int:
        self._reset()
        return 2

    def _table(self, data: bytes) -> int:
        self._codec = self._tables.get(data[2], "ascii")
        return 3

    def _set_alignment(self, data: bytes) -> int:
        self._align = data[2] % 48
        return 3

    def _emphasis(self, data: bytes) -> int:
        self._bold = bool(data[2] & 1)
        return 3

    def _mode(self, data: bytes) -> int:
        self._bold, self._tall, self._wide = (
            bool(data[2] & 8),
            1 + (data[2] >> 4 & 1),
            1 + (data[2] >> 5 & 1),
        )
        return 3

    def _size(self, data: bytes) -> int:
        self._wide, self._tall = 1 + (data[2] >> 4), 1 + (data[2] & 15)
        return 3

    def _set_line_spacing(self, data: bytes) -> int:
        self._spacing = data[2]
        return 3

    def _reset_line_spacing(self, data: bytes) -> int:
        self._spacing = _LINE
        return 2

    def _feed_lines(self, data: bytes) -> int:
        self._rows.append(Image.new("1", (self._dots, self._spacing * data[2])))
        return 3

    def _cut(self, data: bytes) -> int:
        self.cuts += 1
        return 4 if data[2] >= 65 else 3

    def _raster(self, data: bytes) -> int:
        """GS v 0: raster image, one bit per dot, rows of whole bytes."""
        width, height = int.from_bytes(data[4:6], "little"), int.from_bytes(data[6:8], "little")
        end = 8 + width * height
        if len(data) < end:
            return 0
        image = Image.frombytes("1", (8 * width, height), data[8:end])
        self.pictures.append(image)
        row = Image.new("1", (self._dots, height))
        row.paste(image, ((self._dots - image.width) * self._align // 2, 0))
        self._rows.append(row)
        return end


_Handler = Callable[[SimulatedPrinter, bytes], int]
# Each command: minimum number of parameter bytes, and its handler (None: no visible effect).
_COMMANDS: Final[dict[bytes, tuple[int, _Handler | None]]] = {
    b"\x1b@": (0, SimulatedPrinter._initialise),
    b"\x1bt": (1, SimulatedPrinter._table),
    b"\x1ba": (1, SimulatedPrinter._set_alignment),
    b"\x1bE": (1, SimulatedPrinter._emphasis),
    b"\x1b!": (1, SimulatedPrinter._mode),
    b"\x1b3": (1, SimulatedPrinter._set_line_spacing),
    b"\x1b2": (0, SimulatedPrinter._reset_line_spacing),
    b"\x1bd": (1, SimulatedPrinter._feed_lines),
    b"\x1b-": (1, None),  # underline
    b"\x1bM": (1, None),  # font
    b"\x1b{": (1, None),  # upside down
    b"\x1bR": (1, None),  # international character set
    b"\x1bG": (1, None),  # double strike
    b"\x1dB": (1, None),  # white on black
    b"\x1db": (1, None),  # smoothing
    b"\x1d!": (1, SimulatedPrinter._size),
    b"\x1dV": (1, SimulatedPrinter._cut),
    b"\x1dv": (6, SimulatedPrinter._raster),
    b"\x1c.": (0, None),  # cancel two-byte characters
    b"\x10\x04": (1, None),  # status request
}
