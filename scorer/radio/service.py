"""The process between boxes and table: packets in by UDP, lines out by a socket.

It runs until a signal stops it. Whatever arrives over the network, the table receives nothing but
lines with a valid MAC.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from scorer.hw.serial.box_lines import BoxMessage
from scorer.hw.serial.radio_port import MAX_REQUEST, name_problem
from scorer.plain_values import WrongValues, json_object, read
from scorer.radio.keys import KeyFileError, parse_key, read_keys, write_keys
from scorer.radio.packets import MAX_PACKET
from scorer.radio.station import AWAY_AFTER, BoxLine, NonceAnswer, PacketRefusal, Station
from scorer.serving.service_loop import ping_watchdog, run_until_signal
from scorer.system.sd_notify import Notifier

UDP_PORT: Final = 7747
WATCHDOG_INTERVAL: Final = 60.0  # maximum seconds between watchdog pings
MAX_READERS: Final = 4  # of the lines of a box; a further one ends the oldest
MAX_CONNECTIONS: Final = 32
REQUEST_TIMEOUT: Final = 5.0  # seconds for the request of a connection
MAX_UNSENT: Final = 4096  # bytes; a reader that does not read loses lines, which repeat themselves
EXPIRY_INTERVAL: Final = 0.5  # seconds between looks for boxes that are away
REFUSAL_INTERVAL: Final = 600.0  # seconds between two log lines of one box about one refusal
_LOGGED = (
    PacketRefusal.WRONG_KEY,
    PacketRefusal.SECOND,
    PacketRefusal.BROKEN,
    PacketRefusal.LIMITED,
)


class RadioRequest(NamedTuple):
    """A request of the socket: ``lines``, ``key``, ``forget`` of a box, or ``list``."""

    do: str
    box: str = ""
    key: str = ""


class BoxReport(NamedTuple):
    """A box, as ``list`` answers."""

    box: str
    heard: bool
    address: str
    battery: int | None  # percent; None: unknown


def run(key_file: Path, listener: socket.socket, port: int, notifier: Notifier) -> None:
    """Run until SIGTERM or SIGINT.

    Raises KeyFileError, and OSError if the port is in use.
    """
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("", port))
    udp.setblocking(False)
    service = RadioService(key_file, listener, udp)
    run_until_signal(service.run(notifier), notifier)


class RadioService(asyncio.DatagramProtocol):
    """Passes packets to the station, and its lines to their readers."""

    def __init__(
        self,
        key_file: Path,
        listener: socket.socket,
        udp: socket.socket,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises KeyFileError."""
        self._key_file, self._listener, self._udp, self._now = key_file, listener, udp, now
        self._keys = read_keys(key_file)
        self._station = Station(self._keys, secrets.token_bytes(32))
        self._readers: dict[str, list[asyncio.StreamWriter]] = {}
        self._connections: set[asyncio.StreamWriter] = set()
        self._batteries: dict[str, int | None] = {}
        self._refused_at: dict[tuple[str, PacketRefusal], float] = {}
        self._transport: asyncio.DatagramTransport | None = None
        self._notifier: Notifier | None = None

    async def run(self, notifier: Notifier) -> None:
        """Run until cancelled."""
        self._notifier = notifier
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, sock=self._udp)
        # start_unix_server would remove the socket of systemd at its end, from Python 3.13 on.
        server = await asyncio.start_server(self._serve, sock=self._listener, limit=MAX_REQUEST)
        async with server:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._expire())
                    group.create_task(ping_watchdog(notifier, WATCHDOG_INTERVAL))
                    notifier.ready(self._status)
            finally:
                # The server waits for their end.
                for connection in self._connections:
                    connection.close()

    # ---- the network -----------------------------------------------------------------------------

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        now = self._now()
        self._end_sessions(now)
        outcome = self._station.receive(data[: MAX_PACKET + 1], str(addr[0]), now)
        if isinstance(outcome, NonceAnswer):
            if self._transport is not None:
                self._transport.sendto(outcome.packet, addr)
        elif isinstance(outcome, BoxLine):
            self._on_line(outcome, str(addr[0]))
        else:
            # What an owner can mend is logged, and not every time.
            key = (outcome.name, outcome.why)
            if outcome.why in _LOGGED and now >= self._refused_at.get(key, now):
                self._refused_at[key] = now + REFUSAL_INTERVAL
                sentence = f"dropped from {addr[0]}: {outcome.why.value}"
                self._log(f"box {outcome.name}: {sentence}")

    def error_received(self, exc: Exception) -> None:
        """A box that is off refuses the answer; it asks again when it is on."""

    def _on_line(self, line: BoxLine, address: str) -> None:
        if isinstance(line.message, BoxMessage):
            self._batteries[line.name] = line.message.battery
        if line.is_first:
            self._log(f"box {line.name}: it is heard at {address}")
            self._show_status()
        for reader in self._readers.get(line.name, ()):
            if reader.transport.get_write_buffer_size() <= MAX_UNSENT:
                # Between two ends of line, as a box on a cable sends it.
                reader.write(b"\n%s\n" % line.line)

    async def _expire(self) -> None:
        while True:
            await asyncio.sleep(EXPIRY_INTERVAL)
            self._end_sessions(self._now())

    def _end_sessions(self, now: float) -> None:
        for name in self._station.expire(now):
            self._log(f"box {name}: it was not heard for {AWAY_AFTER:g} s")
            self._show_status()

    # ---- the socket ------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= MAX_CONNECTIONS:
            writer.close()
            return
        self._connections.add(writer)
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT):
                line = await reader.readline()
            request: RadioRequest | None = None
            with suppress(WrongValues):
                request = read(RadioRequest, json_object(line), skips_unknown=True)
            answer = self._answer(request)
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
            if request is not None and request.do == "lines" and answer["ok"]:
                await self._pass_lines(request.box, reader, writer)
        except (OSError, ValueError, TimeoutError):
            # It is gone, or its request is too long or late.
            pass
        finally:
            self._connections.discard(writer)
            writer.close()

    async def _pass_lines(
        self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Keep a reader of the lines of a box until it disconnects."""
        readers = self._readers.setdefault(name, [])
        readers.append(writer)
        if len(readers) > MAX_READERS:
            readers[0].close()
        try:
            while await reader.read(MAX_REQUEST):
                pass
        finally:
            readers.remove(writer)

    def _answer(self, request: RadioRequest | None) -> Mapping[str, Any]:
        if request is None:
            return _failure("one JSON object a line: do, box, key")
        if request.do == "list":
            return {"ok": True, "boxes": [report._asdict() for report in self.boxes()]}
        if problem := name_problem(request.box):
            return _failure(f"the name of a box {problem}")
        match request.do:
            case "lines" if request.box in self._keys:
                return {"ok": True}
            case "lines":
                return _failure(f"it has no key: scorer radio key {request.box}")
            case "key":
                return self._set_key(request)
            case "forget":
                return self._forget(request.box)
        return _failure("do is one of lines, key, forget, list")

    def boxes(self) -> list[BoxReport]:
        """The boxes with a key."""
        found = []
        for name in self._station.names:
            session = self._station.session(name)
            address = "" if session is None else session.address
            found.append(BoxReport(name, session is not None, address, self._batteries.get(name)))
        return found

    def _set_key(self, request: RadioRequest) -> Mapping[str, Any]:
        try:
            key = parse_key(request.key)
            write_keys(self._key_file, {**self._keys, request.box: key})
        except (ValueError, KeyFileError) as error:
            return _failure(str(error))
        self._keys[request.box] = key
        self._station.set_key(request.box, key)
        self._log(f"box {request.box}: it has a new key")
        self._show_status()
        return {"ok": True}

    def _forget(self, name: str) -> Mapping[str, Any]:
        left = {other: key for other, key in self._keys.items() if other != name}
        if len(left) == len(self._keys):
            return _failure(f"there is no box {name}")
        try:
            write_keys(self._key_file, left)
        except KeyFileError as error:
            return _failure(str(error))
        del self._keys[name]
        self._station.forget(name)
        for reader in self._readers.get(name, ()):
            reader.close()
        self._log(f"box {name}: its key is forgotten")
        self._show_status()
        return {"ok": True}

    # ---- what the operator reads -----------------------------------------------------------------

    @property
    def _status(self) -> str:
        boxes = self.boxes()
        if not boxes:
            return "no box has a key: scorer radio key NAME"
        return ", ".join(f"{box.box} {'heard' if box.heard else 'away'}" for box in boxes)

    def _show_status(self) -> None:
        if self._notifier is not None:
            self._notifier.status(self._status)

    def _log(self, sentence: str) -> None:
        sys.stderr.write(f"scorer radio: {sentence}\n")


def _failure(text: str) -> dict[str, Any]:
    return {"ok": False, "text": text}
