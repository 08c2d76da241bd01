"""The general article S0 ("Truco"): its scoring rules and related decisions.

Its Argentine part agrees with S1 and is tested there where S1 is more specific; this file has the
rules that only S0 states, its Brazilian games, and the Mineiro hand of ten.
"""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not

BRAZIL = ("paulista", "mineiro", "br_general")


# --- rules for all variants ---


@pytest.mark.parametrize(("score", "said"), [(8, (8, "malas")), (21, (6, "buenas"))])
def test_s0_eight_malas_and_six_buenas(score: int, said: tuple[int, str]) -> None:
    """S0's own examples: 8 are "ocho malas", 21 are "seis buenas"."""
    assert document_value(deal("argentine", f"{score}-0"), "spoken")["A"] == said


def test_s0_the_game_ends_as_soon_as_a_side_has_reached_the_target() -> None:
    game = play("argentine", "A truco; B quiero; B hand_won", start="29-29")
    assert (points(game), game.winner) == ("29-31", "B")


def test_s0_sometimes_the_hand_is_played_out_and_the_higher_score_wins() -> None:
    """Both may pass the target in one hand; a tie there is broken by another hand."""
    steps = "A envido; B quiero; A envido_won; B truco; A quiero; B hand_won"
    game = play("argentine", steps, start="29-29", finish="end_of_hand")
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "31-31",
        None,
        "hand_over",
    )
    game = play_on(game, "- new_hand; B hand_won")
    assert (points(game), game.winner) == ("31-32", "B")


@pytest.mark.parametrize(
    ("tricks", "winner"),
    [("A,B,tie", "A"), ("tie,B", "B"), ("tie,tie,A", "A"), ("A,tie", "A"), ("B,B", "B")],
)
def test_s0_primera_vale_doble(tricks: str, winner: str) -> None:
    """With a tied trick the earlier of the other two decides."""
    game = play("argentine", f"- tricks {tricks}")
    assert points(game) == ("1-0" if winner == "A" else "0-1")


def test_s0_three_pardas_go_to_the_mano() -> None:
    assert points(play("argentine", "- tricks tie,tie,tie", mano="B")) == "0-1"


def test_s0_envido_has_precedence_over_truco() -> None:
    """It must be answered, and its winner entered, before the truco."""
    game = play("argentine", "A truco; B envido; A quiero")
    assert why_not(game, "B quiero") is Refusal.WINNER_FIRST
    game = play_on(game, "A envido_won")
    assert document_value(game, "phase") == "pending_truco"


def test_s0_after_quiero_or_no_quiero_no_other_envido_is_opened() -> None:
    assert why_not(play("argentine", "A envido; B no_quiero"), "A falta_envido") is (
        Refusal.ENVIDO_CLOSED
    )
    assert why_not(play("argentine", "A envido; B quiero"), "A falta_envido") is (
        Refusal.WINNER_FIRST
    )


def test_s0_a_wrong_count_gives_the_points_to_the_other_team() -> None:
    steps = "A real_envido; B quiero; A envido_won; A envido_reversed"
    game = play("argentine", steps)
    assert values(game, "points", "phase") == ("0-3", "playing")


def test_s0_irse_al_mazo_loses_the_hand() -> None:
    game = play("argentine", "A truco; B quiero; A fold")
    assert values(game, "points", "phase") == ("0-2", "hand_over")


def test_s0_the_best_flor_takes_three_for_each_announced() -> None:
    """S0 pays per flor, the option ``per_flor``; the default here is S1's three."""
    steps = "A flor; A flor; B flor; A flor_won"
    assert points(play("argentine_flor", steps, flor_vs_flor="per_flor")) == "9-0"
    assert points(play("argentine_flor", steps)) == "6-0"


def test_s0_pedir_flor_costs_who_hid_it_three_and_who_was_wrong_one() -> None:
    assert points(play("argentine_flor", "A award 3")) == "3-0"
    assert points(play("argentine_flor", "B award 1")) == "0-1"


# --- Brazil ---


def test_s0_truco_paulista_is_played_to_twelve_with_hands_of_one() -> None:
    game = play("paulista", "B hand_won")
    assert (game.rules.target, points(game), document_value(game, "half")) == (12, "0-1", None)
    assert document_value(game, "spoken") == {"A": (0, None), "B": (1, None)}


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A truco", 3, 1),
        ("A truco; B seis", 6, 3),
        ("A truco; B seis; A nove", 9, 6),
        ("A truco; B seis; A nove; B doze", 12, 9),
    ],
)
def test_s0_the_stakes_rise_by_three(calls: str, wanted: int, refused: int) -> None:
    """Accept, run away or raise: asking for six accepts the three."""
    assert pays(play("paulista", calls)) == (wanted, refused)


def test_s0_the_raise_may_also_come_later() -> None:
    game = play("paulista", "A truco; B quiero; - first_trick_done; B seis")
    assert pays(game) == (6, 3)


