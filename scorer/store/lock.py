"""Who has a store in use: tables share it, whoever exchanges its file must be alone with it.

The lock is on the folder and goes with the process that holds it; no file is made for it. It must
never know what lies in the folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from scorer.store.errors import StoreError


def acquire_shared(directory: Path) -> int | None:
    """Marks the store as used until ``let_go``; None where the disk knows no locks.

    Never waits. Raises StoreError ("busy") while somebody exchanges its file.
    """
    return _acquire(directory, fcntl.LOCK_SH)


def release(handle: int | None) -> None:
    """Ends what ``in_use`` began."""
    if handle is not None:
        os.close(handle)


@contextlib.contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Nobody uses the store as long as this lasts. Raises StoreError ("busy") if somebody does."""
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
        # Some disks know no locks. One table runs on a box, whether that can be proved or not.
        release(handle)
        return None
    return handle
