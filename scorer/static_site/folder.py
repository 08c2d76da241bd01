"""The folder of a static site, which is changed as a whole or not at all.

FOLDER/site is written anew beside the old one, on the disk before it counts, and exchanged with it
in one step, so that a server finds one or the other. FOLDER stays, which alone the program has to
be allowed to write.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from scorer.ownership import (
    opened_folder,
    opened_own_folder,
    opened_without_links,
    path_of,
)
from scorer.system.exchange_paths import exchange_paths

SITE = "site"
RESERVE = 64 * 1024 * 1024  # bytes that stay free: on a full disk no row is stored
_FRESH, _ASIDE = ".site.new", ".site.old"


def replace_site(
    folder: Path,
    make: Callable[[Callable[[str], bytes | None]], Mapping[str, bytes]],
    index: str,
    reserve: int = RESERVE,
) -> bool:
    """Put the files of ``make`` in place of a site; False: they are the same.

    ``make`` gets what reads a file of the site before; ``index``: a file that every site of this
    kind has, and no other folder. Raises OSError; the old site stays then.
    """
    with opened_folder(folder) as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)  # no other process publishes meanwhile
        # Whatever its owner puts in the way meanwhile, nothing is written elsewhere.
        site, fresh = path_of(opened) / SITE, path_of(opened) / _FRESH
        if site.exists() and not (site / index).is_file():
            raise OSError(errno.EEXIST, "it has another folder of that name", str(folder / SITE))
        _remove(fresh)  # of a run that was killed
        files = make(lambda path: _read(opened, path))
        if _is_the_same(opened, files):
            return False
        disk = os.statvfs(folder)
        if disk.f_bavail * disk.f_frsize < reserve:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        try:
            _write(opened, files)
            _put_in_place(fresh, site)
            os.fsync(opened)
        finally:
            _remove(fresh)
        return True


def read_site(folder: Path, path: str) -> bytes | None:
    """A file of the site of a folder; None without it."""
    with suppress(OSError), opened_folder(folder) as place:
        return _read(place, path)
    return None


def _read(place: int, path: str) -> bytes | None:
    """A regular file of the site of an open folder; None without it."""
    with suppress(OSError), opened_without_links(Path(SITE, path), beneath=place) as handle:
        return _content(handle)
    return None


def _content(handle: int) -> bytes | None:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return None
    with open(handle, "rb", closefd=False) as file:
        return file.read()


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


def _is_the_same(place: int, files: Mapping[str, bytes]) -> bool:
    site = path_of(place) / SITE
    found = {str(each.relative_to(site)) for each in site.rglob("*") if each.is_file()}
    return found == files.keys() and all(_read(place, path) == files[path] for path in files)


def _write(place: int, files: Mapping[str, bytes]) -> None:
    """Write the files to the disk, into a folder that is closed to others until then.

    A command of root gives them to the owner of the open folder ``place``.
    """
    owner = os.fstat(place) if os.geteuid() == 0 else None
    (path_of(place) / _FRESH).mkdir(0o700)
    with opened_own_folder(Path(_FRESH), beneath=place) as opened:
        fresh = path_of(opened)
        folders = sorted({(fresh / path).parent for path in files} - {fresh})
        for each in folders:
            each.mkdir()
        for path, body in files.items():
            _write_file(fresh / path, body, Path(SITE, path), place, owner)
        for each in folders:
            with opened_without_links(each.relative_to(fresh), beneath=opened) as inner:
                _finish(inner, 0o755, owner)
        _finish(opened, 0o755, owner)


def _write_file(
    path: Path, body: bytes, old: Path, place: int, owner: os.stat_result | None
) -> None:
    """Write a file, or link an equal old one, which is on the disk already."""
    least = 0.0
    with suppress(OSError), opened_without_links(old, beneath=place) as handle:
        found = os.fstat(handle)
        is_given = owner is None or found.st_uid == owner.st_uid
        if is_given and _content(handle) == body:
            with suppress(OSError):  # FAT has no links
                # With a folder the system call is the one that links what is open.
                os.link(path_of(handle), path, src_dir_fd=place)
                return
        # Servers compare whole seconds: another content has another one, whatever the clock says.
        least = int(found.st_mtime) + 1.0
    with path.open("xb") as file:
        file.write(body)
        file.flush()
        at = max(time.time(), least)
        os.utime(file.fileno(), (at, at))
        _finish(file.fileno(), 0o644, owner)


def _finish(handle: int, mode: int, owner: os.stat_result | None) -> None:
    """Let a server read it, which is another user, and put it on the disk."""
    with suppress(PermissionError):  # FAT has no such rights
        os.fchmod(handle, mode)
        if owner is not None:
            os.fchown(handle, owner.st_uid, owner.st_gid)
    os.fsync(handle)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
