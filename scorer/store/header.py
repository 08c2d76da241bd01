"""The SQLite header: whether a file is ours, of which version, and intact.

SQLite does not verify these hundred bytes, and some of them change how it reads the rest. Layout:
https://www.sqlite.org/fileformat2.html#the_database_header. The functions take bytes and open no
file.
"""

from __future__ import annotations

from scorer.store.errors import FailureKind

LENGTH = 100
APPLICATION_ID = 0x54525543  # "TRUC"; identifies our databases
# Of the schema: as created; the tables of events and of the program add a number each. A new
# version must also change a table, because a differing number alone may be a flipped bit. Version 1
# was never released.
VERSION, EVENTS, PROGRAM = 2, 1, 2
VERSIONS = (VERSION, VERSION + EVENTS, VERSION + PROGRAM, VERSION + EVENTS + PROGRAM)

_MAGIC = b"SQLite format 3\0"
APPLICATION_ID_AT, VERSION_AT = 68, 60
_PAGE_AT, _COUNTER_AT, _SIZE_AT, _FREE_AT, _VALID_AT = 16, 24, 28, 32, 92
# The constant bytes of every store by offset: write-ahead log, pages without a reserve, schema
# format 4, no vacuum, UTF-8.
_FIXED = {
    0: _MAGIC,
    18: bytes((2, 2, 0, 64, 32, 32)),
    44: bytes((0, 0, 0, 4)) + bytes(8) + bytes((0, 0, 0, 1)),
    64: bytes(4),
    APPLICATION_ID_AT: APPLICATION_ID.to_bytes(4, "big"),
    72: bytes(20),
}
PAGE_SIZES = tuple(1 << power for power in range(9, 16))  # bytes
# A foreign file differs by more than this in its application id alone.
_MAX_WRONG_BITS = 4  # bits


def failure_kind(head: bytes) -> FailureKind | None:
    """Why a file with the header ``head`` is not a usable store, or None.

    None also for a database without an application id: it may be a store whose creation was
    interrupted.
    """
    if len(head) < LENGTH:
        return "not_a_store"
    application = uint32_at(head, APPLICATION_ID_AT)
    wrong = sum(
        (one ^ two).bit_count()
        for place, fixed in _FIXED.items()
        for one, two in zip(fixed, head[place : place + len(fixed)], strict=True)
    )
    if wrong > _MAX_WRONG_BITS and application != APPLICATION_ID:
        return None if application == 0 and head.startswith(_MAGIC) else "not_a_store"
    if wrong or page_size(head) not in PAGE_SIZES:
        return "damaged"
    return version_failure(uint32_at(head, VERSION_AT))


def version_failure(version: int) -> FailureKind | None:
    """Why a store of this version cannot be used, or None."""
    if version in VERSIONS:
        return None
    return "future" if version > 0 else "damaged"


def uint32_at(head: bytes, offset: int) -> int:
    """The big-endian 32-bit number at ``offset``."""
    return int.from_bytes(head[offset : offset + 4], "big")


def page_size(head: bytes) -> int:
    """The page size in bytes as stored, not validated."""
    return int.from_bytes(head[_PAGE_AT : _PAGE_AT + 2], "big")


def page_count(head: bytes) -> int:
    """The page count as stored."""
    return uint32_at(head, _SIZE_AT)


def with_page_count(head: bytes, count: int) -> bytes:
    """``head`` changed to a file of ``count`` pages without free pages."""
    changed = bytearray(head)
    counter = changed[_COUNTER_AT : _COUNTER_AT + 4]
    changed[_SIZE_AT : _SIZE_AT + 4] = count.to_bytes(4, "big")
    changed[_FREE_AT : _FREE_AT + 8] = bytes(8)
    changed[_VALID_AT : _VALID_AT + 4] = counter
    return bytes(changed)
