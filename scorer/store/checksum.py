"""CRC-32 check values of rows and games, to detect silent corruption of the card.

SQLite checks its log but not its database file, where a flipped bit would become a wrong score. So
every row carries a check value, and every game one over the check values of its rows, which also
detects missing rows. They detect accidents, not forgery.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from zlib import crc32

_SEPARATOR = "\x1f"  # ASCII unit separator


def sum_of(*values: object) -> int:
    """The check value of columns in this order, 0 to 2**32 - 1."""
    return crc32(_SEPARATOR.join(map(str, values)).encode("utf-8", "surrogatepass"))


def chain(tip: int, sums: Iterable[int]) -> int:
    """Extend the check value ``tip`` of a game by rows with these check values."""
    return reduce(lambda before, one: crc32(one.to_bytes(4, "big"), before), sums, tip)
