"""A PostgreSQL of its own in a temporary folder, run by a user that is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

USER = "nobody"
_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
_NUMBERS = count(1)


class Cluster(NamedTuple):
    """A running server; connections go through a unix socket in ``folder``."""

    folder: Path
    settings: tuple[str, ...] = ()

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"hub{os.getpid()}-{next(_NUMBERS)}"
        self.sql(f'CREATE DATABASE "{name}"')
        return f"postgresql+psycopg://{USER}@/{name}?host={self.folder}"

    def sql(self, statement: str) -> str:
        command = [tool("psql"), "-h", str(self.folder), "-U", USER, "-d", "postgres"]
        found = subprocess.run(
            [*command, "-qAtc", statement], check=True, capture_output=True, text=True
        )
        return found.stdout.strip()

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
        # Tests kill processes, never the machine: what was written is not lost without it.
        options += " -c fsync=off"
        options += "".join(f" -c {setting}" for setting in self.settings)
        _run_tool(
            self.folder, "pg_ctl", "-w", "-D", self._data, "-l", self.folder / "log",
            "-o", options, "start",
        )  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        _run_tool(self.folder, "pg_ctl", "-w", "-D", self._data, "-m", mode, "stop")

    def restart_after_kill(self, killed: int) -> None:
        """Start again when the killed server and its processes have gone."""
        end = time.monotonic() + 60
        while True:
            try:
                self.start()
                return
            except subprocess.CalledProcessError:
                # Its shared memory is in use until the last process has noticed.
                assert time.monotonic() < end, f"server {killed} does not end"
                time.sleep(0.2)

    def promote(self) -> None:
        """Make a standby the primary server."""
        _run_tool(self.folder, "pg_ctl", "-w", "-D", self._data, "promote")

    def start_as_standby(self, primary: Cluster) -> None:
        """Follow another server, read-only."""
        signal = self._data / "standby.signal"
        signal.touch()
        _give_away(signal)
        with (self._data / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"primary_conninfo = 'host={primary.folder} user={USER}'\n")
        self.start()

    @property
    def postmaster(self) -> int:
        """The process id of the server."""
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    @property
    def _data(self) -> Path:
        return self.folder / "data"


def is_installed() -> bool:
    return bool(_BINARIES)


def tool(name: str) -> str:
    return str(_BINARIES[0] / name)


@contextmanager
def running_cluster(*settings: str, has_passwords: bool = False) -> Iterator[Cluster]:
    """A new server with ``settings``, stopped and removed at the end.

    ``has_passwords``: it asks every login but USER for one.
    """
    with _owned_folder() as folder:
        _run_tool(
            folder, "initdb", "-D", folder / "data",
            "-U", USER, "-A", "trust", "--no-sync", "-E", "UTF8",
        )  # fmt: skip
        if has_passwords:
            rules = f"local all {USER} trust\nlocal all all scram-sha-256\n"
            (folder / "data" / "pg_hba.conf").write_text(rules)
        with _running(Cluster(folder, settings)) as cluster:
            yield cluster


@contextmanager
def running_standby(primary: Cluster) -> Iterator[Cluster]:
    """A copy of a server that follows it, stopped and removed at the end."""
    with _owned_folder() as folder:
        _run_tool(
            folder, "pg_basebackup", "-h", primary.folder, "-U", USER, "-D", folder / "data",
            "-R", "-X", "stream", "-c", "fast",
        )  # fmt: skip
        with _running(Cluster(folder, primary.settings)) as cluster:
            yield cluster


@contextmanager
def _running(cluster: Cluster) -> Iterator[Cluster]:
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.stop("immediate")


@contextmanager
def _owned_folder() -> Iterator[Path]:
    """A folder of the user of the server."""
    # Not below pytest's folder, which other users cannot enter; a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="hub-pg-"))
    try:
        folder.chmod(0o700)
        _give_away(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _give_away(path: Path) -> None:
    if os.getuid() == 0:
        found = pwd.getpwnam(USER)
        os.chown(path, found.pw_uid, found.pw_gid)


def _run_tool(folder: Path, name: str, *arguments: str | Path) -> None:
    command = [tool(name), *map(str, arguments)]
    if os.getuid() == 0:
        command = ["setpriv", "--reuid", USER, "--regid", "nogroup", "--clear-groups", *command]
    # A server that inherits a pipe keeps it open.
    with (folder / "tool.log").open("ab") as output:
        subprocess.run(
            command, check=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
