"""Clock changes during a game or between boots affect no score and no duration."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scorer.session.values.shown import Screen
from scorer.store.journal import Stamp
from tests.support.in_process_table import ARGENTINE, InProcessTable, table_in_process
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


def press(table: InProcessTable, *buttons: str) -> None:
    """A press a minute."""
    table.press(*buttons, then=60.0)


@pytest.mark.sampled(0)
@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["forward", "back"])
def test_a_clock_that_jumps_in_a_game_changes_no_score_and_no_duration(
    tmp_path: Path, jump: timedelta
) -> None:
    clock = Clock("one", NOON)
    with table_in_process(tmp_path, ARGENTINE, clock.stamp) as table:
        press(table, "A.tantos", "B.tantos")
        clock.wall += jump
        press(table, "A.tantos")
        assert table.score == {"A": 2, "B": 1}
        assert table.table.view.screen is not Screen.QUESTION, "no evening has gone by"
        for _ in range(40):
            press(table, "A.truco", "B.quiero", "A.tantos")
            if table.table.document()["winner"]:
                break
        assert table.table.document()["winner"] == "A"
        minutes = table.table.game_log.standings().longest
        assert 10 < minutes < 120, "by the clock of the machine"
        before = lasting(table.table.document())
    with table_in_process(tmp_path, ARGENTINE, Clock("one", NOON + jump).stamp) as table:
        assert lasting(table.table.document()) == before


@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["forward", "back"])
def test_on_another_day_it_is_asked_whether_the_game_goes_on(
    tmp_path: Path, jump: timedelta
) -> None:
    with table_in_process(tmp_path, ARGENTINE, Clock("one", NOON).stamp) as table:
        press(table, "A.tantos", "B.tantos", "A.tantos")
        before = lasting(table.table.document())
    with table_in_process(tmp_path, ARGENTINE, Clock("two", NOON + jump).stamp) as table:
        assert "¿seguir 2 a 1?" in " ".join(table.text)
        assert lasting(table.table.document()) == before
        press(table, "A.quiero")
        assert table.table.view.screen is not Screen.QUESTION
        assert lasting(table.table.document()) == before
        press(table, "B.tantos")
        assert table.score == {"A": 2, "B": 2}


def test_a_game_that_is_not_gone_on_with_is_brought_back_by_undo(tmp_path: Path) -> None:
    with table_in_process(tmp_path, ARGENTINE, Clock("one", NOON).stamp) as table:
        press(table, "A.tantos", "A.tantos")
    with table_in_process(
        tmp_path, ARGENTINE, Clock("two", NOON + timedelta(days=1)).stamp
    ) as table:
        press(table, "A.no_quiero")
        assert table.score == {"A": 0, "B": 0}
        table.press("undo", "undo", then=2.0)
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
    with table_in_process(tmp_path, ARGENTINE, first.stamp) as table:
        press(table, "A.tantos")
    with table_in_process(tmp_path, ARGENTINE, second.stamp) as table:
        assert table.table.view.screen is not Screen.QUESTION
        assert table.score == {"A": 1, "B": 0}
