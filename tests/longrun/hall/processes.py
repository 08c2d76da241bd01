"""Start, kill and restart the processes of a hall on loopback."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from tests.hub.hub_process import HubProcess
from tests.paths import ROOT


class Process:
    """A command of `scorer` with its output in a file; it can be restarted."""

    def __init__(self, name: str, words: Sequence[str], log: Path) -> None:
        self.name, self._words, self.log = name, list(words), log
        self._popen: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as output:
            self._popen = subprocess.Popen(
                [sys.executable, "-m", "scorer", *self._words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=ROOT,
                # Ctrl-C is handled here.
                start_new_session=True,
            )

    @property
    def is_running(self) -> bool:
        return self._popen is not None and self._popen.poll() is None

    @property
    def pid(self) -> int:
        return 0 if self._popen is None else self._popen.pid

    def kill(self) -> None:
        """SIGKILL; it has ended on return."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM; it has ended on return."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self._popen is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._popen.send_signal(number)
        try:
            self._popen.wait(15)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self._popen = None


def end_on_sigterm() -> None:
    """Let SIGTERM end this process like Ctrl-C, so that it ends the others."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


def desk_address(hub: HubProcess) -> str:
    """Where boxes reach a running hub."""
    return "{}:{}".format(*hub.desk)


def cards(hub: HubProcess, count: int, out: Path, address: str = "") -> list[Path]:
    """The [link] section of each table; ``address``: instead of the hub's own."""
    where = ["--address", address or desk_address(hub)]
    hub.run("cards", "--tables", f"1-{count}", *where, "--out", str(out)).check_returncode()
    return [out / f"table-{number}.toml" for number in range(1, count + 1)]


def audit(hub: HubProcess) -> str:
    """The comparison of every table with the hub."""
    done = hub.run("audit", "--hub", desk_address(hub))
    return done.stdout + done.stderr


def link_process(number: int, folder: Path, card: Path, table: Path) -> Process:
    """The link of a table, whose socket is ``table``."""
    words = ["link", "--config", str(card), "--card", str(folder / "none.toml")]
    words += ["--socket", str(hall_socket(table)), "--state", str(folder / f"link-{number}")]
    return Process(f"link {number}", words, folder / f"link-{number}.log")


def hall_socket(table: Path) -> Path:
    return table.with_name(f"{table.stem}-hall{table.suffix}")


@contextlib.contextmanager
def ended(processes: Sequence[Process | HubProcess]) -> Iterator[None]:
    """End all processes after the block, whatever happens in it."""
    try:
        yield
    finally:
        for each in processes:
            each.stop()


def log_of(processes: Sequence[Process], out: IO[str]) -> None:
    """Print what the processes have written."""
    for each in processes:
        if each.log.exists() and (text := each.log.read_text("utf-8", "replace").strip()):
            out.write(f"---- {each.name}\n{text}{os.linesep}")
