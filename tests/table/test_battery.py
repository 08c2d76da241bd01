"""A table whose battery empties while it runs: the mark, the switching off."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from scorer.config.battery_section import BatterySection
from scorer.config.loader import default_config
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.records.clock import SystemClock
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from scorer.store.journal import Journal
from scorer.system.battery import Charge
from scorer.system.sd_notify import Notifier
from scorer.table.battery_watch import BatteryWatch
from scorer.table.hooks import AppliedSettings
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import InputSupervisor, Loop
from scorer.table.outputs import Devices
from scorer.table.panels import SyncRenderer
from scorer.table.startup import StartupOptions, start_table
from tests.support.scripted_input import Options, ScriptedInput
from tests.support.settings import settings_with
from tests.table.test_late_buttons import START, QuietMachine, TimedInbox

MINUTE = 60.0


class EmptyingBattery:
    """Loses a percent a minute of the loop's clock, from 22 on."""

    def __init__(self, inbox: TimedInbox) -> None:
        self._inbox = inbox

    def read(self) -> Charge:
        return Charge(max(0, 22 - int((self._inbox.now - START) / MINUTE)), is_charging=False)


def test_a_low_battery_is_marked_and_the_box_switched_off_while_the_table_runs(
    tmp_path: Path,
) -> None:
    inbox, inputs = TimedInbox(), ScriptedInput(Options(buttons(Layout.FULL)))
    marks, offs = dict[int, list[str]](), list[float]()
    options = StartupOptions(
        default_config().header,
        AppliedSettings(settings_with(language="en")),
        START,
        SystemClock().stamp,
    )
    devices = Devices(inputs, [], SyncRenderer([]), {}, MemoryBuzzer())
    with Journal.open(tmp_path) as journal:
        table = start_table(journal, devices, options)
        supervisor = InputSupervisor(inputs, inbox)
        supervisor.ensure_open()

        def note(minute: int) -> None:
            marks[minute] = table.marks.words()

        for minute in (1, 3, 10, 21):
            inbox.at(minute * MINUTE + 30, partial(note, minute))
        inbox.at(22 * MINUTE, lambda: inbox.put(LoopCommand.STOP))
        notifier = Notifier({})
        watch = BatteryWatch(
            EmptyingBattery(inbox), BatterySection(), lambda: offs.append(inbox.now - START)
        )
        loop = Loop(
            table,
            inputs=supervisor,
            inbox=inbox,
            notifier=notifier,
            power=QuietMachine(),
            battery=watch,
            now=lambda: inbox.now,
        )
        assert loop.run() is LoopCommand.STOP
    assert marks == {1: [], 3: ["battery 19"], 10: ["battery 12"], 21: ["battery 1"]}
    (switched_off,) = offs
    # At 3 %, seen twice: within two periods of the loop.
    assert 19 * MINUTE <= switched_off <= 19 * MINUTE + 30
