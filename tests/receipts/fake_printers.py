"""Fake printers on a pseudo-terminal or a TCP port, with settable behaviour.

Each executes what it receives (``scorer.receipts.escpos_simulator``), answers DLE EOT as set, and
may run out of paper, stop reading or disconnect. Without sleeps.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import stat
import struct
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from scorer.config.printer import PrinterAddress
from scorer.receipts.escpos_simulator import SimulatedPrinter

PATIENCE = 30.0  # seconds: a slow machine with both cores busy


CONFIG = """
[table]
variant = "paulista"
names = ["Os Brabos", "As Feras"]
language = "pt-BR"
[socket]
path = "{folder}/table.sock"
[printer]
device = "{device}"
when = "{when}"
"""


class Behaviour(NamedTuple):
    """How a printer behaves."""

    paper: bytes = b"\x12"  # its answer to DLE EOT 4; nothing: it does not answer
    cause: bytes = b"\x12"  # to DLE EOT 2
    paper_for: int | None = None  # bytes; then it says that there is none
    takes: int | None = None  # bytes; then it reads no more
    lives: int | None = None  # bytes; then it goes away


FINE = Behaviour()
NO_PAPER = Behaviour(b"\x72", b"\x32")
LID_OPEN = Behaviour(b"\x12", b"\x16")
SILENT = Behaviour(b"", b"")
NONSENSE = (
    Behaviour(b"\xff", b"\xff"),
    Behaviour(b"hello", b"hello"),
    Behaviour(b"\x00", b"\x00"),
    Behaviour(b"\x72\x72", b"\x1b@"),
    Behaviour(b"\x11", b"\x13"),
    Behaviour(b"\x12", b"?"),
)


class Printer:
    """One that is switched on, until ``close``."""

    def __init__(
        self, waits: int, take: Callable[[], int], behaviour: Behaviour, width: int
    ) -> None:
        """``take`` gives the descriptor of a job when ``waits`` can be read."""
        self._waits, self._take_job, self.behaviour = waits, take, behaviour
        self.paper = SimulatedPrinter(width)
        self.read = 0
        self._tail = b""
        self._stop_in, self._stop_out = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Prints what has come, and is switched off."""
        os.write(self._stop_out, b"!")
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        for end in (self._stop_in, self._stop_out):
            os.close(end)

    def _run(self) -> None:
        if self._waits not in select.select([self._waits, self._stop_in], [], [])[0]:
            return
        job = self._take_job()
        while self._read_more(job):
            continue
        close = os.close if self.behaviour.lives is None else _reset_connection
        close(job)

    def _read_more(self, job: int) -> bool:
        mind = self.behaviour
        left = [n - self.read for n in (mind.takes, mind.lives) if n is not None]
        if mind.takes is not None and self.read >= mind.takes:
            select.select([self._stop_in], [], [])
            return False
        if job not in select.select([job, self._stop_in], [], [])[0]:
            return False
        try:
            data = os.read(job, min([4096, *left]))
        except OSError:
            return False
        self.read += len(data)
        self._receive(job, data)
        return bool(data) and (mind.lives is None or self.read < mind.lives)

    def _receive(self, job: int, data: bytes) -> None:
        self.paper.feed(data)
        heard = self._tail + data
        for at in range(len(heard) - 2):
            if heard[at : at + 2] == b"\x10\x04":
                self._answer(job, heard[at + 2])
        self._tail = heard[-2:]

    def _answer(self, job: int, what: int) -> None:
        mind = self.behaviour
        if mind.paper_for is not None and self.read > mind.paper_for:
            mind = NO_PAPER
        with contextlib.suppress(OSError):
            os.write(job, mind.paper if what == 4 else mind.cause)


def _reset_connection(job: int) -> None:
    """Closes a connection so that it is torn down, not ended."""
    if stat.S_ISSOCK(os.fstat(job).st_mode):
        with socket.socket(fileno=os.dup(job)) as connection:
            now = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
    os.close(job)


@contextmanager
def on_a_line(
    behaviour: Behaviour = FINE, width: int = 58
) -> Iterator[tuple[Printer, PrinterAddress]]:
    """A printer on a serial line: the other end of a pseudo-terminal."""
    ours, theirs = os.openpty()
    mode = termios.tcgetattr(theirs)
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(theirs, termios.TCSANOW, mode)
    printer = Printer(ours, lambda: ours, behaviour, width)
    try:
        yield printer, PrinterAddress(path=os.ttyname(theirs))
    finally:
        printer.close()
        os.close(theirs)


@contextmanager
def on_the_network(
    behaviour: Behaviour = FINE, width: int = 80
) -> Iterator[tuple[Printer, PrinterAddress]]:
    """A printer on a network port of this machine; it takes one job."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        # Little of a slip is to be on its way: what a printer has not taken it can lose.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        port: int = listening.getsockname()[1]
        printer = Printer(
            listening.fileno(), lambda: listening.accept()[0].detach(), behaviour, width
        )
        try:
            yield printer, PrinterAddress(host="127.0.0.1", port=port)
        finally:
            printer.close()


def write_config(folder: Path, place: PrinterAddress, when: str = "game") -> str:
    """Write the configuration of a table with a printer; return its text."""
    config = CONFIG.format(folder=folder, device=place, when=when)
    (folder / "scorer.toml").write_text(config, encoding="utf-8")
    return config
