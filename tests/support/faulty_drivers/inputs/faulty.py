"""Buttons that hang, die or are held down if a file in $FAULTS exists.

The file ``held`` names the lines that are down.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scorer.hw.ports import DeviceError, Edge
from scorer.system.sd_notify import Notifier

HANG = 1.5  # seconds: many ticks of a table whose watchdog time is 0.2 s


@dataclass(frozen=True, slots=True)
class Options:
    lines: Mapping[str, int]
    resource_id: str = "the faulty buttons"
    repeats_held_buttons: bool = False


def create(options: Options, *, gone: Callable[[DeviceError], None]) -> FaultyInput:
    return FaultyInput(options)


class FaultyInput:
    def __init__(self, options: Options) -> None:
        self._lines = options.lines
        self._folder = Path(os.environ["FAULTS"])
        self._notifier = Notifier()
        self._is_open = False

    def open(self, emit: Callable[[Edge], None]) -> None:
        if (self._folder / "dead").exists():
            raise DeviceError("the faulty buttons are dead")
        self._is_open = True
        self._notifier.status("buttons open")

    def levels(self) -> Mapping[str, bool]:
        if not self._is_open:
            raise DeviceError("the faulty buttons are not open")
        hang = self._folder / "hang"
        if hang.exists():
            hang.unlink()
            self._notifier.status("hangs")
            # Blocks the whole thread, like a driver waiting for the kernel.
            select.select([], [], [], HANG)
            self._notifier.status("goes on")
        held = self._folder / "held"
        down = held.read_text(encoding="utf-8").split() if held.exists() else []
        return {line: line in down for line in self._lines}

    def is_alive(self) -> bool:
        dead = (self._folder / "dead").exists()
        if dead:
            self._notifier.status("dead")
        return not dead

    def close(self) -> None:
        self._notifier.status("buttons closed")
