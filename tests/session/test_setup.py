"""Set-up: every entry both ways, how it closes, and that it is transient."""

from __future__ import annotations

import random
from typing import TypeVar

import pytest

from scorer.rules import Phase, Side
from scorer.session.play.external_steps import enter_step
from scorer.session.play.timers import ask_same_game
from scorer.session.setup.levels import AgreementLevel, ListLevel
from scorer.session.values.effects import Task
from scorer.session.values.game_queries import NEW_HAND
from scorer.session.values.settings import Layout
from scorer.session.values.setup_view import (
    AgreementView,
    EachNumberView,
    LastHandsView,
    ListView,
    SetupView,
    SideNumberView,
)
from scorer.session.values.shown import PAGES, Screen
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

Kind = TypeVar("Kind")

MOST_LINES = 30  # of a list
ENTRIES = [
    *("option.flor", "option.target", "points", "points", "points", "points"),
    *(
        "set_mano",
        "correct",
        "redo",
        "back",
        "fouls",
        "redeal",
        "time",
        "new_game",
        "end",
        "house",
    ),
    *("card", "names", "language", "light", "layout", "phones", "clear_night", "backup"),
    *("restore", "reset"),
    *("selftest", "go_on", "lock", "switch_off"),
]
COMPACT = settings_with(layout=Layout.COMPACT)


def table(script: str = "", variant: str = "argentine", **options: str | int | bool) -> SessionRig:
    desk = SessionRig(variant, options)
    desk.do(*(script.split(", ") if script else ()))
    return desk


def open_setup(desk: SessionRig) -> SessionRig:
    """Opens the whole menu, which is below the last hands."""
    desk.do("menu hold")
    assert desk.view.screen is Screen.SETUP
    if desk.view.setup is not None and isinstance(desk.view.setup.content, LastHandsView):
        desk.do("A no_quiero")
    return desk


def shown(desk: SessionRig) -> SetupView:
    assert desk.view.setup is not None
    return desk.view.setup


def content(desk: SessionRig, kind: type[Kind]) -> Kind:
    """What the open level shows, which is of that kind."""
    found = shown(desk).content
    assert isinstance(found, kind)
    return found


def listed(desk: SessionRig) -> ListView:
    return content(desk, ListView)


def keys(desk: SessionRig) -> list[str]:
    return [item.key for item in listed(desk).items]


def every_key(desk: SessionRig) -> list[str]:
    """The complete open list, of which a view shows only a part."""
    assert desk.session.setup is not None
    level = desk.session.setup.level
    assert isinstance(level, ListLevel)
    return [line.key for line in level.lines]


def select(desk: SessionRig, key: str, side: int | None = None) -> SessionRig:
    """Goes down to the line ``key`` (of ``side``) with TANTOS of B and enters it."""
    for _ in range(MOST_LINES):
        item = listed(desk).selected
        if item.key == key and side in (None, item.side):
            desk.do("A quiero")
            return desk
        desk.do("B tantos")
    raise AssertionError(f"{key} is not offered: {keys(desk)}")


def through(desk: SessionRig, *path: str) -> SessionRig:
    """Opens set-up and enters ``path``; ``side 1`` is the line of that side."""
    open_setup(desk)
    for step in path:
        key, _, side = step.partition(" ")
        select(desk, key, int(side) if side else None)
    return desk


def is_open(desk: SessionRig) -> bool:
    return desk.session.setup is not None


# How it opens and closes.


def test_menu_held_opens_it_and_says_so_before() -> None:
    desk = table()
    desk._edge("menu", True)
    desk.pass_time(0.3)
    assert desk.view.notice is not None and desk.view.notice.key == "hold_setup"
    assert not is_open(desk)
    desk.pass_time(0.5)
    assert is_open(desk)
    desk._edge("menu", False)
    desk.pass_time(0.1)
    assert shown(desk).title == "setup"


def test_in_compact_it_is_before_the_first_page() -> None:
    desk = SessionRig(settings=COMPACT)
    pages = [page for page in PAGES if page not in (Screen.HALL, Screen.PAIRS)]
    screens = [Screen.SETUP, *pages, Screen.PLAYING]
    assert [desk.do("undo hold") and desk.view.screen for _ in screens] == screens


@pytest.mark.parametrize(("pages", "says"), [(0, "hold_setup"), (1, "hold_menu")])
def test_in_compact_the_hold_says_which_page_comes(pages: int, says: str) -> None:
    desk = SessionRig(settings=COMPACT)
    desk.do(*("undo hold",) * pages)
    desk._edge("undo", True)
    desk.pass_time(0.3)
    assert desk.view.notice is not None and desk.view.notice.key == says


