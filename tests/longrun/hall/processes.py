"""Start, kill and restart the processes of a hall on loopback."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from tests.paths import ROOT

PATIENCE = 300.0  # seconds for a process to start; a busy machine takes some
HOST = "127.0.0.1"


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


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in made]


def run_command(*words: str, text: str = "") -> str:
    """Run a command of `scorer` to its end; its output. Raises CalledProcessError."""
    done = subprocess.run(
        [sys.executable, "-m", "scorer", *words],
        cwd=ROOT, check=True, capture_output=True, text=True, timeout=PATIENCE, input=text,
    )  # fmt: skip
    return done.stdout


class HubProcess(Process):
    """The hub, its folder and its ports."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "hub"
        self.wall_port, self.secure_port = free_ports(2)
        self._own = ["--config", str(folder / "none.toml"), "--card", str(folder / "none.toml")]
        self._own += ["--state", str(self.folder)]
        words = ["hub", *self._own, "--listen", f"{HOST}:{self.wall_port}"]
        super().__init__(
            "hub", [*words, "--secure", f"{HOST}:{self.secure_port}"], folder / "hub.log"
        )

    @property
    def wall(self) -> str:
        return f"http://{HOST}:{self.wall_port}/"

    @property
    def desk(self) -> str:
        return f"https://{HOST}:{self.secure_port}/desk"

    def start(self) -> None:
        """Start it and wait until it listens. Raises TimeoutError."""
        super().start()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.is_running:
            with contextlib.suppress(OSError), socket.create_connection((HOST, self.secure_port)):
                return
            time.sleep(0.05)
        raise TimeoutError(f"the hub does not start: {self.log.read_text('utf-8')}")

    def cards(self, count: int, out: Path) -> list[Path]:
        """The [link] section of each table, 1 to ``count``."""
        run_command(
            "hub", *self._own, "cards", "--tables", f"1-{count}",
            "--address", f"{HOST}:{self.secure_port}", "--out", str(out),
        )  # fmt: skip
        return [out / f"table-{number}.toml" for number in range(1, count + 1)]

    @property
    def pin(self) -> str:
        """The pin of its certificate, from its newest output."""
        return self.log.read_text("utf-8").split("pin ")[-1].split()[0]

    def set_password(self, name: str, password: str, role: str) -> None:
        """Let a person in at the desk."""
        run_command("hub", *self._own, "password", name, "--role", role, text=f"{password}\n")

    def audit(self) -> str:
        """The comparison of every table with the hub."""
        words = [*self._own, "audit", "--hub", f"{HOST}:{self.secure_port}"]
        done = subprocess.run(
            [sys.executable, "-m", "scorer", "hub", *words],
            cwd=ROOT, check=False, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        return done.stdout + done.stderr


def link_process(number: int, folder: Path, card: Path, table: Path) -> Process:
    """The link of a table, whose socket is ``table``."""
    words = ["link", "--config", str(card), "--card", str(folder / "none.toml")]
    words += ["--socket", str(hall_socket(table)), "--state", str(folder / f"link-{number}")]
    return Process(f"link {number}", words, folder / f"link-{number}.log")


def hall_socket(table: Path) -> Path:
    """The socket for halls beside that of a table."""
    return table.with_name(f"{table.stem}-hall{table.suffix}")


@contextlib.contextmanager
def ended(processes: Sequence[Process]) -> Iterator[None]:
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
