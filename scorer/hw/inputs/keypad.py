"""A USB keypad or arcade encoder: each key is a button of a console.

No debouncing and no gestures. The device is grabbed, so that presses are not typed into other
programs. A lost device is not reopened here: ``gone`` is called once, and the caller reopens it.
evdev is imported only here.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import select
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from scorer.hw.event_clock import EventClock
from scorer.hw.ports import DeviceError, Edge, ignore_loss
from scorer.plain_values import Found, suggestion

# In the order of a console: truco, envido, flor, quiero, no quiero, tantos, undo, menu.
NUMERIC = tuple(
    f"KEY_KP{key}" for key in ("7", "8", "9", "1", "3", "ENTER", "0", "DOT")
)  # fmt: skip
SYN, KEYS = 0, 1  # types of an event
DROPPED = 3  # code of SYN: the kernel's queue overflowed and events are missing
UP, DOWN = 0, 1  # values of a key; 2 is an automatic repeat
_EVIOCSCLOCKID = 0x400445A0  # of <linux/input.h>: which clock dates the events of a handle


class Options(NamedTuple):
    """The device, and its keys in the order of the button names.

    "" is a position without a key; a button without a key does not exist.
    ``device``: its stable path, /dev/input/by-id/...; or ``name``: its USB name; or ``place``:
    which one of the plugged keypads it is, like "1 of 2", counted by their USB sockets.
    ``keys``: evdev names; by default those of a numeric keypad.
    """

    lines: tuple[str, ...]
    device: str = ""
    name: str = ""
    place: str = ""
    keys: tuple[str, ...] = NUMERIC

    def find_problems(self) -> Iterator[Found]:
        if [self.device, self.name, self.place].count("") != 2:
            yield (
                "device",
                "write one of its path, /dev/input/by-id/..., its name in name = ... or "
                'place = "1 of 2"',
            )
        if self.place and not _parse_place(self.place):
            yield "place", f"'{self.place}' is not like \"1 of 2\""
        if self.device and not self.device.startswith("/dev/input/"):
            yield "device", f"'{self.device}' is no path like /dev/input/by-id/..."
        for key, times in Counter(filter(None, self.keys)).items():
            if not re.fullmatch(r"(KEY|BTN)_[A-Z0-9_]+", key):
                yield (
                    "keys",
                    f"'{key}' is not like KEY_KP1 or BTN_TRIGGER, see scorer doctor --keys",
                )
            if times > 1:
                yield "keys", f"{key} is there twice"
        wanted = [line for line in self.lines if line]
        if len(set(wanted)) < len(wanted):
            yield "lines", "a button is there twice"

    @property
    def resource_id(self) -> str:
        """The device, which no other keypad can share."""
        return self.device or f"the keypad {self.name or self.place}"

    @property
    def repeats_held_buttons(self) -> bool:
        return False

    @property
    def by_key(self) -> dict[str, str]:
        """The names of the buttons by their keys."""
        pairs = zip(self.keys, self.lines, strict=False)
        return {key: line for key, line in pairs if key and line}


class KeyEvent(Protocol):
    """The used part of an evdev event."""

    @property
    def type(self) -> int: ...
    @property
    def code(self) -> int: ...
    @property
    def value(self) -> int: ...
    def timestamp(self) -> float: ...


class InputDevice(Protocol):
    """The used part of an evdev device."""

    name: str
    path: str
    phys: str

    def fileno(self) -> int: ...
    def read(self) -> Iterable[KeyEvent]: ...
    def grab(self) -> None: ...
    def active_keys(self) -> Sequence[int]: ...
    def capabilities(self) -> Mapping[int, Sequence[object]]: ...
    def close(self) -> None: ...


class EvdevLibrary(Protocol):
    """The used part of evdev."""

    def list_devices(self) -> Sequence[str]: ...
    def device(self, path: str) -> InputDevice: ...
    @property
    def codes(self) -> Mapping[str, int]: ...


class Evdev:
    """The real library, imported when a keypad is opened."""

    def list_devices(self) -> Sequence[str]:
        # evdev.list_devices() omits read-only devices, and the service only has read access.
        return [str(path) for path in sorted(Path("/dev/input").glob("event*"))]

    def device(self, path: str) -> InputDevice:
        import evdev

        device = evdev.InputDevice(path)
        # A kernel without it dates by the clock of the day, which EventClock recognises.
        with contextlib.suppress(OSError):
            fcntl.ioctl(device.fileno(), _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
        return cast("InputDevice", device)

    @property
    def codes(self) -> Mapping[str, int]:
        import evdev

        return cast("Mapping[str, int]", evdev.ecodes.ecodes)


def create(
    options: Options,
    *,
    now: Callable[[], float] = time.monotonic,
    gone: Callable[[DeviceError], None] = ignore_loss,
    library: EvdevLibrary | None = None,
) -> KeypadInput:
    """Create a closed driver.

    ``now`` is the kernel's monotonic clock, which dates events; ``gone`` is called when the keypad
    is lost.
    """
    return KeypadInput(options, now, gone, library or Evdev())


class KeypadInput:
    """An InputSource of the keys of one keypad, which may have several nodes."""

    def __init__(
        self,
        options: Options,
        now: Callable[[], float],
        on_lost: Callable[[DeviceError], None],
        library: EvdevLibrary,
    ) -> None:
        self._options, self._now, self._on_lost, self._library = options, now, on_lost, library
        self._by_code: dict[int, str] = {}
        self._devices: Sequence[InputDevice] = ()
        self._reader: _Reader | None = None

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Open and grab all nodes. Raises DeviceError."""
        self.close()
        try:
            self._by_code = _lines_by_code(self._options, self._library.codes)
            self._devices = _open_devices(self._options, self._library, self._by_code)
            for device in self._devices:
                device.grab()
            self._reader = _Reader(
                self._devices, self._by_code, emit=emit, now=self._now, on_lost=self._fail
            )
        except _FAILURES as error:
            self.close()
            raise _device_error(error, self._options.resource_id) from error
        except DeviceError:
            self.close()
            raise
        self._reader.start()

    def levels(self) -> Mapping[str, bool]:
        if self._reader is None:
            raise DeviceError(f"{self._options.resource_id} is not open", "absent")
        try:
            down = self._reader.read_down()
        except _FAILURES as error:
            raise _device_error(error, self._options.resource_id) from error
        return {line: line in down for line in self._by_code.values()}

    def is_alive(self) -> bool:
        return self._reader is not None and self._reader.is_alive()

    def close(self) -> None:
        reader, self._reader = self._reader, None
        devices, self._devices = self._devices, ()
        if reader is not None:
            reader.end()
        for device in devices:
            # Closing the device ends the grab.
            with contextlib.suppress(OSError):
                device.close()

    def _fail(self, error: Exception) -> None:
        self._on_lost(_device_error(error, self._options.resource_id))


