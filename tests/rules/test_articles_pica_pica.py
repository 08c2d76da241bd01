"""Pica-pica, by rules.md#pica_pica."""

from __future__ import annotations

import pytest

from scorer.rules import Game, Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def pica(
    steps: str = "", start: str = "10-8", mano: str = "A", **options: str | int | bool
) -> Game:
    return play("pica_pica", steps, start, mano, hand_kind="pica", **options)


def test_s0_the_first_hand_is_a_full_hand() -> None:
    game = deal("pica_pica")
    assert values(game, "hand_kind", "duel", "duel_points") == ("redonda", None, None)
    assert (game.rules.target, document_value(game, "half")) == (30, 15)


@pytest.mark.parametrize(
    ("start", "options", "kind"),
    [
        ("3-3", {}, "redonda"),
        ("4-3", {}, "pica"),
        ("19-3", {}, "pica"),
        ("20-3", {}, "redonda"),
        ("20-3", {"pica_until": 25}, "pica"),
        ("25-3", {"pica_until": 25}, "redonda"),
        ("15-3", {"pica_until": 15}, "redonda"),
        ("7-3", {"pica_from": 9}, "redonda"),
        ("8-3", {"pica_from": 9}, "pica"),
        ("4-3", {"target": 18}, "pica"),
    ],
)
def test_s0_duels_come_after_a_full_hand_from_five_to_twenty(
    start: str, options: dict[str, int], kind: str
) -> None:
    """Options ``pica_from`` and ``pica_until``; absolute at other targets."""
    game = play("pica_pica", "A hand_won; - new_hand", start, "A", **options)
    assert document_value(game, "hand_kind") == kind


def test_s0_after_the_duels_comes_a_full_hand() -> None:
    game = pica("A hand_won; A hand_won; A hand_won; - new_hand")
    assert values(game, "hand_kind", "mano") == ("redonda", "B")


def test_a_redeal_keeps_the_kind() -> None:  # rules.md#new-hand
    game = play_on(pica(), "- new_hand")
    assert (document_value(game, "hand_kind"), document_value(game, "duel"), game.hand_number) == (
        "pica",
        1,
        1,
    )


def test_s1_the_points_of_the_duels_are_added_at_the_end() -> None:
    game = pica("A hand_won; B truco; A no_quiero")
    assert values(game, "points", "duel") == ("10-8", 3)
    assert document_value(game, "duel_points") == {"A": 1, "B": 1}
    over = play_on(game, "B hand_won")
    assert values(over, "points", "phase") == ("11-10", "hand_over")


def test_points_may_be_added_at_once() -> None:  # rules.md#pica-add
    """Option ``pica_add=live``: a duel may end the match."""
    game = pica("A hand_won", pica_add="live")
    assert values(game, "points", "duel_points") == ("11-8", {"A": 1, "B": 0})
    game = pica("A hand_won", "29-29", pica_add="live")
    assert (game.winner, document_value(game, "phase")) == ("A", "match_over")
    assert pica("A hand_won", "29-29").winner is None


def test_s1_both_past_the_target_the_higher_has_won() -> None:
    game = pica("A hand_won; B truco; A quiero; B hand_won; B hand_won", "29-28")
    assert (points(game), game.winner) == ("30-31", "B")
    game = pica("A hand_won; B truco; A quiero; B hand_won; A hand_won", "29-29")
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "31-31",
        None,
        "hand_over",
    )


def test_s1_two_duels_where_four_play() -> None:
    """Option ``duels``."""
    game = pica("A hand_won; B hand_won", duels=2)
    assert values(game, "points", "phase") == ("11-9", "hand_over")


def test_the_earlier_of_the_two_is_mano() -> None:  # rules.md#pica_pica
    for mano, tied in (("A", "12-9"), ("B", "11-10")):
        game = pica("- all_tied; - all_tied; - all_tied", mano=mano)
        assert points(game) == tied
    game = pica()
    manos = [document_value(game, "mano")]
    for _ in range(2):
        game = play_on(game, "A hand_won")
        manos.append(document_value(game, "mano"))
    assert manos == ["A", "B", "A"]


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A envido", 2, 1),
        ("A envido; B envido; A real_envido", 6, 4),
        ("A falta_envido", 6, 1),
        ("A envido; B envido; A real_envido; B falta_envido", 6, 6),
    ],
)
def test_s0_the_envido_of_a_duel_is_capped_at_six(calls: str, wanted: int, refused: int) -> None:
    """Option ``pica_cap``: accepted or refused; a full hand has no cap."""
    assert pays(pica(calls)) == (wanted, refused)


