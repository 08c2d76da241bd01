"""Find the bytes of a controller's RAM to send for a new picture.

A page is a row of bytes, each byte a column of eight pixels. Windows cost extra bytes on the wire.
"""

import functools
import re
from typing import NamedTuple


class Window(NamedTuple):
    """A rectangle of RAM, ends exclusive.

    Pages ``top``-``bottom``, columns ``left``-``right``. Its bytes are sent page by page.
    """

    top: int
    bottom: int
    left: int
    right: int

    @property
    def area(self) -> int:
        """The number of bytes in it."""
        return (self.bottom - self.top) * (self.right - self.left)

    def union(self, other: "Window") -> "Window":
        """The smallest window that contains both."""
        return Window(
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.left, other.left),
            max(self.right, other.right),
        )

    def extract(self, ram: bytes, columns: int) -> bytes:
        """Its bytes out of a whole RAM with ``columns`` bytes per page."""
        starts = range(self.top * columns, self.bottom * columns, columns)
        return b"".join([ram[start + self.left : start + self.right] for start in starts])


def changed_runs(old: bytes, new: bytes, columns: int, overhead: int) -> list[Window]:
    """Windows of one page each that turn ``old`` into ``new`` with the fewest bytes.

    ``overhead``: bytes per window besides its own. Unchanged bytes between two changes are sent if
    that costs no more than another window.
    """
    # XOR of big integers: comparing a thousand bytes in a Python loop takes half a millisecond.
    difference = int.from_bytes(old, "big") ^ int.from_bytes(new, "big")
    changed = difference.to_bytes(len(new), "big")
    run = _run_pattern(overhead)
    return [
        Window(start // columns, start // columns + 1, found.start(), found.end())
        for start in range(0, len(new), columns)
        for found in run.finditer(changed[start : start + columns])
    ]


def stack_windows(runs: list[Window], overhead: int) -> list[Window]:
    """Merge windows into ones of several pages where that is cheaper.

    Each run is merged with a window that ends just above it. That is not always the cheapest cover,
    but finding the cheapest takes longer than sending.
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
    """Changed bytes, with gaps of at most ``overhead`` unchanged bytes."""
    return re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % overhead)
