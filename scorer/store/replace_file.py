"""Replace the store by a salvaged or a restored one, resumable after a power cut.

The new file gets its waiting name only when it is complete; from then on the replacement can be
resumed at any step. The old store is kept beside the new one.
"""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from scorer.store import file

SALVAGED_NAME = "salvaged.sqlite3"
_RESTORED = r"restored-\d{4}-\d\d-\d\d\.sqlite3"


def restored_name(day: str) -> str:
    """The waiting name of a restored store.

    ``day`` (2026-05-01) is in the new name of the old one.
    """
    name = f"restored-{day}.sqlite3"
    assert re.fullmatch(_RESTORED, name), name
    return name


def restored_copies(folder: Path) -> list[Path]:
    """The restored stores that wait in ``folder``."""
    named = sorted(folder.glob("restored-*.sqlite3"))
    return [path for path in named if re.fullmatch(_RESTORED, path.name)]


def finish_replacement(folder: Path) -> Path | None:
    """Move a waiting store into place.

    Return where the old one went, or None. Raises OSError; the next call resumes.
    """
    aside: Path | None = None
    # The waiting stores, and the first part of the name for the one they replace.
    found = [(folder / SALVAGED_NAME, "damaged")] if (folder / SALVAGED_NAME).exists() else []
    for path in restored_copies(folder):
        day = path.stem.removeprefix("restored-")
        found.append((path, f"replaced-{day}"))
    store = folder / file.FILE_NAME
    for waiting, old in found:
        # Constant until a store has that name: the store and its log get the same one.
        names = (folder / f"{old}-{number}.sqlite3" for number in count(1))
        aside = next(name for name in names if not name.exists())
        # The log first: left behind, SQLite would apply it to the new file.
        _move(file.wal_path(store), file.wal_path(aside))
        _move(store, aside)
        file.sync_folder(folder)
        waiting.rename(store)
        file.sync_folder(folder)
    return aside


def _move(old: Path, new: Path) -> None:
    if old.exists():
        old.rename(new)
