"""The serial port on GPIO 14 and 15 of the header, from the device tree.

Its name depends on board and kernel. Where a board has Bluetooth, the radio has the better of the
two ports of the processor, unless an overlay gives it back; on a Pi 5 ``/dev/serial0`` is a plug
beside the header. The aliases of the tree tell the ports apart:
github.com/raspberrypi/linux, arch/arm/boot/dts, and overlays/disable-bt and miniuart-bt there.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

HEADER_PORTS: Final = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0", "/dev/ttyS1")
"""Names that it has on some board and kernel; ttyS1 with Debian's, as on the card image."""

TREE: Final = Path("proc/device-tree")
TTYS: Final = Path("sys/class/tty")
# Units that can be on these pins: both of the processor up to the Pi 4, and that of a Pi 5.
_OF_PROCESSOR: Final = ("/serial@7e201000", "/serial@7e215040")
_OF_PI_5: Final = "/rp1/serial@30000"
# Aliases that may name the port on the header; the first that does is right.
_ALIASES: Final = ("serial0", "serial1", "uart0")


class HeaderPort(NamedTuple):
    """``device``: e.g. "/dev/ttyS0"; "" if it is off.

    ``switch``: the line of config.txt that switches it on.
    """

    device: str
    switch: str


def find_header_port(root: Path = Path("/")) -> HeaderPort | None:
    """The port of this machine; None if its tree has none, as on a PC."""
    tree = root / TREE
    for alias in _ALIASES:
        node = _text(tree / "aliases" / alias)
        is_pi_5 = node.endswith(_OF_PI_5)
        if not is_pi_5 and not node.endswith(_OF_PROCESSOR):
            continue
        place = tree / node.lstrip("/")
        if _is_on(place / "bluetooth"):
            continue
        device = _devices(root / TTYS).get(node, "") if _is_on(place) else ""
        return HeaderPort(device, "dtparam=uart0=on" if is_pi_5 else "enable_uart=1")
    return None


def _is_on(node: Path) -> bool:
    return node.is_dir() and _text(node / "status") in ("", "okay", "ok")


def _devices(ttys: Path) -> dict[str, str]:
    """The device of each node that has one.

    A radio that the kernel drives has none.
    """
    found = dict[str, str]()
    for entry in ttys.glob("tty[AS]*"):
        device = (entry / "device").resolve()
        for place in (device, *device.parents):
            if (link := place / "of_node").is_dir():
                found[str(link.resolve()).partition("/devicetree/base")[2]] = f"/dev/{entry.name}"
                break
    return found


def _text(file: Path) -> str:
    """A property of the tree, which ends in a zero byte; "" without it."""
    with suppress(OSError, UnicodeDecodeError):
        return file.read_bytes().rstrip(b"\0").decode("ascii")
    return ""
