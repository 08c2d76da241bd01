"""Buttons that end the process when they are opened.

With the file "wait" in $FAULTS they keep it there; with "mended" they are never pressed.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scorer.hw.ports import DeviceError, Edge
from scorer.system.sd_notify import Notifier


@dataclass(frozen=True, slots=True)
class Options:
    lines: Mapping[str, int]
    resource_id: str = "the fatal buttons"
    repeats_held_buttons: bool = False


def create(options: Options, *, gone: Callable[[DeviceError], None]) -> FatalInput:
    return FatalInput()


class FatalInput:
    def open(self, emit: Callable[[Edge], None]) -> None:
        folder = Path(os.environ["FAULTS"])
        if (folder / "mended").exists():
            return
        Notifier().status("fatal")
        if (folder / "wait").exists():
            select.select([], [], [])
        os.kill(os.getpid(), signal.SIGKILL)

    def levels(self) -> Mapping[str, bool]:
        return {}

    def is_alive(self) -> bool:
        return True

    def close(self) -> None:
        """No-op."""
