"""Looks at what comes out of the virtual Pi and at how long the disk's log is, all the time.

Afterwards it is put together: which row was seen, on a panel or in a state document, when the log
was how long. It knows files that grow, and the models of the panels' chips; no presses.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tests.longrun.power_cuts.evidence import Watcher
from tests.longrun.virtual_pi.box import A, B
from tests.longrun.virtual_pi.bus import Cable

BLINK = 0.003  # seconds between two looks


class Glance(NamedTuple):
    """What had come out of the guest at one moment, in bytes."""

    told: int
    bus: int
    log: int


class Mark(NamedTuple):
    """The picture was finished, and row ``seq`` was the newest."""

    bus: int
    seq: int
    alone: bool  # one press alone has led here


class Eyes(threading.Thread):
    """Looks at what comes out and at the log, as often as it can."""

    def __init__(self, told: Path, bus: Path, log: Path) -> None:
        super().__init__(name="eyes", daemon=True)
        self._told, self._bus, self._log = told, bus, log
        self._closing = threading.Event()
        self.glances: list[Glance] = []
        self._look()

    def run(self) -> None:
        while not self._closing.wait(BLINK):
            self._look()

    def close(self) -> None:
        """Looks no more."""
        self._closing.set()
        self.join()
        self._look()

    def _look(self) -> None:
        told, bus = self._told.stat().st_size, self._bus.stat().st_size
        # Only now: all that these bytes show had been logged by then.
        log = self._log.stat().st_size
        if not self.glances or self.glances[-1][:2] != (told, bus):
            self.glances.append(Glance(told, bus, log))


def seen(
    glances: Sequence[Glance], marks: Sequence[Mark], told: Path, bus: Path, work: Path
) -> Watcher:
    """Everything that was shown, put together after the evening."""
    watcher = Watcher()
    said = told.read_bytes()
    for before, glance in pairwise(glances):
        for state in states_in(_lines(said, before.told, glance.told)):
            watcher.document(state, glance.log)
    pictures = _pictures(glances, bus.read_bytes(), work / "bus")
    for start, end in pairwise(marks):
        between = [each for each in pictures if start.bus < each[0] <= end.bus]
        # Of several presses in a hurry nobody can say which picture was whose.
        seq = end.seq if end.alone else None
        watcher.pictures([(glass, log) for _, glass, log in between], seq)
    return watcher


def _lines(said: bytes, start: int, end: int) -> list[bytes]:
    """The lines that became whole between two moments."""
    whole = said[:end].rpartition(b"\n")[0]
    first = said[:start].rfind(b"\n") + 1
    return whole[first:].split(b"\n")


def _pictures(
    glances: Sequence[Glance], said: bytes, replayed: Path
) -> list[tuple[int, tuple[bytes, ...], int]]:
    """The glasses at each glance: how far the bus was, both pictures, the length of the log."""
    found: list[tuple[int, tuple[bytes, ...], int]] = []
    replayed.write_bytes(b"")
    cable = Cable(replayed, {A: "ssd1309", B: "ssd1309"})
    shown = 0
    for glance in glances:
        with replayed.open("ab") as file:
            file.write(said[shown : glance.bus])
        shown = glance.bus
        found.append((glance.bus, (cable.pixels(A), cable.pixels(B)), glance.log))
    return found


def states_in(lines: Iterable[bytes]) -> Iterator[Any]:
    """The state documents among lines of the socket."""
    for line in lines:
        said = json.loads(line) if line else {}
        if said.get("state"):
            yield said["state"]
