"""Write the program of the button box as UF2 files, one for each board.

A UF2 file holds blocks of flash with their addresses (github.com/microsoft/uf2). These contain only
the file system of MicroPython with the program, so that MicroPython itself is copied first, by its
own UF2 file. The places of the file systems are those of MicroPython's boards
(ports/rp2/boards/*/mpconfigboard.h).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from littlefs import LittleFS

FLASH: Final = 0x1000_0000  # address of the flash in both chips
BLOCK_SIZE: Final = 4096  # bytes of a flash sector, and of a block of the file system
PAYLOAD: Final = 256  # bytes of flash in a UF2 block
DISK_VERSION: Final = 0x0002_0000  # littlefs 2.0, which every MicroPython since 1.12 reads
_MAGIC: Final = (0x0A32_4655, 0x9E5D_5157)
_LAST_MAGIC: Final = 0x0AB1_6F30
_HAS_FAMILY: Final = 0x2000


class Board(NamedTuple):
    """The family id of a chip, the flash of a board and its file system, in bytes."""

    family: int
    flash_size: int
    file_system_size: int


BOARDS: Final = {
    "pico": Board(0xE48B_FF56, 2 << 20, 1408 << 10),
    "pico-w": Board(0xE48B_FF56, 2 << 20, 848 << 10),
}


def write_all(program: Path, folder: Path, name: str) -> list[Path]:
    """One file for each board, with the modules in the folder ``program``."""
    written = []
    for board, layout in BOARDS.items():
        path = folder / f"{name}-{board}.uf2"
        path.write_bytes(b"".join(uf2_blocks(file_system(program, layout), layout)))
        written.append(path)
    return written


def file_system(program: Path, board: Board) -> bytes:
    """The bytes of a file system with the modules in the folder ``program``."""
    disk = LittleFS(
        block_size=BLOCK_SIZE,
        block_count=board.file_system_size // BLOCK_SIZE,
        prog_size=PAYLOAD,
        disk_version=DISK_VERSION,
    )
    for module in sorted(program.glob("*.py")):
        with disk.open(module.name, "wb") as file:
            file.write(module.read_bytes())
    return bytes(disk.context.buffer)


def uf2_blocks(data: bytes, board: Board) -> Iterator[bytes]:
    """The blocks of the flash sectors that are not empty."""
    start = FLASH + board.flash_size - board.file_system_size
    used = [
        at + part
        for at in range(0, len(data), BLOCK_SIZE)
        if data[at : at + BLOCK_SIZE].strip(b"\xff")
        for part in range(0, BLOCK_SIZE, PAYLOAD)
    ]
    for number, at in enumerate(used):
        head = struct.pack(
            "<8I", *_MAGIC, _HAS_FAMILY, start + at, PAYLOAD, number, len(used), board.family
        )
        body = data[at : at + PAYLOAD].ljust(476, b"\0")
        yield head + body + struct.pack("<I", _LAST_MAGIC)
