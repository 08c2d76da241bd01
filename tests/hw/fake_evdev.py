"""A fake evdev library: ``struct input_event`` bytes through a socket pair.

Implements the part of python3-evdev that the driver uses. A device can be grabbed by another
program, forbidden, lose events and be unplugged.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

INPUT_EVENT = "llHHi"  # seconds, microseconds, type, code, value
EV_SYN, EV_KEY, SYN_DROPPED = 0, 1, 3
# Key codes of <linux/input-event-codes.h>.
CODES = {
    "KEY_0": 11,
    "KEY_A": 30,
    "KEY_KP7": 71,
    "KEY_KP8": 72,
    "KEY_KP9": 73,
    "KEY_KP1": 79,
    "KEY_KP3": 81,
    "KEY_KP0": 82,
    "KEY_KPDOT": 83,
    "KEY_KPENTER": 96,
    "BTN_TRIGGER": 0x120,
    "BTN_THUMB": 0x121,
}
PATIENCE = 20.0  # seconds that a test waits for another thread


class Event(NamedTuple):
    sec: int
    usec: int
    type: int
    code: int
    value: int

    def timestamp(self) -> float:
        return self.sec + self.usec / 1e6


class Keypad:
    """The hardware: the keys that are down, and the open handle."""

    def __init__(self, path: str, name: str, phys: str = "", codes: Collection[int] = ()) -> None:
        self.path, self.name, self.phys = path, name, phys
        self.codes = frozenset(codes or CODES.values())
        self.down: set[int] = set()
        self.plugged = self.allowed = True
        self.taken_by_another = False
        self.now = 1.0  # seconds, of the kernel's clock
        self.opened: Handle | None = None

    def send(self, kind: int, code: int, value: int) -> None:
        """Send an event to the open handle and wait until it was processed."""
        handle = self.opened
        if handle is None or handle.closed:
            return
        handle.quiet.clear()
        handle.send(kind, code, value)
        assert handle.quiet.wait(PATIENCE), "the event was not read"

    def press(self, key: str, *, down: bool) -> None:
        (self.down.add if down else self.down.discard)(CODES[key])
        self.send(EV_KEY, CODES[key], int(down))

    def repeat(self, key: str) -> None:
        """The automatic repeat of a held key."""
        self.send(EV_KEY, CODES[key], 2)

    def lose(self, key: str, *, down: bool) -> None:
        """Change the level of a key without an event."""
        (self.down.add if down else self.down.discard)(CODES[key])

    def overflow(self) -> None:
        """Report dropped events, as the kernel does."""
        self.send(EV_SYN, SYN_DROPPED, 0)

    def pull_out(self) -> None:
        self.plugged = False
        if self.opened is not None and not self.opened.closed:
            self.opened.kernel.close()

    def plug_in(self) -> None:
        self.plugged = True
        self.down.clear()


class Handle:
    """One opening of a keypad, like evdev's InputDevice."""

    def __init__(self, keypad: Keypad) -> None:
        if not keypad.plugged:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), keypad.path)
        if not keypad.allowed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), keypad.path)
        self._keypad = keypad
        self.name, self.path, self.phys = keypad.name, keypad.path, keypad.phys
        self.kernel, self._ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setblocking(False)
        self.quiet = threading.Event()
        self.closed = self.grabbed = False
        keypad.opened = self

    def queue(self, code: int, value: int) -> None:
        """Queue an event while nothing reads."""
        self.send(EV_KEY, code, value)

    def send(self, kind: int, code: int, value: int) -> None:
        """Send an event with the kernel's time."""
        seconds, microseconds = divmod(round(self._keypad.now * 1e6), 1_000_000)
        self.kernel.send(struct.pack(INPUT_EVENT, seconds, microseconds, kind, code, value))

    def fileno(self) -> int:
        return self._ours.fileno()

    def read(self) -> Iterator[Event]:
        """Read all pending events; raises OSError if the device is gone."""
        data = self._ours.recv(struct.calcsize(INPUT_EVENT) * 64)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        for fields in struct.iter_unpack(INPUT_EVENT, data):
            yield Event(*fields)
        self.quiet.set()

    def grab(self) -> None:
        if self._keypad.taken_by_another:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.grabbed = True

    def active_keys(self) -> Sequence[int]:
        """The levels. As EVIOCGKEY does, this drops the queued key events of the handle."""
        if not self._keypad.plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        with contextlib.suppress(BlockingIOError):
            while self._ours.recv(struct.calcsize(INPUT_EVENT)):
                self.quiet.set()
        return sorted(self._keypad.down)

    def capabilities(self) -> Mapping[int, Sequence[int]]:
        return {EV_KEY: sorted(self._keypad.codes)}

    def close(self) -> None:
        self.closed = True
        for end in (self._ours, self.kernel):
            with contextlib.suppress(OSError):
                end.close()


class FakeEvdev:
    """The library, on a machine with these keypads."""

    def __init__(self, *keypads: Keypad) -> None:
        self._keypads = keypads

    @property
    def codes(self) -> Mapping[str, int]:
        return CODES

    def list_devices(self) -> Sequence[str]:
        return [keypad.path for keypad in self._keypads if keypad.plugged]

    def device(self, path: str) -> Handle:
        for keypad in self._keypads:
            if keypad.path == path:
                return Handle(keypad)
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def await_end(is_alive: Callable[[], bool]) -> None:
    """Wait until a reader thread ends."""
    until = time.monotonic() + PATIENCE
    while is_alive():
        assert time.monotonic() < until, "the reader did not end"
        time.sleep(0.001)
