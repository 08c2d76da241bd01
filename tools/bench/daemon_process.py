"""The daemon as a process, with simulated pins and panels."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0  # seconds until it must be ready
WATCHDOG = 10_000_000  # microseconds, as in scorer.service

# Everything else is as on a new box: two consoles, two panels, lamps and buzzer.
CONFIG = """
store.directory = {store}
socket.path = {socket}
light.dim = 2.0
"""
_STARTS = """
from tests.support.simulated_service import main
sys.exit(main(sys.argv[1:]))
"""
UNTIL_READY = f"""
import os, sys
from scorer.system import sd_notify
sd_notify.Notifier.ready = lambda notifier, status: os._exit(0)
{_STARTS}"""
UNTIL_FIRST_PICTURE = f"""
import os, sys
from scorer.table.panels import Panel
update = Panel.update
def end_with_a_picture(panel, now):
    update(panel, now)
    if panel.error == "" and panel._shown_picture is not None:
        os._exit(0)
Panel.update = end_with_a_picture
{_STARTS}"""


def command(folder: Path, store: Path, settings: str = "") -> list[str]:
    """The daemon on this store; its configuration and socket are put into ``folder``."""
    program = ["-m", "tests.support.simulated_service"]
    return [sys.executable, "-W", "ignore", *program, *_words(folder, store, settings)]


def command_until(program: str, folder: Path, store: Path) -> list[str]:
    """The same daemon, ending at a moment of its start: a program ``UNTIL_...``."""
    return [sys.executable, "-W", "ignore", "-c", program, *_words(folder, store)]


def _words(folder: Path, store: Path, settings: str = "") -> list[str]:
    config = folder / "scorer.toml"
    places = {"store": json.dumps(str(store)), "socket": json.dumps(str(folder / "table.sock"))}
    config.write_text(CONFIG.format(**places) + settings, encoding="utf-8")
    return ["--config", str(config)]


def pycache_environment(folder: Path) -> dict[str, str]:
    """Environment in which Python caches compiled modules, as in an installation.

    A checkout may forbid the cache; the measured start would then include compilation.
    """
    return {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}


@contextmanager
def running_daemon(folder: Path, store: Path, settings: str = "") -> Iterator[int]:
    """The process id of a ready daemon, which is ended with the block.

    ``settings``: further lines of its configuration. Compiled modules are kept in ``folder``, see
    ``pycache_environment``.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(folder / "notify.sock"))
        receiver.settimeout(PATIENCE)
        notify = {"NOTIFY_SOCKET": str(folder / "notify.sock"), "WATCHDOG_USEC": str(WATCHDOG)}
        environment = {**os.environ, **pycache_environment(folder), **notify}
        process = subprocess.Popen(command(folder, store, settings), env=environment)
        try:
            while not receiver.recv(4096).startswith(b"READY=1"):
                pass
            yield process.pid
        finally:
            process.terminate()
            process.wait(PATIENCE)
            (folder / "notify.sock").unlink()


def status(pid: int) -> Mapping[str, str]:
    """/proc/PID/status of a process, by name."""
    return read_status(Path("/proc") / str(pid) / "status")


def read_status(path: Path) -> Mapping[str, str]:
    """One such file, by name."""
    lines = (line.partition(":") for line in path.read_text("ascii", "replace").splitlines())
    return {name: value.strip() for name, _, value in lines}
