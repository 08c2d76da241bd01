"""A disk with a log of every write: an image behind QEMU's storage daemon.

The daemon logs the writes of the kernel's ext4 and exports the image as a file (FUSE) for a loop
device. Requires root, qemu-storage-daemon, FUSE and loop devices.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType

SIZE = 64 * 1024 * 1024  # bytes
FILLER = "filler"
PATIENCE = 30.0  # seconds for the daemon to export its file


def why_not() -> str:
    """Why no such disk can be made here, or ""."""
    if os.geteuid() != 0:
        return "only root may mount a logged disk"
    tools = ("qemu-storage-daemon", "losetup", "mke2fs", "e2fsck", "debugfs")
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    nodes = [node for node in ("/dev/fuse", "/dev/loop-control") if not Path(node).exists()]
    return f"the kernel has no {', '.join(nodes)}" if nodes else ""


def make_image(image: Path) -> None:
    """Make an empty file system like a card's, without lazy initialisation."""
    with image.open("wb") as file:
        file.truncate(SIZE)
    later = "lazy_itable_init=0,lazy_journal_init=0"
    # No blocks are reserved for root: the disk is as full for the test as for the table. Groups are
    # small so that there is a spare superblock, as on a card.
    shape = ["-b", "4096", "-g", "8192", "-m", "0", "-E", later]
    command = ["mke2fs", "-q", "-t", "ext4", *shape, str(image)]
    subprocess.run(command, check=True, capture_output=True)


class LoggedDisk:
    """The disk of ``image``, mounted on ``folder`` inside ``work`` for the block."""

    def __init__(self, image: Path, work: Path, options: str = "noatime") -> None:
        """``image`` is changed; ``work`` gets ``writes.log``; ``options``: of the mount."""
        self.image, self.log, self.folder = image, work / "writes.log", work / "mounted"
        self._file = work / "shown.img"
        # Writes dirty data every second: more writes besides those of the presses.
        self._options = f"{options},commit=1"
        self._daemon: subprocess.Popen[bytes] | None = None
        self._loop = ""
        self._mounted = False

    def __enter__(self) -> LoggedDisk:
        self.log.write_bytes(b"")
        self._file.touch()
        self.folder.mkdir()
        try:
            self._show()
            shown = ["losetup", "--find", "--show", str(self._file)]
            self._loop = subprocess.run(shown, check=True, capture_output=True, text=True).stdout
            self._loop = self._loop.strip()
            mount = ["mount", "-t", "ext4", "-o", self._options, self._loop, str(self.folder)]
            subprocess.run(mount, check=True, capture_output=True)
            self._mounted = True
        except BaseException:
            self._take_down()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._take_down()

    def length(self) -> int:
        """The current length of the log in bytes."""
        return self.log.stat().st_size

    def fill(self) -> None:
        """Fill all free blocks."""
        with (self.folder / FILLER).open("wb") as filler:
            for size in (1 << 20, 4096):
                with contextlib.suppress(OSError):
                    while True:
                        os.posix_fallocate(filler.fileno(), filler.seek(0, os.SEEK_END), size)
            os.fsync(filler.fileno())

    def free(self) -> None:
        """Free the blocks taken by ``fill``."""
        (self.folder / FILLER).unlink()

    def _show(self) -> None:
        size = self._file.stat().st_size
        node = (
            "driver=blklogwrites,node-name=disk,log-sector-size=512"
            f",file.driver=file,file.filename={self.image}"
            f",log.driver=file,log.filename={self.log}"
        )
        export = f"type=fuse,id=disk,node-name=disk,mountpoint={self._file},writable=on"
        command = ["qemu-storage-daemon", "--blockdev", node, "--export", export]
        self._daemon = subprocess.Popen(command, stderr=subprocess.PIPE)
        until = time.monotonic() + PATIENCE
        while self._file.stat().st_size == size:
            if self._daemon.poll() is not None or time.monotonic() > until:
                error = b"" if self._daemon.stderr is None else self._daemon.stderr.read()
                raise OSError(f"qemu-storage-daemon shows no disk: {error.decode()}")
            time.sleep(0.01)

    def _take_down(self) -> None:
        if self._mounted:
            # Lazily: a table that could not be ended must not block the cleanup.
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True, capture_output=True)
            self._mounted = False
        if self._loop:
            subprocess.run(["losetup", "--detach", self._loop], check=True, capture_output=True)
            self._loop = ""
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait(timeout=PATIENCE)
            if self._daemon.stderr is not None:
                self._daemon.stderr.close()
            self._daemon = None