def test_no_cap_by_option_and_in_a_full_hand() -> None:  # rules.md#pica-cap
    assert pays(pica("A falta_envido", pica_cap="none")) == ({"A": 20, "B": 22}, 1)
    assert pays(play("pica_pica", "A falta_envido", "10-8")) == ({"A": 20, "B": 22}, 1)
    calls = "A envido; B envido; A real_envido; B falta_envido"
    assert pays(pica(calls, pica_cap="none"))[1] == 7


def test_s0_three_vale_cuatros() -> None:
    duel = "A truco; B retruco; A vale_cuatro; B quiero; A hand_won"
    assert points(pica("; ".join([duel] * 3), "18-16")) == "30-16"


def test_the_falta_is_calculated_from_the_score() -> None:  # rules.md#pica_pica
    """The points of the current hand are not included yet."""
    game = pica("A truco; B quiero; A hand_won; A falta_envido", pica_cap="none", falta="match")
    assert pays(game)[0] == {"A": 20, "B": 22}
    live = pica(
        "A truco; B quiero; A hand_won; A falta_envido",
        pica_cap="none",
        falta="match",
        pica_add="live",
    )
    assert pays(live)[0] == {"A": 18, "B": 22}


def test_the_flor_of_a_duel_is_the_tables() -> None:  # rules.md#pica_pica
    """Option ``flor``; one flor per side in a duel, three with six players; no cap."""
    assert why_not(pica(), "A flor") is Refusal.NOT_IN_THIS_VARIANT
    game = pica("A flor", flor=True)
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    game = play("pica_pica", "A flor; A flor; A flor", flor=True)
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    assert points(play_on(game, "B no_flor")) == "9-0"
    game = pica("A flor; B contraflor_resto", flor=True)
    assert pays(game) == (20, 3)


@pytest.mark.parametrize(
    ("key", "value", "steps", "score"),
    [
        ("flor_vs_flor", "own", "A flor; B flor; A flor_won", "3-0"),
        ("flor_vs_flor", "per_flor", "A flor; B flor; A flor_won", "6-0"),
        ("flor_vs_flor", "four", "A flor; B flor; A flor_won", "4-0"),
        ("flor_vs_flor", "six", "A flor; B flor; A flor_won", "6-0"),
        ("me_achico", 4, "A flor; B me_achico", "4-0"),
        ("contraflor_refused", 4, "A flor; B contraflor; A no_quiero", "0-4"),
        ("resto_refused_direct", 4, "A flor; B contraflor_resto; A no_quiero", "0-4"),
        (
            "resto_refused_after_contra",
            3,
            "A flor; B contraflor; A contraflor_resto; B no_quiero",
            "3-0",
        ),
        ("resto", "match", "A flor; B contraflor_resto; A quiero; A flor_won", "30-0"),
        ("resto", "leader_plus_flor", "A flor; B contraflor_resto; A quiero; A flor_won", "36-0"),
        (
            "resto",
            "leader_plus_contraflor",
            "A flor; B contraflor_resto; A quiero; A flor_won",
            "36-0",
        ),
    ],
)
# rules.md#options
def test_the_options_of_the_flor(key: str, value: str | int, steps: str, score: str) -> None:
    assert points(play("pica_pica", steps, "", "A", flor=True, **{key: value})) == score


def test_a_lie_reaches_the_duel_that_has_just_ended() -> None:  # rules.md#reversed
    game = pica("A envido; B quiero; A envido_won; A hand_won; A envido_reversed")
    assert document_value(game, "duel_points") == {"A": 1, "B": 2}
    assert why_not(game, "B envido_reversed") is Refusal.NOTHING_TO_REVERSE


def test_an_award_counts_on_the_board_at_once() -> None:  # rules.md#award
    game = pica("A hand_won; B award 2")
    assert values(game, "points", "duel") == ("10-10", 2)
    assert pica("B award 2", "10-28").winner == "B"