@pytest.mark.parametrize("press", ["undo", "menu", "A no_quiero", "B no_quiero"])
def test_it_is_left_and_nothing_is_written(press: str) -> None:
    desk = open_setup(table("A truco"))
    before = desk.game
    assert desk.do(press).verdict is Verdict.ACCEPTED
    assert (is_open(desk), desk.game, desk.lines) == (False, before, ["A truco"])
    assert desk.view.screen is Screen.PENDING


def test_undo_leaves_from_any_depth_and_undoes_nothing() -> None:
    desk = through(table("A truco"), "fouls", "award", "side 0")
    desk.do("undo")
    assert (is_open(desk), desk.lines) == (False, ["A truco"])


def test_a_second_press_of_undo_undoes_again() -> None:
    desk = open_setup(table("A truco"))
    desk.do("undo", "undo")
    assert desk.lines == ["A truco", "- undo"]


def test_no_quiero_goes_back_one_level() -> None:
    desk = through(table(), "fouls", "award", "side 1")
    assert shown(desk).content == SideNumberView(1, 1)
    titles = [desk.do("B no_quiero") and shown(desk).title for _ in range(3)]
    assert titles == ["award", "fouls", "setup"]
    desk.do("B no_quiero")
    assert not is_open(desk)


def test_in_compact_quiero_held_goes_back_right_after_it_entered() -> None:
    desk = SessionRig(settings=COMPACT)
    desk.do("undo hold")
    select(desk, "fouls")
    assert shown(desk).title == "fouls"
    desk.do("A quiero hold")
    assert shown(desk).title == "setup"
    desk.do("A quiero hold")
    assert not is_open(desk)


@pytest.mark.parametrize(("waited", "still"), [(29.0, True), (31.0, False)])
def test_it_closes_without_input(waited: float, still: bool) -> None:
    desk = open_setup(table())
    desk.do("B tantos")
    desk.pass_time(waited - 1.0 - 0.15)
    assert is_open(desk) is still


@pytest.mark.parametrize(
    ("press", "line"),
    [
        ("A truco",       "A truco"),
        ("B envido",      "B envido"),
        ("A flor",        "A flor"),
    ],
)  # fmt: skip
def test_a_call_closes_it_and_counts(press: str, line: str) -> None:
    desk = through(table(variant="argentine_flor"), "fouls")
    assert desk.do(press).verdict is Verdict.ACCEPTED
    assert (is_open(desk), desk.lines) == (False, [line])


def test_in_compact_envido_held_is_a_flor_there_too() -> None:
    desk = SessionRig("argentine_flor", settings=COMPACT)
    desk.do("undo hold")
    assert is_open(desk)
    desk.do("A envido hold")
    assert (is_open(desk), desk.lines) == (False, ["A flor"])


def test_where_envido_says_no_it_goes_back() -> None:
    desk = SessionRig("paulista", settings=COMPACT)
    desk.do("undo hold")
    assert is_open(desk)
    desk.do("A envido")
    assert (is_open(desk), desk.lines) == (False, [])


def test_it_opens_in_place_of_a_question_except_that_about_the_day() -> None:
    desk = table("both tantos")
    desk.do("menu hold")
    assert (is_open(desk), desk.session.question is None) == (True, True)
    desk = table("A truco")
    desk.session = ask_same_game(desk.session)
    desk.do("menu hold")
    assert (is_open(desk), desk.session.question is None) == (False, False)


def test_a_phone_that_writes_closes_it() -> None:
    desk = through(table(), "fouls")
    desk.store_and_adopt(enter_step(desk.session, NEW_HAND, desk.time))
    assert not is_open(desk)


def test_the_slap_of_the_quiero_that_left_it_answers_no_call() -> None:
    desk = open_setup(table("A truco"))
    desk.do(*["A tantos"] * 4, "B quiero")
    assert not is_open(desk)
    assert desk.do("B quiero").verdict is Verdict.GUARDED
    assert desk.lines == ["A truco"]


def test_nor_does_the_slap_of_the_quiero_that_went_back_to_a_call() -> None:
    desk = through(table("A truco, B quiero"), "back")
    desk.do("A quiero", "A quiero", "B quiero")
    assert (is_open(desk), desk.session.phase) == (False, Phase.PENDING_TRUCO)
    assert desk.do("B quiero").verdict is Verdict.GUARDED
    assert desk.do("wait 2", "B quiero").verdict is Verdict.ACCEPTED


# Up and down.


