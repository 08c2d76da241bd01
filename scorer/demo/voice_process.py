"""The voice beside the demo: a ``scorer voice`` process on its socket."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL

from scorer.api.rights import Right, socket_path

_PATIENCE = 3.0  # seconds to end


@contextmanager
def speaking(socket: Path, to: str = "") -> Iterator[None]:
    """A voice for the table of ``socket``; ``to``: files instead of the sound card."""
    words = [
        "--on",
        "--socket",
        str(socket_path(socket, Right.READ)),
        *(["--to", to] if to else []),
    ]
    # No owner's file and no card of this machine: the demo is independent of them.
    words += ["--config", os.devnull, "--card", os.devnull]
    process = subprocess.Popen(
        [sys.executable, "-m", "scorer", "voice", *words],
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
