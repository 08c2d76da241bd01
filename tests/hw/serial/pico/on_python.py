"""Run the firmware under CPython.

``on_python.py FIRMWARE CONTROL WIRE usb|uart|air told|real rp2|esp32``. CONTROL is a descriptor of
commands, one per line, each answered by a dot when it is done: ``pin 3 0``, ``pass 100`` (the next
command is read so many milliseconds later), ``hang 9000`` (so long nothing runs), ``volt 28 1900``
(millivolts of a pin). WIRE is the descriptor of the box's end of a serial line, or of a socket that
keeps packets apart (``air``); radio.json is in the working directory. Time is simulated (``told``)
or real. A watchdog that is not fed in time ends the process with exit code 3, a reset with 4.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import select
import sys
import time
import types
from pathlib import Path

BOARD = Path(__file__).parent / "board"
WATCHDOG_CODE, RESET_CODE = 3, 4


class World(types.ModuleType):
    """Pins, a clock and a wire; ``light`` sets the LED."""

    def __init__(self, control: int, wire: int, link: str, family: str, *, real: bool) -> None:
        super().__init__("world")
        self._orders = os.fdopen(os.dup(control), "r", encoding="ascii")
        self._control, self._wire, self._link = control, wire, link
        self._levels: dict[int | str, int] = {}
        self._volts: dict[int | str, int] = {}
        self._now = self._until = self._fed = 0
        self._patience, self._family, self._is_joined = 0, family, False
        self._began = time.monotonic() if real else None

    def start(self) -> int:
        return int.from_bytes(os.urandom(2), "big")

    def family(self) -> str:
        return self._family

    def voltage(self, number: int | str) -> int:
        return self._volts.get(number, 0)

    def reset(self) -> None:
        sys.exit(RESET_CODE)

    def join(self, name: str, password: str) -> None:
        self._is_joined = self._link == "air"

    def is_joined(self) -> bool:
        return self._is_joined

    def send_packet(self, digits: str) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wire, bytes.fromhex(digits))

    def receive_packet(self) -> str:
        return os.read(self._wire, 2048).hex() if self._waiting() else ""

    def watch(self, milliseconds: int) -> None:
        """Start a watchdog."""
        self._patience, self._fed = milliseconds, self.ticks()

    def feed(self) -> None:
        if self.ticks() - self._fed > self._patience:
            sys.exit(WATCHDOG_CODE)
        self._fed = self._now

    def pin(self, number: int | str) -> int:
        return self._levels.get(number, 1)

    def light(self, level: int) -> None:
        self._levels["LED"] = level

    def ticks(self) -> int:
        if self._began is not None:
            self._now = int((time.monotonic() - self._began) * 1000)
        return self._now

    def sleep(self, milliseconds: int) -> None:
        if self._began is None:
            self._now += milliseconds
        else:
            select.select([], [], [], milliseconds / 1000)
        while self.ticks() >= self._until and self._is_ordered():
            self._obey(self._orders.readline().split())

    def _is_ordered(self) -> bool:
        """Real time does not wait for a command; simulated time always does."""
        return self._began is None or bool(select.select([self._control], [], [], 0)[0])

    def _obey(self, order: list[str]) -> None:
        match order:
            case ["pin", number, level]:
                self._levels[int(number)] = int(level)
            case ["pass", milliseconds]:
                self._until = self.ticks() + int(milliseconds)
            case ["volt", number, millivolts]:
                self._volts[int(number)] = int(millivolts)
            case ["hang", milliseconds]:
                self._now += int(milliseconds)
            case []:
                sys.exit()
        os.write(self._control, b".")

    def write(self, text: str) -> int:
        return self._send(text) if self._link == "usb" else len(text)

    def uart_write(self, text: str) -> None:
        if self._link == "uart":
            self._send(text)

    def usb_waiting(self) -> int:
        return self._link == "usb" and self._waiting()

    def uart_waiting(self) -> int:
        return self._link == "uart" and self._waiting()

    def uart_read(self) -> int:
        return os.read(self._wire, 1)[0]

    def _send(self, text: str) -> int:
        return os.write(self._wire, text.encode("ascii"))

    def _waiting(self) -> int:
        ready, _, _ = select.select([self._wire], [], [], 0)
        return len(ready)


class Usb:
    """sys.stdin and sys.stdout of a board, connected to the wire."""

    def __init__(self, world: World) -> None:
        self.write = world.write
        self.buffer = io.FileIO(os.dup(world._wire), "r")
        self.flush = lambda: None


def main(firmware: str, control: str, wire: str, link: str, clock: str, family: str) -> None:
    world = World(int(control), int(wire), link, family, real=clock == "real")
    sys.modules["world"] = world
    for path in BOARD.glob("*.py"):
        # Loaded explicitly: some of these names are built into CPython.
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[path.stem] = module
    sys.stdin = sys.stdout = Usb(world)
    sys.path.insert(0, str(Path(firmware).parent))
    code = compile(Path(firmware).read_text(encoding="utf-8"), firmware, "exec")
    exec(code, {"__name__": "__main__"})


if __name__ == "__main__":
    main(*sys.argv[1:])
