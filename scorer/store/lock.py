"""Lock on the folder of a store: shared by tables, exclusive to replace its file.

The lock ends with the process that holds it, and creates no file.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from scorer.store.errors import StoreError


def acquire_shared(directory: Path) -> int | None:
    """Mark the store as used until ``release``.

    None if the disk does not support locks. Never waits. Raises StoreError ("busy") while another
    process holds the exclusive lock.
    """
    return _acquire(directory, fcntl.LOCK_SH)


def release(handle: int | None) -> None:
    """Release a lock of ``acquire_shared``."""
    if handle is not None:
        os.close(handle)


@contextlib.contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Hold the exclusive lock. Raises StoreError ("busy") if the store is in use."""
    handle = _acquire(directory, fcntl.LOCK_EX)
    try:
        yield
    finally:
        release(handle)


def _acquire(directory: Path, how: int) -> int | None:
    handle: int | None = None
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError as error:
        release(handle)
        raise StoreError("busy", directory) from error
    except OSError:
        # Some disks do not support locks. A box runs one table, so go on without.
        release(handle)
        return None
    return handle