def test_s0_the_ladder_can_go_on_to_the_match() -> None:
    """Option ``match_rung``: above doze the series is at stake; refused, the twelve."""
    calls = "A truco; B seis; A nove; B doze; A vale_juego"
    game = play("paulista", calls, match_rung=True, best_of=3)
    assert pays(game) == ("game", 12)
    refused = play_on(game, "B no_quiero")
    assert values(refused, "points", "phase") == ("12-0", "game_over")
    won = play_on(game, "B quiero; B hand_won")
    assert (document_value(won, "phase"), won.winner, document_value(won, "games")) == (
        "match_over",
        "B",
        {"A": 0, "B": 2},
    )
    folded = play_on(game, "B quiero; A fold")
    assert values(folded, "phase", "games") == ("match_over", {"A": 0, "B": 2})
    assert why_not(deal("paulista"), "A vale_juego") is Refusal.NOT_IN_THIS_VARIANT


@pytest.mark.parametrize("variant", BRAZIL)
def test_s0_three_ties_are_not_paid(variant: str) -> None:
    for before in ("", "A truco; B quiero; "):
        game = play(variant, f"{before}- tricks tie,tie,tie", start="3-3")
        assert values(game, "points", "phase") == ("3-3", "hand_over")


@pytest.mark.parametrize("variant", BRAZIL)
@pytest.mark.parametrize(
    ("tricks", "winner"),
    [("tie,B", "B"), ("tie,tie,A", "A"), ("A,tie", "A"), ("A,B,tie", "A"), ("B,A,tie", "B")],
)
def test_s0_a_tie_is_decided_by_the_next_trick_or_by_the_first(
    variant: str, tricks: str, winner: str
) -> None:
    game = play(variant, f"- tricks {tricks}")
    assert game.score["AB".index(winner)] == game.rules.base
    assert sum(game.score) == game.rules.base


@pytest.mark.parametrize("variant", BRAZIL)
def test_s0_a_table_may_give_three_ties_to_the_mano(variant: str) -> None:
    """Option ``tied=mano``."""
    game = play(variant, "- all_tied", mano="B", tied="mano")
    assert game.score == (0, game.rules.base)


def test_s0_mao_de_onze_is_played_for_three_or_left_for_one() -> None:
    game = deal("paulista", "11-4")
    assert values(game, "phase", "stake") == ("mao_decision", 3)
    played = play_on(game, "A mao_play")
    assert points(play_on(played, "B hand_won")) == "11-7"
    assert play_on(played, "A hand_won").winner == "A"
    left = play_on(game, "A mao_run")
    assert values(left, "points", "phase") == ("11-5", "hand_over")
    assert document_value(left, "last") == [{"to": "B", "points": 1, "why": "mao_run"}]


def test_s0_asking_for_truco_in_the_hand_of_eleven_loses_the_round() -> None:
    """The caller's rivals are paid the three."""
    game = play("paulista", "A mao_play", start="11-4")
    assert points(play_on(game, "A truco")) == "11-7"
    won = play_on(game, "B truco")
    assert (points(won), won.winner) == ("14-4", "A")
    assert document_value(won, "last") == [{"to": "A", "points": 3, "why": "mao_truco"}]
    assert document_value(game, "may_raise") == []
    assert why_not(game, "B seis") is Refusal.NO_RAISING_HERE


@pytest.mark.parametrize("variant", BRAZIL)
def test_elsewhere_the_press_does_nothing(variant: str) -> None:  # rules.md#special-hand
    """Option ``mao_truco=forbidden``."""
    eve = {"mineiro": "10-4"}.get(variant, "11-4")
    game = play(variant, "A mao_play", start=eve, mao_truco="forbidden")
    for side in "AB":
        assert why_not(game, f"{side} truco") is Refusal.NO_RAISING_HERE


@pytest.mark.parametrize("variant", BRAZIL)
def test_elsewhere_it_loses_the_match(variant: str) -> None:  # rules.md#special-hand
    """Option ``mao_truco=lose_match``: the rivals' score becomes the target."""
    eve = {"mineiro": "10-4"}.get(variant, "11-4")
    game = play(variant, "A mao_play; A truco", start=eve, mao_truco="lose_match")
    assert (game.score[1], game.winner) == (12, "B")


@pytest.mark.parametrize("variant", BRAZIL)
def test_before_the_decision_nothing_else_counts(variant: str) -> None:  # rules.md#special-hand
    eve = {"mineiro": "4-10"}.get(variant, "4-11")
    game = deal(variant, eve)
    for step in ("A truco", "B hand_won", "A fold", "- all_tied", "- tricks A"):
        assert why_not(game, step) is Refusal.DECIDE_FIRST
    assert why_not(game, "A mao_play") is Refusal.DECIDE_FIRST
    assert why_not(game, "B mao_play") is None
    assert play_on(game, "- new_hand") == game  # a redeal: rules.md#new-hand
    assert why_not(play(variant, "B mao_play", eve), "B mao_run") is Refusal.NOTHING_TO_DECIDE


