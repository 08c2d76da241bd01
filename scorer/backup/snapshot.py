"""Copy the games into one file, and check every game of the copy."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path

from scorer.backup.options import BackupError, check_access
from scorer.records.replay_check import StoreContent, read_content
from scorer.store import file, health
from scorer.store.archive import Archive
from scorer.store.backup import copy_store

_NEWEST = 30  # games that are replayed where time is short; the others are only read


def today() -> str:
    """The local date, as it stands in the names of files: ``2026-05-01``."""
    return datetime.now().astimezone().strftime("%Y-%m-%d")


def dated_name(folder: Path) -> Path:
    """The first free name of today in ``folder``."""
    names = (
        folder / f"truco-{today()}{f'-{number}' if number > 1 else ''}.sqlite3"
        for number in count(1)
    )
    return next(name for name in names if not name.exists())


def take(directory: Path, target: Path, *, is_quick: bool = False) -> StoreContent:
    """Copy the store in ``directory`` to the file ``target``, which is replaced.

    ``is_quick``: replay only the newest games. Raises StoreError, and BackupError without a store.
    """
    check_access(directory)
    if not health.store_exists(directory):
        raise BackupError(f"{directory} has no games yet")
    return copy_store(directory, target, lambda copy: check(copy, is_quick=is_quick))


def check(copy: Path, *, is_quick: bool = False) -> StoreContent:
    """Replay the games of a file that no program writes. Raises StoreError."""
    with closing(Archive(copy, file.connect_immutable)) as archive:
        first = archive.newest_game() - _NEWEST + 1 if is_quick else 1
        return read_content(archive.games(), replay_from=first)
