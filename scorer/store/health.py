"""Read-only checks of a store: integrity, space, owner, settings, events.

They run beside a table that may be writing, and repair nothing.
"""

import os
import re
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from scorer.store import events, file, rows
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite
from scorer.store.events import Event

MOUNTS = Path("/proc/self/mountinfo")
IN_MEMORY = ("tmpfs", "ramfs")


class DiskSpace(NamedTuple):
    """Bytes of the store with its log, and free bytes on its disk."""

    size: int
    free: int


def disk_space(directory: Path) -> DiskSpace:
    """Measure the store in ``directory`` and its disk. Raises StoreError."""
    path = directory / file.FILE_NAME
    try:
        disk = os.statvfs(directory)
        files = (path, file.wal_path(path))
        size = sum(each.stat().st_size for each in files if each.exists())
    except OSError as error:
        raise from_os(error, directory) from error
    return DiskSpace(size, disk.f_bavail * disk.f_frsize)


def volatile_file_system(directory: Path, mounts: Path = MOUNTS) -> str:
    """The type of file system if it loses ``directory`` at power-off, else "".

    The upper layer of an overlay is in memory where the card is protected, and beyond reach in a
    container: an overlay lasts only if its layer is known to.
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    kind, upper = _mounted_at(directory.resolve(), lines)
    if kind == "overlay" and upper.is_dir():
        beneath, _ = _mounted_at(upper.resolve(), lines)
        return kind if beneath in (*IN_MEMORY, "overlay") else ""
    return kind if kind in (*IN_MEMORY, "overlay") else ""


def _mounted_at(path: Path, lines: list[str]) -> tuple[str, Path]:
    """The file system that contains ``path``, and the upper layer of an overlay."""
    kind, depth, upper = "", 0, Path("/nonexistent")
    for line in lines:
        # See proc_pid_mountinfo(5): a mount point, then " - ", type, source and options.
        left, _, right = line.partition(" - ")
        place, (name, _, options) = Path(_unescape(left.split()[4])), right.split(" ", 2)
        # Of two mounts on one point the later one is on top.
        if path.is_relative_to(place) and len(place.parts) >= depth:
            kind, depth = name, len(place.parts)
            found = re.search(r"(?:^|,)upperdir=([^,]+)", options)
            upper = Path(_unescape(found[1]) if found else "/nonexistent")
    return kind, upper


def _unescape(text: str) -> str:
    """Decode the octal escapes of mountinfo, such as \\040 for a space."""
    return re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), text)


def check_integrity(directory: Path) -> None:
    """Read the whole store. Raises StoreError, "damaged" if it is corrupt."""
    check_file(directory / file.FILE_NAME)


def check_file(path: Path, connector: file.Connect = file.connect_read_only) -> None:
    """Read the whole store at ``path``. Raises StoreError, "damaged" if it is corrupt."""
    with closing(file.open_read_only(path, connector)) as database:
        try:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            rows.settings(database)
            game = rows.newest(database)[1] or None
            while game is not None:
                rows.header(database, game)
                rows.of_game(database, game)
                game = rows.game_before(database, game)
            events.read(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error
    if found != "ok":
        raise StoreError("damaged", path, str(found))


def read_settings(directory: Path) -> dict[str, str]:
    """The settings chosen on the box, by key, as stored in the journal.

    Raises StoreError.
    """
    path = directory / file.FILE_NAME
    with closing(file.open_read_only(path)) as database:
        try:
            return rows.settings(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error


def read_events(directory: Path) -> tuple[Event, ...]:
    """All events, oldest first. Raises StoreError."""
    path = directory / file.FILE_NAME
    with closing(file.open_read_only(path)) as database:
        try:
            return events.read(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error


def store_exists(directory: Path) -> bool:
    """Whether a store was created there.

    Raises StoreError if the folder is not readable.
    """
    try:
        # Not is_file(): it returns False for a file that is not accessible.
        (directory / file.FILE_NAME).stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise from_os(error, directory) from error
    return True


def owner_uids(directory: Path) -> tuple[int, ...]:
    """The user ids that own the folder and the files of the store, each once, sorted."""
    path = directory / file.FILE_NAME
    files = (directory, path, file.wal_path(path))
    return tuple(sorted({each.stat().st_uid for each in files if each.exists()}))
