"""Make a copy of a damaged file readable by restoring its first page and schema.

These are the same in every store, and a single flipped bit in them would make all games unreadable.
Only copies are repaired, and only for reading.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from scorer.store import file, header
from scorer.store.errors import SQLITE_ERRORS

_MAX_GROWTH = 4  # times; the file may be truncated, but a damaged header may claim any size


def repair(copy: Path) -> None:
    """Restore the header and schema pages of ``copy``. Raises OSError, StoreError.

    The log beside it is checkpointed into it, as far as it is readable.
    """
    _repair_file(copy)
    with contextlib.suppress(*SQLITE_ERRORS):
        database = file.connect(copy)
        try:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            database.close()
    # The pages from the log may have been damaged before they were logged.
    _repair_file(copy)


def _repair_file(copy: Path) -> None:
    with copy.open("r+b") as store:
        head = store.read(header.LENGTH)
        if len(head) < header.LENGTH:
            return
        claimed, there = header.page_count(head) * header.page_size(head), copy.stat().st_size
        # SQLite reads nothing of a file that is shorter than its header says.
        store.truncate(max(min(claimed, _MAX_GROWTH * there), there))
        if not _is_ours(copy, head):
            return
        count = -(-copy.stat().st_size // file.PAGE)
        # The pages of a new store that hold no table rows, by index from 0.
        fresh = copy.with_name("fresh.sqlite3")
        database = file.open_store(fresh)
        try:
            found = database.execute("SELECT rootpage FROM sqlite_master").fetchall()
            (size,) = database.execute("PRAGMA page_size").fetchone()
        finally:
            database.close()
        roots = {root - 1 for (root,) in found}
        whole = fresh.read_bytes()
        pages = {
            place: whole[place * size : (place + 1) * size] for place in range(len(whole) // size)
        }
        for place, page in {
            place: page for place, page in pages.items() if place not in roots
        }.items():
            store.seek(place * file.PAGE)
            store.write(header.with_page_count(page, count) if place == 0 else page)


def _is_ours(copy: Path, head: bytes) -> bool:
    """Whether it is a completely created store of this version, damaged or not."""
    if file.failure_kind(copy, head) not in (None, "damaged"):
        return False
    other_pages = (
        header.page_size(head) in header.PAGE_SIZES and header.page_size(head) != file.PAGE
    )
    return header.uint32_at(head, header.APPLICATION_ID_AT) != 0 and not other_pages
