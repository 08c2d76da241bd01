"""Find a USB stick by its label, and mount it for a moment.

Calls mount(2) itself: the program of that name refuses users other than root, whatever their
capabilities.
"""

from __future__ import annotations

import ctypes
import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

BY_LABEL = Path("/dev/disk/by-label")
# As sticks are sold, and what Linux users make of them. No other driver reads a foreign stick.
FILE_SYSTEMS = ("vfat", "exfat", "ext4")
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 2, 4, 8


class StickFault(Enum):
    """Why a stick cannot be used."""

    ABSENT = "there is no USB stick with the label {label}"
    READ_ONLY = "the stick {label} is write-protected"
    UNREADABLE = "the stick {label} has no file system that is known here: format it as FAT"
    FAILED = "the stick {label} cannot be mounted: {why}"


class StickError(Exception):
    """The stick cannot be used; ``fault`` is for programs, the text for the owner."""

    def __init__(self, fault: StickFault, label: str, why: str = "") -> None:
        super().__init__(fault.value.format(label=label, why=why))
        self.fault = fault


_FAULTS = {
    errno.EROFS: StickFault.READ_ONLY,
    # Of a device that is write-protected.
    errno.EACCES: StickFault.READ_ONLY,
    errno.ENOMEDIUM: StickFault.ABSENT,
    errno.ENXIO: StickFault.ABSENT,
    errno.ENOENT: StickFault.ABSENT,
}


@contextmanager
def mounted(label: str, links: Path = BY_LABEL) -> Iterator[Path]:
    """Mount the stick with this label; yield its folder, and unmount it afterwards.

    Raises StickError. Needs CAP_SYS_ADMIN.
    """
    device = _find(label, links)
    # Not a TemporaryDirectory, which deletes what is in it: that would be the stick's files.
    folder = Path(tempfile.mkdtemp(prefix="scorer-stick-"))
    try:
        _mount(device, folder, label)
        try:
            yield folder
        finally:
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.umount2(os.fsencode(folder), 0) != 0:
                why = os.strerror(ctypes.get_errno())
                raise StickError(StickFault.FAILED, label, f"it is still mounted: {why}")
    finally:
        with suppress(OSError):
            folder.rmdir()


def _find(label: str, links: Path) -> Path:
    """The device of the stick.

    Capitals do not matter: many systems write FAT labels in them.
    """
    with suppress(OSError):
        for link in sorted(links.iterdir()):
            if link.name.casefold() == label.casefold():
                return link.resolve()
    raise StickError(StickFault.ABSENT, label)


def _mount(device: Path, folder: Path, label: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    flags = ctypes.c_ulong(_MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    for kind in FILE_SYSTEMS:
        # FAT knows no owners: the files are those of this process.
        options = "" if kind == "ext4" else f"uid={os.getuid()},gid={os.getgid()},umask=0022"
        words = (os.fsencode(device), os.fsencode(folder), kind.encode())
        if libc.mount(*words, flags, options.encode()) == 0:
            return
        why = ctypes.get_errno()
        # Another file system, or one that this kernel lacks.
        if why not in (errno.EINVAL, errno.ENODEV):
            fault = _FAULTS.get(why, StickFault.FAILED)
            raise StickError(fault, label, os.strerror(why))
    raise StickError(StickFault.UNREADABLE, label)
