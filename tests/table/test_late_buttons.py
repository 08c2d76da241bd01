"""Buttons, lamps and buzzer whose driver loads after the table has started."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scorer.config.loader import default_config
from scorer.hw.outputs.memory import MemoryBuzzer, MemoryLamp
from scorer.hw.ports import Edge
from scorer.records.clock import SystemClock
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from scorer.session.values.state import Verdict
from scorer.store.journal import Journal
from scorer.system.sd_notify import Notifier
from scorer.table.device_faults import ClosedOutput, DeviceKind
from scorer.table.hooks import AppliedSettings
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import RETRY_PAUSES_S, TICK_S, InputSupervisor, Loop
from scorer.table.outputs import Devices
from scorer.table.panels import SyncRenderer
from scorer.table.startup import StartupOptions, start_table
from scorer.table.table import Table
from tests.support.scripted_input import Options, ScriptedInput
from tests.support.settings import settings_with

START = 1000.0


class QuietMachine:
    """A machine without power problems."""

    def has_undervoltage(self, now: float) -> bool:
        return False

    def on_table_ready(self) -> None:
        """No-op."""

    def switch_off(self) -> None:
        """No-op."""


class TimedInbox(queue.SimpleQueue[Any]):
    """An inbox with its own clock: waiting ends at once, and runs what is due by then."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self._due: list[tuple[float, Callable[[], object]]] = []

    def at(self, time: float, action: Callable[[], object]) -> None:
        self._due.append((START + time, action))
        self._due.sort(key=lambda each: each[0])

    def get(self, block: bool = True, timeout: float | None = None) -> Any:  # noqa: ANN401
        if not self.empty():
            return super().get(block=False)
        assert timeout is not None
        until = self.now + timeout
        if self._due and self._due[0][0] <= until:
            self.now, action = self._due.pop(0)
            action()
            return None
        self.now = until
        raise queue.Empty


class LateBox(NamedTuple):
    """A table whose pins are absent at the start."""

    table: Table
    inputs: ScriptedInput
    lamps: dict[str, MemoryLamp]
    buzzer: MemoryBuzzer
    inbox: TimedInbox

    def run(self, seconds: float) -> None:
        """Run the loop for some seconds of its clock."""
        outputs = [ClosedOutput(DeviceKind.BUZZER, "", self.buzzer.open)]
        outputs += [
            ClosedOutput(DeviceKind.LAMP, side, each.open) for side, each in self.lamps.items()
        ]
        supervisor = InputSupervisor(self.inputs, self.inbox, outputs)
        supervisor.ensure_open()
        self.inbox.at(seconds, lambda: self.inbox.put(LoopCommand.STOP))
        loop = Loop(
            self.table,
            inputs=supervisor,
            inbox=self.inbox,
            notifier=Notifier({}),
            power=QuietMachine(),
            now=lambda: self.inbox.now,
        )
        assert loop.run() is LoopCommand.STOP

    def load_driver(self) -> None:
        """Let the pins appear."""
        self.inputs.set_absent(False)
        for switch in (*self.lamps.values(), self.buzzer.switch):
            switch.absent = False


@pytest.fixture
def box(tmp_path: Path) -> Iterator[LateBox]:
    inputs = ScriptedInput(Options(buttons(Layout.FULL)))
    inputs.set_absent(True)
    lamps, buzzer = {"A": MemoryLamp(), "B": MemoryLamp()}, MemoryBuzzer()
    for switch in (*lamps.values(), buzzer.switch):
        switch.absent = True
    config = default_config()
    applied = AppliedSettings(settings_with(language="en"))
    options = StartupOptions(config.header, applied, START, SystemClock().stamp)
    with Journal.open(tmp_path) as journal:
        devices = Devices(inputs, [], SyncRenderer([]), lamps, buzzer)
        table = start_table(journal, devices, options)
        assert not table.has_failed
        yield LateBox(table, inputs, lamps, buzzer, TimedInbox())


def tap(box: LateBox, line: str, at: float) -> None:
    """Press a button for a fifth of a second, some seconds after the start."""
    for moment, down in ((at, True), (at + 0.2, False)):
        edge = partial(box.inputs.feed, line, down=down, at=START + moment)
        box.inbox.at(moment, edge)


def test_buttons_that_appear_late_are_read_and_their_mark_disappears(box: LateBox) -> None:
    marks: list[tuple[str, ...]] = []
    box.inbox.at(0.1, lambda: marks.append(box.table.view.marks))
    box.inbox.at(1.0, box.load_driver)
    tap(box, "A.truco", 5.0)
    box.run(6.0)
    assert marks == [("buttons", "buzzer", "lamp_lost A", "lamp_lost B")]
    assert box.table.view.marks == ()
    assert [press.verdict for press in box.table.press_log] == [Verdict.ACCEPTED]


def test_the_loss_is_shown_until_the_buttons_are_back(box: LateBox) -> None:
    seen: list[str] = []

    def look() -> None:
        notice = box.table.view.notice
        seen.append("" if notice is None else notice.key)

    for at in (0.1, 3600.0, 3608.0, 3620.0):
        box.inbox.at(at, look)
    box.inbox.at(3600.5, box.load_driver)
    box.run(3621.0)
    assert seen == ["buttons_lost", "buttons_lost", "buttons_back", ""]


def test_a_button_that_is_down_when_the_buttons_appear_is_stuck_and_no_press(box: LateBox) -> None:
    box.inputs.feed("A.truco", down=True, at=START)
    box.inbox.at(1.0, box.load_driver)
    box.run(20.0)
    assert list(box.table.press_log) == []
    assert box.table.view.marks == ("stuck A.truco",)


def test_lamps_and_buzzer_that_appear_late_work(box: LateBox) -> None:
    box.inbox.at(1.0, box.load_driver)
    tap(box, "A.truco", 5.0)
    box.run(6.0)
    assert box.lamps["B"].on, "the team that must answer"
    assert True in box.buzzer.switch.history


def test_absent_buttons_are_tried_often_at_first_and_then_with_the_periodic_work(
    box: LateBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[float] = []
    real = box.inputs.open

    def counted(emit: Callable[[Edge], None]) -> None:
        tries.append(box.inbox.now - START)
        real(emit)

    monkeypatch.setattr(box.inputs, "open", counted)
    box.run(sum(RETRY_PAUSES_S) + 2 * TICK_S + 1)
    pauses = [after - before for before, after in pairwise(tries)]
    assert pauses == [*RETRY_PAUSES_S, TICK_S, TICK_S]
