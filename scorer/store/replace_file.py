"""Replace a damaged store by the salvaged one, resumable after a power cut.

The salvaged file gets its waiting name only when it is complete; from then on the replacement can
be resumed at any step.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from scorer.store import file

SALVAGED_NAME = "salvaged.sqlite3"


def finish_replacement(folder: Path) -> Path | None:
    """Move a waiting salvaged store into place.

    Return where the old one went, or None. Raises OSError; the next call resumes.
    """
    waiting, store = folder / SALVAGED_NAME, folder / file.FILE_NAME
    if not waiting.exists():
        return None
    aside = _free_name(folder)
    # The log first: left behind, SQLite would apply it to the new file.
    _move(file.wal_path(store), file.wal_path(aside))
    _move(store, aside)
    file.sync_folder(folder)
    waiting.rename(store)
    file.sync_folder(folder)
    return aside


def _free_name(folder: Path) -> Path:
    """Constant until a store has that name: the store and its log get the same one."""
    names = (folder / f"damaged-{number}.sqlite3" for number in count(1))
    return next(name for name in names if not name.exists())


def _move(old: Path, new: Path) -> None:
    if old.exists():
        old.rename(new)
