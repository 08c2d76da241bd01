"""Pieces of a picture one under the other, in the largest letters in which all of them fit.

A narrow panel has rows to spare and no width: every text is wrapped, and what stands side by side
elsewhere stands in a column. It knows texts and rectangles, nothing of truco.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from scorer.screen import text
from scorer.screen.canvas import ALL, Canvas
from scorer.screen.fonts import TINY, Font
from scorer.screen.layout import Box
from scorer.screen.text import Setting

GAP = 5  # rows between two pieces, where there are enough
RIM = 1  # rows and columns around a text in inverse
TRIES = 6


class Words(NamedTuple):
    """A text in as many lines as it takes; in ``inverse`` on a lit ground."""

    wordings: tuple[str, ...]
    faces: tuple[Font, ...] = ALL
    align: float = 0.5
    inverse: bool = False
    joined: bool = False  # no gap between it and the piece above


class Room(NamedTuple):
    """Rows that somebody else draws; up to ``most`` of them where there are enough."""

    height: int
    draw: Callable[[Canvas, Box], object]
    most: int = 0
    joined: bool = False


Piece = Words | Room


def draw(canvas: Canvas, box: Box, pieces: Sequence[Piece]) -> None:
    """Sets the pieces from the top of ``box`` to its foot; gaps and rooms share what is left.

    A text of no words takes no place.
    """
    pieces = [piece for piece in pieces if isinstance(piece, Room) or any(piece.wordings)]
    heights = _fitting(box, pieces)
    gaps = sum(not piece.joined for piece in pieces[1:])
    spare = box.h - sum(heights)
    gap = max(0, min(GAP, spare // gaps if gaps else 0))
    growing = [at for at, piece in enumerate(pieces) if isinstance(piece, Room) and piece.most]
    spare -= gap * gaps
    for number, at in enumerate(growing):
        room = pieces[at]
        assert isinstance(room, Room)
        grown = min(room.most - heights[at], spare // (len(growing) - number))
        heights[at] += max(0, grown)
        spare -= max(0, grown)
    y = box.y
    for at, (piece, height) in enumerate(zip(pieces, heights, strict=True)):
        y += gap if at and not piece.joined else 0
        _draw(canvas, Box(box.x, y, box.w, min(height, max(0, box.bottom - y))), piece)
        y += height


def _draw(canvas: Canvas, box: Box, piece: Piece) -> None:
    if isinstance(piece, Room):
        piece.draw(canvas, box)
        return
    if piece.inverse:
        canvas.fill(box)
        box = box.inset(RIM, RIM)
    canvas.paragraph(box, piece.wordings, piece.faces, align=piece.align, ink=not piece.inverse)


def _fitting(box: Box, pieces: Sequence[Piece]) -> list[int]:
    """The rows of each piece; letters shrink, then words are shortened, until all of them fit."""
    air = sum(not piece.joined for piece in pieces[1:])
    for least in range(TRIES):
        heights = [_height(piece, box.w, least) for piece in pieces]
        if sum(heights) + air <= box.h:
            break
    return heights


def _height(piece: Piece, width: int, least: int) -> int:
    """Rows of a piece when the ``least`` largest of its sizes are not to be used."""
    if isinstance(piece, Room):
        return piece.height
    rim = 2 * RIM if piece.inverse else 0
    return _setting(piece, width - rim, least).ink + rim


def _setting(piece: Words, width: int, least: int) -> Setting:
    wordings = piece.wordings[max(0, least - len(piece.faces) + 1) :] or piece.wordings[-1:]
    faces = piece.faces[least:] or (TINY,)
    return text.paragraph(wordings, width, 1000, faces)
