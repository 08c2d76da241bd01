"""Bytes that a strip of WS2812 pixels gets during whole games.

The driver writes to a recording bus. The least that a change needs: 24 bits a pixel of four bits
each on the wire, between two pauses of 280 us, after which the pixels take over their colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.hw.outputs import ws2812
from scorer.session.values.settings import Layout
from tools.bench import Measurement, Result, Skipped
from tools.bench.in_process_table import replay_games

BUDGET = 1.1
_PAUSE_S = 280e-6
_WHAT = "bytes of a strip of 8 pixels in four games"


class RecordingSpi:
    """An SPI device that keeps what is written."""

    max_speed_hz = 0

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def open(self, port: int, device: int) -> None:
        """Accept any device."""

    def writebytes(self, data: Iterable[int]) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        """Keep what was written."""


def measure(quick: bool) -> Iterator[Result]:
    """Bytes of all changes, and the writes that change nothing."""
    options, writes = ws2812.Options(), list[bytes]()
    buses: list[RecordingSpi] = []

    def new_bus() -> RecordingSpi:
        buses.append(RecordingSpi())
        return buses[-1]

    try:
        for _ in replay_games([Layout.FULL], light=lambda: ws2812.create(options, spi=new_bus)):
            if quick:
                break
    except ImportError as error:
        yield Skipped(_WHAT, str(error))
        return
    repeated = 0
    for bus in buses:
        writes += bus.written
        pairs = zip(bus.written[1:], bus.written[2:], strict=False)  # after the opening
        repeated += sum(one == other for one, other in pairs)
    least = options.pixels * 3 * 4 + 2 * int(ws2812.HERTZ / 8 * _PAUSE_S + 1)
    sent = sum(map(len, writes))
    reference = "colours and pauses alone"
    yield Measurement(_WHAT, sent, least * len(writes), "bytes", reference, BUDGET)
    what = "writes to the strip that change nothing"
    yield Measurement(what, repeated, len(writes), "writes", "all writes", 0, counted=True)
