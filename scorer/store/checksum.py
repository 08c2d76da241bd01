"""Check values: how a store knows that the card gives back what was written.

SQLite checks its log and believes its file; a bit that turns over in the file would be a wrong
score. So every row carries a check value, and every game one over the check values of its rows,
which also tells when whole rows have gone. They find accidents, no forgeries. It must never know
what the rows say, nor how they are stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from zlib import crc32

_SEPARATOR = "\x1f"  # the unit separator of ASCII


def sum_of(*values: object) -> int:
    """The check value of some columns, in their order; 0 to 2**32 - 1."""
    return crc32(_SEPARATOR.join(map(str, values)).encode("utf-8", "surrogatepass"))


def chain(tip: int, sums: Iterable[int]) -> int:
    """The check value of a game whose value was ``tip``, after rows with these check values."""
    return reduce(lambda before, one: crc32(one.to_bytes(4, "big"), before), sums, tip)