class _Reader(threading.Thread):
    """Converts events to edges until the device is lost or ``end`` is called.

    A button is down while it is down on any node.
    """

    def __init__(
        self,
        devices: Sequence[InputDevice],
        by_code: Mapping[int, str],
        *,
        emit: Callable[[Edge], None],
        now: Callable[[], float],
        on_lost: Callable[[Exception], None],
    ) -> None:
        """Keys that are down now are not reported. Raises OSError."""
        super().__init__(name="keypad", daemon=True)
        self._devices, self._by_code = devices, by_code
        self._down = [self._active(device) for device in devices]
        self._clock = EventClock()
        self._emit, self._now, self._on_lost = emit, now, on_lost
        # Held while a node is read; emit may close the driver in the same thread.
        self._reading = threading.RLock()
        self._is_ended = False
        self._wake_read, self._wake_write = os.pipe()

    def run(self) -> None:
        try:
            self._read_events()
        except Exception as error:
            if not self._is_ended:
                self._on_lost(error)

    def end(self) -> None:
        """Wake the thread and join it. Called once, from any thread."""
        self._is_ended = True
        os.write(self._wake_write, b".")
        if threading.current_thread() is not self and self.is_alive():
            self.join(timeout=2.0)
        os.close(self._wake_write)
        os.close(self._wake_read)

    def read_down(self) -> set[str]:
        """The buttons that are down now; queued edges are emitted first. Raises OSError."""
        with self._reading:
            for at in range(len(self._devices)):
                self._read_queue(at)
                self._apply_levels(at)
            return set[str]().union(*self._down)

    def _read_events(self) -> None:
        waiting = select.poll()
        nodes = {device.fileno(): at for at, device in enumerate(self._devices)}
        for descriptor in (*nodes, self._wake_read):
            waiting.register(descriptor, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in waiting.poll()}
            with self._reading:
                for descriptor, at in nodes.items():
                    if self._is_ended:
                        return
                    if descriptor in ready and self._read_queue(at):
                        self._apply_levels(at)

    def _read_queue(self, at: int) -> bool:
        """Report all queued events of a node; return whether some were dropped."""
        is_dropped = False
        with contextlib.suppress(BlockingIOError):
            while not self._is_ended:
                for event in self._devices[at].read():
                    button = self._by_code.get(event.code) if event.type == KEYS else None
                    if event.type == SYN and event.code == DROPPED:
                        is_dropped = True
                    elif button is not None and event.value in (UP, DOWN):
                        age = self._now() - event.timestamp()
                        self._report(at, button, down=event.value == DOWN, age=age)
        return is_dropped

    def _apply_levels(self, at: int) -> None:
        """Report what differs from the kernel's levels.

        EVIOCGKEY empties the queue of key events: the levels stand for those that it dropped.
        """
        if self._is_ended:
            return
        active = self._active(self._devices[at])
        for line in sorted(active ^ self._down[at]):
            self._report(at, line, down=line in active, age=0.0)

    def _active(self, device: InputDevice) -> set[str]:
        return {self._by_code[code] for code in device.active_keys() if code in self._by_code}

    def _report(self, at: int, line: str, *, down: bool, age: float) -> None:
        was_down = self._is_down(line)
        (self._down[at].add if down else self._down[at].discard)(line)
        if self._is_down(line) != was_down:
            self._emit(Edge(self._clock.date(age, self._now()), line, down))

    def _is_down(self, line: str) -> bool:
        return any(line in down for down in self._down)


