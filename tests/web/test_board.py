"""The data of the pages beyond the state document agrees with the panel."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer.rules import (
    Game,
    Side,
    Start,
    apply,
    find_variant,
    legal,
    new_game,
    rules_for,
    variant_ids,
)
from scorer.rules.history import History
from scorer.rules.notation import parse_step
from scorer.session.view.call_view import call_view
from scorer.session.view.view import CallView
from scorer.web.board import board_document
from tests.sampling import amount, sample


def play(
    variant: str, *lines: str, score: tuple[int, ...] = (), **options: str | int | bool
) -> Game:
    rules = rules_for(find_variant(variant), options)
    history = History(new_game(Start(rules, score or None)))
    for line in lines:
        assert history.play(parse_step(line, rules)) is None, line
    return history.game


def told(game: Game) -> dict[str, Any]:
    """As it comes over the wire."""
    said: dict[str, Any] = json.loads(json.dumps(board_document(game)))
    return said


def test_the_ladder_says_which_rung_holds_and_which_is_called() -> None:
    rungs = told(play("argentine", "A truco", "B quiero", "B retruco"))["ladder"]
    assert [(rung["word"], rung["value"], rung["state"]) for rung in rungs] == [
        ("",            1, "past"),
        ("truco",       2, "current"),
        ("retruco",     3, "called"),
        ("vale cuatro", 4, "ahead"),
    ]  # fmt: skip


def test_a_game_and_a_series_are_words() -> None:
    assert told(play("venezuelan"))["ladder"][-1]["value"] == "game"
    assert told(play("paulista", match_rung=True))["ladder"][-1]["value"] == "series"


def test_a_call_tells_what_either_answer_leads_to() -> None:
    call = told(play("argentine", "A truco", score=(12, 9)))["call"]
    assert call == {
        "word": "truco",
        "family": "truco",
        "by": "A",
        "owes": ["B"],
        "quiero": {
            "word": "quiero",
            "points": 2,
            "wins": False,
            "scores": {"A": {"A": 14, "B": 9}, "B": {"A": 12, "B": 11}},
        },
        "no_quiero": {
            "word": "no quiero",
            "points": 1,
            "to": "A",
            "score": {"A": 13, "B": 9},
            "wins": False,
        },
        "suspended": "",
    }


def test_an_accepted_envido_waits_for_its_winner_and_the_truco_behind_it() -> None:
    call = told(play("argentine", "A truco", "B envido", "A real_envido", "B quiero"))["call"]
    assert (call["word"], call["quiero"]["points"], call["no_quiero"]) == ("real envido", 5, None)
    assert call["suspended"] == "truco"


def test_the_mao_de_onze_is_shown_before_it_is_dealt() -> None:
    over = told(play("paulista", "A hand_won", score=(10, 4)))
    assert over["special"] is None
    assert over["next"]["special"] == {
        "kind": "mao",
        "number": 11,
        "worth": 3,
        "decider": "A",
        "deciding": True,
    }
    assert [over["next"]["call"][answer]["points"] for answer in ("quiero", "no_quiero")] == [3, 1]


@pytest.mark.parametrize(
    ("variant", "lines", "score", "kind"),
    [
        ("paulista", ("A mao_play",), (11, 4), "mao"),
        ("paulista", (), (11, 11), "iron"),
        ("mineiro", (), (10, 4), "mao"),
        ("venezuelan", (), (23, 4), "singing"),
        ("venezuelan", (), (23, 23), "both_singing"),
    ],
)
def test_a_special_hand_is_named(
    variant: str, lines: tuple[str, ...], score: tuple[int, ...], kind: str
) -> None:
    assert told(play(variant, *lines, score=score))["special"]["kind"] == kind


def test_points_that_are_paid_later_lead_to_no_score_yet() -> None:
    waiting = told(play("argentine", "A envido", "B quiero", "A envido_won", "A truco"))
    assert waiting["call"]["no_quiero"]["score"] == {"A": 3, "B": 0}
    assert told(play("destantado", "A truco"))["call"]["quiero"]["scores"] is None


def walk(game: Game, depth: int, seen: dict[Game, None]) -> None:
    """Every state within ``depth`` steps."""
    if game in seen or depth < 0:
        return
    seen[game] = None
    for step in legal(game):
        walk(apply(game, step), depth - 1, seen)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("variant", variant_ids())
def test_a_call_agrees_with_the_panel_tells_it(variant: str) -> None:
    """Law: word, caller and points agree with the panel, in every state nearby."""
    rules = rules_for(find_variant(variant), {})
    near = tuple(max(1, rules.target - 1 - 4 * at) for at in range(len(rules.scoring_sides)))
    seen: dict[Game, None] = {}
    for start in (new_game(Start(rules)), new_game(Start(rules, near))):
        walk(start, amount(2, 3), seen)
    for game in sample(seen, 30):
        call, view = told(game)["call"], call_view(game)
        assert (call is None) == (view is None)
        if call is not None and view is not None:
            assert_alike(call, view, game)


def assert_alike(call: dict[str, Any], view: CallView, game: Game) -> None:
    sides = [*(side.value for side in game.rules.scoring_sides), Side.PAIR.value]
    by = game.gallo if call["by"] == Side.GALLO else Side(call["by"])
    assert by is not None
    assert (call["word"], sides.index(by.value)) == (view.word, view.by)
    assert call["suspended"] == view.suspended
    if call["family"] == "singing":
        return
    if call["no_quiero"] is not None:
        assert call["no_quiero"]["points"] == named(view.no_quiero.points[0])
    points = call["quiero"]["points"]
    each = tuple(points.values()) if isinstance(points, dict) else (points,)
    assert each == tuple(named(value) for value in view.quiero.points)


def named(value: int) -> int | str:
    return {-1: "game", -2: "series"}.get(value, value)