def test_tantos_moves_at_once_and_never_counts() -> None:
    desk = open_setup(table())
    assert listed(desk).at == 1
    desk._edge("B.tantos", True)
    desk.pass_time(0.02)
    assert listed(desk).at == 2
    desk._edge("B.tantos", False)
    desk.pass_time(1.0)
    assert (listed(desk).at, desk.lines) == (2, [])


def test_the_list_goes_round() -> None:
    desk = open_setup(table())
    desk.do("A tantos", "A tantos")
    assert listed(desk).at == len(keys(desk)) - 1
    desk.do("B tantos")
    assert listed(desk).at == 0


def test_both_tantos_quickly_are_one_down_and_one_up() -> None:
    desk = open_setup(table())
    desk.press_together(["B.tantos", "A.tantos"], gap=0.1)
    desk.pass_time(1.0)
    assert (listed(desk).at, desk.session.question) == (1, None)


def test_the_same_tantos_may_be_tapped_as_fast_as_one_likes() -> None:
    desk = open_setup(table())
    for _ in range(3):
        desk.press_button("B.tantos")
    desk.pass_time(1.0)
    assert (listed(desk).at, desk.lines) == (4, [])


def test_a_tantos_whose_wait_outlives_set_up_does_not_win_the_hand() -> None:
    desk = open_setup(table())
    desk._edge("B.tantos", True)
    desk.pass_time(0.1)
    desk.store_and_adopt(enter_step(desk.session, NEW_HAND, desk.time))
    desk._edge("B.tantos", False)
    desk.pass_time(1.0)
    assert "B hand_won" not in desk.lines


def test_a_tantos_from_before_set_up_opened_still_wins_the_hand() -> None:
    desk = table()
    desk._edge("menu", True)
    desk.pass_time(0.6)
    desk._edge("A.tantos", True)
    desk.pass_time(0.05)
    desk._edge("A.tantos", False)
    desk.pass_time(1.0)
    assert desk.lines == ["A hand_won"]


# The entries, both ways.


@pytest.mark.parametrize("script", ["", "A truco", "A truco, undo", "A tantos, wait 4, B truco"])
@pytest.mark.parametrize("target", [1, 30])
def test_every_entry_keeps_its_place(script: str, target: int) -> None:
    desk = table(script, target=target) if target == 30 else table("A tantos", target=1)
    assert every_key(open_setup(desk)) == ENTRIES


@pytest.mark.parametrize("script", ["", "A truco, B quiero", "A envido, B quiero, A tantos"])
def test_every_foul_keeps_its_place(script: str) -> None:
    for variant, flor in (("argentine", []), ("argentine_flor", ["flor_reversed"])):
        desk = through(table(script, variant), "fouls")
        assert keys(desk) == ["envido_reversed", *flor, "late_envido", "award"]


@pytest.mark.parametrize(
    ("script", "target", "path", "why"),
    [
        ("", 30, ("redo",), "NOTHING_TO_REDO"),
        ("", 30, ("back",), "NOTHING_TO_UNDO"),
        ("A tantos", 30, ("redeal",), "not_now"),
        ("", 30, ("fouls", "envido_reversed"), "NOTHING_TO_REVERSE"),
        ("", 30, ("fouls", "late_envido"), "not_now"),
        ("", 30, ("time",), "time_tied"),
        ("A tantos", 1, ("correct",), "GAME_OVER"),
        ("A tantos", 1, ("fouls",), "GAME_OVER"),
        ("A tantos", 1, ("end",), "GAME_OVER"),
        ("A tantos", 1, ("time",), "GAME_OVER"),
    ],
)
def test_what_is_impossible_is_refused_with_its_reason(
    script: str, target: int, path: tuple[str, ...], why: str
) -> None:
    desk = table(script, target=target)
    before = desk.game, len(desk.lines)
    through(desk, *path)
    assert desk.view.notice is not None and desk.view.notice.key == why
    assert (is_open(desk), desk.game, len(desk.lines)) == (True, *before)


def test_surrender_and_time_are_not_adjacent() -> None:
    assert abs(ENTRIES.index("end") - ENTRIES.index("time")) > 1


