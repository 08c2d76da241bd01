"""The reasons of a finished hand add up to what each side gained, on every output.

Ends of hands of every variant, in every language, with default and long names. Each output shows
one wording of ``side_reasons`` for each side, and each wording contains every point.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from functools import cache

import pytest

from scorer.display.presenter import build_scene
from scorer.i18n import translator
from scorer.phrases import gains
from scorer.rules import Action, Game, apply, legal
from scorer.rules.model import PointsReason
from scorer.rules.perft import core_state, is_walked
from scorer.session.view.build_view import view_of_game
from scorer.session.view.view import GainView
from tests.phrases.reasons_law import End, faults, listed, not_shown, wrong_sums
from tests.rules import law_starts
from tests.rules.laws import INTERRUPTIONS
from tests.rules.notation import play
from tests.sampling import EXHAUSTIVE, QUICK, sample

WALKS, STEPS = 15, 40  # from one start, in a sample
IGNORED = (Action.CONCEDE, Action.TIME, Action.NEW_HAND)
CASES = sample(law_starts.quick_cases(), 2, by=lambda case: case.variant)


@cache
def ends(case: law_starts.Case) -> tuple[End, ...]:
    """The finished hands with different gains: all, or those of some walks."""
    found: dict[tuple[GainView, ...], End] = {}
    for end in _all_steps(case) if EXHAUSTIVE and not QUICK else _walked(case):
        if end.game.hand.over or end.game.winner is not None:
            found.setdefault(_gains(end.game), end)
    return tuple(found.values())


def _walked(case: law_starts.Case) -> Iterator[End]:
    """The steps of walks, which end with a press outside play after the hand."""
    chance = random.Random(str(case))
    for _ in range(WALKS):
        game = case.game()
        for _ in range(STEPS):
            steps = [step for step in legal(game) if step.action not in IGNORED]
            if not steps:
                break
            step = chance.choice(steps)
            end = End(game, step, apply(game, step))
            yield end
            if game.hand.over:
                break
            game = end.game


def _all_steps(case: law_starts.Case) -> Iterator[End]:
    """Every step of the hand, and every award, correction or reversal."""
    waiting, seen = deque([case.game()]), set()
    while waiting:
        game = waiting.popleft()
        for step in legal(game):
            if step.action in IGNORED:
                continue
            end = End(game, step, apply(game, step))
            yield end
            goes_on = step.action not in INTERRUPTIONS and not game.hand.over
            is_new = goes_on and is_walked(game, step, case.bet_limits)
            if is_new and core_state(end.game) not in seen:
                seen.add(core_state(end.game))
                waiting.append(end.game)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_reasons_of_every_hand_add_up_on_every_output(case: law_starts.Case) -> None:
    for turn, end in enumerate(ends(case)):
        found = list(faults(end, turn))
        assert found == [], (end.step, end.game.payments)


def _gains(game: Game) -> tuple[GainView, ...]:
    return view_of_game(game, ("", "", "")).gains


def reasons_of(game: Game) -> dict[int, str]:
    scene = build_scene(view_of_game(game, ("", "", "")), translator("es-AR"), 0)
    return {each.side: each.wordings[0] for each in gains.side_reasons(scene)}


def test_each_reason_is_listed_with_its_points() -> None:
    game = play("argentine", "A envido; B no_quiero; A truco; B quiero; A hand_won")
    assert reasons_of(game) == {0: "envido no querido 1 + truco querido 2"}
    game = play("argentine", "A envido; B no_quiero; A truco; B no_quiero")
    assert reasons_of(game) == {0: "envido no querido 1 + truco no querido 1"}


@pytest.mark.parametrize(
    ("bet", "whys"),
    [
        ("envido", "envido envido_refused fold_envido envido_reversed"),
        ("flor", "flor flor_refused flor_reversed"),
        ("mano", "hand truco_refused fold mao_run mao_truco privo"),
        ("corregido", "correct"),
    ],
)
def test_short_lists_name_the_bet_of_each_reason(bet: str, whys: str) -> None:
    view = view_of_game(play("argentine", "A truco; B no_quiero"), ("", ""))
    for why in whys.split():
        gained = (GainView(0, 3, PointsReason(why), "x"), GainView(0, 1, PointsReason.AWARD))
        scene = build_scene(view._replace(gains=gained), translator("es-AR"), 0)
        (reasons,) = gains.side_reasons(scene)
        assert f"{bet} 3 + otros 1" in reasons.wordings, why


def test_an_only_reason_needs_no_points() -> None:
    assert reasons_of(play("argentine", "A truco; B no_quiero")) == {0: "truco no querido"}


def test_the_duels_of_a_pica_hand_are_listed_together() -> None:
    steps = (
        "A envido; B quiero; A envido_won; A hand_won; B truco; A no_quiero; A truco; B quiero; "
        "A hand_won"
    )
    game = play("pica_pica", steps, "10-8", hand_kind="pica")
    assert reasons_of(game) == {
        0: "envido 2 + la mano 1 + truco querido 2",
        1: "truco no querido 1",
    }


def test_duels_that_count_at_once_are_listed_once() -> None:
    steps = "A hand_won; A hand_won; A hand_won"
    game = play("pica_pica", steps, "10-8", hand_kind="pica", pica_add="live")
    assert (game.score, reasons_of(game)) == ((13, 8), {0: "la mano"})


def test_a_list_that_leaves_a_point_out_is_noticed() -> None:
    game = play("argentine", "A envido; B no_quiero; A truco; B no_quiero")
    scene = build_scene(view_of_game(game, ("", "")), translator("es-AR"), 0)
    assert list(wrong_sums(scene)) == []
    lost = scene._replace(view=scene.view._replace(gains=scene.view.gains[:1]))
    assert listed(lost) != {"A": 2, "B": 0} == listed(scene)
    assert list(not_shown(scene, "panel", ["+2 Nosotros", "truco no querido"])) != []
