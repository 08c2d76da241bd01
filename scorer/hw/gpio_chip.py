"""Find the GPIO chip of the header by its label.

The kernel numbers chips in any order. On a Pi 5 the header is one chip of several, and its driver
may load late.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path

HEADER_LABELS = ("pinctrl-bcm2711", "pinctrl-bcm2835", "pinctrl-rp1")  # Pi 4; Zero to 3; 5

# From linux/gpio.h: struct gpiochip_info {char name[32]; char label[32]; __u32 lines;}
_CHIP_INFO = struct.Struct("32s32sI")
_GET_CHIP_INFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL

ReadLabel = Callable[[Path], str]


class NoHeaderChipError(OSError):
    """No GPIO chip has the label of a header; ``others`` are those that are there."""

    def __init__(self, others: list[str]) -> None:
        found = f"only {', '.join(others)}" if others else "nor any other"
        super().__init__(f"the GPIO chip of the header is not there, {found}")
        self.others = tuple(others)


def read_label(chip: Path) -> str:
    """The label of a GPIO chip. Raises OSError."""
    descriptor = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
    try:
        info = fcntl.ioctl(descriptor, _GET_CHIP_INFO, bytes(_CHIP_INFO.size))
    finally:
        os.close(descriptor)
    label: bytes = _CHIP_INFO.unpack(info)[1]
    return label.partition(b"\0")[0].decode(errors="replace")


def chips(dev: Path) -> list[Path]:
    """The device files of all GPIO chips, by number."""
    found = (path for path in dev.glob("gpiochip*") if _digits(path).isdecimal())
    return sorted(found, key=lambda path: int(_digits(path)))


def header_chip(dev: Path = Path("/dev"), label_of: ReadLabel = read_label) -> int:
    """The number of the header's chip. Raises NoHeaderChipError or PermissionError."""
    others, forbidden = [], None
    for path in chips(dev):
        try:
            label = label_of(path)
        except PermissionError as error:
            forbidden = error
        except OSError:
            continue  # removed meanwhile, or no GPIO chip
        else:
            if label in HEADER_LABELS:
                return int(_digits(path))
            others.append(f"{path.name} [{label}]")
    if forbidden is not None:
        raise forbidden
    raise NoHeaderChipError(others)


def _digits(path: Path) -> str:
    return path.name.removeprefix("gpiochip")
