"""What names a box; a card that is put into another Pi has another name then."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

_DIGITS = 16
_BOX_DIGITS = 12
# The serial number of a Raspberry Pi, then the identity of any other machine.
_SOURCES = (Path("/sys/firmware/devicetree/base/serial-number"), Path("/etc/machine-id"))


def machine_name(sources: tuple[Path, ...] = _SOURCES) -> str:
    """Digits of the board, from which its serial number cannot be read."""
    for source in sources:
        try:
            text = source.read_bytes().strip(b"\0\n ")
        except OSError:
            continue
        if text:
            return sha256(b"truco-scorer link " + text).hexdigest()[:_DIGITS]
    return "0" * _DIGITS


def box_id(machine: str, socket: Path) -> str:
    """Digits of the table at ``socket``: also two tables of one machine differ."""
    text = f"{machine} {socket.resolve()}"
    return sha256(text.encode()).hexdigest()[:_BOX_DIGITS]
