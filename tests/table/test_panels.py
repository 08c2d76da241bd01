"""A panel is lost and comes back: the score is unaffected, the picture is redrawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.table.table_process import TableDriver, running_table, table_on

Pictures = Mapping[str, bytes]  # by panel

RIGHT_AGAIN = 5.0  # seconds at most
REFRESHED = 61.0  # seconds: a chip that swallowed everything is sent all of it once a minute
LIT, DIM, DARK = 60.0, 300.0, 1500.0  # seconds after the last press, as installed


def _evening(told: TableDriver, kind: str | None, after: float) -> None:
    """A hand in the middle of which panel A has a fault of ``kind``."""
    told.press("A.truco")
    if kind is not None:
        told.fault("A", kind)
    told.press("B.quiero")
    told.press("A.tantos")
    told.wait(20.0)
    if kind is not None:
        told.fault("A", None)
    told.wait(after)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Callable[[float], Pictures]:
    """The pictures of whole panels, some seconds after such a hand."""

    @cache
    def of_whole_panels(after: float) -> Pictures:
        with running_table(table_on(tmp_path_factory.mktemp("whole"))) as told:
            _evening(told, None, after)
            return {name: told.picture(name) for name in "AB"}

    return of_whole_panels


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("gone", RIGHT_AGAIN),
        ("nak", RIGHT_AGAIN),
        ("timeout", RIGHT_AGAIN),
        ("eio", RIGHT_AGAIN),
        ("no bus", RIGHT_AGAIN),
        ("swallow", REFRESHED),
    ],
)
def test_a_panel_that_was_away_shows_what_it_would_have_shown(
    kind: str, after: float, tmp_path: Path, pictures: Callable[[float], Pictures]
) -> None:
    with running_table(table_on(tmp_path / "broken")) as told:
        _evening(told, kind, after)
        assert told.score == {"A": 2, "B": 0}
        assert {name: told.picture(name) for name in "AB"} == pictures(after)


def _idle_pictures(told: TableDriver, idle: float, *, forgets: bool) -> list[bytes]:
    """Pictures of panel B, each some seconds after it has lost its memory."""
    told.press("A.tantos")
    told.wait(idle)
    seen = []
    for act in (lambda: None, lambda: None, lambda: told.press("A.tantos")):
        if forgets:
            told.fault("B", "forgets")
        act()
        told.wait(RIGHT_AGAIN)
        seen.append(told.picture("B"))
    return seen


@pytest.mark.sampled(1)
@pytest.mark.parametrize("idle", [LIT, DIM, DARK])
def test_an_idle_panel_that_forgot_is_right_again(idle: float, tmp_path: Path) -> None:
    """Without a press, and with one in the moment in which it is wrong."""
    with running_table(table_on(tmp_path / "sound")) as told:
        expected = _idle_pictures(told, idle, forgets=False)
        assert any(expected[0]) == (idle < DARK)
    with running_table(table_on(tmp_path / "forgetful")) as told:
        assert _idle_pictures(told, idle, forgets=True) == expected


def test_while_a_panel_is_away_it_is_wrong_and_the_other_one_is_right(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path / "whole")) as told:
        _evening(told, None, 0.0)
        expected = {name: told.picture(name) for name in "AB"}
    with running_table(table_on(tmp_path / "broken")) as told:
        told.press("A.truco")
        told.fault("A", "gone")
        told.press("B.quiero")
        told.press("A.tantos")
        told.wait(20.0)
        assert told.picture("A") != expected["A"], "or this test proves nothing"
        assert told.picture("B") == expected["B"]
        assert told.report.press == ()
        assert told.score == {"A": 2, "B": 0}


def test_a_panel_that_is_away_at_power_on_is_drawn_when_it_comes(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.envido")
        told.press("B.quiero")
        told.wait(3.0)
        expected = told.picture("A")
        told.power_cut()
        told.fault("A", "gone")
        told.wait(30.0)
        assert told.picture("A") != expected
        told.fault("A", None)
        told.wait(RIGHT_AGAIN)
        assert told.picture("A") == expected


def test_no_panel_at_all_and_every_press_still_counts(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        for name in "AB":
            told.fault(name, "gone")
        assert [told.press(line) for line in ("A.truco", "B.quiero", "A.tantos")] == ["taken"] * 3
        assert told.score == {"A": 2, "B": 0}
