"""Truco uruguayo of six, by rules.md#uruguayan_six."""

from __future__ import annotations

import pytest

from scorer.rules import Game, Refusal, find_variant, rules_for
from scorer.rules.definition import define
from scorer.rules.options import Value, value_of
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def in_duel(steps: str, **options: Value) -> Game:
    """The first duel of a hand of duels after ``steps``."""
    return play("uruguayan_six", steps, "0-0", "A", hand_kind="pica", **options)


@pytest.mark.parametrize(
    ("start", "kind"),
    [("0-0", "pica"), ("18-3", "pica"), ("19-3", "redonda"), ("3-20", "redonda")],
)
def test_ga83_hands_alternate_until_half_of_the_chico(start: str, kind: str) -> None:
    game = play("uruguayan_six", "A hand_won; - new_hand", start)
    assert document_value(game, "hand_kind") == kind


def test_the_first_hand_of_every_chico_is_general() -> None:  # rules.md#uruguayan_six
    assert document_value(deal("uruguayan_six"), "hand_kind") == "redonda"
    game = play("uruguayan_six", "A hand_won; - new_hand", "39-0", best_of=3)
    assert document_value(game, "hand_kind") == "redonda"


@pytest.mark.parametrize(("target", "until"), [(40, 19), (30, 14), (15, 6), (1, 0)])
def test_the_duels_end_below_half_whatever_buenas_says(target: int, until: int) -> None:
    """Option ``pica_until``: a number that is written down is absolute."""
    variant = find_variant("uruguayan_six")
    option = variant.option("pica_until")
    assert option is not None
    for buenas in ("auto", False):
        rules = rules_for(variant, {"target": target, "buenas": buenas})
        assert (rules.pica_until, value_of(rules, option)) == (until, until)
        assert rules_for(variant, {"target": target, "pica_until": 19}).pica_until == 19


def test_an_owner_may_set_the_limit_of_the_duels() -> None:
    values = {"based_on": "uruguayan_six", "title": "Club", "options": {"pica_until": 25}}
    assert rules_for(define("club", values), {"target": 30}).pica_until == 25


def test_ga86_falta_and_resto_of_a_duel_pay_ten_at_most() -> None:  # rules.md#pica-cap
    """Options ``pica_cap`` and ``pica_resto_cap``."""
    assert pays(in_duel("A falta_envido")) == (10, 1)
    assert pays(in_duel("A flor; B contraflor_resto")) == (10, 3)
    wp = in_duel("A flor; B contraflor_resto", pica_resto_cap=12)
    assert pays(wp) == (12, 3)
    # The flores are in the limit of the resto, and beside that of a falta with flor.
    game = in_duel("A flor; B con_flor_falta_envido", flor_bids="all")
    assert pays(game) == (13, 3)
    # Accepted, the resto pays no less than refused: rules.md#resto-floor.
    assert pays(play_on(game, "A contraflor_resto")) == (13, 13)
    letter = in_duel("A flor; B con_flor_falta_envido", flor_bids="all", resto_floor=False)
    assert pays(play_on(letter, "A contraflor_resto")) == (10, 13)
    general = play("uruguayan_six", "A flor; B contraflor_resto")
    assert pays(general) == (40, 3)


def test_the_flor_of_uruguay_is_played_in_duels() -> None:
    game = in_duel("A flor; B flor; A truco; B quiero; A hand_won")
    assert document_value(game, "phase") == "awaiting_flor"
    game = play_on(game, "B flor_won")
    assert values(game, "duel", "duel_points") == (2, {"A": 2, "B": 3})
    assert why_not(play_on(game, "A flor"), "A flor") is Refusal.NO_MORE_FLORES
    assert points(play_on(game, "A hand_won; B hand_won")) == "3-4"


def test_three_flores_a_side_in_a_general_hand() -> None:
    assert points(play("uruguayan_six", "A flor; A flor; A flor; B no_flor")) == "9-0"


def test_pica_and_redonda_are_requested() -> None:  # rules.md#pica-request
    assert document_value(play("uruguayan_six", "- pica"), "hand_kind") == "pica"
    assert document_value(in_duel("- redonda"), "hand_kind") == "redonda"
