"""Copy a store into one verified file, beside a table that may be writing.

The copy has a temporary name until it is complete, on the disk and read back without error.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from scorer.ownership import give_to_owner_of
from scorer.store import file, health
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite

T = TypeVar("T")


def copy_store(directory: Path, target: Path, check: Callable[[Path], T]) -> T:
    """Copy the store in ``directory`` to the file ``target``.

    Returns what ``check`` returns, which reads the verified copy before it gets its name. A file
    of that name is replaced. Raises StoreError, and what ``check`` raises; ``target`` is then as
    before.
    """
    source, fresh = directory / file.FILE_NAME, target.with_name(f".{target.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600, exist_ok=False)  # SQLite opens it, and follows no link that is new
        _copy(source, fresh)
        give_to_owner_of(fresh.parent, fresh)
        sync_and_forget(fresh)
        # Read the copy; if it is damaged, check the store. Raises StoreError.
        try:
            health.check_file(fresh, file.connect_immutable)
        except StoreError:
            health.check_integrity(directory)
            raise
        found = check(fresh)
        fresh.replace(target)
        file.sync_folder(target.parent)
    except OSError as error:
        raise from_os(error, target) from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
    return found


def sync_and_forget(path: Path) -> None:
    """Fsync the file, and drop it from memory: what is read next comes from the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)


def _copy(source: Path, fresh: Path) -> None:
    with contextlib.closing(file.open_read_only(source)) as store:
        try:
            with contextlib.closing(file.connect(fresh)) as copy:
                # It is renamed when it is complete, so that it needs no journal of its own.
                copy.execute("PRAGMA journal_mode = OFF")
                copy.execute("PRAGMA synchronous = OFF")
                # All pages in one step: one state of the store, whatever is written meanwhile.
                store.backup(copy)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, fresh) from error
