"""The first hundred bytes of a store: whose it is, of which version, and whether they are whole.

SQLite believes them without a check, and some of them change what it makes of the rest. Where they
are: https://www.sqlite.org/fileformat2.html#the_database_header. It must never open a file.
"""

from __future__ import annotations

from scorer.store.errors import FailureKind

LENGTH = 100
APPLICATION_ID = 0x54525543  # "TRUC": nobody's database but ours
# Of the schema: who changes it changes a table, for a number alone may be a bit that turned over.
# 1 was never released.
VERSION = 2

_MAGIC = b"SQLite format 3\0"
APPLICATION_ID_AT, VERSION_AT = 68, 60
_PAGE_AT, _COUNTER_AT, _SIZE_AT, _FREE_AT, _VALID_AT = 16, 24, 28, 32, 92
# What every store of ours has at these places: a write-ahead log, pages without a reserve, the
# fourth schema format, no vacuum, UTF-8.
_FIXED = {
    0: _MAGIC,
    18: bytes((2, 2, 0, 64, 32, 32)),
    44: bytes((0, 0, 0, 4)) + bytes(8) + bytes((0, 0, 0, 1)),
    64: bytes(4),
    APPLICATION_ID_AT: APPLICATION_ID.to_bytes(4, "big"),
    72: bytes(20),
}
PAGE_SIZES = tuple(1 << power for power in range(9, 16))  # bytes
# A stranger's file differs from ours in its application number alone by more.
_MAX_WRONG_BITS = 4  # bits


def failure_kind(head: bytes) -> FailureKind | None:
    """Why a file that begins with ``head`` is no store to go on with; None: nothing is against it.

    A database that says nothing of itself may be a store that was not finished: None.
    """
    if len(head) < LENGTH:
        return "not_a_store"
    application = uint32_at(head, APPLICATION_ID_AT)
    wrong = _count_wrong_bits(head)
    if wrong > _MAX_WRONG_BITS and application != APPLICATION_ID:
        return None if application == 0 and head.startswith(_MAGIC) else "not_a_store"
    if wrong or page_size(head) not in PAGE_SIZES:
        return "damaged"
    return version_failure(uint32_at(head, VERSION_AT))


def version_failure(version: int) -> FailureKind | None:
    """Why a store of this version cannot be written as it is, or None."""
    if version == VERSION:
        return None
    return "future" if version > 0 else "damaged"


def uint32_at(head: bytes, offset: int) -> int:
    """The number of four bytes at ``place``."""
    return int.from_bytes(head[offset : offset + 4], "big")


def page_size(head: bytes) -> int:
    """Bytes of a page, whatever they are."""
    return int.from_bytes(head[_PAGE_AT : _PAGE_AT + 2], "big")


def page_count(head: bytes) -> int:
    """How many pages the file has by its own account."""
    return uint32_at(head, _SIZE_AT)


def with_page_count(head: bytes, count: int) -> bytes:
    """``head`` of a file of so many pages, none of them free."""
    changed = bytearray(head)
    counter = changed[_COUNTER_AT : _COUNTER_AT + 4]
    changed[_SIZE_AT : _SIZE_AT + 4] = count.to_bytes(4, "big")
    changed[_FREE_AT : _FREE_AT + 8] = bytes(8)
    changed[_VALID_AT : _VALID_AT + 4] = counter
    return bytes(changed)


def _count_wrong_bits(head: bytes) -> int:
    return sum(
        (one ^ two).bit_count()
        for place, fixed in _FIXED.items()
        for one, two in zip(fixed, head[place : place + len(fixed)], strict=True)
    )
