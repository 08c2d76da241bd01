"""Connection to a printer: serial line, USB device file or network port.

Every operation has a timeout: a printer that is off, out of paper or broken costs some seconds and
gives one error message. Reads the real-time status of ESC/POS printers (DLE EOT).
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import socket
import stat
import struct
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from scorer.api.print_protocol import PrintResult
from scorer.config.printer import PrinterAddress


class PrinterTimeouts(NamedTuple):
    """Timeouts in seconds."""

    connecting: float = 5.0
    stuck: float = 10.0  # without any byte accepted
    longest: float = 120.0  # for a whole slip
    answering: float = 0.6  # printers with status answer within a tenth
    ending: float = 2.0  # for bytes still in transit at the end


_POLL_INTERVAL = 0.1  # seconds between checks of the unsent bytes


_ROLL = "the printer is out of paper; put a roll in"

# DLE EOT n, and the constant bits of its answer; anything else is no answer.
_PAPER, _CAUSE = 4, 2
_FIXED_MASK, _FIXED_VALUE = 0b1001_0011, 0b0001_0010
_PAPER_END, _STOPPED_BY_PAPER, _OPEN = 0b0110_0000, 0b0010_0000, 0b0000_0100


class PrinterError(Exception):
    """Not printed: the key of the panel's message, and a sentence with the remedy."""

    def __init__(self, key: PrintResult, sentence: str) -> None:
        self.key = key
        super().__init__(sentence)


TIMEOUTS = PrinterTimeouts()


def send(
    data: bytes,
    place: PrinterAddress,
    *,
    baud: int = 9600,
    may_create: bool = False,
    timeouts: PrinterTimeouts = TIMEOUTS,
) -> str:
    """Print ``data``; return a remark, or "". Raises PrinterError.

    ``may_make``: create a missing file, except among the devices.
    """
    with _open(place, baud, timeouts, may_create=may_create) as wire:
        told = wire.read_status()
        if told is not None:
            _check_status(wire, told)
        wire.write(data)
        wire.flush()
        if told is None:
            return "the printer does not tell whether it has paper" if wire.can_answer else ""
        again = wire.read_status()
        if again is not None:
            _check_status(wire, again)
        return ""


def _check_status(connection: PrinterConnection, status: tuple[int, int]) -> None:
    paper, cause = status
    if cause & _OPEN:
        raise PrinterError(
            PrintResult.COVER, f"{connection.name}: the printer is open; close its lid"
        )
    if paper & _PAPER_END == _PAPER_END or cause & _STOPPED_BY_PAPER:
        raise PrinterError(PrintResult.NO_PAPER, f"{connection.name}: {_ROLL}")


class PrinterConnection:
    """An open printer that never blocks. Raises PrinterError."""

    def __init__(self, descriptor: int, name: str, timeouts: PrinterTimeouts) -> None:
        self._fd, self.name, self._timeouts = descriptor, name, timeouts
        kind = os.fstat(descriptor).st_mode
        self._is_tty, self._is_socket = os.isatty(descriptor), stat.S_ISSOCK(kind)
        self.can_answer = stat.S_ISCHR(kind) or self._is_socket
        self._until = time.monotonic() + timeouts.longest

    def write(self, data: bytes) -> None:
        """Write all of ``data``, as fast as the printer accepts it."""
        rest = memoryview(data)
        while rest:
            self._wait_for_room()
            try:
                rest = rest[os.write(self._fd, rest[:4096]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._printer_error(error) from error

    def _wait_for_room(self) -> None:
        left = min(self._timeouts.stuck, self._until - time.monotonic())
        # Not select: an unplugged line is never writable, but hung up.
        room = select.poll()
        room.register(self._fd, select.POLLOUT)
        told = room.poll(max(0.0, left) * 1000)
        if not told:
            sentence = "the printer takes nothing: is it switched on, and has it paper?"
            raise PrinterError(PrintResult.SILENT, f"{self.name}: {sentence}")
        if told[0][1] & select.POLLHUP:
            raise self._lost_error("hung up")

    def read_status(self) -> tuple[int, int] | None:
        """The printer's status of paper and errors; None without a valid answer."""
        if not self.can_answer:
            return None
        paper = self._query(_PAPER)
        cause = None if paper is None else self._query(_CAUSE)
        return None if paper is None or cause is None else (paper, cause)

    def _query(self, status: int) -> int | None:
        self._read(0.0)  # drop what was sent before the request
        self.write(bytes((0x10, 0x04, status)))
        answer = self._read(self._timeouts.answering)
        # One byte with its constant bits; a longer answer is something else.
        return answer[0] if len(answer) == 1 and answer[0] & _FIXED_MASK == _FIXED_VALUE else None

    def _read(self, timeout: float) -> bytes:
        """Read until the deadline; b"" for nothing or an unreadable port."""
        if not select.select([self._fd], [], [], timeout)[0]:
            return b""
        with contextlib.suppress(OSError):
            return os.read(self._fd, 256)
        return b""

    def flush(self) -> None:
        """Wait, with a timeout, until all bytes have left this machine."""
        if self._is_tty:
            # Poll: ``tcdrain`` blocks forever if a printer sent XOFF and was unplugged.
            left, since = self._unsent_bytes(), time.monotonic()
            while left:
                time.sleep(_POLL_INTERVAL)
                if (now := self._unsent_bytes()) != left:
                    left, since = now, time.monotonic()
                elif time.monotonic() - since > self._timeouts.stuck:
                    sentence = "the printer does not take the end of the slip; look at it"
                    raise PrinterError(PrintResult.SILENT, f"{self.name}: {sentence}")
        else:
            # Closing drops what the driver of USB printers has not sent: wait until it is writable
            # again.
            self._wait_for_room()

    def _unsent_bytes(self) -> int:
        """Bytes in the kernel that the line has not sent yet."""
        try:
            answer = fcntl.ioctl(self._fd, termios.TIOCOUTQ, bytes(4))
        except OSError:
            return 0
        return int(struct.unpack("i", answer)[0])

    def discard(self) -> None:
        """Drop unsent bytes: closing a serial line would wait half a minute for them."""
        if self._is_tty:
            with contextlib.suppress(OSError, termios.error):
                termios.tcflush(self._fd, termios.TCIOFLUSH)

    def close(self) -> None:
        """Close the connection."""
        if self._is_socket:
            # Shut down and read the rest: unread answers would reset it and lose the slip.
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self._fd)) as connection:
                connection.shutdown(socket.SHUT_WR)
                until = time.monotonic() + self._timeouts.ending
                while self._read(max(0.0, until - time.monotonic())):
                    continue
        os.close(self._fd)

    def _printer_error(self, error: OSError) -> PrinterError:
        # The driver of USB printers uses ENOSPC for paper; for a file the disk is full.
        if error.errno == errno.ENOSPC and self.can_answer:
            return PrinterError(PrintResult.NO_PAPER, f"{self.name}: {_ROLL}")
        if not self.can_answer:
            return PrinterError(
                PrintResult.FAILED, f"{self.name} cannot be written: {error.strerror}"
            )
        return self._lost_error(str(error.strerror))

    def _lost_error(self, why: str) -> PrinterError:
        sentence = f"the printer went away in the middle ({why}); look at its cable"
        return PrinterError(PrintResult.ABSENT, f"{self.name}: {sentence}")


