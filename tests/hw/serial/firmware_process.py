"""The firmware of the button box, run as it is: by CPython, or by MicroPython's own WebAssembly.

Its pins, its clock and its end of the serial line are a world that is told what to do; the firmware
itself does not know. MicroPython comes from npm, by `make firmware`, and never from here.
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
FIRMWARE = ROOT / "firmware" / "pico" / "main.py"
# Where `make firmware` puts it.
MICROPYTHON = ROOT / "build/micropython/node_modules/@micropython/micropython-webassembly-pyscript"
PINS = {"truco": 2, "envido": 3, "flor": 4, "quiero": 5, "no_quiero": 6, "tantos": 7}
PINS |= {"undo": 8, "menu": 9}
PATIENCE = 60.0  # seconds: a slow machine with both cores busy


def micropython() -> Path | None:
    """MicroPython, if it was fetched and there is a node to run it."""
    is_there = (MICROPYTHON / "micropython.mjs").is_file() and shutil.which("node")
    return MICROPYTHON if is_there else None


def needs_micropython() -> None:
    if micropython() is None:
        pytest.skip("no node, or no MicroPython for it: make firmware")


class Pico:
    """A running firmware. ``wire``: its end of a serial line, which is its ``link``.

    Its time passes when it is told to, or is ``real`` and passes by itself.
    """

    def __init__(
        self, wire: int, link: str = "usb", *, on: str = "python", real: bool = False
    ) -> None:
        package = micropython()
        if on == "micropython" and package is not None:
            runner = ["node", str(HERE / "pico" / "on_micropython.mjs"), str(package)]
        else:
            runner = [sys.executable, str(HERE / "pico" / "on_python.py")]
        self._control, theirs = socket.socketpair()
        self._control.settimeout(PATIENCE)
        theirs.setblocking(not real)
        clock = "real" if real else "told"
        words = [*runner, str(FIRMWARE), str(theirs.fileno()), str(wire), link, clock]
        self.process = subprocess.Popen(words, pass_fds=[theirs.fileno(), wire])
        theirs.close()

    def advance(self, milliseconds: int) -> None:
        """Its clock goes on by that, and it does what it does meanwhile."""
        self._send_command(f"pass {milliseconds}")
        self._send_command("pass 0")

    def press(self, button: str, *, down: bool) -> None:
        """A finger on the pin of this button."""
        self.pin(PINS[button], 0 if down else 1)

    def tap(self, button: str, milliseconds: int = 90) -> None:
        """Down, up, and long enough for everything to be said."""
        self.press(button, down=True)
        self.advance(milliseconds)
        self.press(button, down=False)
        self.advance(400)

    def pin(self, number: int, level: int) -> None:
        """Once the time before it has passed."""
        self._send_command(f"pin {number} {level}")

    def unplug(self) -> None:
        """No power any more."""
        self._control.close()
        self.process.kill()
        self.process.wait(PATIENCE)

    def _send_command(self, command: str) -> None:
        self._control.sendall(f"{command}\n".encode("ascii"))
        assert self._control.recv(1) == b".", command
