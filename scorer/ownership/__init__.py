"""Files of commands of root in folders of others: no link is followed.

The owner of such a folder may lay links there, before or meanwhile. A path is opened component by
component, none of which is followed as a link. What is given away is the opened file itself: a
folder, or a regular file with one link.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_STEP = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY


@contextmanager
def opened_without_links(
    path: Path, flags: int = os.O_RDONLY, beneath: int | None = None
) -> Iterator[int]:
    """The descriptor of ``path``, from the open folder ``beneath`` on if there is one.

    Raises OSError, also for a link on the way.
    """
    handle = _open_without_links(path, flags, beneath)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def opened_folder(path: Path) -> Iterator[int]:
    """The descriptor of a folder; root follows no link to it. Raises OSError."""
    is_root = os.geteuid() == 0
    handle = _open_without_links(path, _FOLDER, None) if is_root else os.open(path, _FOLDER)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def opened_own_folder(path: Path, beneath: int | None = None) -> Iterator[int]:
    """The descriptor of a folder that this process has just made for itself alone.

    No other user lays a link below ``path_of`` it. Raises OSError.
    """
    with opened_without_links(path, _FOLDER, beneath) as handle:
        if os.fstat(handle).st_uid != os.geteuid() and _takes_links(handle):
            raise OSError(errno.EPERM, "another folder has taken its place", str(path))
        yield handle


def path_of(handle: int) -> Path:
    """A path by which this process reaches what is open, wherever it has been moved."""
    return Path(f"/proc/self/fd/{handle}")


def give_to_owner_of(folder: Path, path: Path) -> None:
    """Give what root has made to the owner of ``folder``. Raises OSError."""
    if os.geteuid() != 0:
        return
    # O_PATH: to close another descriptor of a database would take the locks of SQLite away.
    with opened_folder(folder) as place, opened_without_links(path, os.O_PATH) as handle:
        found, owner = os.fstat(handle), os.fstat(place)
        is_file = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
        if not (is_file or stat.S_ISDIR(found.st_mode)):
            raise OSError(errno.EMLINK, "it is no file with one name", str(path))
        os.chown(path_of(handle), owner.st_uid, owner.st_gid)


def _takes_links(folder: int) -> bool:
    """Whether its file system has links; FAT has neither them nor owners."""
    probe = ".link"
    try:
        os.symlink(probe, probe, dir_fd=folder)
    except OSError:
        return False
    with suppress(OSError):
        os.unlink(probe, dir_fd=folder)
    return True


def _open_without_links(path: Path, flags: int, beneath: int | None) -> int:
    parts = path.parts if beneath is not None else path.absolute().parts[1:]
    *folders, last = parts or (".",)
    handle = os.open("/", _STEP) if beneath is None else os.dup(beneath)
    try:
        for part in folders:
            inner = os.open(part, _STEP, dir_fd=handle)
            os.close(handle)
            handle = inner
        # A FIFO must not wait for its writer.
        safe = flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        found = os.open(last, safe, dir_fd=handle)
        if stat.S_ISLNK(os.fstat(found).st_mode):  # O_PATH opens the link itself
            os.close(found)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return found
    except OSError as error:
        raise _named(error, path) from None
    finally:
        os.close(handle)


def _named(error: OSError, path: Path) -> OSError:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):  # of a link, where a folder is wanted
        sentence = "it is no folder, or a link is in its path, which is not followed"
        return OSError(error.errno, sentence, str(path))
    return OSError(error.errno, error.strerror, str(path))
