"""From a press to the last byte on the bus, and writes of presses without effect.

Debouncing is simulated, the store is in memory, and the bus is a recording: debounce and fsync
times are excluded. Medians are of CPU time, which does not depend on the load; the slowest presses
are given in wall-clock time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.demo.buttons import PinEdge
from scorer.hw.displays.luma_oled import Options
from scorer.hw.simulated import ONE_PANEL, TWO_PANELS
from scorer.rules import header_of
from scorer.session.values.settings import Layout
from tools.bench import Measurement, Result, Skipped
from tools.bench.bus import Meter
from tools.bench.in_process_table import InProcessTable, PressCost, folder, replay_games

if TYPE_CHECKING:
    from PIL.Image import Image

TO_BUS = "press to the last byte on the bus"
NO_CHANGE = "a press that changes nothing"
SLOWEST_SHARE = 0.99  # of a hundred presses, the second slowest


def measure(quick: bool) -> Iterator[Result]:
    """Medians against luma's display() of one frame; slow presses are informative."""
    try:
        yield from _one_and_two(quick)
    except ImportError as error:
        yield Skipped(TO_BUS, f"the tests are not here ({error})")
    yield from _measure_no_change()


def _one_and_two(quick: bool) -> Iterator[Measurement]:
    for what, panels, budget in (
        (f"{TO_BUS}, one panel, median", ONE_PANEL, 4.0),
        (f"{TO_BUS}, two panels, median", TWO_PANELS, 6.0),
    ):
        costs, frame = _costs(panels, quick)
        yield _row(what, statistics.median(cost.cpu for cost in costs), frame, budget)
        if panels is ONE_PANEL:
            yield _row(f"{TO_BUS}, slowest of a hundred", _slow(costs), frame, None)
    with busy():
        costs, frame = _costs(ONE_PANEL, quick)
    yield _row(f"{TO_BUS}, slowest of a hundred, all cores busy", _slow(costs), frame, None)


def _row(what: str, ours: float, frame: float, budget: float | None) -> Measurement:
    return Measurement(what, ours * 1e6, frame * 1e6, "us", "luma's display() of one frame", budget)


def _costs(panels: Mapping[str, Options], quick: bool) -> tuple[list[PressCost], float]:
    """The cost of every press, and the median of luma's frames between the games."""
    costs: list[PressCost] = []
    frames: list[float] = []
    for _, night in replay_games([Layout.FULL] if quick else [*Layout], panels):
        costs += night.costs
        frames += _luma_times(night.pictures[:40])
    return costs, statistics.median(frames)


def _luma_times(pictures: Sequence[Image]) -> list[float]:
    """CPU seconds of luma's own display() for each of these."""
    meter = Meter("ssd1309", whole=True)
    spent = []
    for picture in pictures:
        begin = time.thread_time()
        meter.show(picture)
        spent.append(time.thread_time() - begin)
    return spent


def _slow(costs: list[PressCost]) -> float:
    return sorted(cost.wall for cost in costs)[int(len(costs) * SLOWEST_SHARE)]


@contextmanager
def busy() -> Iterator[None]:
    """Keep every core busy during the block."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _measure_no_change() -> Iterator[Result]:
    """A refused press, a guarded one and a page, against a call that counts."""
    io = Path("/proc/self/io")
    if not io.is_file():
        yield Skipped(NO_CHANGE, "/proc/self/io is not there")
        return
    with folder() as store, ExitStack() as stack:
        night = InProcessTable(header_of([("Variant", "argentine")]), store, stack)
        # (button, its verdict): a refused answer, a call, its echo, a page
        taken = {"A.quiero": "refused", "A.truco": "taken", "B.truco": "guarded", "menu": "page"}
        stored = {}
        now = 10.0
        for button in taken:
            before = _written(io)
            report = night.advance(
                [PinEdge(now, button, 0), PinEdge(now + 0.1, button, 1)], now + 0.3
            )
            stored[button] = _written(io) - before
            now += 0.4
            if not report.press:
                raise RuntimeError(f"{button} did nothing")
    call = stored.pop("A.truco")
    yield Measurement(
        f"{NO_CHANGE} (refused, guarded, page)",
        sum(stored.values()),
        call,
        "bytes",
        "a call, to the store",
        0,
        counted=True,
    )


def _written(io: Path) -> int:
    """Bytes that this process has passed to write calls."""
    words = dict(line.split(": ") for line in io.read_text("ascii").splitlines())
    return int(words["wchar"])
