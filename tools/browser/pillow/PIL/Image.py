"""A picture of one bit a pixel: an integer a row, its left pixel the highest bit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Self

ONE_BIT = "1"
Box = tuple[int, int, int, int]


class Resampling(Enum):
    """How a picture is scaled."""

    NEAREST = 0


class Image:
    """A picture in mode "1"."""

    mode = ONE_BIT

    def __init__(self, size: tuple[int, int], rows: list[int]) -> None:
        self.size, self.rows = size, rows

    @property
    def width(self) -> int:
        return self.size[0]

    @property
    def height(self) -> int:
        return self.size[1]

    def copy(self) -> Self:
        return type(self)(self.size, self.rows[:])

    def tobytes(self) -> bytes:
        """Eight pixels a byte, each row filled up to whole bytes."""
        size = (self.width + 7) // 8
        spare = 8 * size - self.width
        return b"".join((row << spare).to_bytes(size, "big") for row in self.rows)

    def putdata(self, pixels: Sequence[int]) -> None:
        width = self.width
        for y in range(self.height):
            row = 0
            for pixel in pixels[y * width : (y + 1) * width]:
                row = row << 1 | bool(pixel)
            self.rows[y] = row

    def getbbox(self) -> Box | None:
        """The box of the pixels that are set."""
        inked = [y for y, row in enumerate(self.rows) if row]
        if not inked:
            return None
        whole = 0
        for row in self.rows:
            whole |= row
        lowest = (whole & -whole).bit_length() - 1
        left = self.width - whole.bit_length()
        return left, inked[0], self.width - lowest, inked[-1] + 1

    def crop(self, box: Box) -> Self:
        """A part; what lies outside of the picture is not set."""
        left, top, right, bottom = box
        part = type(self)((right - left, bottom - top), [0] * (bottom - top))
        part.paste(self, (-left, -top))
        return part

    def paste(self, picture: Self, corner: tuple[int, int] = (0, 0)) -> None:
        """Replace the pixels below ``picture``, whose upper left corner is at ``corner``."""
        left, covered = corner[0], self.mask(corner[0], picture.width)
        for y, row in picture.visible_rows(self.height, corner[1]):
            self.rows[y] = self.rows[y] & ~covered | _moved(row, picture, left, self.width)

    def resize(self, size: tuple[int, int], _resample: Resampling) -> Self:
        """The picture with each pixel repeated."""
        columns = [int((x + 0.5) * self.width / size[0]) for x in range(size[0])]
        rows = []
        for y in range(size[1]):
            source = self.rows[int((y + 0.5) * self.height / size[1])]
            row = 0
            for column in columns:
                row = row << 1 | source >> (self.width - 1 - column) & 1
            rows.append(row)
        return type(self)(size, rows)

    def mask(self, left: int, width: int) -> int:
        """The bits of ``width`` columns from ``left`` that the picture has."""
        right = min(self.width, left + width)
        left = max(0, left)
        return ((1 << (right - left)) - 1) << (self.width - right) if right > left else 0

    def visible_rows(self, height: int, top: int) -> Iterable[tuple[int, int]]:
        """The rows that lie in another picture of ``height``, moved down by ``top``."""
        first, last = max(0, -top), min(self.height, height - top)
        return ((y + top, self.rows[y]) for y in range(first, last))

    def put_ink(self, picture: Self, corner: tuple[int, int], ink: int) -> None:
        """Set the pixels that are set in ``picture`` to ``ink``."""
        for y, row in picture.visible_rows(self.height, corner[1]):
            bits = _moved(row, picture, corner[0], self.width)
            self.rows[y] = self.rows[y] | bits if ink else self.rows[y] & ~bits


def new(mode: str, size: tuple[int, int], color: int = 0) -> Image:
    _require_one_bit(mode)
    row = (1 << size[0]) - 1 if color else 0
    return Image((size[0], size[1]), [row] * size[1])


def frombytes(mode: str, size: tuple[int, int], data: bytes) -> Image:
    _require_one_bit(mode)
    step = (size[0] + 7) // 8
    spare = 8 * step - size[0]
    parts = (data[at : at + step] for at in range(0, step * size[1], step))
    return Image(size, [int.from_bytes(part, "big") >> spare for part in parts])


def _moved(row: int, picture: Image, left: int, width: int) -> int:
    """A row of ``picture`` at the column ``left`` of one that has ``width``."""
    shift = width - left - picture.width
    bits = row << shift if shift >= 0 else row >> -shift
    return bits & ((1 << width) - 1)


def _require_one_bit(mode: str) -> None:
    if mode != ONE_BIT:
        raise ValueError(f"the page has pictures of one bit, not of mode {mode!r}")