@contextmanager
def _open(
    place: PrinterAddress, baud: int, timeouts: PrinterTimeouts, *, may_create: bool
) -> Iterator[PrinterConnection]:
    try:
        if place.path:
            flags = os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
            if may_create and not place.path.startswith("/dev/"):
                flags |= os.O_CREAT | os.O_TRUNC
            descriptor = os.open(place.path, os.O_RDWR | flags, 0o644)
        else:
            connection = socket.create_connection(
                (place.host, place.port), timeout=timeouts.connecting
            )
            connection.setblocking(False)
            descriptor = connection.detach()
    except OSError as error:
        raise _open_error(error, place) from error
    try:
        wire = PrinterConnection(descriptor, str(place), timeouts)
        if os.isatty(descriptor):
            _configure_serial(descriptor, baud, place)
    except BaseException:
        os.close(descriptor)
        raise
    try:
        yield wire
    except PrinterError:
        wire.discard()
        raise
    finally:
        wire.close()


def _configure_serial(descriptor: int, baud: int, place: PrinterAddress) -> None:
    """Configure a serial line: exclusive, raw, with XON/XOFF flow control."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.ioctl(descriptor, termios.TIOCEXCL)
        tty.setraw(descriptor)
        mode = termios.tcgetattr(descriptor)
        mode[0] |= termios.IXON
        mode[2] |= termios.CLOCAL | termios.CREAD
        mode[4] = mode[5] = getattr(termios, f"B{baud}")
        termios.tcsetattr(descriptor, termios.TCSANOW, mode)
        termios.tcflush(descriptor, termios.TCIOFLUSH)
    except (OSError, termios.error) as error:
        raise _open_error(error, place) from error


_SENTENCES = {
    PrintResult.ABSENT: "there is no printer there: plug it in and switch it on",
    PrintResult.FORBIDDEN: (
        "this user may not open it: for USB printers the group lp, for serial ones dialout"
    ),
    PrintResult.BUSY: (
        "another program uses it: perhaps a print server (CUPS) or a login on the line (getty)"
    ),
}
_KEYS = {
    errno.ENOENT: PrintResult.ABSENT,
    errno.ENXIO: PrintResult.ABSENT,
    errno.ENODEV: PrintResult.ABSENT,
    errno.EIO: PrintResult.ABSENT,
    errno.EACCES: PrintResult.FORBIDDEN,
    errno.EPERM: PrintResult.FORBIDDEN,
    errno.EROFS: PrintResult.FORBIDDEN,
    errno.EBUSY: PrintResult.BUSY,
    errno.EAGAIN: PrintResult.BUSY,
}


def _open_error(error: Exception, place: PrinterAddress) -> PrinterError:
    if place.host:
        sentence = "no printer answers there: is it switched on, and is the address right?"
        return PrinterError(PrintResult.ABSENT, f"{place}: {sentence} ({error})")
    number = error.args[0] if error.args else None
    key = _KEYS.get(number, PrintResult.FAILED) if isinstance(number, int) else PrintResult.FAILED
    sentence = _SENTENCES.get(key, f"this is no printer ({error})")
    return PrinterError(key, f"{place}: {sentence}")
