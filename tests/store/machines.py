"""Run the appender in a process, and inject failures with strace."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.paths import ROOT


class AppenderOutput(NamedTuple):
    """The parsed output of the appender."""

    saved: tuple[int, ...]
    refused: tuple[str, ...]  # the kinds, one for each attempt
    blind: tuple[str, ...]  # the kinds, where even reading failed

    @property
    def last(self) -> int:
        """The newest acknowledged press, 0 if there is none."""
        return max(self.saved, default=0)


def command(folder: Path, attempts: int, checkpoint: int = 100) -> list[str]:
    """The command line of the appender."""
    module = "tests.store.appender"
    return [sys.executable, "-m", module, str(folder), str(attempts), str(checkpoint)]


def run(arguments: Sequence[str]) -> AppenderOutput:
    """Run a program to its end and parse its output."""
    process = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in process.stderr, process.stderr
    return parse_output(process.stdout)


def parse_output(text: str) -> AppenderOutput:
    """Parse the acknowledgements and refusals."""
    words = [line.split() for line in text.splitlines()]
    saved = tuple(int(each[1]) for each in words if each[0] == "saved")
    refused = tuple(each[2] for each in words if each[0] == "refused")
    return AppenderOutput(saved, refused, tuple(each[2] for each in words if each[0] == "blind"))


def strace(injection: str) -> list[str]:
    """The strace command that injects a failure into a system call of another command."""
    calls = injection.partition(":")[0]
    return [
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        f"trace={calls}",
        "-e",
        f"inject={injection}",
    ]


@functools.cache
def why_no_strace() -> str:
    """Why nothing can be traced on this machine, or ""."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    trial = [*strace("fdatasync:error=EIO"), "true"]
    process = subprocess.run(trial, capture_output=True, text=True, check=False)
    return "" if process.returncode == 0 else f"strace may not trace here: {process.stderr.strip()}"
