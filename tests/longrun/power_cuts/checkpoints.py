"""Finds the checkpoints of a store's write-ahead log in a log of disk writes.

A commit writes only to SQLite's log; any write to the blocks of the store's file is a checkpoint.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.longrun.power_cuts.writes import Entry

BLOCK = 4096  # bytes


def blocks_of(image: Path, name: str) -> frozenset[int]:
    """The blocks of the file ``name`` in the root folder of a file system."""
    command = ["debugfs", "-R", f"blocks /{name}", str(image)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return frozenset(int(word) for word in output.split())


def checkpoints(entries: Sequence[Entry], blocks: frozenset[int]) -> tuple[range, ...]:
    """The entries of each checkpoint, from its first write to the flush that ends it.

    ``blocks``: of the store's file.
    """
    return tuple(_runs(entries, blocks))


def _runs(entries: Sequence[Entry], blocks: frozenset[int]) -> Iterator[range]:
    first: int | None = None
    for at, entry in enumerate(entries):
        if first is not None and entry.flushes:
            yield range(first, at + 2)
            first = None
        if first is None and _meets(entry, blocks):
            first = at
    if first is not None:
        yield range(first, len(entries) + 1)


def _meets(entry: Entry, blocks: frozenset[int]) -> bool:
    first, last = entry.offset // BLOCK, (entry.offset + entry.length - 1) // BLOCK
    return entry.writes and any(block in blocks for block in range(first, last + 1))
