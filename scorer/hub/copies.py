"""Copies of the database after official results; each folder keeps the newest.

A copy is written beside the store thread, in a thread and on a connection of its own: no box waits
for it.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from scorer.hub.folder_fault import FolderFault, fault_of
from scorer.hub.hub_log import write_log
from scorer.hub.store.backup import has_entry, snapshot
from scorer.hub.store.database import Database, DatabaseError
from scorer.hub.tournaments import Tournaments

PAUSE = 60.0  # seconds between two copies
KEPT = 20  # in each folder
_OVERDUE = 5 * PAUSE  # seconds after which a copy that is still being written is a fault
_RESERVE = 64 * 1024 * 1024  # bytes that stay free: on a full disk no row is stored
_NAME = re.compile(r"hub-(\d+)\.copy")


def newest_result(tournaments: Tournaments) -> int:
    """The newest entry that changes a result or forgets a name; 0 without one."""
    open_ = (each.newest_result for each in tournaments.open)
    closed = (each.newest_result for each in tournaments.archive.values())
    return max((*open_, *closed, tournaments.forgotten))


class Copies:
    """Writes copies into folders."""

    def __init__(
        self, database: Database, own: Path, other: Path | None = None, reserve: int = _RESERVE
    ) -> None:
        """``own``: made if it is missing; ``other``: on a stick, as a rule."""
        self._database, self._own, self._reserve = database, own, reserve
        self.folders = (own,) if other is None else (own, other)
        self._copied: dict[Path, int] = {}
        self._faults: dict[Path, FolderFault] = {}
        self._writing: tuple[Path, float] | None = None  # the folder, and since when
        self._lock = Lock()

    def faults(self) -> list[FolderFault]:
        """The folders whose newest copy lacks the newest result, as of the last try."""
        found, writing = {**self._faults}, self._writing
        if writing is not None and time.monotonic() >= writing[1] + _OVERDUE:
            found.setdefault(writing[0], FolderFault(writing[0], ""))
        return [*found.values()]

    async def run(self, newest: Callable[[], int]) -> None:
        """Copy the newest result now and then until cancelled, and once more at the end."""
        try:
            while True:
                await asyncio.sleep(PAUSE)
                await asyncio.to_thread(self.write, newest())
        finally:
            self.write(newest())

    def newest(self, folder: Path, entry: int) -> str:
        """The name of the newest copy in a folder; "" if it lacks this entry of the log."""
        if entry > self._copied.get(folder, 0):
            return ""
        found = {int(name[1]): each.name for each in folder.iterdir() if (name := _match(each))}
        return found[max(found)] if found else ""

    def write(self, result: int) -> None:
        """Write a copy into each folder whose newest one lacks this entry of the log.

        An error is logged once, and ends nothing.
        """
        with self._lock:
            for folder in self.folders:
                if result > self._copied.get(folder, 0):
                    self._write(folder, result)

    def _write(self, folder: Path, result: int) -> None:
        self._writing = folder, time.monotonic()
        try:
            self._copy(folder, result)
        except (DatabaseError, OSError) as error:
            if isinstance(error, OSError):
                fault = fault_of(folder, error)
            else:
                fault = FolderFault(folder, str(error), error.is_full)
            if self._faults.get(folder) != fault:
                self._faults[folder] = fault
                write_log(f"no copy in {folder}: {fault.why}")
            return
        finally:
            self._writing = None
        self._copied[folder] = result
        self._faults.pop(folder, None)

    def _copy(self, folder: Path, result: int) -> None:
        if folder == self._own:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # By number: clock and log may have gone back since the last copy.
        found = {int(name[1]): each for each in folder.iterdir() if (name := _match(each))}
        newest = max(found, default=0)
        if newest and has_entry(self._database, found[newest], result):
            return
        disk = os.statvfs(folder)
        if disk.f_bavail * disk.f_frsize < self._reserve:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        snapshot(self._database, folder / f"hub-{newest + 1:06}.copy")
        for number in sorted(found, reverse=True)[KEPT - 1 :]:
            found[number].unlink(missing_ok=True)


def _match(path: Path) -> re.Match[str] | None:
    return _NAME.fullmatch(path.name)
