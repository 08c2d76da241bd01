"""Watches the output of the virtual Pi and the length of the disk's log.

Afterwards the samples are combined: which row was visible, on a panel or in a state document, at
which length of the log.
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

BLINK = 0.003  # seconds between two samples


class Glance(NamedTuple):
    """The lengths of the outputs and of the log at one moment, in bytes."""

    told: int
    bus: int
    log: int


class Mark(NamedTuple):
    """A finished picture with row ``seq`` as the newest."""

    bus: int
    seq: int
    alone: bool  # exactly one press led here


class Eyes(threading.Thread):
    """A thread that samples the outputs and the log as often as it can."""

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
        """Stop sampling."""
        self._closing.set()
        self.join()
        self._look()

    def _look(self) -> None:
        told, bus = self._told.stat().st_size, self._bus.stat().st_size
        # Read last: everything in these bytes had been logged by then.
        log = self._log.stat().st_size
        if not self.glances or self.glances[-1][:2] != (told, bus):
            self.glances.append(Glance(told, bus, log))


def seen(
    glances: Sequence[Glance], marks: Sequence[Mark], told: Path, bus: Path, work: Path
) -> Watcher:
    """Everything that was shown, computed after the evening."""
    watcher = Watcher()
    said = told.read_bytes()
    for before, glance in pairwise(glances):
        for state in states_in(_lines(said, before.told, glance.told)):
            watcher.document(state, glance.log)
    pictures = _pictures(glances, bus.read_bytes(), work / "bus")
    for start, end in pairwise(marks):
        between = [each for each in pictures if start.bus < each[0] <= end.bus]
        # The pictures of several fast presses cannot be assigned to a row.
        seq = end.seq if end.alone else None
        watcher.pictures([(glass, log) for _, glass, log in between], seq)
    return watcher


def _lines(said: bytes, start: int, end: int) -> list[bytes]:
    """The lines completed between two samples."""
    whole = said[:end].rpartition(b"\n")[0]
    first = said[:start].rfind(b"\n") + 1
    return whole[first:].split(b"\n")


def _pictures(
    glances: Sequence[Glance], said: bytes, replayed: Path
) -> list[tuple[int, tuple[bytes, ...], int]]:
    """Per sample: length of the bus file, pictures of both panels, length of the log."""
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
        document = json.loads(line) if line else {}
        if document.get("state"):
            yield document["state"]
