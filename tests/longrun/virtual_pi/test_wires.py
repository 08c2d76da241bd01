"""Button boxes, a keypad, a scoreboard and a printer at the installed table.

The header's port and USB are the kernel's, the firmware of the box is that of the Pico, and the
table is the packaged unit in its sandbox.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest

from scorer.hw.serial.lines import LineBuffer, unseal
from tests.hw.serial.firmware_process import Pico
from tests.longrun.virtual_pi.box import SETTINGS, Box

HEADER, USB = "/dev/ttyS1", "/dev/ttyUSB0"
KEYPAD = "QEMU QEMU USB Keyboard"
GUARD = 1.0  # seconds; a press sooner after a call is ignored as a slip
# Printer status request (DLE EOT) and its possible answers.
ASKED, HAS_PAPER, NO_PAPER = b"\x10\x04", 0x12, 0x72
PATIENCE = 300.0  # wall-clock seconds for a line that must come
# A request for a slip, as the table sends it.
WISH = """python3 -c "
import socket
with socket.socket(socket.AF_UNIX) as wish:
    wish.settimeout(100)
    wish.connect('/run/scorer/print.sock')
    wish.sendall(b'{\\"game\\": 1, \\"language\\": \\"es-AR\\"}\\n')
    print(wish.makefile().readline(), end='')
"
"""


def plugged(console: str, **options: str) -> str:
    """A [[box]] section of the configuration."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in options.items()]
    return "\n".join(["", "[[box]]", f'console = "{console}"', *lines, ""])


@contextmanager
def pico_at(wire: socket.socket, link: str) -> Iterator[Pico]:
    """The firmware, powered, at the end of a cable."""
    pico = Pico(wire.fileno(), link, real=True)
    try:
        yield pico
    finally:
        pico.unplug()


def until(box: Box, what: Callable[[], object]) -> None:
    """Wait for it inside the guest, while the device outside works."""
    box.guest.wait_for(what, 60, str(what))


def has_said(box: Box, words: str, times: int = 1) -> Callable[[], bool]:
    """Whether the journal of this start has ``times`` lines with these words."""
    since = "$(systemctl show scorer --property InvocationID --value)"
    command = f"journalctl --output cat _SYSTEMD_INVOCATION_ID={since}"
    return lambda: box.guest.shell(command, check=False).count(words) >= times


def tapped(box: Box, pico: Pico, button: str, call: str | None) -> None:
    """Tap a button of the device until this call is pending inside."""
    box.guest.now(GUARD)
    pico.tap(button)
    until(box, lambda: box.pending() == call)


def test_a_console_at_the_port_of_the_header(box: Box) -> None:
    with box.guest.port() as wire:
        with pico_at(wire, "uart") as pico:
            box.settle(SETTINGS + plugged("B", port=HEADER))
            until(box, has_said(box, "console B: it is there"))
            box.press("A.truco")
            box.waits_for("truco")
            tapped(box, pico, "truco", "retruco")
            tapped(box, pico, "undo", "truco")
            tapped(box, pico, "quiero", None)
            assert box.state()["stake"] == 2
            # Held, it would be a fold; its power is cut first.
            pico.press("no_quiero", down=True)
            pico.advance(100)
        until(box, has_said(box, f"console B: {HEADER}: the box has fallen silent"))
        state = box.state()
        box.press("A.tantos")
        until(box, lambda: box.score()["A"] == state["score"]["A"] + 2)
        with pico_at(wire, "uart") as pico:
            until(box, has_said(box, "console B: it is there", 2))
            tapped(box, pico, "envido", "envido")


@pytest.mark.slow
def test_a_console_on_usb_comes_and_goes(box: Box) -> None:
    box.settle(SETTINGS + plugged("A", port=USB))
    for times in (1, 2):
        with box.guest.usb_port() as wire, pico_at(wire, "usb") as pico:
            until(box, has_said(box, "console A: it is there", times))
            tapped(box, pico, "truco", "truco")
            tapped(box, pico, "undo", None)
            seq = box.state()["seq"]
            # Held, it would be a fold; it is unplugged first.
            pico.press("no_quiero", down=True)
            pico.advance(100)
        until(box, has_said(box, f"console A: {USB}: it was unplugged", times))
        assert box.state()["seq"] == seq, "no hold fires on a plug that is out"
        box.press("B.truco")
        box.waits_for("truco")
        box.press("undo")
        box.waits_for(None)


