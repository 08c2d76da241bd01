"""Shows the newest value on a device, in a thread of its own.

The device or its bus may hang. A lost device is reported once and opened again periodically; the
value is repeated, so that a device that was without power shows it again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from scorer.hw.ports import DeviceError

REPEAT_S = 5.0  # seconds between repeats, and between attempts to open a lost device
_CLOSE_WAIT_S = 2.0  # seconds to wait for a device that hangs
T_contra = TypeVar("T_contra", contravariant=True)
T = TypeVar("T")


class ValueDevice(Protocol[T_contra]):
    """A device that shows a value."""

    def open(self) -> None:
        """Initialise it. Raises DeviceError."""

    def show(self, value: T_contra, /) -> None:
        """Show ``value``, also if it is shown already. Raises DeviceError."""

    def close(self) -> None:
        """Leave it dark. Idempotent; allowed after a failed open."""


def _ignore(fault: str) -> None:
    """Ignore the fault."""


class NewestValue(Generic[T]):
    """A device that follows the values that it is given; older ones are left out."""

    def __init__(
        self,
        device: ValueDevice[T],
        name: str,
        on_fault: Callable[[str], None] = _ignore,
        repeat_s: float = REPEAT_S,
    ) -> None:
        """``name``: of the thread.

        ``on_fault`` is called in the thread once per fault, with a sentence, and with "" when the
        device works again; it must only enqueue.
        """
        self._device, self._on_fault, self._repeat_s = device, on_fault, repeat_s
        self.fault = ""
        self._newest: T | None = None
        self._is_changed, self._is_closing = False, False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread; the device is opened with the first value."""
        self._thread.start()

    def put(self, value: T) -> None:
        """Show ``value`` from now on. Never waits for the device."""
        with self._changed:
            self._newest, self._is_changed = value, True
            self._changed.notify()

    def close(self) -> None:
        """Leave the device dark, unless it hangs. Idempotent."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_WAIT_S)

    def _run(self) -> None:
        is_open = False
        while (value := self._next()) is not None:
            try:
                if not is_open:
                    self._device.open()
                self._device.show(value)
            except DeviceError as error:
                is_open = False
                self._device.close()
                self._report(str(error))
            else:
                is_open = True
                self._report("")
        self._device.close()

    def _next(self) -> T | None:
        """The value to show, when it has changed or is to be repeated; None at the end."""
        with self._changed:
            while not self._is_changed and not self._is_closing:
                if not self._changed.wait(self._repeat_s) and self._newest is not None:
                    break
            self._is_changed = False
            return None if self._is_closing else self._newest

    def _report(self, fault: str) -> None:
        if fault != self.fault:
            self.fault = fault
            self._on_fault(fault)