def test_the_other_options() -> None:  # rules.md#options
    """Options ``envido_refused``, ``real_envido_again``, ``fold_first``, ``tied``.

    And ``best_of``.
    """
    steps = "A envido; B real_envido; A no_quiero"
    assert document_value(pica(steps, envido_refused="plus_one"), "duel_points") == {"A": 0, "B": 3}
    assert pays(pica("A real_envido; B real_envido", real_envido_again=True)) == (6, 3)
    assert document_value(pica("A fold"), "duel_points") == {"A": 0, "B": 2}
    assert document_value(pica("A fold", fold_first=1), "duel_points") == {"A": 0, "B": 1}
    assert document_value(pica("- all_tied", tied="none"), "duel_points") == {"A": 0, "B": 0}
    game = play("pica_pica", "A hand_won; - new_hand", "29-3", best_of=3)
    assert values(game, "points", "hand_kind", "mano") == ("0-0", "redonda", "B")


def test_a_full_hand_can_be_played_to_its_end() -> None:  # rules.md#settlement
    """Option ``finish``."""
    steps = "A envido; B quiero; A envido_won"
    assert play("pica_pica", steps, "28-3").winner == "A"
    assert play("pica_pica", steps, "28-3", finish="end_of_hand").winner is None


WAYS_TO_ADD = ("end", "live")
_ENVIDO = "A envido; B quiero; A envido_won"


@pytest.mark.parametrize("add", WAYS_TO_ADD)
def test_a_lie_moves_the_points_of_one_duel(add: str) -> None:  # rules.md#reversed
    """Each duel has its own envido: what the other one paid stays."""
    game = pica(f"{_ENVIDO}; A hand_won; {_ENVIDO}; A envido_reversed", pica_add=add)
    assert document_value(game, "duel_points") == {"A": 3, "B": 2}
    assert points(game) == ("13-10" if add == "live" else "10-8")
    again = play_on(game, "A envido_reversed")
    assert document_value(again, "duel_points") == {"A": 1, "B": 4}
    assert why_not(again, "A envido_reversed") is Refusal.NOTHING_TO_REVERSE


@pytest.mark.parametrize("add", WAYS_TO_ADD)
def test_a_lie_in_an_earlier_duel_cannot_be_reversed(add: str) -> None:  # rules.md#reversed
    game = pica(f"{_ENVIDO}; A hand_won; B hand_won", pica_add=add)
    assert why_not(game, "A envido_reversed") is Refusal.NOTHING_TO_REVERSE


@pytest.mark.parametrize("add", WAYS_TO_ADD)
def test_a_flor_of_a_duel_goes_to_the_rival(add: str) -> None:  # rules.md#reversed
    game = pica("A flor; B no_flor; A hand_won; A flor_reversed", pica_add=add, flor=True)
    assert document_value(game, "duel_points") == {"A": 1, "B": 3}


@pytest.mark.parametrize("add", WAYS_TO_ADD)
def test_a_reversal_may_change_the_winner_after_the_duels(add: str) -> None:  # rules.md#reversed
    game = pica(f"B hand_won; B hand_won; {_ENVIDO}; A hand_won", "27-26", pica_add=add)
    assert (points(game), game.winner) == ("30-28", "A")
    game = play_on(game, "A envido_reversed")
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "28-30",
        "B",
        "match_over",
    )


def test_points_added_at_once_end_the_game_in_the_middle_of_a_duel() -> None:  # rules.md#pica-add
    game = pica(f"A hand_won; {_ENVIDO}", "27-29", pica_add="live")
    assert (points(game), game.winner, document_value(game, "duel")) == ("30-29", "A", 2)
    assert why_not(game, "B hand_won") is Refusal.GAME_OVER
    turned = play_on(game, "A envido_reversed")
    assert (points(turned), turned.winner) == ("28-31", "B")
    # Played to the end of the hand, the higher total wins.
    game = pica(
        f"A hand_won; {_ENVIDO}; B hand_won; B truco; A quiero; B hand_won",
        "27-29",
        pica_add="live",
        finish="end_of_hand",
    )
    assert (points(game), game.winner) == ("30-32", "B")


