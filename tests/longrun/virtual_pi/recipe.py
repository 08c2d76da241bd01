"""The parts of the virtual Pi, each built once and cached by a hash of its inputs.


    kernel   Debian's source, kernel.config, two modules of ours      minutes
    system   a Debian with systemd and the package's dependencies     a minute
    card     the system with the .deb installed, as an ext4 image     seconds

Everything comes from Debian's archive and the package index through their usual clients. ``kernel``
and ``card_image`` build the parts.
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
    """A part is neither cached nor available: one line that says what, and why."""


class Parts(NamedTuple):
    """A virtual Pi, ready to be started: read-only files."""

    kernel: Path
    board: Path  # the device tree
    card: Path


def cache() -> Path:
    """The cache folder: VIRTUAL_PI_CACHE, else below the home directory."""
    usual = Path.home() / ".cache" / "truco-virtual-pi"
    return Path(os.environ.get("VIRTUAL_PI_CACHE") or usual)


def lacking() -> list[str]:
    """Debian packages that are needed here and not installed."""
    tools = {package for tool, package in TOOLS.items() if shutil.which(tool) is None}
    headers = {package for header, package in HEADERS.items() if not Path(header).exists()}
    return sorted(tools | headers)


def parts(*, is_installed: bool = True) -> Parts:
    """Build the missing parts and keep the newest of each kind.

    ``is_installed``: False for a card without the package. OutOfReachError: a download failed.
    RuntimeError: a tool failed.
    """
    from tests.longrun.virtual_pi import card_image, kernel

    built = kernel.built()
    keep_newest("kernel-*")
    card = card_image.built(built / "modules", is_installed=is_installed)
    return Parts(built / "bzImage", built / "virtual-pi.dtb", card)


def key(*contents: bytes | str | Path) -> str:
    """A hash of texts, files, and folders including the names in them."""
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
    """The part of this name; if missing, ``make`` builds it at the path it is given.

    A part is complete or absent, is built once even for concurrent callers, and is kept as long as
    this process runs.
    """
    path = cache() / name
    while not _held(path):
        with _alone():
            if not path.exists():
                _sweep()
                with scratch(cache()) as folder:
                    make(folder / name)
                    (folder / name).replace(path)
    os.utime(path)  # the modification time is the time of the last use
    return path


def keep_newest(pattern: str) -> None:
    """Remove all parts of a kind but the two used last.

    A card for every commit would fill the disk. A part in use by another run is kept as well.
    """
    known = sorted(cache().glob(pattern), key=lambda path: path.stat().st_mtime)
    for path in known[:-NEWEST]:
        with suppress(BlockingIOError, FileNotFoundError), _opened(path) as part:
            fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)


def _held(path: Path) -> bool:
    """Whether the part exists; if so, a shared lock keeps it until this process ends."""
    try:
        part = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    fcntl.flock(part, fcntl.LOCK_SH)
    if path.exists():
        return True
    os.close(part)  # another process was just removing it
    return False


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A file or a folder, opened for its lock."""
    part = os.open(path, os.O_RDONLY)
    try:
        yield part
    finally:
        os.close(part)


def remove(path: Path) -> None:
    """Remove a file, or a folder with its content."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _sweep() -> None:
    """Remove the leftovers of killed builds; the caller holds the build lock."""
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
    """A temporary folder; the builds in it run as root."""
    folder = Path(tempfile.mkdtemp(prefix=MAKING, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fetch(what: str, command: Sequence[str], folder: Path | None = None) -> None:
    """Run a download command. OutOfReachError: it failed."""
    try:
        run(command, folder)
    except RuntimeError as error:
        *_, last = str(error).splitlines()
        raise OutOfReachError(f"{what} cannot be had ({last})") from error


def run(command: Sequence[str], folder: Path | None = None) -> str:
    """The output of a command. RuntimeError with its messages: it failed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stdout + done.stderr)[-2000:]
        raise RuntimeError(f"{' '.join(command)[:200]} failed ({done.returncode}): {output}")
    return done.stdout
