"""Write plain values as a table for spreadsheets: CSV without formulas.

A spreadsheet parts cells by the separator of its locale, which may be another than that of the
file, and calculates a cell that begins with a formula. So no part of a text does.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

Cell = str | int

MARK: Final = "\ufeff"  # a byte order mark: without it some take UTF-8 for another code
_FORMULA: Final = "=+-@"
_SEPARATORS: Final = re.compile("([,;\t\r\n])")
# Inside a text that is parted, a quotation mark may open or close a cell.
_BEFORE_A_CELL: Final = re.compile(r'[\s"]*')


def csv_text(rows: Iterable[Sequence[Cell]], separator: str) -> str:
    """The rows as lines, with every cell in quotation marks."""
    return "".join(f"{separator.join(map(_quoted, row))}\r\n" for row in rows)


def neutral(text: str) -> str:
    """The text with an apostrophe before each part that a spreadsheet would calculate."""
    parts = _SEPARATORS.split(text)
    return "".join(part if at % 2 else _neutral_part(part) for at, part in enumerate(parts))


def _neutral_part(part: str) -> str:
    first = unicodedata.normalize("NFKC", _BEFORE_A_CELL.sub("", part, count=1)[:1])
    is_risky = first[:1] in tuple(_FORMULA) or not part[:1].isprintable()
    return f"'{part}" if is_risky else part


def _quoted(cell: Cell) -> str:
    text = neutral(cell) if isinstance(cell, str) else str(cell)
    return '"{}"'.format(text.replace('"', '""'))
