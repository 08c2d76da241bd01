"""Put a copy in the place of the store; the old store is kept beside it.

The copy is verified in the folder of the store. It gets its waiting name only when it is complete;
from then on ``replace_file`` can resume the replacement after a power cut, at any step.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from scorer.ownership import (
    give_to_owner_of,
    opened_own_folder,
    opened_without_links,
    path_of,
)
from scorer.store import epoch, file, health, setting
from scorer.store.backup import sync_and_forget
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite
from scorer.store.lock import exclusive
from scorer.store.replace_file import finish_replacement, restored_copies, restored_name

NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
_WORK = "restoring"  # folder of the unfinished copy; a cut leaves it, the next restore empties it

T = TypeVar("T")


def restore_store(
    source: Path, directory: Path, day: str, check: Callable[[Path], T]
) -> tuple[T, Path | None]:
    """Replace the store in ``directory`` by a copy of ``source``, which stays.

    ``check`` reads the verified copy first, and may raise to refuse it. Returns what it returns,
    and the new path of the old store, named after ``day``; None if there was none. Raises
    StoreError ("busy" while a table uses the store); the store is then as before.
    """
    file.check_header(source)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with exclusive(directory):
            finish_replacement(directory)
            had_store = health.store_exists(directory)
            found = stage_copy(source, directory, day, check)
            aside = finish_replacement(directory)
    except OSError as error:
        raise from_os(error, directory) from error
    return found, aside if had_store else None


def stage_copy(
    source: Path,
    directory: Path,
    day: str,
    check: Callable[[Path], T],
    settings: Mapping[str, str] = NO_SETTINGS,
) -> T:
    """Lay a verified copy beside the store; what opens the store next replaces it.

    A table may use the store meanwhile. ``settings`` are added to those of the copy. Raises
    StoreError, OSError, and what ``check`` raises; nothing waits then. A power cut at any moment
    loses neither of both stores.
    """
    try:
        copy = _copy_into(directory, source)
        health.check_file(copy, file.connect_immutable)
        found = check(copy)
        # Take the epoch out of a verified copy, and add ``settings``. Raises StoreError.
        try:
            with contextlib.closing(file.connect(copy)) as database:
                with file.transaction(database):
                    setting.remove(database, epoch.KEY)
                    for key, value in settings.items():
                        setting.put(database, key, value)
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, copy) from error
        sync_and_forget(copy)
        copy.rename(directory / restored_name(day))
        file.sync_folder(directory)
    finally:
        shutil.rmtree(directory / _WORK, ignore_errors=True)
    return found


def withdraw_copy(directory: Path) -> None:
    """Delete a copy that waits beside the store. Raises OSError."""
    for waiting in restored_copies(directory):
        waiting.unlink()
    file.sync_folder(directory)


def _copy_into(directory: Path, source: Path) -> Path:
    """Copy the file, with what is in its log, into one file on the disk of the store."""
    work = directory / _WORK
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(0o700)
    copy = work / file.FILE_NAME
    # Its owner may lay a link there meanwhile: what is written to is the folder made here.
    with _unused(source, directory), opened_own_folder(work) as opened:
        written = path_of(opened) / file.FILE_NAME
        shutil.copyfile(source, written)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(file.wal_path(source), file.wal_path(written))
    # Move the presses in the log into the file. Raises StoreError.
    try:
        with contextlib.closing(file.connect(copy)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except SQLITE_ERRORS as error:
        raise from_sqlite(error, copy) from error
    if file.wal_path(copy).exists():
        raise StoreError("damaged", copy, "its log cannot be emptied")
    with opened_without_links(copy) as handle:
        os.fchmod(handle, 0o600)
    give_to_owner_of(directory, copy)
    sync_and_forget(copy)
    return copy


@contextlib.contextmanager
def _unused(source: Path, directory: Path) -> Iterator[None]:
    """Raise StoreError ("busy") if a table writes to the file, which is then no copy."""
    if not file.wal_path(source).exists() or source.parent.samefile(directory):
        yield
    else:
        with exclusive(source.parent):
            yield
