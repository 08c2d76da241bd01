"""[printer] of the owner's file: device, paper, code page and automatic printing.

Imported only for a file with such a section, so that other tables start faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from scorer.plain_values import Found

DEFAULT_PORT = 9100  # default port of network printers (raw printing)
BAUDS = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
# Code pages that `scorer print` can encode (see ``scorer.receipts.codepages``).
CODEPAGES = ("CP858", "CP850", "CP860", "CP437", "CP1252", "ISO_8859-15", "ASCII")
_TCP = re.compile(r"tcp:(\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")


class PrinterAddress(NamedTuple):
    """Address of a printer: the path of a device, or a host and a port."""

    path: str = ""
    host: str = ""
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        return self.path or f"tcp:{self.host}:{self.port}"


def parse_address(text: str) -> PrinterAddress:
    """Parse "/dev/usb/lp0", "tcp:192.168.1.50" or "tcp:host:9100". Raises ValueError."""
    if found := _TCP.fullmatch(text):
        port = int(found[2] or DEFAULT_PORT)
        if 1 <= port <= 65535:
            return PrinterAddress(host=found[1].strip("[]"), port=port)
    if text.startswith("/") and "\0" not in text:
        return PrinterAddress(path=text)
    raise ValueError("is not like /dev/usb/lp0, /dev/ttyUSB0 or tcp:192.168.1.50:9100")


class PrinterSection(NamedTuple):
    """``device``: a path or tcp:host:port. ``width``: of the paper, in millimetres.

    ``model``: name of a python-escpos profile, which has the numbers of the code pages;
    ``table_number`` overrides that number (default: that of the profile).
    """

    device: str = ""
    when: Literal["game", "asked", "off"] = "game"
    width: Literal[58, 80] = 58
    letters: str = "CP858"
    table_number: int = -1
    model: str = "default"
    baud: int = 9600
    cut: bool = True

    def find_problems(self) -> Iterator[Found]:
        if self.device:
            try:
                parse_address(self.device)
            except ValueError as error:
                yield "device", f"'{self.device[:60]}' {error}"
        if self.letters not in CODEPAGES:
            yield "letters", f"'{self.letters[:60]}' is not one of {', '.join(CODEPAGES)}"
        if not -1 <= self.table_number <= 255:
            yield "table_number", f"{self.table_number} is not from 0 to 255"
        if self.baud not in BAUDS:
            yield "baud", f"{self.baud} is not one of {', '.join(map(str, BAUDS))}"

    @property
    def is_enabled(self) -> bool:
        """Whether printing is enabled."""
        return bool(self.device) and self.when != "off"
