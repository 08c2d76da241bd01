"""An input that is plugged in and out: opened when it is there, opened again when it comes back.

It has a thread of its own, which waits and turns nothing while all is well. What a line is called
for, and what the device is, is never known here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from scorer.hw.ports import DeviceError, Edge, InputSource, Presence

PAUSES = (0.5, 1.0, 2.0, 4.0, 5.0)  # seconds; the last one stays
FIRST = (
    0.5  # seconds that whoever opens it waits for it: buttons that are down at power-on are told
)


Told = Callable[[Presence], None]
Make = Callable[[Callable[[DeviceError], None]], InputSource]


class Plugged:
    """Keeps an input open. ``make`` makes its driver, which calls what it is given when it dies."""

    def __init__(
        self,
        name: str,
        lines: Sequence[str],
        make: Make,
        *,
        now: Callable[[], float] = time.monotonic,
        pauses: Sequence[float] = PAUSES,
        first: float = FIRST,
    ) -> None:
        self.name, self.lines = name, tuple(line for line in lines if line)
        self._now, self._pauses, self._patience = now, pauses, first
        self._source = make(self._died)
        self._order = threading.Lock()  # an edge never overtakes the news that its input is there
        self._tried, self._over, self._ended = (threading.Event() for _ in range(3))
        self._thread: threading.Thread | None = None
        self._death: DeviceError | None = None
        self._said = Presence(0.0, name, {}, "lost")

    @property
    def state(self) -> Presence:
        """What was told last."""
        return self._said

    def open(self, emit: Callable[[Edge], None], tell: Told) -> None:
        """Start to look for it. Never raises."""
        self._ended.clear()
        self._tried.clear()
        self._thread = threading.Thread(
            target=self._keep, args=(emit, tell), name=f"plugged {self.name}", daemon=True
        )
        self._thread.start()

    def wait(self) -> None:
        """Until it was found, or not, for the first time; not for long."""
        self._tried.wait(self._patience)

    def close(self) -> None:
        """Give it back, and stop to look for it. Allowed twice."""
        self._ended.set()
        self._over.set()
        thread, self._thread = self._thread, None
        # An opening that waits is ended by closing; one that begins a moment later, by the next.
        while thread is not None and thread.is_alive():
            self._source.close()
            thread.join(0.1)
        self._source.close()

    def _keep(self, emit: Callable[[Edge], None], tell: Told) -> None:
        failures = 0
        while True:
            self._over.clear()
            # Asked after the other was cleared: who ends this sets them in that order.
            if self._ended.is_set():
                return
            fault = self._open(emit, tell)
            self._tried.set()
            if fault is None:
                failures = 0
                self._over.wait()
                fault = self._death or DeviceError(f"{self.name} was lost")
                self._source.close()
            if self._ended.is_set():
                return
            self._tell_fault(fault, tell)
            self._ended.wait(self._pauses[min(failures, len(self._pauses) - 1)])
            failures += 1

    def _open(self, emit: Callable[[Edge], None], tell: Told) -> DeviceError | None:
        def report(edge: Edge) -> None:
            with self._order:
                emit(edge)

        self._death = None
        with self._order:
            try:
                self._source.open(report)
                levels = self._source.levels()
            except DeviceError as error:
                return error
            except Exception as error:
                # A driver that does what it must not do is lost like one that says so.
                return DeviceError(f"{self.name}: {error!r}")
            self._said = Presence(self._now(), self.name, levels)
            tell(self._said)
        return None

    def _tell_fault(self, fault: DeviceError, tell: Told) -> None:
        """Once, as long as it stays the same."""
        kind, why = fault.kind or "lost", str(fault)
        if (kind, why) != (self._said.kind, self._said.why):
            all_up = dict.fromkeys(self.lines, False)
            self._said = Presence(self._now(), self.name, all_up, kind, why)
            tell(self._said)

    def _died(self, error: DeviceError) -> None:
        self._death = error
        self._over.set()
