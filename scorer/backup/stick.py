"""Copies of the games on a USB stick: made, listed and fetched on request."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from scorer.api.backup_protocol import MAX_COPY_NAME, MAX_LINE_BYTES, BackupResult, Do
from scorer.backup import snapshot
from scorer.backup.options import BackupError, games_text, report
from scorer.plain_values import json_object
from scorer.store import file, health
from scorer.store.archive import Archive
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os
from scorer.system import line_server, usb_stick
from scorer.system.line_server import IDLE
from scorer.system.usb_stick import StickError, StickFault

Message = dict[str, Any]

_OF_STICK = {
    StickFault.ABSENT: BackupResult.ABSENT,
    StickFault.READ_ONLY: BackupResult.READ_ONLY,
    StickFault.UNREADABLE: BackupResult.UNREADABLE,
}
_OF_COPY = {"full": BackupResult.FULL, "read_only": BackupResult.READ_ONLY}
_OF_FETCH = {
    "full": BackupResult.NO_ROOM,
    "future": BackupResult.NEWER,
    "damaged": BackupResult.DAMAGED,
    "not_a_store": BackupResult.DAMAGED,
}
FETCHED = "fetched.sqlite3"  # in the folder for fetched copies
_MOST_COPIES = 24  # of a list, which is one line


class NewerProgramError(Exception):
    """Games of a copy cannot be replayed by this version."""


class StickCopies:
    """Copies of one store on the stick with one label; ``links`` is for tests.

    ``fetched``: a folder for copies that come from the stick; None: none can be fetched.
    """

    def __init__(
        self,
        directory: Path,
        label: str,
        links: Path = usb_stick.BY_LABEL,
        fetched: Path | None = None,
    ) -> None:
        self._directory, self._label, self._links = directory, label, links
        self._fetched = fetched

    def answer(self, line: bytes) -> Message:
        """The answer to one request of the table."""
        asked = json_object(line) or {}
        match asked.get("do", Do.COPY):
            case Do.COPY:
                return self.copy()
            case Do.LIST:
                return self.list_copies()
            case Do.FETCH:
                return self.fetch(str(asked.get("name", "")))
            case other:
                return self._failure(BackupResult.FAILED, BackupError(f"unknown: {other!r}"))

    def copy(self) -> Message:
        """Make one copy; return the answer for the table. Failures are logged."""
        try:
            with usb_stick.mounted(self._label, self._links) as folder:
                target = snapshot.dated_name(folder)
                content = snapshot.take(self._directory, target, is_quick=True)
        except StickError as error:
            return self._failure(_OF_STICK.get(error.fault, BackupResult.FAILED), error)
        except StoreError as error:
            return self._failure(_OF_COPY.get(error.kind, BackupResult.FAILED), error)
        except (BackupError, OSError) as error:
            return self._failure(BackupResult.FAILED, error)
        sys.stdout.write(f"{target.name} on the stick: {games_text(content.games)}\n")
        sys.stdout.flush()
        return {"ok": True, "games": content.games}

    def list_copies(self) -> Message:
        """The newest copies on the stick, which stays as it is."""

        def listed(folder: Path) -> Message:
            found = sorted(_copies_in(folder), key=lambda copy: copy[1], reverse=True)
            if not found:
                raise BackupError("there is no copy on the stick")
            copies = [{"name": name, "games": games} for name, _, games in found[:_MOST_COPIES]]
            return {"ok": True, "copies": copies}

        return self._read_stick(listed, BackupResult.NONE)

    def fetch(self, name: str) -> Message:
        """Copy the file ``name`` onto the disk of the box, and check each game there."""
        folder = self._fetched
        if folder is None or Path(name).name != name or not name.endswith(".sqlite3"):
            return self._failure(BackupResult.FAILED, BackupError(f"no copy {name!r} to fetch"))
        fresh = folder / f".{FETCHED}.new"

        def copied(stick: Path) -> Message:
            source = stick / name
            if not source.is_file() or file.wal_path(source).exists():
                raise StoreError("not_a_store", source)
            file.check_header(source)
            shutil.copyfile(source, fresh)
            health.check_file(fresh, file.connect_immutable)
            content = snapshot.check(fresh)
            if content.unplayable:
                raise NewerProgramError(f"{name} has games that this version cannot replay")
            fresh.replace(folder / FETCHED)
            return {"ok": True, "games": content.games, "file": str(folder / FETCHED)}

        try:
            return self._read_stick(copied, BackupResult.FAILED)
        finally:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)

    def forget_fetched(self) -> None:
        """Delete the copy that was fetched; the table has taken it, or never will."""
        if self._fetched is not None:
            with suppress(OSError):
                (self._fetched / FETCHED).unlink(missing_ok=True)

    def _read_stick(self, read: Callable[[Path], Message], otherwise: BackupResult) -> Message:
        """What ``read`` answers of the mounted stick. Failures are logged."""
        try:
            with usb_stick.mounted(self._label, self._links) as folder:
                return read(folder)
        except StickError as error:
            return self._failure(_OF_STICK.get(error.fault, BackupResult.FAILED), error)
        except StoreError as error:
            return self._failure(_OF_FETCH.get(error.kind, BackupResult.FAILED), error)
        except NewerProgramError as error:
            return self._failure(BackupResult.NEWER, error)
        except BackupError as error:
            return self._failure(otherwise, error)
        except OSError as error:
            kind = from_os(error, self._directory).kind
            return self._failure(_OF_FETCH.get(kind, BackupResult.FAILED), error)

    def _failure(self, result: BackupResult, error: Exception) -> Message:
        report("backup", str(error))
        return {"ok": False, "error": result, "label": self._label, "text": str(error)}


def _copies_in(folder: Path) -> Iterator[tuple[str, float, int]]:
    """Name, Unix time and number of games of each file that can be read as a copy."""
    for path in folder.glob("*.sqlite3"):
        with suppress(StoreError, OSError, *SQLITE_ERRORS):
            if path.name.startswith(".") or len(os.fsencode(path.name)) > MAX_COPY_NAME:
                continue
            file.check_header(path)
            with closing(Archive(path, file.connect_immutable)) as archive:
                yield path.name, path.stat().st_mtime, archive.newest_game()


def serve(listener: socket.socket, copies: StickCopies, idle: float = IDLE) -> None:
    """Answer each connection until ``idle`` seconds pass without one."""
    copies.forget_fetched()
    line_server.serve(listener, copies.answer, MAX_LINE_BYTES, idle)
    copies.forget_fetched()
