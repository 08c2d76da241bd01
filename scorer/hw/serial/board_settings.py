"""The settings of a box over Wi-Fi, as a file for its board or over its USB cable.

The board keeps them in ``radio.json``, which is also what it accepts by hand.
"""

from __future__ import annotations

import ipaddress
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from scorer.hw.ports import DeviceError
from scorer.hw.serial.lines import LineBuffer, unseal
from scorer.hw.serial.port import Port
from scorer.hw.serial.radio_port import name_problem

MAX_LINE: Final = 512  # bytes of the line over USB
ANSWER_WAIT: Final = 6.0  # seconds for the answer of the board
ASK_INTERVAL: Final = 2.0  # seconds between attempts: a boot loader swallows the first one
STORED: Final = "K1 stored"
FORGOTTEN: Final = "K1 forgotten"
LACKING: Final = "K1 lacks network"  # the answer of a board that knows no network yet
KEY_BYTES: Final = 32
_BY_ID = Path("/dev/serial/by-id")
# Boards with USB of their own, and the chips on those of an ESP32.
_BOARD_NAMES = ("*MicroPython*", "*Espressif*", "*CP210*", "*1a86*")
_WPA_PASSWORD = range(8, 64)  # characters


class BoardSettings(NamedTuple):
    """``host``: the address of the Pi; "": the Pi has opened the network of the box."""

    box: str
    key: str  # hexadecimal
    network: str
    password: str = ""
    host: str = ""
    port: int = 7747
    battery: bool = False

    def find_problems(self) -> Iterator[str]:
        """Sentences about what is wrong; none contains the key or the password."""
        if problem := name_problem(self.box):
            yield f"the name of a box {problem}"
        if not 1 <= len(self.network.encode()) <= 32:
            yield "the name of a network has 1 to 32 bytes"
        if self.password and len(self.password) not in _WPA_PASSWORD:
            yield "a password has 8 to 63 characters, an open network none"
        if self.host:
            try:
                ipaddress.IPv4Address(self.host)
            except ValueError:
                yield f"'{self.host}' is no address like 192.168.1.20"

    def text(self) -> str:
        """The content of ``radio.json``."""
        return json.dumps(self._asdict(), ensure_ascii=False)


def settings_line(text: str) -> bytes:
    """The line that stores ``text`` on the board; "" forgets what is stored."""
    words = f"K1 {text or '{}'}".encode()
    return b"\n%s %08x\n" % (words, crc32(words))


def new_key_text(box: str, key: str) -> str:
    """The settings that replace name and key of a board, which keeps its network."""
    return json.dumps({"box": box, "key": key})


def plugged_boards(taken: Iterable[str], folder: Path = _BY_ID) -> list[str]:
    """The USB ports of boards, sorted; those of ``taken`` are other devices."""
    others = {os.path.realpath(path) for path in taken if path}
    found = {str(path) for name in _BOARD_NAMES for path in folder.glob(name)}
    return sorted(path for path in found if os.path.realpath(path) not in others)


def send_settings(
    port: Port, text: str, *, now: Callable[[], float] = time.monotonic, wait: float = ANSWER_WAIT
) -> None:
    """Store ``text`` on the board at a USB port, "" to forget.

    Raises DeviceError; its kind is "network" for a board that has none and is given none.
    """
    wanted, lines = STORED if text else FORGOTTEN, LineBuffer()
    port.open()
    try:
        began = now()
        while (left := began + wait - now()) > 0:
            port.write(settings_line(text))
            until = now() + min(left, ASK_INTERVAL)
            while (pause := until - now()) > 0:
                for line in lines.feed(port.read(pause)):
                    answer = unseal(line)
                    if answer == wanted:
                        return
                    if answer == LACKING:
                        sentence = "the board knows no network yet: scorer radio key --network"
                        raise DeviceError(f"{port.path}: {sentence}", "network")
    finally:
        port.close()
    raise DeviceError(
        f"{port.path}: the board does not answer; does it have main.py and radio.py, and no pin "
        "for changing files tied to GND?",
        "silent",
    )
