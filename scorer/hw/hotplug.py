"""A hotpluggable input: opened when it appears, reopened when it comes back.

It runs a thread that blocks while the device is present.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from scorer.hw.ports import BatteryInput, DeviceError, Edge, InputPresence, InputSource

RETRY_PAUSES = (0.5, 1.0, 2.0, 4.0, 5.0)  # seconds; the last one repeats
FIRST_WAIT = 0.5  # seconds that wait() blocks, so that buttons held at power-on are reported


PresenceListener = Callable[[InputPresence], None]
MakeInput = Callable[[Callable[[DeviceError], None]], InputSource]


class HotplugInput:
    """Keeps an input open. ``make_input`` creates its driver with an on-lost callback."""

    def __init__(
        self,
        name: str,
        lines: Sequence[str],
        make_input: MakeInput,
        *,
        now: Callable[[], float] = time.monotonic,
        pauses: Sequence[float] = RETRY_PAUSES,
        first_wait: float = FIRST_WAIT,
    ) -> None:
        self.name, self.lines = name, tuple(line for line in lines if line)
        self._now, self._pauses, self._patience = now, pauses, first_wait
        self._source = make_input(self._on_error)
        self._on_presence: PresenceListener = _ignore_presence
        self._low_battery: int | None = None
        if isinstance(self._source, BatteryInput):
            self._source.watch_battery(self._on_battery)
        self._lock = threading.Lock()  # keeps edges behind the report that their input is present
        self._attempted, self._lost, self._closing = (threading.Event() for _ in range(3))
        self._thread: threading.Thread | None = None
        self._error: DeviceError | None = None
        self._state = InputPresence(0.0, name, {}, "lost")

    @property
    def state(self) -> InputPresence:
        """The last reported presence."""
        return self._state

    def open(self, emit: Callable[[Edge], None], on_presence: PresenceListener) -> None:
        """Start to look for the device. Never raises."""
        self._closing.clear()
        self._attempted.clear()
        self._on_presence = on_presence
        self._thread = threading.Thread(
            target=self._run, args=(emit, on_presence), name=f"plugged {self.name}", daemon=True
        )
        self._thread.start()

    def wait(self) -> None:
        """Block until the first attempt to open it has ended, but not for long."""
        self._attempted.wait(self._patience)

    def close(self) -> None:
        """Stop looking for the device and close it. Idempotent."""
        self._closing.set()
        self._lost.set()
        thread, self._thread = self._thread, None
        # Closing ends an open() that blocks; one that starts a moment later needs another close.
        while thread is not None and thread.is_alive():
            self._source.close()
            thread.join(0.1)
        self._source.close()

    def _run(self, emit: Callable[[Edge], None], on_presence: PresenceListener) -> None:
        failures = 0
        while True:
            self._lost.clear()
            # Checked after clearing _lost: close() sets them in the opposite order.
            if self._closing.is_set():
                return
            fault = self._open(emit, on_presence)
            self._attempted.set()
            if fault is None:
                failures = 0
                self._lost.wait()
                fault = self._error or DeviceError(f"{self.name} was lost")
                self._source.close()
            if self._closing.is_set():
                return
            # A fault is reported once, until it changes.
            kind, why = fault.kind or "lost", str(fault)
            if (kind, why) != (self._state.kind, self._state.why):
                all_up = dict.fromkeys(self.lines, False)
                self._state = InputPresence(self._now(), self.name, all_up, kind, why)
                on_presence(self._state)
            self._closing.wait(self._pauses[min(failures, len(self._pauses) - 1)])
            failures += 1

    def _open(
        self, emit: Callable[[Edge], None], on_presence: PresenceListener
    ) -> DeviceError | None:
        early, is_reported = list[Edge](), False  # edges before the report of its presence

        def report(edge: Edge) -> None:
            with self._lock:
                (emit if is_reported else early.append)(edge)

        self._error = None
        try:
            self._source.open(report)
            # Without the lock: reading levels may report edges, in this thread too.
            levels = self._source.levels()
        except DeviceError as error:
            return error
        except Exception as error:
            # Treat unexpected exceptions like DeviceError.
            return DeviceError(f"{self.name}: {error!r}")
        with self._lock:
            self._state = InputPresence(
                self._now(), self.name, levels, low_battery=self._low_battery
            )
            on_presence(self._state)
            for edge in early:
                emit(edge)
            is_reported = True
        return None

    def _on_battery(self, percent: int | None) -> None:
        """Report it with the presence: at once, or when the device is there."""
        with self._lock:
            self._low_battery = percent
            if self._state.is_present:
                self._state = self._state._replace(low_battery=percent)
                self._on_presence(self._state._replace(time=self._now(), levels={}))

    def _on_error(self, error: DeviceError) -> None:
        self._error = error
        self._lost.set()


def _ignore_presence(presence: InputPresence) -> None:
    """Discard the report; the input is not open yet."""
