"""What the virtual Pi is made of, each part built once and kept under the hash of what it is from.

    kernel   Debian's source, kernel.config, two modules of ours      minutes
    system   a Debian with systemd and what the package asks for      a minute
    card     the system with the .deb installed, as an ext4 image     seconds

Everything comes from Debian's archive and from the package index by their usual clients. It knows
how parts are found again; how each is made is in ``kernel`` and ``card``.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

NEWEST = 2  # parts of a kind that are kept
MAKING = "making-"
HERE = Path(__file__).resolve().parent
# Command and the Debian package that has it.
TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "dpkg-deb": "dpkg",
    "dtc": "device-tree-compiler",
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "depmod": "kmod",
    "xz": "xz-utils",
}
HEADERS = {"/usr/include/libelf.h": "libelf-dev", "/usr/include/openssl/ssl.h": "libssl-dev"}


class OutOfReachError(Exception):
    """Neither kept here nor to be had: one line that says what, and why not."""


class Parts(NamedTuple):
    """A virtual Pi, ready to be started: files that nobody may write to."""

    kernel: Path
    board: Path  # the device tree
    card: Path


def cache() -> Path:
    """Where what was built is kept: VIRTUAL_PI_CACHE, else below the home."""
    usual = Path.home() / ".cache" / "truco-virtual-pi"
    return Path(os.environ.get("VIRTUAL_PI_CACHE") or usual)


def lacking() -> list[str]:
    """Debian packages that are needed here and not installed."""
    tools = {package for tool, package in TOOLS.items() if shutil.which(tool) is None}
    headers = {package for header, package in HEADERS.items() if not Path(header).exists()}
    return sorted(tools | headers)


def parts() -> Parts:
    """Builds what is not there yet, and keeps the newest of each kind.

    OutOfReachError: something has to come over a network and does not. RuntimeError: a tool failed.
    """
    from tests.longrun.virtual_pi import card_image, kernel

    built = kernel.built()
    keep_newest("kernel-*")
    return Parts(built / "bzImage", built / "virtual-pi.dtb", card_image.built(built / "modules"))


def key(*contents: bytes | str | Path) -> str:
    """Names a part by what it is made from: texts, files, and folders with their names in them."""
    known = hashlib.sha256()
    for content in contents:
        for piece in _pieces(content):
            known.update(hashlib.sha256(piece).digest())
    return known.hexdigest()[:16]


def _pieces(content: bytes | str | Path) -> Iterator[bytes]:
    match content:
        case bytes():
            yield content
        case str():
            yield content.encode("utf-8")
        case Path() if content.is_dir():
            for path in sorted(path for path in content.rglob("*") if path.is_file()):
                yield str(path.relative_to(content)).encode("utf-8")
                yield path.read_bytes()
        case Path():
            yield content.read_bytes()


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """The part of this name; where it is missing, ``make`` is given a place to build it in.

    A part is there whole or not at all, is built once however many ask for it, and stays for as
    long as this process.
    """
    path = cache() / name
    while not _held(path):
        with _alone():
            if not path.exists():
                _sweep()
                with scratch(cache()) as folder:
                    make(folder / name)
                    (folder / name).replace(path)
    os.utime(path)  # its age is that of its last use
    return path


def keep_newest(pattern: str) -> None:
    """Removes all parts of a kind but the two that were used last.

    A card for every commit would fill the disk. One that another run started from stays as well.
    """
    known = sorted(cache().glob(pattern), key=lambda path: path.stat().st_mtime)
    for path in known[:-NEWEST]:
        with suppress(BlockingIOError, FileNotFoundError), _opened(path) as part:
            fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)


def _held(path: Path) -> bool:
    """Whether the part is there; until this process ends nobody removes it then."""
    try:
        part = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    fcntl.flock(part, fcntl.LOCK_SH)
    if path.exists():
        return True
    os.close(part)  # somebody was just removing it
    return False


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A file or a folder, for its lock."""
    part = os.open(path, os.O_RDONLY)
    try:
        yield part
    finally:
        os.close(part)


def remove(path: Path) -> None:
    """A file, or a folder with all that is in it."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _sweep() -> None:
    """What a build that was killed has left; whoever builds here does it alone."""
    for left in cache().glob(f"{MAKING}*"):
        remove(left)


@contextmanager
def _alone() -> Iterator[None]:
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A folder that is gone afterwards, for whoever built in it was root."""
    folder = Path(tempfile.mkdtemp(prefix=MAKING, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fetch(what: str, command: Sequence[str], folder: Path | None = None) -> None:
    """Runs what gets something over a network. OutOfReachError: it did not."""
    try:
        run(command, folder)
    except RuntimeError as error:
        *_, last = str(error).splitlines()
        raise OutOfReachError(f"{what} cannot be had ({last})") from error


def run(command: Sequence[str], folder: Path | None = None) -> str:
    """What the command printed. RuntimeError: it failed, and what it said."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr)[-2000:]
        raise RuntimeError(f"{' '.join(command)[:200]} failed ({done.returncode}): {said}")
    return done.stdout
