"""The words of a panel as lines below its picture."""

from __future__ import annotations

from collections.abc import Iterable

CAPTION_ROWS = 3  # rows that hold the words of every screen at 80 columns
_BETWEEN = " · "


def caption_lines(texts: Iterable[str], columns: int) -> list[str]:
    """The texts in as few lines as possible, broken between texts."""
    lines: list[str] = []
    for text in texts:
        longer = _BETWEEN.join([*lines[-1:], text])
        if lines and len(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(text)
    return lines
