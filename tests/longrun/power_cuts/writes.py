"""Parses a log of disk writes as QEMU's blklogwrites driver writes it.

The format is that of the kernel's dm-log-writes: a header sector, then entries in the order in
which the disk finished them, each with its data.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

MAGIC = 0x6A736677736872
SECTOR = 512  # bytes; written completely or not at all
_HEAD = struct.Struct("<QQQI")  # magic, version, entries at the last flush, bytes of a sector
_ENTRY = struct.Struct("<QQQQ")  # first sector, sectors, flags, unused
_FLUSH, _FUA, _DISCARD, _MARK = 1, 2, 4, 8


class LogError(ValueError):
    """A file that is not a log of writes."""


class Entry(NamedTuple):
    """One finished operation of a disk. A flush alone has no length."""

    offset: int  # of its first byte on the disk
    length: int  # bytes on the disk
    place: int  # of its first byte in the log
    end: int  # length of the log including it
    flushes: bool  # everything finished before it persists
    lasts: bool  # it persists without a flush (FUA)
    discards: bool  # its bytes read as zeros from now on

    @property
    def writes(self) -> bool:
        """Whether it changes the disk."""
        return self.length > 0


def read(path: Path) -> tuple[Entry, ...]:
    """All complete entries of a log; an incomplete one ends it. Raises LogError.

    The header counts only to the last flush, so the entries are walked.
    """
    with path.open("rb") as file:
        size = path.stat().st_size
        head = file.read(_HEAD.size)
        if not head:
            return ()
        if len(head) < _HEAD.size:
            raise LogError(f"{path}: {len(head)} bytes are no log")
        magic, version, _, sector = _HEAD.unpack(head)
        if (magic, version) != (MAGIC, 1):
            raise LogError(f"{path}: magic {magic:#x}, version {version}")
        if sector != SECTOR:
            raise LogError(f"{path}: sectors of {sector} bytes, not {SECTOR}")
        entries = []
        at = SECTOR
        while at + SECTOR <= size:
            file.seek(at)
            entry = _entry(file.read(_ENTRY.size), at + SECTOR)
            if entry is None or entry.end > size:
                break
            entries.append(entry)
            at = entry.end
    return tuple(entry for entry in entries if entry.writes or entry.flushes)


def _entry(head: bytes, place: int) -> Entry | None:
    """The entry with this head, or None if nothing was written yet."""
    sector, sectors, flags, _ = _ENTRY.unpack(head)
    if not sectors and not flags:
        return None
    length = 0 if flags & _MARK else sectors * SECTOR
    logged = 0 if flags & _DISCARD else length
    return Entry(
        sector * SECTOR,
        length,
        place,
        place + logged,
        bool(flags & _FLUSH),
        bool(flags & _FUA),
        bool(flags & _DISCARD),
    )
