"""Elements shared by all sheets: document, font, headings, notes, fitted lines.

The font is DejaVu Sans, reduced to the letters of Latin languages (see LICENSE in ``fonts``): the
core fonts of PDF lack letters that the texts have. The letters that a document uses are embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fpdf import FPDF

FONT: Final = "DejaVuSans"
SHADES: Final = ((0, 255), (255, 0), (205, 0), (255, 0))  # fill and ink: A, B, the third, shared
RULER: Final = 100.0  # mm
_FOLDER: Final = Path(__file__).parent / "fonts"
_STYLES: Final = {"": f"{FONT}.ttf", "B": f"{FONT}-Bold.ttf"}

Room = tuple[float, float, float, float]  # x, y, width, height in mm


def new_document(title: str) -> FPDF:
    """An empty document of A4 pages with the font of the labels."""
    from fpdf import FPDF

    pdf = FPDF(orientation="landscape", unit="mm", format="A4")
    for style, file in _STYLES.items():
        pdf.add_font(FONT, style, _FOLDER / file)
    pdf.set_auto_page_break(False)
    pdf.set_title(title)
    pdf.set_line_width(0.2)
    return pdf


def draw_heading(pdf: FPDF, words: str) -> None:
    """A bold line at the top of a page."""
    pdf.set_font(FONT, "B", 12)
    pdf.set_xy(15, 12)
    pdf.cell(0, 6, words)


def draw_note(pdf: FPDF, x: float, y: float, words: str) -> None:
    """A small line that begins at ``x``, ``y`` mm."""
    pdf.set_font(FONT, "", 8)
    pdf.set_xy(x, y)
    pdf.cell(0, 4, words)


def draw_ruler(pdf: FPDF, x: float, y: float) -> None:
    """A line of 100 mm, to check the scale of the printout."""
    pdf.line(x, y, x + RULER, y)
    for end in (x, x + RULER):
        pdf.line(end, y - 1.5, end, y + 1.5)
    draw_note(pdf, x + RULER + 3, y - 1.8, f"{RULER:g} mm")


def fit_text(pdf: FPDF, room: Room, words: str, size: float, style: str = "") -> None:
    """A centred line that fits ``room``, at most ``size`` points."""
    x, y, w, h = room
    _fit_font(pdf, (words,), w - 3, size, style)
    pdf.set_xy(x, y)
    pdf.cell(w, h, words, align="C")


def fit_lines(pdf: FPDF, room: Room, lines: Sequence[str], size: float) -> None:
    """Bold centred lines of one size that fit ``room``, at most ``size`` points."""
    x, y, w, h = room
    _fit_font(pdf, lines, w - 1.5, size, "B")
    height = pdf.font_size * 1.15
    top = y + (h - height * len(lines)) / 2
    for at, line in enumerate(lines):
        pdf.set_xy(x, top + at * height)
        pdf.cell(w, height, line, align="C")


def _fit_font(pdf: FPDF, lines: Sequence[str], width: float, size: float, style: str) -> None:
    pdf.set_font(FONT, style, size)
    wide = max(pdf.get_string_width(line) for line in lines)
    pdf.set_font(FONT, style, min(size, size * width / max(wide, 1)))
