"""Small write logs for tests, in the format that ``writes`` reads."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.longrun.power_cuts.writes import MAGIC, SECTOR

FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


def a_log(path: Path, *entries: bytes) -> Path:
    """Write a log of these entries to ``path``."""
    head = struct.pack("<QQQI", MAGIC, 1, len(entries), SECTOR)
    path.write_bytes(head.ljust(SECTOR, b"\0") + b"".join(entries))
    return path


def a_write(sector: int, data: bytes = b"", *, sectors: int = 0, flags: int = 0) -> bytes:
    """One entry: ``data`` at ``sector``; ``sectors``: its length if it has no data."""
    head = struct.pack("<QQQQ", sector, sectors or len(data) // SECTOR, flags, 0)
    return head.ljust(SECTOR, b"\0") + data
