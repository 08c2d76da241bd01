"""Runs inside the virtual Pi: copies every line of the table's socket to a port.

``python3 socket_tap.py SOCKET NAME``: NAME is the name of the port. Reconnects after each
disconnection.
"""

import contextlib
import socket
import sys
import time
from pathlib import Path

PORTS = Path("/sys/class/virtio-ports")


def port_of(name: str) -> Path:
    """The device of the virtio port with this name."""
    folders = (each.parent for each in PORTS.glob("*/name") if each.read_text().strip() == name)
    return Path("/dev") / next(folders).name


def listen(address: str, port: Path) -> None:
    """Copy lines from the socket to the port, without end."""
    with port.open("wb", buffering=0) as out:
        while True:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as table:
                table.connect(address)
                for line in table.makefile("rb"):
                    out.write(line)
            time.sleep(0.2)


if __name__ == "__main__":
    listen(sys.argv[1], port_of(sys.argv[2]))
