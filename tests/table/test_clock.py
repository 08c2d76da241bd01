"""Clock changes during a game or between boots affect no score and no duration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scorer.config.loader import default_config
from scorer.config.pin_map import pins_for
from scorer.display import screen_text
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.hw.ports import Edge
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Screen
from scorer.store.journal import Stamp
from scorer.table.hooks import AppliedSettings
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.startup import StartupOptions, StoreHolder, start_table
from scorer.table.table import Table
from tests.support import memory_display
from tests.support.scripted_input import Options as Lines
from tests.support.scripted_input import ScriptedInput
from tests.support.state_documents import lasting

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
YEAR = timedelta(days=365)


class Clock:
    """A wall clock that can be set, and a monotonic clock."""

    def __init__(self, boot: str, wall: datetime, trusted: bool = True) -> None:
        self.boot, self.wall, self.trusted = boot, wall, trusted

    def stamp(self, now: float) -> Stamp:
        wall = (self.wall + timedelta(seconds=now)).isoformat(timespec="seconds")
        return Stamp(self.boot, int(now * 1000), wall, self.trusted)


class Box:
    """A table with simulated presses."""

    def __init__(self, table: Table, now: float) -> None:
        self.table, self.now = table, now

    def press(self, *buttons: str, pause: float = 60.0) -> None:
        for button in buttons:
            self.table.handle_edge(Edge(self.now, button, down=True))
            self.table.handle_edge(Edge(self.now + 0.1, button, down=False))
            self.wait(pause)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.table.tick(self.now)

    @property
    def score(self) -> dict[str, int]:
        return dict(self.table.document()["score"])

    @property
    def text(self) -> str:
        return " ".join(screen_text(self.table.view, "es-AR"))


@contextmanager
def box(store: Path, clock: Clock) -> Iterator[Box]:
    """A table on ``store``, booted with ``clock``."""
    with ExitStack() as stack:
        keeping = StoreHolder(store, stack)
        lines = ScriptedInput(Lines(tuple(pins_for(Layout.FULL, 2))))
        lines.open(lambda edge: None)
        panel = Panel("A", memory_display.MemoryDisplay(memory_display.Options((128, 64))), "A")
        drawing = SyncRenderer([panel])
        stack.callback(drawing.close)
        devices = Devices(lines, [panel], drawing, {}, MemoryBuzzer())
        chosen = default_config()
        begins = StartupOptions(chosen.header, AppliedSettings(chosen.settings), 100.0, clock.stamp)
        table = start_table(keeping.journal, devices, begins)
        assert not table.has_failed
        table.tick(100.0)
        yield Box(table, 101.0)


@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["forward", "back"])
def test_a_clock_that_jumps_in_a_game_changes_no_score_and_no_duration(
    tmp_path: Path, jump: timedelta
) -> None:
    clock = Clock("one", NOON)
    with box(tmp_path, clock) as table:
        table.press("A.tantos", "B.tantos")
        clock.wall += jump
        table.press("A.tantos")
        assert table.score == {"A": 2, "B": 1}
        assert table.table.view.screen is not Screen.QUESTION, "no evening has gone by"
        for _ in range(40):
            table.press("A.truco", "B.quiero", "A.tantos")
            if table.table.document()["winner"]:
                break
        assert table.table.document()["winner"] == "A"
        minutes = table.table.game_log.standings().longest
        assert 10 < minutes < 120, "by the clock of the machine"
        before = lasting(table.table.document())
    with box(tmp_path, Clock("one", NOON + jump)) as table:
        assert lasting(table.table.document()) == before


@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["forward", "back"])
def test_on_another_day_it_is_asked_whether_the_game_goes_on(
    tmp_path: Path, jump: timedelta
) -> None:
    with box(tmp_path, Clock("one", NOON)) as table:
        table.press("A.tantos", "B.tantos", "A.tantos")
        before = lasting(table.table.document())
    with box(tmp_path, Clock("two", NOON + jump)) as table:
        assert "¿seguir 2 a 1?" in table.text
        assert lasting(table.table.document()) == before
        table.press("A.quiero")
        assert table.table.view.screen is not Screen.QUESTION
        assert lasting(table.table.document()) == before
        table.press("B.tantos")
        assert table.score == {"A": 2, "B": 2}


def test_a_game_that_is_not_gone_on_with_is_brought_back_by_undo(tmp_path: Path) -> None:
    with box(tmp_path, Clock("one", NOON)) as table:
        table.press("A.tantos", "A.tantos")
    with box(tmp_path, Clock("two", NOON + timedelta(days=1))) as table:
        table.press("A.no_quiero")
        assert table.score == {"A": 0, "B": 0}
        table.press("undo", "undo", pause=2.0)
        assert table.score == {"A": 2, "B": 0}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Clock("one", NOON), Clock("two", NOON + timedelta(hours=1))),  # the same day
        (Clock("one", NOON), Clock("one", NOON + YEAR)),  # the program began anew, not the box
        (Clock("one", NOON), Clock("two", NOON - 20 * YEAR, trusted=False)),  # no clock of its own
        (Clock("one", NOON - 20 * YEAR, trusted=False), Clock("two", NOON)),
    ],
)
def test_nothing_is_asked_on_the_same_day_or_without_a_synchronised_clock(
    tmp_path: Path, first: Clock, second: Clock
) -> None:
    with box(tmp_path, first) as table:
        table.press("A.tantos")
    with box(tmp_path, second) as table:
        assert table.table.view.screen is not Screen.QUESTION
        assert table.score == {"A": 1, "B": 0}
