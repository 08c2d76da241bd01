"""Combine several inputs into one: the header pins and hotplugged devices.

A line may be connected to several inputs: it is down while any of them reports it down. A lost
hotplug input is reported and reopened; only the pins are vital.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from scorer.hw.hotplug import HotplugInput
from scorer.hw.ports import DeviceError, Edge, InputPresence, InputSource

_PINS = -1  # index of the vital input among the holders


class CombinedInput:
    """An InputSource made of several."""

    def __init__(
        self,
        vital: InputSource | None,
        hotplugs: Sequence[HotplugInput],
        on_presence: Callable[[InputPresence], None],
    ) -> None:
        """``vital``: the pins, or None if there are none.

        ``on_presence`` is called in order with edges, from driver threads: it must only enqueue,
        like ``emit``.
        """
        self._vital, self.hotplugs, self._on_presence = vital, tuple(hotplugs), on_presence
        self._lock = threading.Lock()  # guards the line states and the order of reports
        self._down: defaultdict[str, set[int]] = defaultdict(set)
        self._emit: Callable[[Edge], None] = _ignore
        self._is_open = False

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Start to report. Raises DeviceError for the vital input only.

        Opened again, it reopens the vital input and leaves the others as they are.
        """
        self._emit = emit
        if not self._is_open:
            self._is_open = True
            for at, each in enumerate(self.hotplugs):
                each.open(self._edge_reporter(at), self._presence_reporter(at))
            for each in self.hotplugs:
                each.wait()
        if self._vital is not None:
            self._vital.open(self._edge_reporter(_PINS))

    def levels(self) -> Mapping[str, bool]:
        """Read the pins; for the others return the last reported levels.

        Raises DeviceError.
        """
        if not self._is_open:
            raise DeviceError("the inputs are not open")
        read = self._read_vital()
        with self._lock:
            for line, down in read.items():
                (self._down[line].add if down else self._down[line].discard)(_PINS)
            there = (line for each in self.hotplugs if each.state.is_present for line in each.lines)
            return {line: bool(self._down[line]) for line in (*read, *there)}

    def presences(self) -> tuple[InputPresence, ...]:
        """The last reported presence of each hotplug input."""
        return tuple(each.state for each in self.hotplugs)

    def is_alive(self) -> bool:
        """Whether the vital input is alive; without pins, whether this one is open."""
        return self._is_open if self._vital is None else self._vital.is_alive()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            for each in self.hotplugs:
                each.close()
        if self._vital is not None:
            self._vital.close()

    def _read_vital(self) -> Mapping[str, bool]:
        if self._vital is None:
            return {}
        try:
            return self._vital.levels()
        except DeviceError:
            # Hotplug inputs work without the pins; without any, no level is known.
            if not any(each.state.is_present for each in self.hotplugs):
                raise
            return {}

    def _edge_reporter(self, at: int) -> Callable[[Edge], None]:
        def report(edge: Edge) -> None:
            with self._lock:
                holders = self._down[edge.line]
                was = bool(holders)
                (holders.add if edge.down else holders.discard)(at)
                # A repeated down keeps a hold alive, so it is passed on.
                if edge.down or (was and not holders):
                    self._emit(edge)

        return report

    def _presence_reporter(self, at: int) -> Callable[[InputPresence], None]:
        def report(presence: InputPresence) -> None:
            with self._lock:
                for line, down in presence.levels.items():
                    (self._down[line].add if down else self._down[line].discard)(at)
                # A line that another input holds down keeps its level.
                own = {
                    line: down
                    for line, down in presence.levels.items()
                    if not self._down[line] - {at}
                }
                self._on_presence(presence._replace(levels=own))

        return report


def _ignore(edge: Edge) -> None:
    """Discard the edge; the input is not open yet."""