@pytest.mark.parametrize(
    ("script", "presses", "written"),
    [
        ("A truco", ("menu hold", "B tantos hold 1.85", "A quiero"), ["- undo"]),
        (
            "A tantos, wait 4",
            ("menu hold", "A no_quiero", "B tantos hold 1.85", "A quiero", "A quiero", "B quiero"),
            ["- time"],
        ),
        (
            "A envido, B quiero, A tantos",
            ("menu hold", "B tantos hold 1.55", "A quiero", "A quiero"),
            ["A envido_reversed"],
        ),
        (
            "A envido, B quiero, A tantos, wait 7, A tantos, wait 4, B truco",
            ("menu hold", "A quiero", "B tantos hold 1.7", "A quiero", "A quiero"),
            ["A correct 1", "B correct 2"],
        ),
        (
            "B envido, A no_quiero, A truco, B quiero, A tantos, wait 4, B envido, A quiero",
            ("menu hold", "A quiero", "A quiero"),
            [*["- undo"] * 4, "B hand_won", "- new_hand", "B envido", "A quiero"],
        ),
    ],
    ids=["redeal", "time", "liar", "liar one hand later", "wrong console one hand later"],
)
def test_a_correction_is_four_presses_and_the_consent(
    script: str, presses: tuple[str, ...], written: list[str]
) -> None:
    desk = table(script)
    desk.do(*presses)
    assert desk.newest_lines == written


def test_a_lie_of_the_last_hand_is_reversed_once() -> None:
    desk = table("A envido, B quiero, A tantos, wait 7, A tantos, wait 4, B truco")
    through(desk, "fouls", "envido_reversed")
    assert desk.score == (1, 2)
    through(desk, "fouls", "envido_reversed")
    assert desk.score == (1, 2)
    assert desk.view.notice is not None and desk.view.notice.key == "NOTHING_TO_REVERSE"


def test_redo_puts_again_press_by_press() -> None:
    desk = table("A truco, B quiero")
    end = desk.game
    desk.do("undo", "undo")
    through(desk, "redo")
    assert desk.lines[-1] == "- redo" and keys(desk)[listed(desk).at] == "redo"
    desk.do("B quiero")
    assert desk.game == end
    assert desk.do("B quiero").verdict is Verdict.REFUSED


def test_a_game_that_was_taken_back_comes_again_by_redo() -> None:
    desk = table("A tantos, wait 4, A quiero, B quiero, undo, A quiero", target=1)
    assert desk.current == 0
    through(desk, "redo")
    assert (desk.current, is_open(desk)) == (1, False)


def test_the_points_of_the_night_are_listed_newest_first_with_their_score() -> None:
    desk = through(table("A truco, B quiero, A tantos, wait 4, B truco"), "back")
    moments = [item.moment for item in listed(desk).items if item.moment is not None]
    told = [(each.key, each.side, each.scores) for each in moments]
    assert told == [
        ("hand", 0, (2, 0)),
        ("quiero", 1, (0, 0)),
        ("truco", 0, (0, 0)),
        ("start", None, (0, 0)),
    ]


def test_back_to_a_point_by_one_team_only_is_forgotten_after_thirty_seconds() -> None:
    desk = table("A truco, B quiero")
    before = desk.game
    through(desk, "back")
    desk.do("A quiero", "A quiero")
    for _ in range(4):
        desk.do("wait 4.5", "B tantos")
    assert is_open(desk)
    desk.do("wait 5")
    assert (is_open(desk), desk.game) == (False, before)


def test_a_correction_that_is_dropped_or_changes_nothing_is_not_written() -> None:
    desk = through(table(), "correct")
    desk.do("A tantos", "A quiero", "A no_quiero")
    assert shown(desk).title == "setup"
    select(desk, "correct")
    desk.do("A quiero", "A quiero")
    assert (is_open(desk), desk.lines) == (False, [])


def test_a_correction_stays_between_nothing_and_the_target() -> None:
    desk = through(table(target=2), "correct")
    desk.do("B tantos")
    assert content(desk, EachNumberView).values == (0, 0)
    desk.do("A tantos", "A tantos", "A tantos")
    assert content(desk, EachNumberView).values == (1, 0)


@pytest.mark.parametrize(
    ("script", "variant", "line"),
    [
        ("A envido, B quiero, A tantos",    "argentine",      "A envido_reversed"),
        ("B flor, A no_quiero",             "argentine_flor", "B flor_reversed"),
        ("A envido, B quiero, B tantos, wait 7, A tantos", "argentine", "B envido_reversed"),
    ],
)  # fmt: skip
def test_what_was_not_shown_goes_to_the_others(script: str, variant: str, line: str) -> None:
    desk = table(script, variant)
    before = desk.game
    through(desk, "fouls", line.split()[1])
    assert (desk.newest_lines, is_open(desk)) == ([line], False)
    assert desk.score != before.score
    desk.do("undo")
    assert desk.game == before


@pytest.mark.parametrize("script", ["", "A truco", "A tantos, wait 4, A tantos, B truco"])
def test_a_foul_that_is_none_is_refused(script: str) -> None:
    desk = through(table(script), "fouls", "envido_reversed")
    assert desk.view.notice is not None and desk.view.notice.key == "NOTHING_TO_REVERSE"