@pytest.mark.parametrize(
    ("variant", "score", "base"),
    [
        ("paulista", "11-11", 1),
        ("br_general", "11-11", 1),
        ("mineiro", "10-10", 2),
        ("mineiro", "10-11", 2),
    ],
)
@pytest.mark.parametrize("mode", ["lose_hand", "forbidden", "lose_match"])
def test_with_both_sides_there_the_round_must_be_played(
    variant: str, score: str, base: int, mode: str
) -> None:  # rules.md#iron-hand
    """The hand has its base value and no calls; a fold pays the base and so the match."""
    game = deal(variant, score, mao_truco=mode)
    assert values(game, "phase", "stake") == ("playing", base)
    assert why_not(game, "A truco") is Refusal.NO_RAISING_HERE
    assert play_on(game, "B hand_won").winner == "B"
    assert play_on(game, "A fold").winner == "B"
    assert play_on(game, "- all_tied; - new_hand").winner is None


def test_s0_in_minas_the_round_of_ten_is_worth_four() -> None:
    """Running costs the normal two."""
    game = deal("mineiro", "10-4")
    assert values(game, "phase", "stake") == ("mao_decision", 4)
    assert points(play_on(game, "A mao_play; B hand_won")) == "10-8"
    assert points(play_on(game, "A mao_run")) == "10-6"


def test_an_eleven_in_minas_is_a_round_of_ten_too() -> None:  # rules.md#mineiro
    """Odd scores come from other ladders or penalties."""
    assert document_value(deal("mineiro", "11-4"), "phase") == "mao_decision"
    assert document_value(deal("mineiro", "9-4"), "phase") == "playing"


def test_the_kind_of_the_hand_is_fixed_at_the_deal() -> None:  # rules.md#special-hand
    game = play("paulista", "A award 1", start="10-4")
    assert values(game, "points", "phase") == ("11-4", "playing")
    assert document_value(play_on(game, "B hand_won; - new_hand"), "phase") == "mao_decision"
    game = play("paulista", "B award 7; A mao_play", start="11-4")
    assert values(game, "points", "stake") == ("11-11", 3)


@pytest.mark.parametrize(
    ("variant", "target", "score", "phase"),
    [
        ("paulista", 15, "14-3", "mao_decision"),
        ("paulista", 15, "11-3", "playing"),
        ("mineiro", 24, "22-3", "mao_decision"),
        ("mineiro", 24, "10-3", "playing"),
    ],
)
def test_other_targets_move_the_special_hand(
    variant: str, target: int, score: str, phase: str
) -> None:  # rules.md#special-hand
    assert document_value(deal(variant, score, target=target), "phase") == phase


def test_s0_in_minas_everything_counts_double() -> None:
    assert points(play("mineiro", "A hand_won")) == "2-0"
    assert pays(play("mineiro", "A truco")) == (4, 2)


@pytest.mark.parametrize(
    ("ladder", "calls", "values"),
    [
        ("2-4-6-10-12", ("truco", "seis", "dez", "doze"), (2, 4, 6, 10, 12)),
        ("2-4-8-10-12", ("truco", "seis", "nove", "doze"), (2, 4, 8, 10, 12)),
        ("2-4-6-9-12", ("truco", "seis", "nove", "doze"), (2, 4, 6, 9, 12)),
    ],
)
def test_the_ladders_of_minas(
    ladder: str, calls: tuple[str, ...], values: tuple[int, ...]
) -> None:  # rules.md#mineiro
    """Option ``mineiro_ladder``; each refused call pays the previous value."""
    game = deal("mineiro", mineiro_ladder=ladder)
    for count, (call, wanted) in enumerate(zip(calls, values[1:], strict=True)):
        game = play_on(game, f"{'AB'[count % 2]} {call}")
        assert pays(game) == (wanted, values[count])


def test_s0_best_of_three_games_is_usual() -> None:
    game = play("paulista", "A truco; B quiero; A hand_won", start="10-2", best_of=3)
    assert values(game, "phase", "games") == ("game_over", {"A": 1, "B": 0})


def test_s0_a_wrong_number_of_cards_wins_the_round_at_its_value() -> None:
    """Found during play: the injured side is paid the hand's value; before: redeal."""
    game = play("paulista", "A truco; B quiero; B hand_won")
    assert points(game) == "0-3"
    assert why_not(deal("paulista"), "- new_hand") is None


def test_a_useless_raise_can_be_forbidden() -> None:  # rules.md#no-useless-raise
    """Option ``no_useless_raise``: a side that already wins by the stake cannot raise."""
    game = play("paulista", "A truco", start="5-9", no_useless_raise=True)
    assert why_not(game, "B seis") is Refusal.TOO_MUCH
    assert why_not(play("paulista", "A truco", start="5-9"), "B seis") is None
    game = play("paulista", "A truco; B quiero", start="5-9", no_useless_raise=True)
    assert why_not(game, "B seis") is Refusal.TOO_MUCH
    game = play("paulista", "A truco", start="5-8", no_useless_raise=True)
    assert why_not(game, "B seis") is None


def test_leaving_without_a_call_costs_the_value_of_the_hand() -> None:  # rules.md#fold
    """There is no envido in Brazil, so folding in the first trick costs the same."""
    assert points(play("paulista", "A fold")) == "0-1"
    assert points(play("mineiro", "A fold")) == "0-2"
    assert points(play("paulista", "A truco; B seis; A quiero; A fold")) == "0-6"
