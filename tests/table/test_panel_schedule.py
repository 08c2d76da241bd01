"""The decisions about a panel, and that service and simulator both obey them.

Time is a variable: the thread's clock advances with each reading.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from scorer.config.loader import default_config
from scorer.config.pin_map import pins_for
from scorer.hw.displays.fake_bus import Fault
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.hw.ports import Edge
from scorer.records.clock import SystemClock
from scorer.session.values.settings import Layout, Settings
from scorer.store.journal import Journal
from scorer.table.hooks import AppliedSettings
from scorer.table.main_loop import TICK_S
from scorer.table.outputs import Devices
from scorer.table.panel_schedule import (
    CHECK_INTERVAL_S,
    REFRESH_INTERVAL_S,
    RETRY_DELAYS_S,
    PanelSchedule,
    PanelStep,
)
from scorer.table.panels import Panel, PanelWorker, SyncRenderer
from scorer.table.startup import StartupOptions, start_table
from tests.hw.rigs import LumaRig, black, noise, same
from tests.support.scripted_input import Options as Lines
from tests.support.scripted_input import ScriptedInput

START = 1000.3
SIZE = (128, 64)
RIGHT_AGAIN = 5.0  # seconds at most
LIT, DIM = 0x9F, 0x10  # contrast
PANELS = {
    "i2c": lambda: LumaRig("ssd1309", "i2c"),
    "i2c-sh1106": lambda: LumaRig("sh1106", "i2c"),
    "no-status": lambda: LumaRig("ssd1306", "i2c", has_status=False),
    "spi": lambda: LumaRig("sh1106", "spi"),
}


def opened(*, forgets: bool = True) -> PanelSchedule:
    made = PanelSchedule(forgets=forgets)
    assert made.next_step(START) is PanelStep.OPEN
    made.on_complete(START)
    return made


def test_every_panel_is_checked_in_time_and_one_wake_up_serves_all() -> None:
    times: set[float] = set()
    for begin in (START, START + 1.7, START + 3.99):
        schedule = PanelSchedule(forgets=True)
        schedule.on_complete(begin)
        checks = [begin]
        while schedule.deadline() < START + 60.0:
            checks.append(schedule.deadline())
            assert schedule.next_step(checks[-1]) in (PanelStep.CHECK, PanelStep.REFRESH)
            assert schedule.after_check(True, checks[-1]) is PanelStep.DRAW
        assert max(after - before for before, after in pairwise(checks)) <= CHECK_INTERVAL_S
        times.update(checks[1:])
    assert len(times) <= 60.0 / CHECK_INTERVAL_S


@pytest.mark.parametrize(
    ("answer", "forgets", "step"),
    [
        (True, True, PanelStep.DRAW),
        (False, True, PanelStep.OPEN),
        (None, True, PanelStep.REFRESH),
        (True, False, PanelStep.DRAW),
        (None, False, PanelStep.DRAW),
    ],
)
def test_the_answer_of_a_check_decides_the_step(
    answer: bool | None, forgets: bool, step: PanelStep
) -> None:
    schedule = opened(forgets=forgets)
    now = schedule.deadline()
    assert schedule.next_step(now) is PanelStep.CHECK
    assert schedule.after_check(answer, now) is step
    assert schedule.next_step(now + 0.1) is PanelStep.DRAW


def test_a_controller_is_refreshed_now_and_then_and_a_television_never() -> None:
    for forgets, step in ((True, PanelStep.REFRESH), (False, PanelStep.CHECK)):
        assert opened(forgets=forgets).next_step(START + REFRESH_INTERVAL_S) is step


def test_a_lost_panel_is_tried_at_growing_intervals() -> None:
    schedule, now, delays = opened(), START, []
    for _ in range(7):
        schedule.on_failed(now)
        assert schedule.next_step(now) is PanelStep.WAIT
        delays.append(schedule.deadline() - now)
        now = schedule.deadline()
        assert schedule.next_step(now) is PanelStep.OPEN
    assert delays == pytest.approx([*RETRY_DELAYS_S, *RETRY_DELAYS_S[-1:] * 2])
    schedule.on_complete(now)
    schedule.on_failed(now)
    assert schedule.deadline() == now + RETRY_DELAYS_S[0]


# ---- a panel whose memory is lost without a refused message --------------------------------------


@dataclass(frozen=True, slots=True)
class Evening:
    """A panel that loses its memory at one moment, and is looked at from then on."""

    rig: LumaRig
    panel: Panel
    lost_at: float
    lose: Callable[[LumaRig], None]

    def by_deadlines(self) -> float:
        """Seconds until it is right, drawn as in the simulator."""
        renderer = SyncRenderer([self.panel])
        due = renderer.draw(START)
        while due is not None and due < self.lost_at:
            due = renderer.draw(due)
        self.lose(self.rig)
        seen = self.lost_at
        while due is not None and not self.is_right() and due < START + 600.0:
            seen = due
            due = renderer.draw(due)
        assert self.is_right(), "it stays wrong"
        return seen - self.lost_at

    def by_thread(self) -> float:
        """Seconds until it is right, drawn by the service's thread."""
        waiting = Waiting(self)
        worker = PanelWorker([self.panel], lambda: waiting.clock, waiting)
        worker.start()
        assert waiting.ended.wait(60.0)
        worker.close()
        assert waiting.right_at < math.inf, "it stays wrong"
        return waiting.right_at - self.lost_at

    def is_right(self) -> bool:
        assert self.panel.error == "", "nothing was refused"
        is_dimmed = self.rig.ram.contrast in (LIT, DIM)
        return is_dimmed and same(self.rig.visible_picture(), noise(SIZE))


