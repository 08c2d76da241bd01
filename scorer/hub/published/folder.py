"""The folder of a published site, which is changed as a whole or not at all.

FOLDER/site is written anew beside the old one, on the disk before it counts, and exchanged with it
in one step, so that a server finds one or the other. FOLDER stays, which alone the hub has to be
allowed to write.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from scorer.system.exchange_paths import exchange_paths

SITE = "site"
INDEX = "tournaments.json"  # every site has it
RESERVE = 64 * 1024 * 1024  # bytes that stay free: on a full disk no row is stored
_FRESH, _ASIDE = ".site.new", ".site.old"


def replace_site(
    folder: Path,
    make: Callable[[Callable[[str], bytes | None]], Mapping[str, bytes]],
    reserve: int = RESERVE,
) -> bool:
    """Put the files of ``make`` in place of a site; False: they are the same.

    ``make`` gets what reads a file of the site before. Raises OSError; the old site stays then.
    """
    with _locked(folder) as opened:
        site, fresh = folder / SITE, folder / _FRESH
        if site.exists() and not (site / INDEX).is_file():
            raise OSError(errno.EEXIST, "it has another folder of that name", str(site))
        _remove(fresh)  # of a run that was killed
        files = make(lambda path: read_site(folder, path))
        if _is_the_same(site, files):
            return False
        disk = os.statvfs(folder)
        if disk.f_bavail * disk.f_frsize < reserve:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        try:
            _write(fresh, files, site)
            _give_to_owner(folder, fresh)
            _put_in_place(fresh, site)
            os.fsync(opened)
        finally:
            _remove(fresh)
        return True


def read_site(folder: Path, path: str) -> bytes | None:
    """A file of the site of a folder; None without it."""
    with suppress(OSError):
        return (folder / SITE / path).read_bytes()
    return None


def _put_in_place(fresh: Path, site: Path) -> None:
    if not site.exists():
        fresh.rename(site)
        return
    try:
        exchange_paths(fresh, site)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS):
            raise
        # A FAT stick cannot exchange: for a moment it has no site.
        aside = site.with_name(_ASIDE)
        _remove(aside)
        site.rename(aside)
        fresh.rename(site)
        _remove(aside)


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """The open folder, which no other process publishes into meanwhile."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield opened
    finally:
        os.close(opened)


def _is_the_same(site: Path, files: Mapping[str, bytes]) -> bool:
    found = {str(each.relative_to(site)) for each in site.rglob("*") if each.is_file()}
    return found == files.keys() and all(
        (site / path).read_bytes() == body for path, body in files.items()
    )


def _write(fresh: Path, files: Mapping[str, bytes], site: Path) -> None:
    """Write the files to the disk."""
    folders = sorted({fresh, *((fresh / path).parent for path in files)})
    for each in folders:
        each.mkdir()
        _let_all_read(each, 0o755)
    for path, body in files.items():
        _write_file(fresh / path, body, site / path)
    for each in folders:
        opened = os.open(each, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _write_file(path: Path, body: bytes, old: Path) -> None:
    """Write a file, or link an equal old one, which is on the disk already."""
    least = 0.0
    if old.is_file():
        if old.read_bytes() == body:
            with suppress(OSError):  # FAT has no links
                path.hardlink_to(old)
                return
        # Servers compare whole seconds: another content has another one, whatever the clock says.
        least = int(old.stat().st_mtime) + 1.0
    with path.open("xb") as opened:
        opened.write(body)
        opened.flush()
        at = max(time.time(), least)
        os.utime(path, (at, at))
        _let_all_read(path, 0o644)
        os.fsync(opened.fileno())


def _let_all_read(path: Path, mode: int) -> None:
    """A server is another user than the hub; FAT has no such rights."""
    with suppress(PermissionError):
        path.chmod(mode)


def _give_to_owner(folder: Path, fresh: Path) -> None:
    """Give the owner of the folder what a command of root has written."""
    if os.geteuid() != 0:
        return
    owner = folder.stat()
    with suppress(PermissionError):
        for each in (fresh, *fresh.rglob("*")):
            os.chown(each, owner.st_uid, owner.st_gid)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
