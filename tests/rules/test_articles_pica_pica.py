"""Pica-pica: the rulebook's section 7, and what 22.2, 22.9 and 22.11 decide about it."""

from __future__ import annotations

import pytest

from scorer.rules import Game, Refusal
from tests.rules.playing import deal, go_on, pays, play, points, shown, why_not


def pica(
    steps: str = "", start: str = "10-8", mano: str = "A", **options: str | int | bool
) -> Game:
    return play("pica_pica", steps, start, mano, hand_kind="pica", **options)


def test_s0_the_first_hand_is_of_all() -> None:
    game = deal("pica_pica")
    assert (shown(game, "hand_kind"), shown(game, "duel"), shown(game, "duel_points")) == (
        "redonda",
        None,
        None,
    )
    assert (game.rules.target, shown(game, "half")) == (30, 15)


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
def test_s0_duels_come_after_a_hand_of_all_from_five_to_twenty(
    start: str, options: dict[str, int], kind: str
) -> None:
    """Options ``pica_from`` and ``pica_until``; absolute at other targets."""
    game = play("pica_pica", "A hand_won; - new_hand", start, "A", **options)
    assert shown(game, "hand_kind") == kind


def test_s0_after_the_duels_comes_a_hand_of_all() -> None:
    game = pica("A hand_won; A hand_won; A hand_won; - new_hand")
    assert (shown(game, "hand_kind"), shown(game, "mano")) == ("redonda", "B")


def test_22_1_a_redeal_keeps_the_kind() -> None:
    game = go_on(pica(), "- new_hand")
    assert (shown(game, "hand_kind"), shown(game, "duel"), game.number) == ("pica", 1, 1)


def test_s1_the_points_of_the_duels_are_added_at_the_end() -> None:
    game = pica("A hand_won; B truco; A no_quiero")
    assert (points(game), shown(game, "duel")) == ("10-8", 3)
    assert shown(game, "duel_points") == {"A": 1, "B": 1}
    over = go_on(game, "B hand_won")
    assert (points(over), shown(over, "phase")) == ("11-10", "hand_over")


def test_17_points_may_be_added_at_once() -> None:
    """Option ``pica_add=live``: a duel may end the match."""
    game = pica("A hand_won", pica_add="live")
    assert (points(game), shown(game, "duel_points")) == ("11-8", None)
    game = pica("A hand_won", "29-29", pica_add="live")
    assert (game.winner, shown(game, "phase")) == ("A", "match_over")
    assert pica("A hand_won", "29-29").winner is None


def test_s1_both_past_the_target_the_higher_has_won() -> None:
    game = pica("A hand_won; B truco; A quiero; B hand_won; B hand_won", "29-28")
    assert (points(game), game.winner) == ("30-31", "B")
    game = pica("A hand_won; B truco; A quiero; B hand_won; A hand_won", "29-29")
    assert (points(game), game.winner, shown(game, "phase")) == ("31-31", None, "hand_over")


def test_s1_two_duels_where_four_play() -> None:
    """Option ``duels``."""
    game = pica("A hand_won; B hand_won", duels=2)
    assert (points(game), shown(game, "phase")) == ("11-9", "hand_over")


def test_22_9_the_earlier_of_the_two_is_mano() -> None:
    for mano, tied in (("A", "12-9"), ("B", "11-10")):
        game = pica("- all_tied; - all_tied; - all_tied", mano=mano)
        assert points(game) == tied
    game = pica()
    manos = [shown(game, "mano")]
    for _ in range(2):
        game = go_on(game, "A hand_won")
        manos.append(shown(game, "mano"))
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
    """Option ``pica_cap``: accepted or refused; in a hand of all there is no cap."""
    assert pays(pica(calls)) == (wanted, refused)


def test_17_without_a_cap_and_in_a_hand_of_all() -> None:
    assert pays(pica("A falta_envido", pica_cap="none")) == ({"A": 20, "B": 22}, 1)
    assert pays(play("pica_pica", "A falta_envido", "10-8")) == ({"A": 20, "B": 22}, 1)
    calls = "A envido; B envido; A real_envido; B falta_envido"
    assert pays(pica(calls, pica_cap="none"))[1] == 7


def test_s0_three_vale_cuatros() -> None:
    duel = "A truco; B retruco; A vale_cuatro; B quiero; A hand_won"
    assert points(pica("; ".join([duel] * 3), "18-16")) == "30-16"


def test_22_9_the_falta_is_reckoned_from_the_board() -> None:
    """On which the points of the same hand do not stand yet."""
    game = pica("A truco; B quiero; A hand_won; A falta_envido", pica_cap="none", falta="match")
    assert pays(game)[0] == {"A": 20, "B": 22}
    live = pica(
        "A truco; B quiero; A hand_won; A falta_envido",
        pica_cap="none",
        falta="match",
        pica_add="live",
    )
    assert pays(live)[0] == {"A": 18, "B": 22}


def test_7_the_flor_of_a_duel_is_the_tables() -> None:
    """Option ``flor``; one flor a side in a duel, three where six play; no cap."""
    assert why_not(pica(), "A flor") is Refusal.NOT_IN_THIS_VARIANT
    game = pica("A flor", flor=True)
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    game = play("pica_pica", "A flor; A flor; A flor", flor=True)
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    assert points(go_on(game, "B no_flor")) == "9-0"
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
def test_17_the_options_of_the_flor(key: str, value: str | int, steps: str, score: str) -> None:
    assert points(play("pica_pica", steps, "", "A", flor=True, **{key: value})) == score


def test_22_11_a_lie_reaches_the_duel_that_has_just_ended() -> None:
    game = pica("A envido; B quiero; A envido_won; A hand_won; A envido_reversed")
    assert shown(game, "duel_points") == {"A": 1, "B": 2}
    assert why_not(game, "B envido_reversed") is Refusal.NOTHING_TO_REVERSE


def test_22_11_an_award_counts_on_the_board_at_once() -> None:
    game = pica("A hand_won; B award 2")
    assert (points(game), shown(game, "duel")) == ("10-10", 2)
    assert pica("B award 2", "10-28").winner == "B"


def test_17_the_other_options() -> None:
    """``envido_refused``, ``real_envido_again``, ``fold_first``, ``tied`` and ``best_of``."""
    steps = "A envido; B real_envido; A no_quiero"
    assert shown(pica(steps, envido_refused="plus_one"), "duel_points") == {"A": 0, "B": 3}
    assert pays(pica("A real_envido; B real_envido", real_envido_again=True)) == (6, 3)
    assert shown(pica("A fold"), "duel_points") == {"A": 0, "B": 2}
    assert shown(pica("A fold", fold_first=1), "duel_points") == {"A": 0, "B": 1}
    assert shown(pica("- all_tied", tied="none"), "duel_points") == {"A": 0, "B": 0}
    game = play("pica_pica", "A hand_won; - new_hand", "29-3", best_of=3)
    assert (points(game), shown(game, "hand_kind"), shown(game, "mano")) == ("0-0", "redonda", "B")


def test_2_4_a_hand_of_all_played_to_its_end() -> None:
    """Option ``finish``."""
    steps = "A envido; B quiero; A envido_won"
    assert play("pica_pica", steps, "28-3").winner == "A"
    assert play("pica_pica", steps, "28-3", finish="end_of_hand").winner is None
