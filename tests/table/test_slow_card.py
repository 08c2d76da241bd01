"""A card that stalls in a commit: the watchdog of the service is pinged in time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from scorer.config.loader import default_config
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.records.clock import SystemClock
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from scorer.session.values.state import Verdict
from scorer.store.file import LOCK_TIMEOUT_S
from scorer.store.journal import Journal
from scorer.system.sd_notify import Notifier
from scorer.table.device_faults import DeviceKind, DeviceStatus
from scorer.table.hooks import AppliedSettings
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import PING_GAP_S, TICK_S, InputSupervisor, Loop, Watchdog
from scorer.table.outputs import Devices
from scorer.table.panels import SyncRenderer
from scorer.table.startup import StartupOptions, start_table
from tests.support.scripted_input import Options, ScriptedInput
from tests.support.settings import settings_with
from tests.table.test_late_buttons import START, QuietMachine, TimedInbox

WATCHDOG_S = 10.0  # WatchdogSec= of scorer.service
PRESSES = 20  # at as many moments of the period between two pings


class RecordingNotifier(Notifier):
    """Records when it pings."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__({})
        self._now, self.pings = now, list[float]()

    def ping_watchdog(self) -> None:
        self.pings.append(self._now())


class Evening:
    """A table in its loop; a commit takes ``stall`` seconds of its clock."""

    def __init__(self) -> None:
        self.inbox, self.stall = TimedInbox(), 0.0
        self.notifier = RecordingNotifier(lambda: self.inbox.now)
        self.inputs = ScriptedInput(Options(buttons(Layout.FULL)))

    def run(self, folder: Path, stall: float = 0.0) -> list[Verdict]:
        """Run what is scheduled in the inbox; return the verdicts of the presses."""
        applied = AppliedSettings(settings_with(language="en"))
        options = StartupOptions(default_config().header, applied, START, SystemClock().stamp)
        devices = Devices(self.inputs, [], SyncRenderer([]), {}, MemoryBuzzer())
        with Journal.open(folder, connector=self._connect) as journal:
            table = start_table(journal, devices, options)
            supervisor = InputSupervisor(self.inputs, self.inbox)
            supervisor.ensure_open()
            self.stall = stall
            loop = Loop(
                table,
                inputs=supervisor,
                inbox=self.inbox,
                notifier=self.notifier,
                power=QuietMachine(),
                now=lambda: self.inbox.now,
            )
            assert loop.run() is LoopCommand.STOP
            return [press.verdict for press in table.press_log]

    def _connect(self, path: Path) -> sqlite3.Connection:
        evening = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
                if sql == "COMMIT":
                    evening.inbox.now += evening.stall
                return super().execute(sql, *values)  # type: ignore[arg-type]

        return sqlite3.connect(
            path, timeout=LOCK_TIMEOUT_S, isolation_level=None, factory=Connection
        )


def longest_pause(folder: Path, stall: float, at: float, *, presses: int = 1) -> float:
    """Seconds between two pings if each commit takes ``stall`` seconds."""
    evening = Evening()
    inbox, inputs = evening.inbox, evening.inputs
    inbox.at(3 * TICK_S, lambda: inbox.put(LoopCommand.STOP))
    for nth, line in enumerate(("A.truco", "B.quiero", "A.tantos")[:presses]):
        for moment, down in ((at + nth * 0.4, True), (at + nth * 0.4 + 0.2, False)):
            feed = partial(inputs.feed, line, down=down, at=START + TICK_S + moment)
            inbox.at(TICK_S + moment, feed)
    assert evening.run(folder, stall).count(Verdict.ACCEPTED) == presses
    return max(after - before for before, after in pairwise([*evening.notifier.pings, inbox.now]))


@pytest.mark.sampled(0)
@pytest.mark.parametrize("stall", [4.0, 7.0])
def test_a_card_that_stalls_costs_no_restart_at_any_moment_of_the_period(
    tmp_path: Path, stall: float
) -> None:
    """reliability.md: a card that stalls for 4 or 7 s costs no restart."""
    moments = [TICK_S * (nth + 0.5) / PRESSES for nth in range(PRESSES)]
    pauses = [longest_pause(tmp_path / f"{at}", stall, at) for at in moments]
    assert len(pauses) == PRESSES
    assert max(pauses) < WATCHDOG_S


def test_presses_in_a_row_on_a_slow_card_are_each_preceded_by_a_ping(tmp_path: Path) -> None:
    assert longest_pause(tmp_path, 7.0, 1.0, presses=3) < WATCHDOG_S


def test_a_watchdog_pings_once_in_its_gap_and_never_for_dead_inputs() -> None:
    clock = TimedInbox()
    notifier = RecordingNotifier(lambda: clock.now)
    watchdog = Watchdog(notifier, lambda: clock.now)
    watchdog.ping()
    assert notifier.pings == [], "before the loop has looked at the inputs"
    watchdog.may_ping = True
    for _ in range(10):
        watchdog.ping()
        clock.now += PING_GAP_S / 4
    assert notifier.pings == [START, START + PING_GAP_S, START + 2 * PING_GAP_S]


def test_what_arrives_does_not_ping_for_dead_inputs(tmp_path: Path) -> None:
    """Buttons that are read no more restart the table, also while phones are used."""
    evening = Evening()
    inbox = evening.inbox
    inbox.at(8.0, lambda: evening.inputs.set_absent(True))
    for second in range(9, 30):
        inbox.at(second, lambda: inbox.put(DeviceStatus(DeviceKind.PANEL, "A", "gone")))
    inbox.at(30.0, lambda: inbox.put(LoopCommand.STOP))
    evening.run(tmp_path)
    assert evening.notifier.pings == [START + TICK_S]
