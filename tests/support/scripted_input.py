"""Buttons pressed by code: the fake of all input drivers.

It has the faults of real ones: a dropped edge, a dead thread, unreadable lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scorer.hw.ports import DeviceError, Edge, ignore_loss


class Options(NamedTuple):
    """The names of the lines."""

    lines: tuple[str, ...]

    @property
    def resource_id(self) -> str:
        return "the scripted buttons"

    @property
    def repeats_held_buttons(self) -> bool:
        return False


class ScriptedInput:
    """An InputSource controlled by ``feed``."""

    def __init__(
        self, options: Options, on_lost: Callable[[DeviceError], None] = ignore_loss
    ) -> None:
        self._levels = dict.fromkeys(filter(None, options.lines), False)
        self._on_lost = on_lost
        self._emit: Callable[[Edge], None] | None = None
        self._dead = False
        self._absent = False

    def feed(self, line: str, *, down: bool, at: float, lost: bool = False) -> None:
        """Set a line down or up at a time in seconds; ``lost`` drops the edge.

        Lines keep their level while closed: a button may be down at start. Raises KeyError for an
        unknown line.
        """
        changed = self._levels[line] != down
        self._levels[line] = down
        if changed and not lost and self._emit and not self._dead and not self._absent:
            self._emit(Edge(at, line, down))

    def end_thread(self) -> None:
        """End the driver's thread: levels stay readable, edges stop until it is reopened."""
        self._lose(DeviceError("the thread of the scripted buttons has ended"))

    def set_absent(self, absent: bool) -> None:
        """Remove the device, or connect it again (it must then be reopened)."""
        self._absent = absent
        if absent:
            self._lose(DeviceError("the scripted buttons are not there", "absent"))

    def open(self, emit: Callable[[Edge], None]) -> None:
        self.close()
        if self._absent:
            raise DeviceError("the scripted buttons are not there")
        self._emit, self._dead = emit, False

    def levels(self) -> Mapping[str, bool]:
        if self._emit is None or self._absent:
            raise DeviceError("the scripted buttons are not open")
        return dict(self._levels)

    def is_alive(self) -> bool:
        return self._emit is not None and not self._dead

    def close(self) -> None:
        self._emit = None

    def _lose(self, error: DeviceError) -> None:
        was_alive, self._dead = self.is_alive(), True
        if was_alive:
            self._on_lost(error)