def _lines_by_code(options: Options, codes: Mapping[str, int]) -> dict[int, str]:
    """The button names by key code. Raises DeviceError."""
    if options.keys == NUMERIC and len(options.lines) > len(NUMERIC):
        raise DeviceError(
            f"{options.resource_id}: two consoles want keys = [...] of their own", "version"
        )
    for key in options.by_key:
        if key not in codes:
            text = f"evdev knows no key {key}{suggestion(key, codes)}"
            raise DeviceError(text[:160], "version")
    return {codes[key]: line for key, line in options.by_key.items()}


def usb_socket(phys: str) -> str:
    """The socket in the kernel's physical path: usb-...-1.2 of usb-...-1.2/input0."""
    return phys.partition("/")[0]


def _parse_place(text: str) -> tuple[int, int] | None:
    """The number and the count of "1 of 2"."""
    found = re.fullmatch(r"([1-9]) of ([1-9])", text)
    if found is None or int(found[1]) > int(found[2]):
        return None
    return int(found[1]), int(found[2])


def _open_devices(
    options: Options, library: EvdevLibrary, codes: Collection[int]
) -> Sequence[InputDevice]:
    """Open the nodes with these key codes. Raises OSError and DeviceError.

    A keypad may have several interfaces with the same keys, of which any may send them.
    """
    if options.device:
        return [library.device(options.device)]
    opened, forbidden = list[InputDevice](), None
    for path in library.list_devices():
        try:
            opened.append(library.device(path))
        except OSError as error:
            forbidden = error
    keypads: dict[str, list[InputDevice]] = {}
    for device in sorted(opened, key=lambda device: natural_order(device.phys or device.path)):
        has_keys = set(codes) <= set(device.capabilities().get(KEYS, ()))
        if has_keys and options.name in ("", device.name):
            keypads.setdefault(usb_socket(device.phys) or device.path, []).append(device)
    # Of two with one name the first is opened.
    number, count = _parse_place(options.place) or (1, len(keypads))
    chosen = list(keypads.values())[number - 1] if keypads and len(keypads) == count else []
    is_named = any(device.name == options.name for device in opened)
    for device in opened:
        if device not in chosen:
            device.close()
    if chosen:
        return chosen
    if forbidden is not None:
        raise forbidden
    if keypads:
        # Which one is missing cannot be known.
        raise DeviceError(f"plugged keypads: {len(keypads)} instead of {count}", "absent")
    if is_named:
        text = f"{options.resource_id} lacks keys of keys = [...]: see scorer doctor --keys"
        raise DeviceError(text, "version")
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def natural_order(text: str) -> list[tuple[int, str]]:
    """Sort key in which numbers count as numbers: 1.2 before 1.10."""
    return [(int(part or 0), rest) for rest, part in re.findall(r"(\D*)(\d*)", text)]


_FAILURES = (OSError, ImportError)


def _device_error(error: Exception, resource_id: str) -> DeviceError:
    """Convert an error to a DeviceError that tells the owner what to check."""
    number = getattr(error, "errno", None)
    if isinstance(error, ImportError):
        text = f"the library of the keypad is missing: {error}; install python3-evdev"
        return DeviceError(text, "version")
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return DeviceError(f"{resource_id} is not plugged in", "absent")
    if number in (errno.EACCES, errno.EPERM):
        return DeviceError(
            f"{resource_id} is forbidden: the user must be in the group input", "forbidden"
        )
    if number == errno.EBUSY:
        return DeviceError(f"another program has taken {resource_id}: stop it", "taken")
    return DeviceError(f"{resource_id} failed: {error}", "absent")
