"""Attacks on a button box over Wi-Fi: replay, floods, wrong keys, a second box.

The box runs the firmware, the radio and the table are real processes. What is pressed must be
stored once, whatever else arrives; what an attacker sends must press nothing. A flood with the
address of the box itself is jamming: the box may be away, and must come back without a press.
"""

from __future__ import annotations

import random
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from scorer.radio.packets import PacketKind, make_packet
from tests.longrun.attack.checks import Checks
from tests.radio.air import FINE
from tests.radio.radio_box import RadioBox, boxes
from tests.radio.radio_process import RadioProcess, running_radio
from tests.support.programs import PATIENCE
from tests.support.table_client import TableClient
from tools.bench.daemon_process import running_daemon

CONFIG = """
table.variant = "argentine"
guards = {slap = 0.0, slap_call = 0.0, echo = 0.0}
"""
STRANGER, BOX = "127.0.0.66", "127.0.0.1"
BURST = 20_000  # packets of a flood
MAX_GROWTH = 16 * 1024  # KiB of the memory of the radio


class Target:
    """A table with one box, which is pressed between the attacks."""

    def __init__(self, checks: Checks, radio: RadioProcess, box: RadioBox, folder: Path) -> None:
        self.checks, self.radio, self.box, self.folder = checks, radio, box, folder
        self.sent = 0

    def faults(self) -> list[str]:
        """The lost devices of the table."""
        with TableClient(self.folder / "table.sock") as client:
            return [str(word) for word in client.next_state().get("faults", [])]

    def rows(self) -> int:
        with TableClient(self.folder / "table.sock") as client:
            return int(client.next_state()["seq"])

    def wait_for_box(self) -> None:
        """Wait until the table has the box."""
        began = time.monotonic()
        while "console_absent A" in self.faults():
            assert time.monotonic() < began + PATIENCE, "the box does not come back"
            time.sleep(0.2)

    def check_presses(self, name: str) -> None:
        """Three presses, each of which is taken back: six rows, neither more nor less."""
        before = self.rows()
        for _ in range(3):
            for button in ("truco", "undo"):
                self.box.pico.tap(button)
        began = time.monotonic()
        while self.rows() < before + 6 and time.monotonic() < began + 10:
            time.sleep(0.1)
        self.checks.check(self.rows() == before + 6, f"{name}: {self.rows() - before} rows of 6")

    def attack(self, name: str, work: Callable[[], None]) -> None:
        """An attack alone presses nothing, and presses beside it are stored once."""
        before = self.rows()
        work()
        self.checks.check(self.rows() == before, f"{name}: it pressed something")
        self.wait_for_box()
        self.check_presses(f"after {name}")

    def send(self, packets: list[bytes], address: str) -> None:
        """Send packets from an address of this machine, as fast as it can."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.bind((address, 0))
            for packet in packets:
                udp.sendto(packet, self.radio.address)
        self.sent += len(packets)


def attack_radio(checks: Checks, share: int) -> None:
    """Every attack on one box, then the memory and the logs."""
    noise, burst = random.Random(62), BURST // share
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        radio = stack.enter_context(running_radio(folder))
        box = RadioBox(radio, "norte", FINE, "python")
        stack.callback(box.close)
        settings = CONFIG + boxes(radio, A="norte")
        stack.enter_context(running_daemon(folder, folder / "store", settings))
        target = Target(checks, radio, box, folder)
        target.wait_for_box()
        target.check_presses("before")
        memory = _memory(radio)
        recorded = list(box.air.recorded)
        for address in (STRANGER, BOX):
            # Fewer than the limit: each packet is checked.
            replay = partial(target.send, recorded[-150:], address)
            target.attack(f"replay from {address}", replay)
        forged = [_forged(noise) for _ in range(burst)]
        target.attack("wrong keys", lambda: target.send(forged[:150], STRANGER))
        target.attack("a flood", lambda: target.send(forged, STRANGER))
        target.attack("a flood from many addresses", partial(_spread, target, forged[:600]))
        target.attack("noise", lambda: target.send(_noise(noise, burst // 10), STRANGER))
        _attack_while_pressing(target, forged)
        _jam(target, forged)
        _use_another_key(target, stack)
        _copy_the_key(target, stack)
        _stall_a_reader(target)
        growth = _memory(radio) - memory
        checks.check(growth < MAX_GROWTH, f"the radio has grown by {growth} KiB")
        log = radio.log.read_text(encoding="utf-8")
        checks.check("Traceback" not in log, log)
        checks.check(len(log.splitlines()) < 100, f"{len(log.splitlines())} lines in the log")
        checks.note = f"{target.sent} packets; the radio grew by {growth} KiB"


def _attack_while_pressing(target: Target, forged: list[bytes]) -> None:
    """Presses beside a flood from another address."""
    flood = threading.Thread(target=target.send, args=(forged, STRANGER))
    flood.start()
    target.check_presses("beside a flood")
    flood.join()


def _spread(target: Target, packets: list[bytes]) -> None:
    """Each packet from an address of its own."""
    for at, packet in enumerate(packets):
        target.send([packet], f"127.1.{at // 250}.{at % 250 + 1}")


def _jam(target: Target, forged: list[bytes]) -> None:
    """A button is held when packets with the address of the box fill its limit."""
    before = target.rows()
    target.box.pico.press("menu", down=True)
    until = time.monotonic() + 4.0
    while time.monotonic() < until:
        target.send(forged[:2000], BOX)
    target.box.pico.press("menu", down=False)
    target.box.pico.advance(300)
    target.wait_for_box()
    target.checks.check(target.rows() == before, "a jammed box pressed something")
    target.box.pico.advance(1500)
    target.check_presses("after jamming")


def _use_another_key(target: Target, stack: ExitStack) -> None:
    """Another board with the name of the box and a key of its own is pressed."""
    other = RadioBox(target.radio, "norte", FINE, "python", key=secrets.token_hex(32))
    stack.callback(other.close)
    before = target.rows()
    for _ in range(3):
        other.pico.tap("tantos")
    target.checks.check(bool(other.air.recorded), "the other board sent nothing")
    target.checks.check(target.rows() == before, "another key pressed something")
    target.radio.wait_for_log("another key")
    target.check_presses("beside another key")


def _copy_the_key(target: Target, stack: ExitStack) -> None:
    """A second board with the same key: the first one keeps its place."""
    second = RadioBox(target.radio, "norte", FINE, "python", key=target.box.key)
    stack.callback(second.close)
    before = target.rows()
    for _ in range(3):
        second.pico.tap("tantos")
    target.checks.check(target.rows() == before, "a second box pressed something")
    target.radio.wait_for_log("a second box with this name and key")
    target.check_presses("beside a second box")


def _stall_a_reader(target: Target) -> None:
    """A reader of the lines that never reads stops no other."""
    with target.radio.open(do="lines", box="norte"):
        target.check_presses("beside a stalled reader")


def _forged(noise: random.Random) -> bytes:
    """A packet of the box with a wrong MAC."""
    kind = noise.choice((PacketKind.HELLO, PacketKind.LINE))
    body = b"" if kind is PacketKind.HELLO else b"T1 0001 0001 0001 5 +0:0 00000000"
    key, start, counter = noise.randbytes(32), noise.randbytes(8), noise.randrange(1 << 32)
    return make_packet(key, kind, "norte", start, counter, body=body)


def _noise(noise: random.Random, count: int) -> list[bytes]:
    return [noise.randbytes(noise.randrange(1400)) for _ in range(count)]


def _memory(radio: RadioProcess) -> int:
    """KiB of memory of the process."""
    status = Path(f"/proc/{radio.process.pid}/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1])
