"""Read the lines of a pasted list in cells, as spreadsheets and people write them.

A cell may have line breaks, a whole line may stand between quotation marks, and a name may have the
separator. What may be meant in another way is marked, with the line as it was written.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

BLANK = ("", "-", "–", "—")
SEPARATORS = "\t;,"
_MOST_BREAKS = 3  # in a cell
_BREAK = " ⏎ "  # as it is shown


class ListLine(NamedTuple):
    """A line of the list, from 1, and its cells.

    ``text``: as it was written. ``is_asked``: it may be meant in another way. ``spaced``: the cells
    with a space before them.
    """

    number: int
    cells: tuple[str, ...]
    text: str
    is_asked: bool
    spaced: tuple[int, ...]


class CellReader:
    """Parts lines of a list with one separator."""

    def __init__(self, separator: str) -> None:
        self._separator = separator
        self._broken: dict[int, str] = {}  # the lines that are one, as they are shown

    def without_breaks(self, lines: Mapping[int, str]) -> dict[int, str]:
        """The lines; those that are one because a cell has line breaks, as one."""
        numbers, found, next_ = [*lines], dict[int, str](), 0
        for at, number in enumerate(numbers):
            if at < next_:
                continue
            following = [lines[each] for each in numbers[at + 1 : at + 1 + _MOST_BREAKS]]
            parts = [lines[number], *self._rest_of_cell(lines[number], following)]
            found[number], next_ = " ".join(parts), at + len(parts)
            if len(parts) > 1:
                self._broken[number] = _BREAK.join(parts)
        return found

    def _rest_of_cell(self, line: str, following: Sequence[str]) -> Sequence[str]:
        """Those of the following lines that end the last cell of ``line``.

        A quotation mark that is never closed does not swallow the teams after it.
        """
        if not self._is_open(line):
            return ()
        for at, each in enumerate(following, 1):
            line += f" {each}"
            if not self._is_open(line):
                return following[:at]
        return ()

    def _is_open(self, line: str) -> bool:
        """Whether a quotation mark that begins a cell is not closed at the end of a cell."""
        at = 0
        while at >= 0:
            if (quoted := _QUOTED.match(line, at)) is not None:
                at = quoted.end()
                if not quoted[1] or line[at : at + 1] not in ("", self._separator):
                    return True
            found = line.find(self._separator, at)
            at = found + 1 if found >= 0 else -1
        return False

    def lines(self, texts: Mapping[int, str]) -> tuple[ListLine, ...]:
        """The lines that are not empty."""
        found = []
        # Line by line: a quotation mark that is never closed does not swallow the teams after it.
        for number, text in texts.items():
            cells, is_quoted = self._cells(text), False
            while len([*filter(None, cells)]) == 1 and self._is_line(cells[0]):
                cells, is_quoted = self._cells(cells[0]), True
            spaced = (at for at, cell in enumerate(cells) if at and cell.strip() != cell.rstrip())
            line = ListLine(
                number,
                tuple(map(tidy, cells)),
                self._broken.get(number, text.strip()),
                is_quoted or number in self._broken,
                tuple(spaced),
            )
            if any(cell not in BLANK for cell in line.cells):
                found.append(line)
        return tuple(found)

    def _cells(self, text: str) -> list[str]:
        return next(csv.reader([text], delimiter=self._separator), [])

    def _is_line(self, cell: str) -> bool:
        """Whether a cell that fills a line is a line itself; "Pérez, Juan" is a name."""
        if self._separator == ",":
            return re.search(",(?! )", cell) is not None
        return self._separator in cell

    def with_whole_names(self, lines: Sequence[ListLine], usual: int = 0) -> tuple[ListLine, ...]:
        """The lines, with one cell where a name has the separator.

        ``usual``: cells of a line; 0: as many as most lines have. A line with more of them is
        marked, and one with spaces after some of its commas.
        """
        counts = Counter(len(each.cells) for each in lines).most_common(1)
        if not usual and counts and counts[0][1] > max(1, len(lines) / 2):
            usual = counts[0][0]
        found = []
        for line in lines:
            more = len(line.cells) - usual if usual else 0
            is_mixed = 0 < len(line.spaced) < len(line.cells) - 1
            if more > 0 and more == len(line.spaced) and (is_mixed or usual == 1):
                cells = list[str]()
                for at, cell in enumerate(line.cells):
                    if at in line.spaced:
                        cells[-1] += f"{self._separator} {cell}"
                    else:
                        cells.append(cell)
                found.append(line._replace(cells=tuple(cells), is_asked=True))
            else:
                is_unusual = more > 0 or (is_mixed and self._separator == ",")
                found.append(line._replace(is_asked=True) if is_unusual else line)
        return tuple(found)


# A quoted cell, with the mark that closes it if one does; two in a row are one of the text.
_QUOTED = re.compile(r' *"(?:[^"]|"")*+("? *)')


def tidy(cell: str) -> str:
    """The cell without spaces that say nothing."""
    return re.sub(" +", " ", unicodedata.normalize("NFC", cell)).strip()
