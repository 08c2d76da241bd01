"""How much work a command is: instructions under valgrind, else the CPU time it took.

Instructions are the same on a busy machine and on an idle one. CPU time is not; it is the second
best, where valgrind is not installed, and still good for a ratio.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_REFS = re.compile(r"I\s+refs:\s+([\d,]+)")


class Work(NamedTuple):
    """An amount of work and what it is counted in."""

    amount: float
    unit: str

    def minus(self, other: Work, parts: int) -> Work:
        """What is left without ``other``, for each of so many parts."""
        return Work((self.amount - other.amount) / parts, self.unit)


def measure_work(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Work:
    """Runs a command to its end; what it cost, in millions of instructions or ms of CPU time.

    Raises RuntimeError where it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        prefix = _valgrind(log)
        environ = {**os.environ, **(environment or {}), "PYTHONHASHSEED": "0"}
        with (Path(folder) / "stderr").open("w+b") as said:
            process = subprocess.Popen([*prefix, *command], env=environ, stderr=said)
            code, used = _wait(process)
            said.seek(0)
            if code != 0:
                raise RuntimeError(said.read().decode(errors="replace")[-400:])
        return Work(_refs(log) / 1e6, "M instr") if prefix else Work(used * 1000, "ms CPU")


def _valgrind(log: Path) -> list[str]:
    path = shutil.which("valgrind")
    if path is None:
        return []
    # Only instructions are wanted: no caches, no branches, no file of results.
    return [
        path,
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
        f"--log-file={log}",
    ]


def _refs(log: Path) -> int:
    found = _REFS.search(log.read_text())
    if found is None:
        raise RuntimeError(f"valgrind has counted nothing: {log.read_text()[-400:]}")
    return int(found[1].replace(",", ""))


def _wait(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """The exit code and the seconds of CPU time, of this process alone."""
    _, status, used = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    return code, used.ru_utime + used.ru_stime
