"""State of a bet after it is settled: its last value, and no pending answer."""

from __future__ import annotations

import pytest

from scorer.rules import Side
from scorer.rules.model import Special, Status, Truco
from tests.rules.notation import play, points


@pytest.mark.parametrize(
    ("steps", "truco"),
    [
        # Refused by both: still on its old rung, and answered.
        ("A truco; B no_quiero; C no_quiero", Truco(0, Side.A)),
        ("A truco; B retruco; A no_quiero; C no_quiero", Truco(1, Side.B)),
        ("A truco; B quiero; C quiero; B retruco; A no_quiero; C no_quiero", Truco(1, Side.B)),
        # Its caller folded on the envido and owes it as if it had been accepted.
        ("C truco; A envido; C fold; B fold", Truco(1, Side.C)),
        # The last rival folded after accepting it.
        ("A truco; B quiero; C quiero; B fold; C fold", Truco(1, Side.A)),
    ],
)
def test_destantado_a_finished_hand_keeps_its_truco_without_answers(
    steps: str, truco: Truco
) -> None:
    game = play("destantado", steps)
    assert game.hand.over
    assert game.hand.truco == truco


@pytest.mark.parametrize(
    ("variant", "steps"),
    [
        ("destantado", "A envido; B no_quiero; C no_quiero"),
        ("destantado", "A envido; B quiero; C no_quiero; A envido_won"),
        ("argentine", "A envido; B no_quiero"),
        ("argentine_flor", "A envido; B flor"),
        ("argentine_flor", "A envido; B quiero; B flor"),
        ("gaucho", "A envido; B flor; A no_flor"),
    ],
)
def test_an_envido_that_is_paid_or_overruled_by_a_flor_is_closed(variant: str, steps: str) -> None:
    assert play(variant, steps).hand.envido.status is Status.CLOSED


def test_destantado_an_envido_that_empties_a_pile_ends_the_game() -> None:
    """No payment follows once a player has won."""
    game = play("destantado", "A envido; B fold; C fold", "1-5-5")
    assert (points(game), game.winner, game.hand.over) == ("0-5-5", "A", False)


def test_venezuela_a_privo_that_was_accepted_leaves_an_ordinary_hand() -> None:
    assert play("venezuelan", "B privo; A quiero", "23-10").hand.special is Special.NONE
