"""Show the names of pressed keys on all devices with keys, to configure a keypad.

Devices are not grabbed: other programs still receive the keys.
"""

from __future__ import annotations

import contextlib
import select
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scorer.hw.inputs.keypad import (
    DOWN,
    KEYS,
    Evdev,
    EvdevLibrary,
    InputDevice,
    usb_socket,
)
from scorer.hw.ports import DeviceError

BY_ID = Path("/dev/input/by-id")  # links with the names of the models
BY_PATH = Path("/dev/input/by-path")  # links with the names of the sockets
SYS_INPUT = Path("/sys/class/input")


class PressedKey(NamedTuple):
    """A key that went down: its name and the device path, the stable one if it exists."""

    key: str
    device: str


class InputName(NamedTuple):
    """How the kernel names an input device: its node, its USB name, its physical path."""

    node: str
    name: str
    phys: str


class KeyCapture:
    """All devices with keys, opened; a context manager that closes them."""

    def __init__(
        self,
        library: EvdevLibrary | None = None,
        by_id: Path = BY_ID,
        by_path: Path = BY_PATH,
    ) -> None:
        """Raises DeviceError if no such device exists or none can be opened."""
        self._library, self._by_id, self._by_path = library or Evdev(), by_id, by_path
        try:
            pairs = [
                (name, code)
                for name, code in self._library.codes.items()
                if name.startswith(("KEY_", "BTN_"))
            ]
            # Of synonyms the first alphabetically.
            self._key_names = {code: name for name, code in sorted(pairs, reverse=True)}
            opened = []
            for path in self._library.list_devices():
                with contextlib.suppress(OSError):
                    opened.append(self._library.device(path))
            self._devices = opened
        except ImportError as error:
            text = f"the library of keypads is missing: {error}; install python3-evdev"
            raise DeviceError(text) from error
        if not self._devices:
            raise DeviceError("no keypad is plugged in, or the user is not in the group input")
        known = [InputName(device.path, device.name, device.phys) for device in self._devices]
        self._stable = {each.node: self._find_stable(each, known) for each in known}

    def __enter__(self) -> KeyCapture:
        return self

    def __exit__(self, *_: object) -> None:
        for device in self._devices:
            with contextlib.suppress(OSError):
                device.close()

    def devices(self) -> list[tuple[str, str]]:
        """The stable path and the name of each device."""
        return [(self._stable[device.path], device.name) for device in self._devices]

    def capture(self, patience: float, now: Callable[[], float]) -> Iterator[PressedKey]:
        """Yield keys that go down, until none has for ``patience`` seconds."""
        until = now() + patience
        while self._devices and (left := until - now()) > 0:
            ready, _, _ = select.select(self._devices, [], [], left)
            for device in ready:
                for key in self._read(device):
                    until = now() + patience
                    yield PressedKey(key, self._stable[device.path])

    def _read(self, device: InputDevice) -> Sequence[str]:
        try:
            events = list(device.read())
        except OSError:
            self._devices.remove(device)
            device.close()
            return ()
        return [
            self._key_names.get(event.code, str(event.code))
            for event in events
            if event.type == KEYS and event.value == DOWN
        ]

    def _find_stable(self, device: InputName, known: Iterable[InputName]) -> str:
        """The link that leads to this device after every start, else its node."""
        folders = (self._by_path,) if has_twin(device, known) else (self._by_id, self._by_path)
        for folder in folders:
            with contextlib.suppress(OSError):
                for link in sorted(folder.iterdir()):
                    if link.resolve() == Path(device.node).resolve():
                        return str(link)
        return device.node


def has_twin(device: InputName, known: Iterable[InputName]) -> bool:
    """Whether an equal device is in another socket.

    Both have one link in by-id, which leads to either.
    """
    return any(
        other.name == device.name and usb_socket(other.phys) != usb_socket(device.phys)
        for other in known
    )


def names_one_of_two(device: str, sys_input: Path = SYS_INPUT) -> bool:
    """Whether a link of by-id leads to one of two equal devices that are plugged in."""
    if Path(device).parent != BY_ID:
        return False
    known = [
        InputName(folder.name, *(_read(folder / "device" / file) for file in ("name", "phys")))
        for folder in sorted(sys_input.glob("event*"))
    ]
    node = Path(device).resolve().name
    return any(each.node == node and has_twin(each, known) for each in known)


def _read(file: Path) -> str:
    with contextlib.suppress(OSError):
        return file.read_text(encoding="utf-8", errors="replace").strip()
    return ""
