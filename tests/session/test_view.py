"""The view in each phase; every worth shown equals the payment made later."""

from __future__ import annotations

import pytest

from scorer.rules import GAME, Side
from scorer.session import reducer
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.settings import Settings
from scorer.session.values.shown import Screen
from scorer.session.view.view import GainView, NextHandKind, NextHandView, SpecialKind, WorthView
from tests.session.rig import SessionRig


def desk_after(
    script: str, variant: str = "argentine", score: tuple[int, int] = (0, 0), **options: str
) -> SessionRig:
    desk = SessionRig(variant, dict(options), score=dict(zip((Side.A, Side.B), score, strict=True)))
    desk.do(*(line for line in script.split(", ") if line))
    return desk


@pytest.mark.parametrize(
    ("script", "owing"),
    [
        ("",                        ()),
        ("A truco",                 (1,)),
        ("B truco",                 (0,)),
        ("A truco, B truco",        (0,)),
        ("A truco, B quiero",       ()),
        ("A envido, B envido",      (0,)),
        ("A envido, B quiero",      (0, 1)),  # either may have won it
        ("A truco, B envido",       (0,)),
    ],
)  # fmt: skip
def test_a_call_is_owed_by_the_team_that_did_not_make_it(
    script: str, owing: tuple[int, ...]
) -> None:
    sides = desk_after(script).view.sides
    assert tuple(at for at, side in enumerate(sides) if side.owes) == owing


@pytest.mark.parametrize(
    ("variant", "score", "script", "screen"),
    [
        ("argentine",      (0, 0),   "",                                  Screen.PLAYING),
        ("argentine",      (0, 0),   "A truco",                           Screen.PENDING),
        ("argentine",      (0, 0),   "A envido",                          Screen.PENDING),
        ("argentine_flor", (0, 0),   "A flor",                            Screen.PENDING),
        ("argentine",      (0, 0),   "A envido, B quiero",                Screen.WINNER),
        ("argentine_flor", (0, 0),   "A flor, B flor",                    Screen.WINNER),
        ("argentine",      (0, 0),   "A tantos",                          Screen.HAND_OVER),
        ("argentine",      (0, 0),   "both tantos",                       Screen.QUESTION),
        ("paulista",       (11, 8),  "",                                  Screen.MAO),
        ("paulista",       (11, 8),  "A quiero",                          Screen.PLAYING),
        ("argentine",      (29, 3),  "A tantos",                          Screen.MATCH_OVER),
        ("argentine",      (0, 0),   "A tantos, undo",                    Screen.PLAYING),
    ],
)  # fmt: skip
def test_which_screen_is_on(
    variant: str, score: tuple[int, int], script: str, screen: Screen
) -> None:
    assert desk_after(script, variant, score).view.screen is screen


def test_a_won_game_of_a_series_has_its_own_screen() -> None:
    desk = desk_after("A tantos", score=(29, 3), best_of="3")
    view = desk.view
    assert (view.screen, view.winner, view.best_of) == (Screen.GAME_OVER, 0, 3)
    assert [side.games for side in view.sides] == [1, 0]


