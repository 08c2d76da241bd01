"""A USB stick as a loop device: a real file system, mount and full disk.

Needs root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

LABEL = "TRUCO"


class Stick(NamedTuple):
    """The device, and the folder of links by which it is found."""

    device: str
    links: Path


@cache
def why_not() -> str:
    """Why this machine has no loop devices, or ""."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [tool for tool in ("losetup", "mkfs.ext4", "mount") if shutil.which(tool) is None]
    if missing:
        return f"{missing[0]} is not installed"
    found = subprocess.run(["losetup", "--find"], capture_output=True, text=True, check=False)
    return "" if found.returncode == 0 else f"no loop device: {found.stderr.strip()}"


@contextmanager
def plugged(folder: Path, kilobytes: int = 2048, *options: str, owner: int = 0) -> Iterator[Stick]:
    """A stick with ext4; ``options`` of losetup, such as ``--read-only``."""
    image, links = folder / "stick.img", folder / "by-label"
    links.mkdir()
    with image.open("wb") as file:
        file.truncate(kilobytes * 1024)
    make = ["mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-m", "0"]
    make += ["-E", f"root_owner={owner}:{owner}", str(image)]
    subprocess.run(make, check=True, capture_output=True)
    with attached(image, *options) as device:
        (links / LABEL).symlink_to(device)
        yield Stick(device, links)


@contextmanager
def put_on(stick: Stick, folder: Path) -> Iterator[Path]:
    """The stick as a PC has it."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", stick.device, str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def attached(image: Path, *options: str) -> Iterator[str]:
    """The image as a block device."""
    command = ["losetup", "--find", "--show", *options, str(image)]
    device = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)


def files_on(stick: Stick, folder: Path) -> dict[str, bytes]:
    """The files on the stick, as another machine reads them."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "ro", stick.device, str(folder)], check=True)
    try:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def is_mounted(device: str) -> bool:
    """Whether the device is mounted anywhere."""
    return any(line.startswith(f"{device} ") for line in mounts())


def mounts() -> list[str]:
    """The lines of /proc/mounts."""
    return Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
