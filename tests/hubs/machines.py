"""A machine of halls in a folder, whose systemd notes what it is asked for."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from scorer.hubs import administration
from scorer.hubs.machine import HallsMachine
from scorer.hubs.work import Halls, NewHall
from tests.hub.postgresql import USER, Cluster

# Keeps a file for each unit that is enabled and runs; fails while there is a file "fails".
SYSTEMCTL = """#!/bin/sh
cd "${0%/*}/units" || exit 1
[ ! -e ../fails ] || { echo "Failed to connect to bus" >&2; exit 1; }
word=$1; shift
case "$word" in
enable) [ "$1" = --now ] && shift; for unit; do : >"$unit"; done ;;
disable) [ "$1" = --now ] && shift; for unit; do rm -f "$unit"; done ;;
is-active) for unit; do [ -e "$unit" ] && echo active || echo inactive; done; exit 3 ;;
esac
"""


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class PowerCut(BaseException):
    """The machine stops before a change."""


class HallMachine:
    """A machine; ``server``: the address of its PostgreSQL as who may make logins."""

    def __init__(self, root: Path, cluster: Cluster | None) -> None:
        self.root = root
        self.server = "" if cluster is None else server_of(cluster)
        (root / "bin" / "units").mkdir(parents=True)
        program = root / "bin" / "systemctl"
        program.write_text(SYSTEMCTL)
        program.chmod(0o755)

    @property
    def units(self) -> set[str]:
        return {path.name for path in (self.root / "bin" / "units").iterdir()}

    def break_systemd(self, *, is_broken: bool = True) -> None:
        fails = self.root / "bin" / "fails"
        fails.touch() if is_broken else fails.unlink()

    @property
    def files(self) -> set[str]:
        """The files and folders of halls."""
        kept = ("etc/scorer/halls/*", "etc/systemd/system/*", "var/lib/private/scorer-hubs/*")
        return {str(path.relative_to(self.root)) for each in kept for path in self.root.glob(each)}

    def config(self, name: str) -> Path:
        return self.root / "etc" / "scorer" / "halls" / f"{name}.toml"

    def run(self, *words: str, text: str = "") -> Said:
        """``scorer hubs WORDS``; ``text`` is typed."""
        out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
        needs_server = words[0] in ("create", "move") and "--server" not in words
        more = ["--server", self.server] if self.server and needs_server else []
        sys.stdin = io.StringIO(text)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                try:
                    code = administration.run(["--root", str(self.root), *words, *more])
                except SystemExit as error:
                    code = int(error.code or 0)
        finally:
            sys.stdin = stdin
        return Said(code, out.getvalue(), err.getvalue())

    def halls(self, on_effect: Callable[[str], None] = lambda _: None) -> Halls:
        return Halls(HallsMachine(self.root, on_effect))

    def halls_cut_before(self, effect: int) -> Halls:
        """Halls whose machine stops before its change number ``effect``, from 0."""
        left = [effect]

        def on_effect(_: str) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise PowerCut

        return self.halls(on_effect)

    def wish(self, name: str) -> NewHall:
        return NewHall(name, "", "127.0.0.1", 0, 0, (), self.server, None)


def server_of(cluster: Cluster) -> str:
    return f"postgresql+psycopg://{USER}@/postgres?host={cluster.folder}"


def databases_of(cluster: Cluster) -> set[str]:
    """The logins and databases of halls on a server."""
    found = cluster.sql(
        "SELECT 'login ' || rolname FROM pg_roles WHERE rolname LIKE 'hub\\_%'"
        " UNION SELECT 'database ' || datname FROM pg_database WHERE datname LIKE 'hub\\_%'"
    )
    return set(found.splitlines())


def path_with(machine: HallMachine) -> str:
    """PATH with the systemctl of the machine first."""
    return f"{machine.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