class Waiting(threading.Condition):
    """What the thread waits on: the time passes at once, and the loss is in a wait."""

    def __init__(self, evening: Evening) -> None:
        super().__init__()
        self.clock, self.right_at = START, math.inf
        self.ended = threading.Event()
        self._evening, self._is_lost = evening, False

    def wait(self, timeout: float | None = None) -> bool:
        if self._is_lost and (self._evening.is_right() or self.clock > START + 600.0):
            self.right_at = self.clock if self._evening.is_right() else math.inf
            self.ended.set()
            return super().wait()
        assert timeout is not None
        self.clock += timeout
        if not self._is_lost and self.clock >= self._evening.lost_at:
            self.clock, self._is_lost = self._evening.lost_at, True
            self._evening.lose(self._evening.rig)
        return False


@pytest.mark.parametrize("drawn", [Evening.by_deadlines, Evening.by_thread])
@pytest.mark.parametrize("contrast", [LIT, DIM], ids=["lit", "dim"])
@pytest.mark.parametrize("make", PANELS.values(), ids=PANELS)
def test_an_idle_panel_that_lost_its_memory_is_right_again_soon(
    make: Callable[[], LumaRig], contrast: int, drawn: Callable[[Evening], float]
) -> None:
    rig = make()
    panel = Panel("A", rig.display)
    panel.set_target(noise(SIZE), contrast, dark=False)
    evening = Evening(rig, panel, START + 301.0, lambda rig: rig.wire.lose_power())
    assert drawn(evening) <= RIGHT_AGAIN


@pytest.mark.parametrize("make", PANELS.values(), ids=PANELS)
@pytest.mark.parametrize("asleep", [1.0, 5.0, 300.0])
def test_a_panel_that_lost_its_memory_in_the_dark_wakes_at_once(
    make: Callable[[], LumaRig], asleep: float
) -> None:
    rig = make()
    panel = Panel("A", rig.display)
    renderer = SyncRenderer([panel])
    panel.set_target(noise(SIZE), 0x00, dark=True)
    due, now = renderer.draw(START), START
    rig.wire.lose_power()
    while due is not None and due < START + asleep:
        now = due
        due = renderer.draw(now)
        assert same(rig.visible_picture(), black(SIZE))
    panel.set_target(noise(SIZE, 2), LIT, dark=False)
    renderer.draw(now + 0.1)
    assert same(rig.visible_picture(), noise(SIZE, 2))
    assert rig.ram.contrast == LIT
    assert panel.error == ""


