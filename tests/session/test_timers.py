"""Timed state: pages, notices, light, lamps, the next game, and deadlines."""

from __future__ import annotations

import pytest

from scorer.rules import Phase, Side
from scorer.session.play.timers import ask_same_game, expire, next_deadline
from scorer.session.values.dimming import Light, light_of
from scorer.session.values.info_pages import next_page
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.shown import PAGES, Screen
from scorer.session.values.state import Session, Verdict
from scorer.session.view.build_view import view_of
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

MINUTE, HOUR = 60.0, 3600.0


def ends() -> SessionRig:
    """A match that has just been won."""
    desk = SessionRig(score={Side.A: 29, Side.B: 3})
    desk.do("A tantos", "wait 10")
    return desk


def shown(desk: SessionRig) -> str:
    """The key of the notice on the panel."""
    return desk.view.notice.key if desk.view.notice else ""


def test_menu_turns_the_pages_and_comes_back_to_the_score() -> None:
    desk = SessionRig()
    pages = [page for page in PAGES if page is not Screen.HALL]  # this box is in no hall
    seen = [desk.do("menu") and desk.view.screen for _ in (*pages, Screen.PLAYING)]
    assert seen == [*pages, Screen.PLAYING]


def test_compact_has_the_pages_under_undo() -> None:
    desk = SessionRig(settings=settings_with(layout=Layout.COMPACT))
    desk.do("undo hold", "undo hold")
    assert desk.view.screen is Screen.TALLY


def test_a_page_goes_away_by_itself_after_twenty_seconds() -> None:
    desk = SessionRig()
    seen = [desk.do("menu", "wait 17") and desk.view.screen]
    desk.do("wait 1")
    seen.append(desk.view.screen)
    assert seen == [Screen.TALLY, Screen.PLAYING]


def test_a_refused_press_brings_the_score_back_too() -> None:
    desk = SessionRig()
    desk.do("menu", "A quiero")
    assert desk.view.screen is Screen.PLAYING


def test_a_notice_stays_two_seconds() -> None:
    desk = SessionRig()
    desk.send_gesture("A.quiero")
    desk.pass_time(1.9)
    seen = [desk.view.notice is None]
    desk.pass_time(0.1)
    seen.append(desk.view.notice is None)
    assert seen == [False, True]


def test_a_hold_is_shown_while_the_finger_is_down() -> None:
    desk = SessionRig()
    desk._edge("A.no_quiero", True)
    seen = []
    for passed in (0.24, 0.02):
        desk.pass_time(passed)
        seen.append(shown(desk))
    desk._edge("A.no_quiero", False)
    desk.pass_time(0.07)
    assert [*seen, shown(desk)] == ["", "hold", "tap_fold"]


def test_left_alone_the_panel_goes_dim_and_then_dark() -> None:
    desk = SessionRig()
    desk.do("A tantos")
    seen = []
    for wait in (1 * MINUTE, 1 * MINUTE, 17 * MINUTE, 1 * MINUTE):
        desk.pass_time(wait)
        seen.append(light_of(desk.session))
    assert seen == [Light.ON, Light.DIM, Light.DIM, Light.DARK]


def test_a_call_that_waits_keeps_the_panel_from_going_dark_for_two_hours() -> None:
    desk = SessionRig()
    desk.do("A truco", "wait 7100")
    assert light_of(desk.session) is Light.DIM
    desk.do("wait 100")
    assert light_of(desk.session) is Light.DARK


def test_a_light_of_zero_never_changes() -> None:
    desk = SessionRig(settings=settings_with(dim=0, dark=0, dark_pending=0, stale_after_s=0))
    desk.do("A truco", f"wait {10 * HOUR}")
    assert light_of(desk.session) is Light.ON


@pytest.mark.parametrize("press", ["A truco", "A tantos", "undo", "A no_quiero hold", "menu"])
def test_a_dark_panel_swallows_the_press_that_wakes_it(press: str) -> None:
    desk = SessionRig()
    desk.do("A tantos", f"wait {30 * MINUTE}")
    before = desk.session.record
    assert desk.do(press).verdict is Verdict.WOKE
    assert desk.session.record == before
    assert desk.view.notice is not None and desk.view.notice.key == "woke"
    assert light_of(desk.session) is Light.ON


def test_another_day_is_asked_about_only_where_a_game_is_under_way() -> None:
    fresh, ended, running = SessionRig(), ends(), SessionRig()
    running.do("A truco")
    asked = [ask_same_game(desk.session).question for desk in (fresh, ended, running)]
    assert [question and question.key for question in asked] == [None, None, "day"]


def test_one_team_alone_starts_nothing_and_after_thirty_seconds_has_said_nothing() -> None:
    desk = ends()
    desk.do("A quiero", "wait 27")
    said = [desk.session.confirmed]
    desk.do("wait 1", "B quiero")
    said.append(desk.session.confirmed)
    assert (desk.current, said) == (0, [(Side.A,), (Side.B,)])


@pytest.mark.parametrize("press", ["A truco", "B envido", "B no_quiero", "A tantos"])
def test_after_the_game_the_other_presses_say_how_to_go_on(press: str) -> None:
    desk = ends()
    assert desk.do(press).verdict is Verdict.REFUSED
    assert desk.view.notice is not None and desk.view.notice.key == "press_quiero"


