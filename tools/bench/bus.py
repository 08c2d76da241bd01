"""Bytes on the I2C bus for the pictures of games, against changed RAM bytes.

The pictures are those of whole made-up games, pressed on the real table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scorer.hw.displays import luma_oled
from scorer.hw.displays.fake_bus import FakeWire, RecordingBus
from scorer.hw.displays.partial_update import to_pages
from scorer.session.values.settings import Layout
from tools.bench import Measurement, Result, Skipped
from tools.bench.in_process_table import replay_games

if TYPE_CHECKING:
    from PIL.Image import Image

CONTROLLERS = ("ssd1306", "ssd1309", "sh1106")
CHANGED, SAME, LARGEST = "bytes on the bus", "the same picture again", "the dearest update"


class Meter:
    """A panel that counts the bytes of each picture on the I2C wire, with addresses.

    ``whole``: with luma's own display().
    """

    def __init__(self, controller: str, *, whole: bool) -> None:
        self._bytes = 0
        bus = RecordingBus({0x3C: FakeWire(self._count)})
        options = luma_oled.Options(controller=controller)
        self._panel = luma_oled.create(options, bus=bus.open, whole=whole)
        self._panel.open()

    def show(self, picture: Image) -> int:
        """Bytes for this picture."""
        before = self._bytes
        self._panel.show(picture)
        return self._bytes - before

    def _count(self, message: bytes) -> None:
        self._bytes += 1 + len(message)


class BusTraffic(NamedTuple):
    """Bytes for all pictures, for the largest, and for showing each of them again."""

    total: int
    dearest: int
    again: int


def measure_traffic(pictures: Iterable[Image], controller: str, *, whole: bool) -> BusTraffic:
    """The traffic of these pictures on a panel that starts black."""
    meter = Meter(controller, whole=whole)
    each = [(meter.show(picture), meter.show(picture)) for picture in pictures]
    first, again = zip(*each, strict=True)
    return BusTraffic(sum(first), max(first), sum(again))


def count_changed_bytes(pictures: list[Image]) -> int:
    """Changed bytes of display RAM from picture to picture, starting from black."""
    rams = [bytes(1024), *(to_pages(picture) for picture in pictures)]
    return sum(
        sum(old != new for old, new in zip(before, after, strict=True))
        for before, after in pairwise(rams)
    )


def measure(quick: bool) -> Iterator[Result]:
    """Rows for each controller with partial updates."""
    layouts = [Layout.FULL] if quick else [Layout.FULL, Layout.COMPACT]
    try:
        pictures = [night.pictures for _, night in replay_games(layouts)]
    except ImportError as error:
        for what in (CHANGED, SAME, LARGEST):
            yield Skipped(what, f"the tests are not here ({error})")
        return
    for controller in CONTROLLERS:
        yield from _rows(controller, pictures)


def _rows(controller: str, games: list[list[Image]]) -> Iterator[Measurement]:
    ours = [measure_traffic(pictures, controller, whole=False) for pictures in games]
    lumas = [measure_traffic(pictures, controller, whole=True) for pictures in games]
    total, of_luma = sum(each.total for each in ours), sum(each.total for each in lumas)
    truly = sum(map(count_changed_bytes, games))
    games_are = f"{len(games)} games, {sum(map(len, games))} pictures"
    named = f"{controller}: "
    yield Measurement(
        f"{named}{CHANGED}", total, truly, "bytes", f"RAM that changed in {games_are}", 1.5
    )
    yield Measurement(
        f"{named}{CHANGED}, luma's share", total, of_luma, "bytes", "luma's display()", None
    )
    again, of_luma = sum(each.again for each in ours), sum(each.again for each in lumas)
    yield Measurement(
        f"{named}{SAME}", again, of_luma, "bytes", "luma's display()", 0, counted=True
    )
    dearest, full = max(each.dearest for each in ours), max(each.dearest for each in lumas)
    yield Measurement(f"{named}{LARGEST}", dearest, full, "bytes", "luma's full frame", 1)
