"""Hot-plugged buttons: connecting or removing them is no press or release."""

from __future__ import annotations

from scorer.hw.ports import Edge
from scorer.session.input.gestures import SAFE, Gestures
from scorer.session.values.press import GestureKind
from scorer.session.values.settings import ConsolesSection

UP, DOWN = {"B.quiero": False}, {"B.quiero": True}


def kinds(gestures: Gestures, now: float) -> list[GestureKind]:
    return [each.kind for each in gestures.tick(now)]


def held(seconds: float) -> Gestures:
    """QUIERO of B, which has a hold, down for this many seconds."""
    gestures = Gestures(lambda button: True, UP)
    gestures.feed(Edge(1.0, "B.quiero", True))
    gestures.tick(1.0 + seconds)
    return gestures


def test_a_button_that_is_lost_while_it_is_held_neither_holds_nor_taps() -> None:
    gestures = held(0.1)
    assert gestures.reset_lines(UP, 1.1) == []
    assert kinds(gestures, 9.0) == []


def test_what_the_panel_promised_of_a_hold_is_taken_back() -> None:
    gestures = held(0.4)
    (ended,) = gestures.reset_lines(UP, 1.4)
    assert (ended.kind, ended.button) == (GestureKind.HOLD_ENDED, "B.quiero")
    assert kinds(gestures, 9.0) == []


def test_a_hold_that_had_fired_by_then_has_fired() -> None:
    gestures = held(0.4)
    assert [each.kind for each in gestures.reset_lines(UP, 1.9)] == [GestureKind.HOLD]


def test_a_bounce_that_is_cut_off_is_no_press() -> None:
    gestures = Gestures(lambda button: False, UP)
    gestures.feed(Edge(1.0, "B.quiero", True))
    assert gestures.reset_lines(UP, 1.0 + ConsolesSection().debounce / 2) == []
    assert kinds(gestures, 9.0) == []


def test_a_button_that_is_down_when_it_comes_is_stuck_until_it_is_let_go() -> None:
    gestures = Gestures(lambda button: False)
    gestures.reset_lines(DOWN, 5.0)
    assert "B.quiero" in gestures.stuck_buttons
    gestures.feed(Edge(6.0, "B.quiero", False))
    assert kinds(gestures, 6.5) == []
    assert "B.quiero" not in gestures.stuck_buttons
    gestures.feed(Edge(7.0, "B.quiero", True))
    assert kinds(gestures, 7.5) == [GestureKind.PRESS]


def test_what_a_box_tells_of_the_time_before_it_was_found_again_counts() -> None:
    """The box kept running; its lines carry the time of the press."""
    gestures = Gestures(lambda button: False, UP)
    gestures.reset_lines(UP, 5.0)
    gestures.feed(Edge(4.5, "B.quiero", True))
    made = gestures.feed(Edge(4.6, "B.quiero", False))
    assert [(each.kind, each.time) for each in made] == [(GestureKind.PRESS, 4.5)]


def test_other_buttons_go_on_as_they_are() -> None:
    gestures = Gestures(lambda button: True, {"A.quiero": False, **UP})
    gestures.feed(Edge(1.0, "A.quiero", True))
    gestures.tick(1.1)
    gestures.reset_lines(UP, 1.2)
    assert kinds(gestures, 2.0) == [GestureKind.HOLD_STARTED, GestureKind.HOLD]


def test_safe_mode_is_not_reached_by_a_console_that_was_pulled_out() -> None:
    gestures = Gestures(lambda button: False, {"undo": True, "A.truco": True})
    gestures.reset_lines({"A.truco": False}, 1.0)
    assert kinds(gestures, SAFE + 1.0) == []


# ---- lines without readable levels --------------------------------------------------------------


def told() -> Gestures:
    gestures = Gestures(lambda button: True, UP, without_levels=("B.quiero",))
    gestures.feed(Edge(1.0, "B.quiero", True))
    return gestures


def test_a_hold_waits_for_a_report_and_does_not_fire_by_time_alone() -> None:
    gestures = told()
    assert kinds(gestures, 5.0) == []
    assert gestures.deadline() is None, "nobody turns in circles for it"


def test_a_hold_fires_when_reported_and_counts_from_its_time() -> None:
    gestures = told()
    gestures.feed(Edge(1.3, "B.quiero", True))
    assert kinds(gestures, 1.31) == [GestureKind.HOLD_STARTED]
    gestures.feed(Edge(1.75, "B.quiero", True))
    assert gestures.deadline() is not None
    (hold,) = gestures.tick(1.76)
    assert (hold.kind, round(hold.time, 3)) == (GestureKind.HOLD, 1.7)


def test_a_release_reported_late_is_still_a_tap() -> None:
    gestures = told()
    gestures.feed(Edge(1.2, "B.quiero", True))
    assert kinds(gestures, 1.9) == []
    gestures.feed(Edge(1.24, "B.quiero", False))
    assert kinds(gestures, 2.0) == [GestureKind.PRESS]


def test_a_release_after_its_time_proves_the_hold() -> None:
    gestures = told()
    gestures.feed(Edge(1.8, "B.quiero", False))
    assert kinds(gestures, 2.0) == [GestureKind.HOLD_STARTED, GestureKind.HOLD]