@pytest.mark.parametrize(
    ("script", "lamps"),
    [
        ("wait 1",                        (False, False)),
        ("A truco",                       (False, True)),
        ("A truco, B truco",              (True, False)),
        ("A truco, B quiero",             (False, False)),
        ("A envido, B quiero",            (True, True)),
        ("A truco, B envido",             (True, False)),
        ("A tantos",                      (False, False)),
    ],
)  # fmt: skip
def test_a_lamp_is_lit_while_the_box_waits_for_its_side(
    script: str, lamps: tuple[bool, bool]
) -> None:
    desk = SessionRig()
    desk.do(*script.split(", "))
    assert desk.lamps == lamps


def test_in_a_mao_the_lamp_of_the_side_that_decides_is_lit_already_before_it_is_dealt() -> None:
    desk = SessionRig("paulista", score={Side.A: 10, Side.B: 8})
    desk.do("A tantos")
    assert desk.lamps == (True, False)


def test_a_taken_press_flashes_the_lamp_of_its_console() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    assert desk.lamps == (True, True)
    desk.pass_time(0.2)
    assert desk.lamps == (False, True)


def test_a_refused_press_flashes_nothing() -> None:
    desk = SessionRig()
    desk.send_gesture("A.quiero")
    assert desk.lamps == (False, False)


def test_the_called_rung_blinks_until_the_panel_is_idle() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    seen = []
    for _ in range(4):
        seen.append(desk.view.blink)
        desk.pass_time(0.5)
    assert seen == [False, True, False, True]
    desk.pass_time(3 * MINUTE)
    assert not desk.view.blink


def test_an_idle_table_wakes_only_for_the_light_and_the_long_silence() -> None:
    desk = SessionRig()
    start, woken = desk.time, []
    while (due := next_deadline(desk.session)) is not None:
        woken.append(due - start)
        desk.session = expire(desk.session, due)
    assert woken == [2 * MINUTE, 20 * MINUTE, 6 * HOUR]


def test_a_call_that_waits_wakes_the_table_twice_a_second_until_the_panel_is_dim() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    start, woken = desk.time, []
    while (due := next_deadline(desk.session)) is not None and due <= start + 2 * MINUTE:
        woken.append(round(due - start, 2))
        desk.session = expire(desk.session, due)
    assert woken == [0.15, *(at / 2 for at in range(1, 241))]


def test_half_reached_shows_the_large_tally_for_three_seconds() -> None:
    desk = SessionRig(score={Side.A: 15, Side.B: 3})
    desk.do("A envido", "B quiero")
    desk.send_gesture("A.tantos")
    seen = [desk.view.screen]
    desk.pass_time(3.0)
    assert [*seen, desk.view.screen] == [Screen.TALLY, Screen.PLAYING]


def test_what_closed_the_hand_is_seen_before_the_tally() -> None:
    desk = SessionRig(score={Side.A: 15, Side.B: 3})
    desk.send_gesture("A.tantos")
    seen = []
    for _ in range(3):
        seen.append(desk.view.screen)
        desk.pass_time(3.0)
    assert seen == [Screen.HAND_OVER, Screen.TALLY, Screen.HAND_OVER]


def test_a_press_does_not_wait_for_the_tally_to_be_over() -> None:
    desk = SessionRig(score={Side.A: 15, Side.B: 3})
    seen = [
        desk.do(*lines) and desk.view.screen for lines in (("A tantos", "wait 2"), ("B truco",))
    ]
    assert seen == [Screen.TALLY, Screen.PENDING]


@pytest.mark.parametrize(
    "script",
    [
        "both tantos",                 # a question
        "A no_quiero hold",            # a question of a hold
        "menu",                        # a page
    ],
)  # fmt: skip
def test_a_power_cut_drops_what_was_only_shown(script: str) -> None:
    desk = SessionRig()
    desk.do("A truco", "B quiero", "B tantos", "wait 4", script)
    before = desk.session.record
    desk.restart()
    assert desk.session.record == before
    assert desk.view.screen is Screen.HAND_OVER
    assert desk.do("A truco").verdict is Verdict.ACCEPTED


def test_the_next_hand_is_shown_eight_seconds_after_the_end_of_one() -> None:
    desk = SessionRig()
    desk.do("A tantos")
    over = desk.session.touched_at
    before, after = expire(desk.session, over + 7.9), expire(desk.session, over + 8.0)
    assert over + 8.0 in deadlines(desk.session)
    assert [view_of(each).screen for each in (before, after)] == [Screen.HAND_OVER, Screen.PLAYING]
    view = view_of(after)
    assert (view.hand, view.stake, view.next_hand) == (2, 1, None)
    assert [side.mano for side in view.sides] == [False, True]
    assert [(gain.side, gain.points) for gain in view.gains] == [(0, 1)]
    assert after.phase is Phase.HAND_OVER


def deadlines(session: Session) -> list[float]:
    """All deadlines that follow without a press."""
    found: list[float] = []
    while (due := next_deadline(session)) is not None and len(found) < 20:
        found.append(due)
        session = expire(session, due)
    return found


def test_a_hand_that_begins_with_a_decision_stays_announced() -> None:
    desk = SessionRig("paulista", score={Side.A: 10, Side.B: 3}, mano=Side.A)
    desk.do("A tantos", "wait 30")
    assert desk.view.screen is Screen.HAND_OVER
    assert desk.view.next_hand is not None


@pytest.mark.parametrize(
    ("settings", "is_shown"),
    [
        (Settings(), True),
        (settings_with(pairs_page=False), False),
        (settings_with(layout=Layout.COMPACT), False),
    ],
)
def test_the_page_of_pairs_is_left_out_where_it_disturbs(
    settings: Settings, is_shown: bool
) -> None:
    session = SessionRig(settings=settings).session._replace(page=Screen.CONNECTION)
    assert (next_page(session) is Screen.PAIRS) == is_shown
