"""The unmodified firmware in a process, on CPython or MicroPython (WebAssembly).

Its pins, clock and serial line are simulated and controlled from here. MicroPython comes from npm,
by `make firmware`.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

HERE = Path(__file__).parent
FIRMWARE = ROOT / "firmware" / "box" / "main.py"
# Where `make firmware` installs it.
MICROPYTHON = ROOT / "build/micropython/node_modules/@micropython/micropython-webassembly-pyscript"
PINS = {"truco": 2, "envido": 3, "flor": 4, "quiero": 5, "no_quiero": 6, "tantos": 7}
PINS |= {"undo": 8, "menu": 9}
ESP32_PINS = {"truco": 13, "envido": 14, "flor": 25, "quiero": 26, "no_quiero": 27, "tantos": 32}
ESP32_PINS |= {"undo": 33, "menu": 4}
WATCHDOG_CODE, RESET_CODE = 3, 4  # of a process that its watchdog or it itself has ended
PATIENCE = 60.0  # seconds; allows for a slow machine with both cores busy


def micropython() -> Path | None:
    """MicroPython's folder, or None if it or node is missing."""
    is_there = (MICROPYTHON / "micropython.mjs").is_file() and shutil.which("node")
    return MICROPYTHON if is_there else None


def needs_micropython() -> None:
    if micropython() is None:
        pytest.skip("no node, or no MicroPython for it: make firmware")


class Pico:
    """A running firmware.

    ``wire``: the descriptor of its serial line, ``link`` its kind. Its clock is simulated and
    advanced by ``advance``, or ``real``.
    """

    def __init__(
        self,
        wire: int,
        link: str = "usb",
        *,
        on: str = "python",
        real: bool = False,
        family: str = "rp2",
        folder: Path | None = None,
    ) -> None:
        """``folder``: the files of the board besides its program."""
        self._pins = ESP32_PINS if family == "esp32" else PINS
        package = micropython()
        if on == "micropython" and package is not None:
            runner = ["node", str(HERE / "pico" / "on_micropython.mjs"), str(package)]
        else:
            runner = [sys.executable, str(HERE / "pico" / "on_python.py")]
        self._control, theirs = socket.socketpair()
        self._control.settimeout(PATIENCE)
        theirs.setblocking(not real)
        clock = "real" if real else "told"
        words = [*runner, str(FIRMWARE), str(theirs.fileno()), str(wire), link, clock, family]
        self.process = subprocess.Popen(words, pass_fds=[theirs.fileno(), wire], cwd=folder)
        theirs.close()

    def advance(self, milliseconds: int) -> None:
        """Advance its clock and wait until it has run."""
        self._send_command(f"pass {milliseconds}")
        self._send_command("pass 0")

    def hang(self, milliseconds: int) -> None:
        """Let its program stand still for so long, then run until the next command."""
        self._send_command(f"hang {milliseconds}")

    def set_voltage(self, number: int, millivolts: int) -> None:
        """Set the voltage of an ADC pin."""
        self._send_command(f"volt {number} {millivolts}")

    def press(self, button: str, *, down: bool) -> None:
        self.pin(self._pins[button], 0 if down else 1)

    def tap(self, button: str, milliseconds: int = 90) -> None:
        """Press and release a button, then wait for its repeats to end."""
        self.press(button, down=True)
        self.advance(milliseconds)
        self.press(button, down=False)
        self.advance(400)

    def pin(self, number: int, level: int) -> None:
        self._send_command(f"pin {number} {level}")

    def unplug(self) -> None:
        """Kill the process, like a power loss."""
        self._control.close()
        self.process.kill()
        self.process.wait(PATIENCE)

    def _send_command(self, command: str) -> None:
        self._control.sendall(f"{command}\n".encode("ascii"))
        assert self._control.recv(1) == b".", command
