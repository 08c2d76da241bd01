"""Which bytes of a controller's RAM must be sent so that it holds a new picture.

It knows pages, columns and what a window costs on the wire; it knows no chip, no bus and no
picture. A page is a row of bytes, each byte a column of eight pixels.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple


class Window(NamedTuple):
    """A rectangle of RAM: pages ``top`` to ``bottom``, columns ``left`` to ``right``, ends not in.

    Its bytes are sent page by page.
    """

    top: int
    bottom: int
    left: int
    right: int

    @property
    def area(self) -> int:
        """Bytes in it."""
        return (self.bottom - self.top) * (self.right - self.left)

    def union(self, other: Window) -> Window:
        """The smallest window that holds both."""
        return Window(
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.left, other.left),
            max(self.right, other.right),
        )

    def extract(self, ram: bytes, columns: int) -> bytes:
        """Its bytes, out of a whole RAM with so many columns a page."""
        starts = range(self.top * columns, self.bottom * columns, columns)
        return b"".join([ram[start + self.left : start + self.right] for start in starts])


def changed_runs(old: bytes, new: bytes, columns: int, overhead: int) -> list[Window]:
    """Windows of one page each that turn ``old`` into ``new``; as few bytes as there can be.

    ``overhead``: bytes that a window costs besides its own. What lies between two changes is sent
    again where that is not dearer than a window more.
    """
    # Python compares a thousand bytes one by one in half a millisecond, one number in none.
    difference = int.from_bytes(old, "big") ^ int.from_bytes(new, "big")
    changed = difference.to_bytes(len(new), "big")
    run = _run_pattern(overhead)
    return [
        Window(start // columns, start // columns + 1, found.start(), found.end())
        for start in range(0, len(new), columns)
        for found in run.finditer(changed[start : start + columns])
    ]


def stack_windows(runs: list[Window], overhead: int) -> list[Window]:
    """The same change in windows of several pages, where one window is cheaper than two.

    Each run is joined with a window that ends just above it. That is not always the cheapest cover,
    which would take longer to find than to send.
    """
    windows: list[Window] = []
    for run in runs:
        for at, above in enumerate(windows):
            if above.bottom != run.top:
                continue
            joined = above.union(run)
            if joined.area <= above.area + run.area + overhead:
                windows[at] = joined
                break
        else:
            windows.append(run)
    return windows


@functools.cache
def _run_pattern(overhead: int) -> re.Pattern[bytes]:
    """Changed bytes, with gaps of at most ``overhead`` unchanged ones between them."""
    return re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % overhead)
