"""A 1-bit picture that records the texts written on it.

``texts`` holds all texts unabridged in writing order, for tests and other programs.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from scorer.display import fonts
from scorer.display.fonts import MEDIUM, SMALL, TINY, Font
from scorer.display.oled import text
from scorer.display.oled.layout import Rect

ON, OFF = 1, 0
TEXT_FONTS = (MEDIUM, SMALL, TINY)


class Canvas:
    """One frame being drawn. ``ink`` is 1 on a dark ground and 0 on a filled one."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.image = Image.new("1", size, OFF)
        self.text_boxes: list[tuple[Rect, str]] = []
        self.overflow: list[str] = []  # texts that did not fit: always a defect
        self._draw = ImageDraw.Draw(self.image)

    @property
    def box(self) -> Rect:
        """The whole picture."""
        return Rect(0, 0, *self.image.size)

    @property
    def texts(self) -> list[str]:
        """All visible texts of the picture, unabridged, in writing order."""
        return [words for _, words in self.text_boxes]

    def cover(self, box: Rect) -> None:
        """Clears ``box`` and drops the texts that reach into it."""
        self.fill(box, ink=OFF)
        hidden = [each for each in self.text_boxes if each[0].overlaps(box)]
        for place, _ in hidden:
            self.fill(place, ink=OFF)
        self.text_boxes = [each for each in self.text_boxes if each not in hidden]

    def fill(self, box: Rect, *, ink: int = ON) -> None:
        """A filled rectangle."""
        if box.w > 0 and box.h > 0:
            self._draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), fill=ink)

    def frame(self, box: Rect, *, ink: int = ON) -> None:
        """The outline of a rectangle, one pixel wide."""
        self._draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), outline=ink)

    def line(self, start: tuple[int, int], end: tuple[int, int], *, ink: int = ON) -> None:
        """A line one pixel wide, both ends included."""
        self._draw.line((start, end), fill=ink)

    def dots(self, start: tuple[int, int], length: int, *, upright: bool = False) -> None:
        """Every second pixel of a line."""
        x, y = start
        for step in range(0, length, 2):
            self._draw.point((x, y + step) if upright else (x + step, y), fill=ON)

    def triangle(self, box: Rect, *, to_left: bool, ink: int = ON) -> None:
        """A filled arrow head pointing left or right."""
        half = box.h // 2
        for row in range(box.h):
            reach = round(box.w * (min(row, box.h - 1 - row) + 1) / (half + box.h % 2))
            left = box.right - reach if to_left else box.x
            self._draw.line((left, box.y + row, left + reach - 1, box.y + row), fill=ink)

    def disc(self, box: Rect, *, ink: int = ON) -> None:
        """A circle of 4 or 5 pixels: a square without its corners."""
        self.fill(Rect(box.x + 1, box.y, box.w - 2, box.h), ink=ink)
        self.fill(Rect(box.x, box.y + 1, box.w, box.h - 2), ink=ink)

    def paste(self, picture: Image.Image, x: int, y: int, *, ink: int = ON) -> None:
        """Sets the pixels that are set in ``picture`` to ``ink``."""
        self._draw.bitmap((x, y), picture, fill=ink)

    def write(
        self, x: int, y: int, words: str, font: Font, *, ink: int = ON, alt_text: str | None = None
    ) -> int:
        """Writes one line whose *capitals* start at row ``y``; returns its width.

        ``alt_text`` is recorded in ``texts`` instead of ``words`` ("" for nothing).
        """
        self.paste(fonts.picture(font, words), x, y - font.top, ink=ink)
        left, top, right, bottom = fonts.ink_box(font, words)
        place = Rect(x + left, y - font.top + top, right - left, bottom - top)
        if place.x < 0 or place.y < 0 or place.right > self.box.w or place.bottom > self.box.h:
            self.overflow.append(words)
        self.add_text(place, words if alt_text is None else alt_text)
        return fonts.width(font, words)

    def one_line(
        self,
        box: Rect,
        wordings: Sequence[str],
        faces: Sequence[Font] = TEXT_FONTS,
        *,
        align: float = 0.5,
        ink: int = ON,
    ) -> Rect:
        """Writes the best wording that fits, vertically centred; returns its box.

        ``align`` is 0 at the left, 0.5 in the middle, 1 at the right.
        """
        setting = text.one_line(wordings, box.w, box.h, faces)
        return self._set(box, setting, align, ink)

    def paragraph(
        self,
        box: Rect,
        wordings: Sequence[str],
        faces: Sequence[Font] = TEXT_FONTS,
        *,
        align: float = 0.5,
        ink: int = ON,
    ) -> Rect:
        """Writes the best wording that fits into ``box`` in several lines."""
        setting = text.paragraph(wordings, box.w, box.h, faces)
        return self._set(box, setting, align, ink)

    def address(
        self, box: Rect, words: str, faces: Sequence[Font] = TEXT_FONTS, *, align: float = 0.5
    ) -> Rect:
        """Writes an address in as many lines as needed; returns its box."""
        return self._set(box, text.address(words, box.w, box.h, faces), align, ON)

    def _set(self, box: Rect, setting: text.TextLayout, align: float, ink: int) -> Rect:
        if setting.is_cut:
            self.overflow.append(setting.text)
        font, step = setting.font, text.line_height(setting.font)
        height, above, below = setting.height, setting.ink_above, setting.ink_below
        # Centred by its capitals, then moved to make room for accents and descenders.
        top = min(box.y + (box.h - height) // 2, box.bottom - height - below)
        top = max(box.y + above, top)
        spread = max((fonts.width(font, line) for line in setting.lines), default=0)
        for index, line in enumerate(setting.lines):
            x = box.x + round((box.w - fonts.width(font, line)) * align)
            self.write(x, top + index * step, line, font, ink=ink, alt_text="")
        left = box.x + round((box.w - spread) * align)
        place = Rect(left, top - above, spread, above + height + below)
        self.add_text(place, setting.text)
        return place

    def add_text(self, place: Rect, words: str) -> None:
        """Records ``words`` as readable at ``place``; "" records nothing."""
        if words:
            self.text_boxes.append((place, words))
