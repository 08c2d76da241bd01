"""Runs the appending program as another process, and breaks what is under it.

It knows strace and how to read what the appender says; nothing of the store's inside.
"""

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
    """What the appender said before it ended."""

    saved: tuple[int, ...]
    refused: tuple[str, ...]  # the kinds, one for each attempt
    blind: tuple[str, ...]  # the kinds, where even reading failed

    @property
    def last(self) -> int:
        """The newest press that was acknowledged, 0 if none was."""
        return max(self.saved, default=0)


def command(folder: Path, attempts: int, checkpoint: int = 100) -> list[str]:
    """The command line of the appender."""
    module = "tests.store.appender"
    return [sys.executable, "-m", module, str(folder), str(attempts), str(checkpoint)]


def run(arguments: Sequence[str]) -> AppenderOutput:
    """Runs a program to its end and reads what it said."""
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    return parse_output(done.stdout)


def parse_output(text: str) -> AppenderOutput:
    """The acknowledgements and refusals in what the appender wrote."""
    words = [line.split() for line in text.splitlines()]
    saved = tuple(int(each[1]) for each in words if each[0] == "saved")
    refused = tuple(each[2] for each in words if each[0] == "refused")
    return AppenderOutput(saved, refused, tuple(each[2] for each in words if each[0] == "blind"))


def strace(injection: str) -> list[str]:
    """The command line that runs another one and breaks it at a system call."""
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
    """Why no program can be traced here, or nothing."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    trial = [*strace("fdatasync:error=EIO"), "true"]
    done = subprocess.run(trial, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"strace may not trace here: {done.stderr.strip()}"
