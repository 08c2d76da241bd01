"""The words of a panel, and the legend of the keys, as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

CAPTION_ROWS = 3  # rows that hold the words of every screen at 80 columns
_BETWEEN = " · "
_BETWEEN_KEYS = "  "
INDENT = "   "  # of a legend below the name of its console


def caption_lines(texts: Iterable[str], columns: int) -> list[str]:
    """The texts in as few lines as possible, broken between texts where they fit."""
    lines: list[str] = []
    for text in texts:
        longer = _BETWEEN.join([*lines[-1:], text])
        if lines and len(longer) <= columns:
            lines[-1] = longer
        else:
            lines += textwrap.wrap(text, max(columns, 1))
    return lines


def legend_lines(name: str, entries: Sequence[str], columns: int) -> list[str]:
    """The entries beside the name of their console, broken between entries."""
    lines = [f"{name:{len(INDENT)}}"]
    for entry in entries:
        between = _BETWEEN_KEYS if lines[-1].strip() not in ("", name) else ""
        longer = f"{lines[-1]}{between}{entry}"
        if len(longer) <= columns or not between:
            lines[-1] = longer
        else:
            lines.append(f"{INDENT}{entry}")
    return lines