@pytest.mark.parametrize(("name", "within"), [("i2c", 65.0), ("no-status", 5.0), ("spi", 5.0)])
def test_garbled_pixels_are_right_again_after_a_refresh(name: str, within: float) -> None:
    """The status does not tell of them: on I2C they stay for up to a minute."""

    def garble(rig: LumaRig) -> None:
        rig.ram.ram[3][20:90] = bytes(70)
        rig.ram.feed(b"\x00\xa7")

    for drawn in (Evening.by_deadlines, Evening.by_thread):
        rig = PANELS[name]()
        panel = Panel("A", rig.display)
        panel.set_target(noise(SIZE), LIT, dark=False)
        assert drawn(Evening(rig, panel, START + 301.0, garble)) <= within


def test_an_idle_panel_on_i2c_costs_three_bytes_a_check() -> None:
    """Between two refreshes nothing is written."""
    rig = LumaRig("ssd1309", "i2c")
    panel = Panel("A", rig.display)
    panel.set_target(noise(SIZE), LIT, dark=False)
    due = panel.update(START)
    rig.arrived.clear()
    while due < START + REFRESH_INTERVAL_S:
        due = panel.update(due)
    assert rig.arrived == []


def test_a_panel_that_cannot_be_restored_is_lost_and_comes_back() -> None:
    rig = LumaRig("ssd1309", "i2c")
    panel = Panel("A", rig.display)
    panel.set_target(noise(SIZE), LIT, dark=False)
    due = panel.update(START)
    rig.set_fault(Fault.ABSENT)
    due = panel.update(due)
    assert "no panel answers" in panel.error
    rig.set_fault(None)
    panel.update(due)
    assert panel.error == ""
    assert same(rig.visible_picture(), noise(SIZE))


# ---- a bus that hangs ---------------------------------------------------------------------------


class HangingDisplay:
    """A display that accepts calls of the panels' thread only, and then hangs."""

    mode, size = "1", SIZE

    def __init__(self) -> None:
        self.callers: set[str] = set()
        self.hangs, self.is_free = threading.Event(), threading.Event()

    def _hang(self) -> None:
        self.callers.add(threading.current_thread().name)
        self.hangs.set()
        assert self.is_free.wait(20.0)

    def open(self) -> None:
        self._hang()

    def show(self, image: Image.Image) -> None:
        self._hang()

    def contrast(self, level: int) -> None:
        self._hang()

    def dark(self, dark: bool) -> None:
        self._hang()

    def has_memory(self) -> bool:
        self._hang()
        return True

    def refresh(self) -> None:
        self._hang()

    def close(self) -> None:
        """No-op: it is called after the thread has ended."""


def test_a_hanging_bus_delays_no_press_and_no_periodic_work(tmp_path: Path) -> None:
    """Three panels hang in every call; the loop's thread makes none."""
    displays = [HangingDisplay() for _ in range(3)]
    panels = [Panel(str(at), display) for at, display in enumerate(displays)]
    inputs = ScriptedInput(Lines(tuple(pins_for(Layout.FULL, 2))))
    inputs.open(lambda edge: None)
    worker = PanelWorker(panels, lambda: START)
    devices = Devices(inputs, panels, worker, {}, MemoryBuzzer())
    config = default_config()
    options = StartupOptions(config.header, AppliedSettings(Settings()), START, SystemClock().stamp)
    with Journal.open(tmp_path) as journal:
        table = start_table(journal, devices, options)
        assert not table.has_failed
        worker.start()
        assert displays[0].hangs.wait(20.0)
        now = START
        table.tick(now)
        worker.wait_until_drawn(0.01)  # a start goes on without the picture
        for line in ("A.truco", "B.quiero", "A.tantos"):
            for _ in range(3):
                now += TICK_S
                table.resync(now)
                table.tick(now)
            for is_down in (True, False):
                now += 0.2
                inputs.feed(line, down=is_down, at=now)
                table.handle_edge(Edge(now, line, is_down))
        table.tick(now + 1.0)
        assert table.document()["score"] == {"A": 2, "B": 0}
        for display in displays:
            display.is_free.set()
        worker.close()
    assert set.union(*(display.callers for display in displays)) == {"panels"}
