"""Several inputs as one: the pins of the header, and whatever is plugged in beside them.

A line may hang on more than one of them: it is down while any of these is. A plugged input that is
lost is told and looked for; only the pins are vital. What a line is called for is never known here.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from scorer.hw.hotplug import HotplugInput
from scorer.hw.ports import DeviceError, Edge, InputSource, Presence

_PINS = -1  # the place of the vital input among the others


class CombinedInput:
    """An InputSource of several."""

    def __init__(
        self,
        vital: InputSource | None,
        hotplugs: Sequence[HotplugInput],
        on_presence: Callable[[Presence], None],
    ) -> None:
        """``vital``: the pins; None where there are none. ``tell`` is called in order with edges.

        That is, by threads of drivers: it only puts, as ``emit`` does.
        """
        self._vital, self.hotplugs, self._on_presence = vital, tuple(hotplugs), on_presence
        self._lock = threading.Lock()  # what is known of a line, and in which order it is told
        self._down: defaultdict[str, set[int]] = defaultdict(set)
        self._emit: Callable[[Edge], None] = _ignore
        self._is_open = False

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Start to report. Raises DeviceError for the vital input alone; the others go on then.

        Opened again, it opens what is vital anew and leaves the others as they are.
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
        """The pins are read again; the others told what they are. Raises DeviceError as they do."""
        if not self._is_open:
            raise DeviceError("the inputs are not open")
        read = self._read_vital()
        with self._lock:
            for line, down in read.items():
                (self._down[line].add if down else self._down[line].discard)(_PINS)
            there = (line for each in self.hotplugs if each.state.is_present for line in each.lines)
            return {line: bool(self._down[line]) for line in (*read, *there)}

    def presences(self) -> tuple[Presence, ...]:
        """What was told last of each plugged input."""
        return tuple(each.state for each in self.hotplugs)

    def is_alive(self) -> bool:
        """Whether what is vital is; without pins, whether it was opened."""
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
            # What is plugged in plays on without pins; where nothing is, nothing is known.
            if not any(each.state.is_present for each in self.hotplugs):
                raise
            return {}

    def _edge_reporter(self, at: int) -> Callable[[Edge], None]:
        def report(edge: Edge) -> None:
            with self._lock:
                holders = self._down[edge.line]
                was = bool(holders)
                (holders.add if edge.down else holders.discard)(at)
                # Down and down again is what a hold waits for: it passes.
                if edge.down or (was and not holders):
                    self._emit(edge)

        return report

    def _presence_reporter(self, at: int) -> Callable[[Presence], None]:
        def tell(presence: Presence) -> None:
            with self._lock:
                for line, down in presence.levels.items():
                    (self._down[line].add if down else self._down[line].discard)(at)
                # A line that another input holds down goes on as it is.
                own = {
                    line: down
                    for line, down in presence.levels.items()
                    if not self._down[line] - {at}
                }
                self._on_presence(presence._replace(levels=own))

        return tell


def _ignore(edge: Edge) -> None:
    """Nobody listens yet."""
