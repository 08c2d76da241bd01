"""The moment when a salvaged store takes the damaged one's place, which a plug may interrupt.

The salvaged file gets its waiting name only once it is complete; from then on the exchange can be
taken up at any point. It knows names of files, nothing of what is in them.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from scorer.store import file

SALVAGED_NAME = "salvaged.sqlite3"


def finish_replacement(folder: Path) -> Path | None:
    """Puts a complete salvaged store in its place, if one waits; says where the old one went.

    Raises OSError; whatever was done by then is taken up next time.
    """
    waiting, store = folder / SALVAGED_NAME, folder / file.FILE_NAME
    if not waiting.exists():
        return None
    aside = _free_name(folder)
    # The log first: left behind, SQLite would write it into the file that comes after.
    _move(file.wal_path(store), file.wal_path(aside))
    _move(store, aside)
    file.sync_folder(folder)
    waiting.rename(store)
    file.sync_folder(folder)
    return aside


def _free_name(folder: Path) -> Path:
    """The same name until a store lies under it, so that its log and it always go together."""
    names = (folder / f"damaged-{number}.sqlite3" for number in count(1))
    return next(name for name in names if not name.exists())


def _move(old: Path, new: Path) -> None:
    if old.exists():
        old.rename(new)
