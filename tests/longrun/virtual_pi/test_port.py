"""Serial ports used from inside the table's sandbox with its library.

The port of the header and a USB box plugged in later are reachable and lose nothing.
"""

from __future__ import annotations

import socket

import pytest

from tests.longrun.virtual_pi.box import Box
from tests.longrun.virtual_pi.test_sandbox import start_in_the_sandbox, told_in_the_sandbox

PYTHON = "/usr/bin/python3 -sPB /opt/port.py"
LINES = 200
PATIENCE = 600.0  # wall-clock seconds
EVIDENCE = "systemctl status probe; cat /run/probe.said /proc/tty/driver/serial; dmesg | tail -5"
# Echoes lines until the last one, and waits for a device that does not exist yet. Its timeout is
# that of this side: while the guest idles its clock follows ours, however late the next line.
ECHO = """
import sys, time
sys.path.insert(0, "/usr/lib/truco-scorer")
import serial
until = time.monotonic() + 600
while True:
    try:
        port = serial.Serial(sys.argv[1], 115200, timeout=600)
        break
    except serial.SerialException:
        if time.monotonic() > until:
            raise
        time.sleep(0.2)
port.write(b"ready\\n")
count = 0
while (line := port.readline()) not in (b"", b"end\\n"):
    port.write(line)
    count += 1
port.flush()
time.sleep(1)
print(count, end="")
"""


def talk(box: Box, device: str, there: socket.socket) -> None:
    """Send lines and assert that all come back in order."""
    there.settimeout(PATIENCE)
    try:
        echoed(device, there)
    except TimeoutError:
        pytest.fail(f"{device} is silent: {box.guest.shell(EVIDENCE, check=False)}")
    assert told_in_the_sandbox(box) == str(LINES)


def echoed(device: str, there: socket.socket) -> None:
    """The test's end of the echo. TimeoutError: nothing comes back."""
    lines = there.makefile("rwb")
    # Data received before the program listened may come first.
    while not (line := lines.readline()).endswith(b"ready\n"):
        assert line, f"{device} was hung up"
    sent = [b"%d %s\n" % (number, b"x" * (number % 60)) for number in range(LINES)]
    for line in sent:
        lines.write(line)
        lines.flush()
        assert lines.readline() == line, device
    lines.write(b"end\n")
    lines.flush()


@pytest.mark.slow
def test_lines_through_the_port_of_the_header_come_back(box: Box) -> None:
    box.guest.write("/opt/port.py", ECHO)
    with box.guest.port() as there:
        start_in_the_sandbox(box, f"{PYTHON} /dev/ttyS1")
        talk(box, "the port of the header", there)


@pytest.mark.slow
def test_lines_through_a_usb_box_plugged_in_later_come_back(box: Box) -> None:
    box.guest.write("/opt/port.py", ECHO)
    start_in_the_sandbox(box, f"{PYTHON} /dev/ttyUSB0")
    with box.guest.usb_port() as there:
        talk(box, "a box on USB", there)
