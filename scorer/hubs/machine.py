"""The machine as the commands change it: files, units and ports."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scorer.system.replace_text import replace_text

_SYSTEMCTL_SECONDS = 120


class UnitsFailed(Exception):
    """systemd does not do what it was asked for; the text says why."""


class HallsMachine:
    """A root folder and the systemd that runs it.

    ``on_effect`` is called before each change with what it is, here and at a database.
    """

    def __init__(self, root: Path, on_effect: Callable[[str], None] = lambda _: None) -> None:
        self._root, self.on_effect = root, on_effect

    def path(self, absolute: Path) -> Path:
        """The path below the root folder."""
        return self._root / absolute.relative_to("/")

    def write(self, path: Path, text: str) -> None:
        """Replace a file in one step; its user alone reads it. Raises OSError."""
        self.on_effect(f"write {path.name}")
        before = os.umask(0o077)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, text)
        finally:
            os.umask(before)

    def remove(self, path: Path) -> None:
        """Remove a file or a folder with all that it has, if it is there. Raises OSError."""
        self.on_effect(f"remove {path.name}")
        for each in (path, path.with_name(f"{path.name}.new")):
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each)
            else:
                each.unlink(missing_ok=True)

    @contextmanager
    def locked(self, folder: Path, busy: Callable[[], Exception]) -> Iterator[None]:
        """Hold the lock of a folder.

        Raises ``busy()`` if another process holds it, and OSError.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise busy() from None
            yield
        finally:
            os.close(handle)

    def units(self, *words: str) -> None:
        """Run systemctl. Raises UnitsFailed."""
        self.on_effect(f"systemctl {words[0]}")
        done = self._systemctl(*words)
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"it ends with {done.returncode}"]
            raise UnitsFailed(f"systemctl {' '.join(words)}: {said[-1]}")

    def active(self, *units: str) -> list[bool]:
        """Which of the units run or wait. Raises UnitsFailed."""
        said = self._systemctl("is-active", *units).stdout.split()
        return [word in ("active", "activating") for word in said] or [False] * len(units)

    def _systemctl(self, *words: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                ["systemctl", *words],
                check=False,
                capture_output=True,
                text=True,
                timeout=_SYSTEMCTL_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UnitsFailed(f"systemctl cannot be used: {error}") from error


def port_problem(address: str, port: int) -> str | None:
    """Why nothing can listen at a port, or None."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((address, port))
            trial.listen(1)
        except OSError as error:
            return error.strerror or str(error)
    return None
