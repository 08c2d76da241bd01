"""The traffic on the panels' bus, and the pictures it produces.

Reads the file written by the guest's bus and feeds it to the chip models of the driver tests.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from scorer.hw.displays.chip_simulator import SimulatedChip

HEADER = struct.Struct("<QIHHI")  # as in virtual_bus.c


class Message(NamedTuple):
    """One message, as far as it arrived."""

    at: float  # seconds of the guest's clock since power-on
    address: int
    error: int  # errno returned to the sender; 0: acknowledged
    data: bytes


class Cable:
    """Reads a guest's bus from power-on. ``controllers``: chip by address."""

    def __init__(self, path: Path, controllers: Mapping[int, str]) -> None:
        self.messages: list[Message] = []
        self._path, self._read, self._left = path, 0, b""
        self._counted = 0
        self._chips = {address: SimulatedChip(kind) for address, kind in controllers.items()}
        self._drawn: dict[int, Image.Image] = {}

    def look(self) -> list[Message]:
        """The new messages since the last call."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        self._read += len(data)
        self._left += data
        new = []
        while (message := self._next()) is not None:
            new.append(message)
            self._feed(message)
        self.messages += new
        return new

    def picture(self, address: int) -> Image.Image:
        """The current picture of that panel, mode "1"."""
        self.look()
        if address not in self._drawn:
            self._drawn[address] = self._chips[address].picture()
        return self._drawn[address]

    def pixels(self, address: int) -> bytes:
        """The same as bytes, for comparison."""
        return self.picture(address).tobytes()

    def chip(self, address: int) -> SimulatedChip:
        """The chip model: contrast, on or off, unknown commands."""
        self.look()
        return self._chips[address]

    def lose_power(self, address: int) -> None:
        """Unplug the panel: its chip loses its memory."""
        self.look()
        self._chips[address].feed(b"")
        self._drawn.pop(address, None)

    def _feed(self, message: Message) -> None:
        if message.data and message.address in self._chips:
            self._chips[message.address].feed(message.data)
            self._drawn.pop(message.address, None)

    def _next(self) -> Message | None:
        if len(self._left) < HEADER.size:
            return None
        at, number, address, error, length = HEADER.unpack_from(self._left)
        end = HEADER.size + length
        if len(self._left) < end:
            return None
        data, self._left = self._left[HEADER.size : end], self._left[end:]
        # A reader that was too slow must cause an error, not a wrong picture.
        lost = number - self._counted
        self._counted += 1
        assert lost == 0, f"{lost} messages were lost on the cable"
        return Message(at / 1e9, address, error, data)
