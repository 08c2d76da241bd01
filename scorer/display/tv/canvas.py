"""A colour picture of any size that records the texts written on it.

Boxes are in design units: the picture is at least 1280 units wide and 720 high at any resolution.
``texts`` and ``overflow`` are those of the panel's canvas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw

from scorer.display.oled import text
from scorer.display.oled.layout import Rect
from scorer.display.tv import colours, glyphs
from scorer.display.tv.colours import Colour

WIDE, HIGH = 1280, 720
MIN_TEXT_SIZE = 24  # height of a capital in units that is legible across a bar
LINE_STEP = 1.62  # line spacing in heights of a capital


class TvTextLayout(NamedTuple):
    """The layout of a text: its lines, and the height of a capital in units."""

    lines: tuple[str, ...]
    size: float
    text: str
    is_cut: bool = False


class TvCanvas:
    """One frame being drawn."""

    def __init__(self, size: tuple[int, int], ground: Colour = colours.GROUND) -> None:
        self.image = Image.new("RGB", size, ground)
        self.ground = ground
        self.unit = min(size[0] / WIDE, size[1] / HIGH)
        self.text_boxes: list[tuple[Rect, str]] = []
        self.overflow: list[str] = []  # texts that did not fit: always a defect
        self._draw = ImageDraw.Draw(self.image)

    @property
    def box(self) -> Rect:
        """The whole picture, in units."""
        width, height = self.image.size
        return Rect(0, 0, int(width / self.unit), int(height / self.unit))

    @property
    def texts(self) -> list[str]:
        """All visible texts of the picture, unabridged, in writing order."""
        return [words for _, words in self.text_boxes]

    def px(self, units: float) -> int:
        """Converts units to pixels."""
        return round(units * self.unit)

    def fill(self, box: Rect, colour: Colour, *, round_by: int = 0) -> None:
        """A filled rectangle with corners rounded by ``round_by`` units."""
        if box.w > 0 and box.h > 0:
            self._draw.rounded_rectangle(self._corners(box), self.px(round_by), fill=colour)

    def frame(self, box: Rect, colour: Colour, *, width: int, round_by: int = 0) -> None:
        """The outline of a rectangle, ``width`` units thick, inside of it."""
        self._draw.rounded_rectangle(
            self._corners(box), self.px(round_by), outline=colour, width=max(1, self.px(width))
        )

    def line(
        self, start: tuple[int, int], end: tuple[int, int], colour: Colour, *, width: int
    ) -> None:
        """A straight line, ``width`` units thick."""
        pixels = [(self.px(x), self.px(y)) for x, y in (start, end)]
        self._draw.line(pixels, fill=colour, width=max(1, self.px(width)))

    def disc(self, box: Rect, colour: Colour) -> None:
        """A filled circle within ``box``."""
        self._draw.ellipse(self._corners(box), fill=colour)

    def triangle(self, box: Rect, colour: Colour, *, to_left: bool) -> None:
        """A filled arrow head pointing left or right."""
        left, top, right, bottom = self._corners(box)
        tip, back = (left, right) if to_left else (right, left)
        self._draw.polygon([(tip, (top + bottom) // 2), (back, top), (back, bottom)], fill=colour)

    def paste(self, picture: Image.Image, box: Rect) -> None:
        """Pastes a partly transparent picture at the upper left of ``box``."""
        self.image.paste(picture, (self.px(box.x), self.px(box.y)), picture)

    def cover(self, box: Rect, colour: Colour) -> None:
        """Fills ``box`` and drops the texts under it."""
        self.fill(box, colour)
        self.text_boxes = [each for each in self.text_boxes if not each[0].overlaps(box)]

    def write(
        self,
        box: Rect,
        wordings: Sequence[str],
        size: float,
        colour: Colour = colours.INK,
        *,
        align: float = 0.5,
        least: float = MIN_TEXT_SIZE,
    ) -> Rect:
        """Writes the best wording that fits in one line, ``size`` units at most.

        A better wording takes precedence over size, down to ``least``. Returns its box.
        """
        return self._set(box, fit_line(box, wordings, size, least), colour, align)

    def paragraph(
        self,
        box: Rect,
        wordings: Sequence[str],
        size: float,
        colour: Colour = colours.INK,
        *,
        align: float = 0.5,
    ) -> Rect:
        """Writes the best wording that fits into ``box`` in several lines."""
        return self._set(box, fit_paragraph(box, wordings, size), colour, align)

    def _set(self, box: Rect, setting: TvTextLayout, colour: Colour, align: float) -> Rect:
        if setting.is_cut:
            self.overflow.append(setting.text)
        over, under, height = _ink_extent(setting)
        top = box.y + (box.h - height) / 2
        top = max(box.y + over, min(top, box.bottom - height - under))
        spread = max((glyphs.width(line, setting.size) for line in setting.lines), default=0)
        for index, line in enumerate(setting.lines):
            if line:
                x = box.x + (box.w - glyphs.width(line, setting.size)) * align
                y = top + index * LINE_STEP * setting.size
                font = glyphs.font_for(line, setting.size)
                picture, before, above = glyphs.mask(line, font, max(1, self.px(setting.size)))
                self.image.paste(colour, (self.px(x) - before, self.px(y) - above), picture)
        left = box.x + (box.w - spread) * align
        place = Rect(int(left), int(top - over), spread, int(over + height + under))
        self.add_text(place, setting.text)
        return place

    def add_text(self, place: Rect, words: str) -> None:
        """Records ``words`` as readable at ``place``; "" records nothing."""
        if words:
            self.text_boxes.append((place, words))

    def _corners(self, box: Rect) -> tuple[int, int, int, int]:
        left, top = self.px(box.x), self.px(box.y)
        return left, top, max(left, self.px(box.right) - 1), max(top, self.px(box.bottom) - 1)


def fit_line(
    box: Rect, wordings: Sequence[str], size: float, least: float = MIN_TEXT_SIZE
) -> TvTextLayout:
    """One line within ``box``: the first wording that fits at ``least`` or larger."""
    for words in wordings:
        if (largest := _largest_size(box, words, size)) >= least:
            return TvTextLayout((words,), largest, words)
    return TvTextLayout(
        (wordings[-1],), max(1.0, _largest_size(box, wordings[-1], size)), wordings[-1], True
    )


def _largest_size(box: Rect, words: str, size: float) -> float:
    """The largest height of capitals for ``words`` within ``box``, ``size`` at most."""
    while size > 1:
        over, under = glyphs.ink_above_and_below(words, size)
        wide = glyphs.width(words, size)
        if wide <= box.w and over + size + under <= box.h:
            break
        # The proportions differ between fonts, so a smaller size may change them.
        size = min(size * 0.96, size * box.w / max(1, wide) if wide > box.w else size)
    return size


def fit_paragraph(box: Rect, wordings: Sequence[str], size: float) -> TvTextLayout:
    """Several lines within ``box``: the first wording, then smaller, then the next."""
    for words in wordings:
        tried = size
        while tried >= MIN_TEXT_SIZE:
            setting = _wrap(box, words, tried)
            if setting is not None:
                return setting
            tried *= 0.92
    return fit_line(box, wordings[-1:], size)


def _wrap(box: Rect, words: str, size: float) -> TvTextLayout | None:
    font = glyphs.font_for(words, size)
    lines = text.wrap(words, int(box.w * font.caps / size) - 1, font)
    if not lines:
        return None
    setting = TvTextLayout(lines, size, words)
    return setting if sum(_ink_extent(setting)) <= box.h else None


def _ink_extent(setting: TvTextLayout) -> tuple[float, float, float]:
    """Ink above the first capitals, below the last ones, and the height between."""
    over = glyphs.ink_above_and_below(setting.lines[0], setting.size)[0]
    under = glyphs.ink_above_and_below(setting.lines[-1], setting.size)[1]
    return over, under, ((len(setting.lines) - 1) * LINE_STEP + 1) * setting.size
