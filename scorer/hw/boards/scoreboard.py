"""A large scoreboard on a serial port, sent the newest lines periodically.

A thread opens the port, writes, and reopens it after a loss; callers only enqueue lines.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from scorer.hw.ports import DeviceError
from scorer.hw.serial.latest_writer import LatestWriter
from scorer.hw.serial.lines import seal
from scorer.hw.serial.port import Port, port_problems
from scorer.plain_values import Found

RETRY_PAUSES = (0.5, 1.0, 2.0, 4.0, 5.0)  # seconds between attempts to open; the last one repeats
RESEND_INTERVAL = 10.0  # seconds between repeats: a scoreboard may have been off
_WRITE_WAIT = 1.0  # seconds to wait for a slow port before checking for new lines


class Options(NamedTuple):
    """The stable path of the port, and its speed in bits per second."""

    port: str
    baud: int = 9600

    def find_problems(self) -> Iterator[Found]:
        yield from port_problems(self.port, self.baud)

    @property
    def resource_id(self) -> str:
        """The port, which no other device can share."""
        return self.port

    @property
    def summary(self) -> str:
        """The port and its speed."""
        return f"{self.port}, {self.baud} baud"


FaultListener = Callable[[str], None]
"""Called once per fault with a sentence; with "" when it has recovered."""


def _ignore(why: str) -> None:
    """Ignore the fault."""


def create(
    options: Options,
    *,
    on_fault: FaultListener = _ignore,
    pauses: Sequence[float] = RETRY_PAUSES,
    resend_interval: float = RESEND_INTERVAL,
    now: Callable[[], float] = time.monotonic,
    port: Callable[[str, int], Port] = Port,
) -> Scoreboard:
    """Create a closed driver. Its thread calls ``on_fault``, which must only enqueue."""
    return Scoreboard(port(options.port, options.baud), on_fault, pauses, resend_interval, now)


class Scoreboard:
    """Sends the newest lines to a scoreboard on a serial port."""

    def __init__(
        self,
        port: Port,
        on_fault: FaultListener,
        pauses: Sequence[float],
        resend_interval: float,
        now: Callable[[], float],
    ) -> None:
        self._port, self._on_fault, self._now = port, on_fault, now
        self._pauses, self._resend_interval = pauses, resend_interval
        self._latest = LatestWriter(port)
        self._newest, self._lock = b"", threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Start to look for the port. Never raises."""
        self.close()
        self._closing.clear()
        self._thread = threading.Thread(target=self._run, name="scoreboard", daemon=True)
        self._thread.start()

    def send(self, lines: Sequence[str]) -> None:
        """Send these lines from now on; drop earlier lines that were not started.

        Never waits. Raises ValueError for an invalid line (``serial.lines.seal``).
        """
        message = b"".join(seal(line) for line in lines)
        with self._lock:
            self._newest = message
            self._latest.put(message)
        self._port.wake()

    def close(self) -> None:
        """Stop sending and close the port. Idempotent."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._closing.set()
            while thread.is_alive():
                self._port.wake()
                thread.join(0.1)

    def _run(self) -> None:
        failures, reported = 0, ""
        while not self._closing.is_set():
            try:
                self._port.open()
                reported = self._report_fault("", reported)
                self._latest.reset()
                # The empty line ends a line that a broken connection left unfinished.
                self._resend(b"\n")
                failures = 0
                self._write_until_closed()
            except DeviceError as error:
                reported = self._report_fault(str(error), reported)
                self._closing.wait(self._pauses[min(failures, len(self._pauses) - 1)])
                failures += 1
            finally:
                self._port.close()

    def _report_fault(self, why: str, before: str) -> str:
        """Report a fault once, until it changes; return the last one reported."""
        if why != before:
            self._on_fault(why)
        return why

    def _resend(self, before: bytes = b"") -> None:
        """Repeat the newest message; a newer one is never overwritten."""
        with self._lock:
            if self._newest:
                self._latest.put(before + self._newest)

    def _write_until_closed(self) -> None:
        """Write until closed. Raises DeviceError when the port is lost."""
        due = self._now() + self._resend_interval
        while not self._closing.is_set():
            if not self._latest.send():
                self._port.wait_writable(_WRITE_WAIT)
                continue
            # The board sends nothing; reading detects at once that the port is lost.
            self._port.read(max(0.0, due - self._now()))
            if self._now() >= due:
                self._resend()
                due = self._now() + self._resend_interval
