"""The air between a box and the radio: it loses, delays, reorders and records."""

from __future__ import annotations

import contextlib
import heapq
import random
import select
import socket
import threading
import time
from typing import NamedTuple

_TURN = 0.05  # seconds between looks at the settings


class Weather(NamedTuple):
    """What happens to each packet: its chance to be lost, and its delay in seconds."""

    loss: float = 0.0
    delay: tuple[float, float] = (0.0, 0.0)


FINE = Weather()


class Air:
    """Carries the packets of one box; ``box``: the descriptor of its socket."""

    def __init__(self, radio: tuple[str, int], weather: Weather = FINE, seed: int = 1) -> None:
        self.weather = weather
        self.recorded: list[bytes] = []  # packets of the box, also lost ones
        self._random = random.Random(seed)
        self._board, board = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        board.setblocking(False)
        self._board_end = board
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.connect(radio)
        self._flying: list[tuple[float, int, socket.socket, bytes]] = []
        self._count = 0
        self._closing = False
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    @property
    def box(self) -> int:
        return self._board_end.fileno()

    def close(self) -> None:
        self._closing = True
        self._thread.join()
        for each in (self._board, self._board_end, self._udp):
            each.close()

    def _carry(self) -> None:
        while not self._closing:
            due = self._flying[0][0] - time.monotonic() if self._flying else _TURN
            ready, _, _ = select.select([self._board, self._udp], [], [], min(_TURN, max(0.0, due)))
            for source in ready:
                self._take(source)
            while self._flying and self._flying[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(self._flying)
                with contextlib.suppress(OSError):
                    to.send(packet)

    def _take(self, source: socket.socket) -> None:
        try:
            packet = source.recv(2048)
        except OSError:
            return  # a radio that does not run refuses packets
        if source is self._board:
            self.recorded.append(packet)
        if self._random.random() >= self.weather.loss:
            to = self._udp if source is self._board else self._board
            at = time.monotonic() + self._random.uniform(*self.weather.delay)
            self._count += 1
            heapq.heappush(self._flying, (at, self._count, to, packet))