CALLS = [
    # script, variant, score; word, by, quiero, no_quiero
    ("A truco",                    "argentine", (0, 0), "truco",         0, (2,),  (1, 0)),
    ("A truco, B truco",           "argentine", (0, 0), "retruco",       1, (3,),  (2, 1)),
    ("A truco, B truco, A truco",  "argentine", (0, 0), "vale cuatro",   0, (4,),  (3, 0)),
    ("A envido",                   "argentine", (0, 0), "envido",        0, (2,),  (1, 0)),
    ("A envido x2",                "argentine", (0, 0), "real envido",   0, (3,),  (1, 0)),
    ("A envido, B envido",         "argentine", (0, 0), "envido",        1, (4,),  (2, 1)),
    ("A envido x3",                "argentine", (20, 9), "falta envido", 0, (10,), (1, 0)),
    ("A envido x3",                "argentine", (7, 2), "falta envido",  0, (23, 28), (1, 0)),
    ("A flor",                     "argentine_flor", (0, 0), "flor",     0, (3,),  (3, 0)),
    ("A flor hold",                "argentine_flor", (0, 0), "flor x2",  0, (6, 3), (6, 0)),
    ("A flor, B flor x2",          "argentine_flor", (0, 0), "contraflor", 1, (6,), (3, 1)),
    ("A truco",                    "paulista",  (0, 0), "truco",         0, (3,),  (1, 0)),
    ("A truco, B truco",           "paulista",  (0, 0), "seis",          1, (6,),  (3, 1)),
    ("A truco",                    "mineiro",   (0, 0), "truco",         0, (4,),  (2, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("script", "variant", "score", "word", "by", "yes", "no"), CALLS)
def test_a_call_shows_what_both_answers_pay(
    script: str,
    variant: str,
    score: tuple[int, int],
    word: str,
    by: int,
    yes: tuple[int, ...],
    no: tuple[int, int],
) -> None:
    call = desk_after(script, variant, score).view.call
    assert call is not None
    assert (call.word, call.by, call.owes) == (word, by, 1 - by)
    assert call.quiero.points == yes
    assert (call.no_quiero.points, call.no_quiero.to) == ((no[0],), no[1])


@pytest.mark.parametrize(("script", "variant", "score"), [call[:3] for call in CALLS])
def test_a_no_gives_exactly_the_score_that_was_shown(
    script: str, variant: str, score: tuple[int, int]
) -> None:
    desk = desk_after(script, variant, score)
    call = desk.view.call
    assert call is not None
    desk.do("wait 3", f"{'AB'[call.owes]} no_quiero")
    assert tuple(side.score for side in desk.view.sides) == call.no_quiero.scores


@pytest.mark.parametrize(("script", "variant", "score"), [call[:3] for call in CALLS])
@pytest.mark.parametrize("winner", [0, 1])
def test_a_quiero_pays_exactly_what_was_shown_to_either_winner(
    script: str, variant: str, score: tuple[int, int], winner: int
) -> None:
    desk = desk_after(script, variant, score)
    call = desk.view.call
    assert call is not None
    plain = call.family == "flor" and call.word.startswith("flor")
    answer = "flor" if plain else "quiero"
    before = desk.score[winner]
    desk.do("wait 3", f"{'AB'[call.owes]} {answer}", "wait 3", f"{'AB'[winner]} tantos")
    paid = desk.score[winner] - before
    assert paid == (call.quiero.points * 2)[winner]
    assert (desk.game.winner is not None) <= call.quiero.wins


def test_the_truco_that_waits_behind_an_envido_is_named() -> None:
    call = desk_after("A truco, B envido").view.call
    assert call is not None and call.suspended == "truco"
    call = desk_after("A truco, B envido, A quiero").view.call
    assert call is not None and (call.word, call.suspended) == ("envido", "truco")
    call = desk_after("A truco, B envido, A quiero, A tantos").view.call
    assert call is not None and (call.word, call.suspended) == ("truco", "")


def test_a_falta_that_would_end_the_game_says_so_before_the_answer() -> None:
    call = desk_after("A envido x3", score=(28, 20)).view.call
    assert call is not None and call.quiero.wins and not call.no_quiero.wins


def test_a_refusal_that_would_end_the_game_says_so() -> None:
    call = desk_after("A truco", score=(29, 20)).view.call
    assert call is not None
    assert call.no_quiero == WorthView((1,), 0, (30, 20), wins=True)


def test_the_ladder_knows_where_the_hand_stands() -> None:
    view = desk_after("A truco, B quiero, B truco").view
    rungs = [(rung.word, rung.value, rung.refused, rung.state) for rung in view.ladder]
    assert rungs == [
        ("", 1, 0, "past"),
        ("truco", 2, 1, "current"),
        ("retruco", 3, 2, "called"),
        ("vale cuatro", 4, 3, "ahead"),
    ]
    assert view.stake == 2


def test_only_who_said_quiero_may_raise() -> None:
    view = desk_after("A truco, B quiero").view
    assert [side.may_raise for side in view.sides] == [False, True]


def test_the_spoken_score_has_its_half() -> None:
    view = desk_after("", score=(6, 21)).view
    assert [(side.spoken, side.half) for side in view.sides] == [(6, "malas"), (6, "buenas")]


def test_a_score_past_the_target_is_shown_capped() -> None:
    view = desk_after("A truco, B truco, A quiero, A tantos", score=(29, 3)).view
    assert view.sides[0].score == 30


def test_a_closed_hand_shows_all_that_was_won_in_it_and_the_hand_that_comes() -> None:
    view = desk_after("A envido, B quiero, B tantos, A truco, B no_quiero").view
    assert view.gains == (
        GainView(1, 2, "envido", "envido"),
        GainView(0, 1, "truco_refused", "truco"),
    )
    assert view.next_hand == NextHandView(1)


def test_what_was_paid_in_play_is_shown_for_a_moment() -> None:
    desk = desk_after("A envido, B no_quiero")
    seen = [desk.view.gains]
    desk.do("wait 3")
    assert [*seen, desk.view.gains] == [(GainView(0, 1, "envido_refused", "envido"),), ()]


def test_the_mao_de_onze_is_on_the_panel_before_it_is_dealt() -> None:
    view = desk_after("A tantos", "paulista", (10, 8)).view
    assert view.next_hand == NextHandView(1, NextHandKind.NORMAL, SpecialKind.MAO, 0, 3, 1)
    assert [side.owes for side in view.sides] == [True, False]


def test_the_mao_de_dez_of_minas_has_its_own_price() -> None:
    view = desk_after("", "mineiro", (10, 8)).view
    assert view.call is not None
    assert (view.call.family, view.call.by, view.special_worth) == ("mao", 0, 4)
    assert view.call.quiero.points == (4,)
    assert view.call.no_quiero == WorthView((2,), 1, (10, 10))


def test_a_mao_being_played_is_said_as_long_as_it_lasts() -> None:
    view = desk_after("A quiero", "paulista", (11, 8)).view
    assert (view.special, view.special_worth, view.stake) == ("mao", 3, 3)
    assert not any(side.may_raise for side in view.sides)


def test_the_iron_hand_is_said() -> None:
    assert desk_after("", "paulista", (11, 11)).view.special == "iron"


def test_a_rung_for_the_whole_series_keeps_its_value() -> None:
    script = "A truco, B truco, A truco, B truco, A truco"
    call = desk_after(script, "paulista", match_rung="true").view.call
    assert call is not None
    assert call.word == "vale a partida" and call.quiero.points[0] <= GAME and call.quiero.wins


@pytest.mark.parametrize(
    ("variant", "words"),
    [("argentine", ("quiero", "no quiero")), ("paulista", ("desce", "corro"))],
)
def test_the_answers_are_in_the_words_of_the_variant(variant: str, words: tuple[str, str]) -> None:
    view = desk_after("", variant).view
    assert (view.accept, view.refuse) == words


def test_a_question_shows_what_each_answer_pays() -> None:
    asked = desk_after("A no_quiero hold").view.question
    assert asked is not None
    assert (asked.yes_points, asked.no_points, asked.side) == ((1, 2), (1, 1), 0)


def test_the_question_about_truco_in_the_mao_says_who_called_and_what_it_costs() -> None:
    asked = desk_after("A quiero, B truco", "paulista", (11, 8)).view.question
    assert asked is not None
    assert (asked.key, asked.side) == ("mao_truco", 1)
    assert (asked.yes_points, asked.no_points) == ((0, 3), None)


def test_the_history_tells_calls_and_payments_in_order() -> None:
    view = desk_after("A envido, B quiero, B tantos, A truco, B no_quiero, menu, menu, menu").view
    told = [(line.hand, line.side, line.word, line.key, line.points) for line in view.history]
    assert told == [
        (1, 0, "envido", "envido", 0),
        (1, 1, "quiero", "quiero", 0),
        (1, 1, "envido", "envido", 2),
        (1, 0, "truco", "truco", 0),
        (1, 0, "truco", "truco_refused", 1),
    ]
    assert view.history[-1].scores == (1, 2)


def test_before_anything_is_said_the_history_is_empty() -> None:
    view = desk_after("menu, menu, menu").view
    assert (view.screen, view.history) == (Screen.HISTORY, ())


def test_the_hour_of_a_press_is_in_the_history() -> None:
    desk = SessionRig()
    gesture = Gesture(GestureKind.PRESS, "A.truco", desk.time, desk.time)
    desk.session = reducer.press(desk.session, gesture, desk.time, "21:07").session
    desk.do("menu", "menu", "menu")
    assert [line.time for line in desk.view.history] == ["21:07"]


def test_after_a_game_the_box_waits_for_every_team_that_has_not_said_yes() -> None:
    desk = desk_after("A tantos", score=(29, 3))
    seen = [[side.owes for side in desk.view.sides]]
    desk.do("A quiero")
    seen.append([side.owes for side in desk.view.sides])
    assert seen == [[True, True], [False, True]]
    assert desk.view.confirmed == (0,)


def test_names_and_marks_are_passed_on() -> None:
    desk = SessionRig(settings=Settings())
    desk.session = desk.session._replace(names=("Los Pibes", "La Yunta"), marks=("stuck A.truco",))
    view = desk.view
    assert [side.name for side in view.sides] == ["Los Pibes", "La Yunta"]
    assert view.marks == ("stuck A.truco",)