def test_s0_a_duel_has_calls_of_its_own() -> None:
    """Calls, settled bets and tricks of one duel do not affect the next."""
    game = pica("A envido; B no_quiero; B truco; A quiero; - tricks A; - tricks A,B,B")
    assert values(game, "duel", "stake", "phase") == (2, 1, "playing")
    assert document_value(game, "may_raise") == ["A", "B"]
    game = play_on(game, "B truco; A envido; B envido; A quiero; B envido_won; A quiero; A fold")
    assert document_value(game, "duel_points") == {"A": 1, "B": 8}
    assert why_not(game, "- tricks A,A") is None


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("A fold", {"A": 0, "B": 2}),
        ("- first_trick_done; A fold", {"A": 0, "B": 1}),
        ("A truco; B fold", {"A": 1, "B": 0}),
        ("A envido; B fold", {"A": 2, "B": 0}),
        ("A truco; B envido; A fold", {"A": 0, "B": 2}),
        ("A envido; B envido; A real_envido; B falta_envido; A fold", {"A": 0, "B": 7}),
        ("A truco; B quiero; A fold", {"A": 0, "B": 2}),
    ],
)
# rules.md#fold
def test_folding_in_a_duel_ends_the_duel_alone(steps: str, told: dict[str, int]) -> None:
    """The refused falta of the longest chain is worth seven, in a duel six."""
    game = pica(steps)
    assert values(game, "duel_points", "duel") == (told, 2)


@pytest.mark.parametrize(
    ("steps", "options", "wanted", "refused"),
    [
        ("A envido; B real_envido", {}, 5, 2),
        ("A real_envido; B falta_envido", {}, 6, 3),
        ("A envido; B real_envido; A falta_envido", {}, 6, 5),
        ("A falta_envido", {"falta": "fixed"}, 6, 1),
        ("A real_envido; B real_envido; A falta_envido", {"real_envido_again": True}, 6, 6),
        ("A envido; B real_envido; A real_envido", {"real_envido_again": True}, 6, 5),
        ("A envido; B envido; A real_envido", {"envido_refused": "plus_one"}, 6, 5),
        (
            "A envido; B envido; A real_envido; B falta_envido",
            {"envido_refused": "plus_one"},
            6,
            6,
        ),
    ],
)
def test_the_cap_counts_for_every_worth(
    steps: str, options: dict[str, str | bool], wanted: int, refused: int
) -> None:  # rules.md#pica-cap
    assert pays(pica(steps, "10-8", "A", **options)) == (wanted, refused)


def test_a_falta_below_the_cap_is_not_changed() -> None:  # rules.md#pica-cap
    """With 27 the leader needs three."""
    assert pays(pica("A falta_envido", "27-20")) == (3, 1)
    # Of two values only the one above the cap is reduced.
    game = pica("A falta_envido", "27-20", falta="loser_to_target")
    assert pays(game)[0] == {"A": 6, "B": 3}


def test_four_players_have_two_flores_and_six_have_three() -> None:  # rules.md#flor-count
    game = play("pica_pica", "A flor; A flor", flor=True, duels=2)
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    assert why_not(play("pica_pica", "A flor; A flor", flor=True), "A flor") is None


def test_the_al_resto_of_a_duel_has_no_cap() -> None:  # rules.md#pica-cap
    game = pica("A flor; B contraflor_resto; A quiero; B flor_won", flor=True)
    assert document_value(game, "duel_points") == {"A": 0, "B": 20}
    over = play_on(game, "A hand_won; A hand_won; A hand_won")
    assert (points(over), over.winner) == ("13-28", None)


# rules.md#settlement
def test_in_a_full_hand_the_envido_may_end_the_game_before_the_truco() -> None:
    game = play("pica_pica", "B truco; A envido; B quiero; A envido_won", "28-27")
    assert (points(game), game.winner) == ("30-27", "A")


def test_s1_equal_past_the_target_another_hand_decides() -> None:
    """The next hand is a full one: the hand before had duels."""
    game = pica("A hand_won; B truco; A quiero; B hand_won; A hand_won; - new_hand", "29-29")
    assert values(game, "points", "hand_kind", "phase") == ("31-31", "redonda", "playing")
    assert play_on(game, "B hand_won").winner == "B"