def test_points_that_end_the_game_want_both_teams() -> None:
    desk = through(table(target=2), "fouls", "award", "side 0")
    desk.do("A tantos", "A quiero")
    assert (content(desk, AgreementView).missing, desk.lines) == ((0, 1), [])
    desk.do("A quiero", "B quiero")
    assert (desk.game.winner, desk.lines) == (Side.A, ["A award 2"])


def test_a_fresh_hand_is_dealt_again_and_a_finished_one_is_not() -> None:
    desk = table()
    before = desk.game
    through(desk, "redeal")
    assert desk.newest_lines == ["- new_hand"]
    desk.do("undo", "undo")
    assert desk.game == before


def test_an_envido_that_was_entered_too_late_is_paid_as_it_was_called() -> None:
    desk = table("A truco, B quiero")
    before = desk.game
    through(desk, "fouls", "late_envido", "side 1")
    told = [(item.number, item.word) for item in listed(desk).items]
    assert told[:5] == [
        (2, "envido"),
        (3, "real envido"),
        (4, "envido, envido"),
        (5, "envido, real envido"),
        (7, "envido, envido, real envido"),
    ]
    assert told[-1] == (1, "")
    desk.do("B tantos", "B tantos", "B tantos")
    reaction = desk.do("A quiero")
    assert (desk.newest_lines, reaction.reason) == (["B award 5"], "late envido")
    desk.do("undo")
    assert desk.game == before


@pytest.mark.parametrize(
    ("script", "variant", "offered"),
    [
        ("",                                        "argentine", False),  # ENVIDO is still open
        ("A truco",                                 "argentine", False),
        ("A truco, B quiero",                       "argentine", True),
        ("A tantos",                                "argentine", True),   # and the hand is over
        ("A envido, B no_quiero, A truco, B quiero", "argentine", False),
        ("A truco, B quiero",                       "paulista",  False),
    ],
)  # fmt: skip
def test_a_late_envido_is_offered_where_one_may_have_been_said(
    script: str, variant: str, offered: bool
) -> None:
    desk = through(table(script, variant), "fouls")
    if "late_envido" in keys(desk):
        select(desk, "late_envido")
    assert (shown(desk).title == "late_envido") is offered


def test_a_new_game_asks_both_teams_while_one_is_running() -> None:
    desk = through(table("A tantos"), "new_game", "play")
    desk.do("A quiero")
    assert desk.current == 0
    assert desk.do("B quiero").source == "menu"
    assert (desk.current, desk.score, desk.game.mano, is_open(desk)) == (1, (0, 0), Side.B, False)
    desk.do("undo", "A quiero")
    assert (desk.current, desk.score) == (0, (1, 0))


def test_after_a_won_game_one_quiero_is_enough() -> None:
    desk = through(table("A tantos", target=1), "new_game", "play")
    assert (desk.current, desk.game.winner) == (1, None)


# Laws.


def test_nothing_of_it_survives_a_restart() -> None:
    desk = through(table("A truco"), "back")
    desk.do("A quiero", "A quiero")
    assert desk.session.setup is not None
    assert isinstance(desk.session.setup.level, AgreementLevel)
    before = desk.game
    desk.restart()
    assert (is_open(desk), desk.game) == (False, before)


def test_moving_about_in_it_writes_nothing() -> None:
    desk = table("A truco")
    rng = random.Random(7)
    for _ in range(200):
        if not is_open(desk):
            desk.do("menu hold")
        desk.do(rng.choice(["A tantos", "B tantos", "both tantos", "menu", "undo"]))
    assert desk.lines == ["A truco"]


def test_a_locked_table_refuses_everything_until_undo_was_held_three_seconds() -> None:
    desk = table("A truco")
    through(desk, "lock")
    for press in ("B quiero", "A tantos", "undo", "B truco"):
        desk.do(press, "wait 4")
        assert desk.view.screen is Screen.PENDING
        assert desk.session.locked
    desk.do("undo hold 2", "wait 1")
    assert desk.session.locked
    desk.do("undo hold 3.2", "wait 4", "B quiero")
    assert desk.view.screen is Screen.PLAYING


def test_pages_may_be_read_while_the_table_is_locked() -> None:
    desk = through(table(), "lock")
    desk.do("wait 4", "menu")
    assert desk.view.screen is Screen.TALLY


def test_switching_off_is_requested_from_the_caller_and_changes_no_score() -> None:
    desk = table("A tantos, wait 5")
    before = desk.session.record
    through(desk, "switch_off")
    assert desk.reactions[-1].effects == (Task.SWITCH_OFF,)
    assert desk.session.record == before
