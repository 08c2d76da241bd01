"""Measure the work of a command: instructions under valgrind, else CPU time.

The number of instructions does not depend on the load of the machine. CPU time does, but is still
usable for a ratio where valgrind is not installed.
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
    """An amount of work and its unit."""

    amount: float
    unit: str

    def minus(self, other: Work, parts: int) -> Work:
        """The rest without ``other``, divided by ``parts``."""
        return Work((self.amount - other.amount) / parts, self.unit)


def measure_work(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Work:
    """The cost of a command, in millions of instructions or ms of CPU time.

    Raises RuntimeError if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        prefix = _valgrind(log)
        environ = {**os.environ, **(environment or {}), "PYTHONHASHSEED": "0"}
        with (Path(folder) / "stderr").open("w+b") as stderr:
            process = subprocess.Popen([*prefix, *command], env=environ, stderr=stderr)
            code, used = _wait(process)
            stderr.seek(0)
            if code != 0:
                raise RuntimeError(stderr.read().decode(errors="replace")[-400:])
        return Work(_refs(log) / 1e6, "M instr") if prefix else Work(used * 1000, "ms CPU")


def _valgrind(log: Path) -> list[str]:
    path = shutil.which("valgrind")
    if path is None:
        return []
    # Only instructions: no caches, no branches, no file of results.
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
    """The exit code and the seconds of CPU time of this process alone."""
    _, status, used = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    return code, used.ru_utime + used.ru_stime