@pytest.mark.slow
def test_a_keypad_on_usb_comes_and_goes(box: Box) -> None:
    box.settle(SETTINGS + plugged("B", driver="keypad", name=KEYPAD))
    for times in (1, 2):
        with box.guest.keypad():
            until(box, has_said(box, "console B: it is there", times))
            typed(box, "kp_7", "truco")
            typed(box, "kp_0", None)  # undo
        until(box, has_said(box, "console B: the keypad", times))
        assert box.pending() is None


def typed(box: Box, key: str, call: str | None) -> None:
    """Press a key for a tenth of a second, and wait until this call is pending."""
    box.guest.now(GUARD)
    box.guest.key(key, down=True)
    box.guest.now(0.1)
    box.guest.key(key, down=False)
    box.waits_for(call)


@pytest.mark.slow
def test_a_scoreboard_at_the_port_of_the_header(box: Box) -> None:
    board = f'\n[[scoreboard]]\nport = "{HEADER}"\nbaud = 9600\n'
    with box.guest.port() as wire:
        box.settle(SETTINGS + board)
        wall = lines_from(wire)
        hear(wall, "S1 score A=0 B=0 ")
        box.press("A.truco")
        pending = hear(wall, "call=truco")
        assert " by=A yes=2 no=1 " in f"{pending} "
        box.press("B.no_quiero")
        hear(wall, "S1 score A=1 B=0 ")
        # A board that was off receives everything again, though nothing has changed.
        hear(wall, "S1 names ")
        hear(wall, "S1 score A=1 B=0 ")


def lines_from(wire: socket.socket) -> Iterator[str]:
    """The complete lines received over a cable."""
    wire.settimeout(PATIENCE)
    lines = LineBuffer()
    while data := wire.recv(4096):
        yield from filter(None, map(unseal, lines.feed(data)))


def hear(lines: Iterator[str], words: str) -> str:
    """The next line with these words."""
    until = time.monotonic() + PATIENCE
    for line in lines:
        if words in line:
            return line
        assert time.monotonic() < until, f"the last line is {line}"
    raise AssertionError(f"the line is closed before {words}")


@pytest.mark.slow
def test_a_slip_comes_out_of_a_printer_on_the_header(box: Box) -> None:
    box.settle(f'{SETTINGS}\n[printer]\ndevice = "{HEADER}"\n')
    box.press("A.truco")
    box.waits_for("truco")
    box.press("B.no_quiero")
    box.waits_for(None)
    with box.guest.port() as wire:
        reply, printed = slip_of(box, wire, HAS_PAPER)
    assert reply == {"ok": True, "text": ""}
    assert b"\x1b@" in printed, "a printer is reset first"
    assert b"A truco, B no quiero" in printed
    with box.guest.port() as wire:
        reply, printed = slip_of(box, wire, NO_PAPER)
    assert reply["error"] == "slip_no_paper"
    assert b"truco" not in printed


def slip_of(box: Box, wire: socket.socket, paper: int) -> tuple[dict[str, Any], bytes]:
    """The reply to a slip request, and the bytes sent to a printer with this status."""
    received = bytearray()

    def live() -> None:
        answered = 0
        while data := wire.recv(4096):
            received.extend(data)
            # A status request arrives byte by byte.
            requests = received.count(ASKED)
            wire.sendall(bytes((paper,)) * (requests - answered))
            answered = requests

    printer = Thread(target=live)
    printer.start()
    reply = box.guest.shell(WISH, 200)
    wire.shutdown(socket.SHUT_RDWR)
    printer.join()
    return json.loads(reply), bytes(received)


@pytest.mark.slow
def test_nothing_of_all_that_is_plugged_in(box: Box) -> None:
    """Each missing device is reported once, and the game goes on."""
    absent = plugged("B", port=USB) + plugged("A", driver="keypad", name=KEYPAD)
    box.settle(f'{SETTINGS}{absent}\n[[scoreboard]]\nport = "/dev/ttyUSB1"\n')
    until(box, has_said(box, f"console B: {USB}: it is not there"))
    until(box, has_said(box, f"console A: the keypad {KEYPAD} is not plugged in"))
    until(box, has_said(box, "/dev/ttyUSB1: it is not there"))
    box.press("undo")
    assert box.request(do="step", line="A truco", seq=box.state()["seq"], who="test")["ok"]
    assert not box.guest.shell("journalctl --quiet --unit scorer --grep Traceback", check=False)
