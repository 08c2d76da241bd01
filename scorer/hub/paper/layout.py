"""Sheets of paper: blocks in their order, as many as fit, with numbers.

Chromium before 131, Firefox and Safari print no margin boxes of CSS, and no counter of pages
elsewhere. So the sheets are made here: heights are estimated from the length of texts, rather too
high than too low, and each sheet says which one it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from scorer.serving.templates import Templates

_TEMPLATES = Templates("scorer.hub.paper", "scorer.hub.drawn")
HEIGHTS = {"A4": 271.0, "Letter": 253.0}  # millimetres between the margins of paper.css
WIDTH = 184.0  # of A4, and less than that of Letter
_HEAD = 8.0  # of the line above a sheet
ROOM = min(HEIGHTS.values()) - _HEAD  # of a block, on any paper
_POINT = 0.353  # millimetres
_LINE = 1.3  # the same, from line to line
_RAGGED = 0.85  # of a line, that is filled where a text has several
PADDING = 3.2  # of a cell, in both directions


class Block(NamedTuple):
    """HTML that stays together, and its height in millimetres.

    ``is_sheet``: it fills a sheet alone.
    """

    html: Markup
    height: float
    is_sheet: bool = False


class PaperColumn(NamedTuple):
    """A column of a table.

    ``key``: its class; ``text``: its head; ``width``: in millimetres; ``size``: in points.
    """

    key: str
    text: str
    width: float
    size: float = 9.5


def text_height(text: str, width: float, size: float) -> float:
    """The height of a text of one or more lines in millimetres.

    ``width``: of its column, in millimetres; ``size``: of its font, in points.
    """
    lines = 0
    for line in text.split("\n"):
        length = sum(map(_letter_width, line)) * size * _POINT
        lines += 1 if length <= width else ceil(length / (width * _RAGGED))
    return lines * _LINE * size * _POINT


def _letter_width(letter: str) -> float:
    """The width of a letter of DejaVu Sans, a wide font, as a part of its size."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in "MWmw@%":
        return 0.95
    return 0.7 if letter.isupper() else 0.56


def row_height(columns: Sequence[PaperColumn], cells: Sequence[str], least: float) -> float:
    """The height of a row of a table, at least ``least`` mm."""
    pairs = zip(columns, cells, strict=True)
    inner = (text_height(text, column.width - PADDING, column.size) for column, text in pairs)
    return max(least, max(inner) + PADDING)


def split(rows: Iterable[tuple[Markup, float]], room: float) -> Iterator[tuple[Markup, float]]:
    """The rows of a table as parts that are no higher than ``room`` mm."""
    part, height = Markup(), 0.0
    for html, own in rows:
        if part and height + own > room:
            yield part, height
            part, height = Markup(), 0.0
        part, height = part + html, height + own
    yield part, height


def together(blocks: Sequence[Block]) -> list[Block]:
    """The blocks as one, if a sheet has room for them."""
    height = sum(each.height for each in blocks)
    if height > ROOM:
        return list(blocks)
    return [Block(drawn("together", html_of(blocks)), height)]


def sheets(blocks: Iterable[Block], head: Markup, paper: str) -> Markup:
    """The blocks on sheets of one of ``HEIGHTS``, in their order.

    ``head``: what stands above every sheet, before its number.
    """
    room = HEIGHTS[paper] - _HEAD
    filled: list[list[Block]] = []
    left = 0.0
    for block in blocks:
        if not filled or block.is_sheet or block.height > left:
            filled.append([])
            left = room
        filled[-1].append(block)
        left = 0.0 if block.is_sheet else left - block.height
    return Markup().join(
        drawn("sheet", head, number, len(filled), html_of(sheet))
        for number, sheet in enumerate(filled, 1)
    )


def drawn(macro: str, *values: object, **fields: object) -> Markup:
    """What a macro of ``paper.html`` makes."""
    return _TEMPLATES.fragment("paper.html", macro)(*values, **fields)


def html_of(blocks: Iterable[Block]) -> Markup:
    """The blocks one after the other."""
    return Markup().join(each.html for each in blocks)