def test_corrections_and_surrender_in_a_duel() -> None:  # rules.md#penalties
    """They affect the score, which does not contain the duels yet."""
    game = pica("A hand_won; A correct 20")
    assert values(game, "points", "duel_points") == ("20-8", {"A": 1, "B": 0})
    assert points(play_on(game, "B hand_won; B hand_won")) == "21-10"
    assert play_on(game, "A concede").winner == "B"
    assert play_on(game, "- time").winner == "A"
    assert pica("- first_trick_done; B award 22").winner == "B"


def test_the_next_game_of_a_series_begins_with_a_full_hand() -> None:  # rules.md#phases
    game = pica("A hand_won; A hand_won; A hand_won", "28-27", best_of=3)
    assert values(game, "points", "phase", "games") == ("31-27", "game_over", {"A": 1, "B": 0})
    game = play_on(game, "- new_hand")
    assert values(game, "points", "hand_kind", "mano") == ("0-0", "redonda", "B")


def test_nothing_is_dealt_between_two_duels() -> None:  # rules.md#new-hand
    for steps in ("A hand_won", "- first_trick_done", "A hand_won; B hand_won"):
        assert why_not(pica(steps), "- new_hand") is Refusal.NOT_OVER
    assert why_not(pica("- all_tied", tied="none"), "- new_hand") is Refusal.NOT_OVER


# rules.md#pica_pica
def test_full_hands_continue_before_and_after_the_range_of_duels() -> None:
    kinds = []
    game = deal("pica_pica", "3-3")
    for steps in ("A hand_won", "A hand_won", "A hand_won; A hand_won; A hand_won", "A hand_won"):
        kinds.append(document_value(game, "hand_kind"))
        game = play_on(game, f"{steps}; - new_hand")
    assert kinds == ["redonda", "redonda", "pica", "redonda"]
    assert values(game, "points", "hand_kind") == ("9-3", "pica")
    game = pica("A hand_won; A hand_won; A hand_won; - new_hand", "20-3")
    for _ in range(2):
        assert document_value(game, "hand_kind") == "redonda"
        game = play_on(game, "B hand_won; - new_hand")


def test_with_b_as_mano_the_duels_begin_with_b() -> None:  # rules.md#pica_pica
    game = pica(mano="B", duels=2)
    assert document_value(game, "mano") == "B"
    assert document_value(play_on(game, "A hand_won"), "mano") == "A"
    game = play_on(game, "A hand_won; A hand_won; - new_hand")
    assert values(game, "mano", "hand_kind") == ("A", "redonda")


@pytest.mark.parametrize("score", ["0-0", "8-3", "29-29"])
def test_s1_a_hand_is_a_pica_or_a_redonda_at_request(score: str) -> None:  # rules.md#pica-request
    game = deal("pica_pica", score)
    asked = play_on(game, "- pica")
    assert values(asked, "hand_kind", "duel") == ("pica", 1)
    assert play_on(asked, "- pica") == asked
    assert play_on(asked, "- redonda") == game
    assert {("-", "pica"), ("-", "redonda")} <= {tuple(p) for p in document_value(game, "legal")}


@pytest.mark.parametrize(
    "before", ["A truco", "A envido; B quiero", "- first_trick_done", "- tricks A"]
)
def test_a_hand_with_an_entry_keeps_its_kind(before: str) -> None:  # rules.md#pica-request
    for kind in ("pica", "redonda"):
        game = play("pica_pica", before, "8-3", hand_kind=kind)
        for asked in ("- pica", "- redonda"):
            assert why_not(game, asked) is Refusal.TOO_LATE
    over = play("pica_pica", "A hand_won", "8-3")
    assert why_not(over, "- pica") is Refusal.HAND_OVER


def test_a_request_belongs_to_one_hand() -> None:  # rules.md#pica-request
    game = play("pica_pica", "- pica; A hand_won; A hand_won; A hand_won; - new_hand")
    assert values(game, "points", "hand_kind") == ("3-0", "redonda")
    assert why_not(deal("argentine_flor", players=6), "- pica") is Refusal.NOT_IN_THIS_VARIANT
