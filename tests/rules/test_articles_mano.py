"""The mano put right, by rules.md#mano-right."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal, SheetError, parse_step, step_text, variant_ids
from scorer.rules.deal import next_dealer
from tests.rules.notation import deal, document_value, play, play_on, points, why_not

# Every phase of play, by the steps that lead to it.
OPEN_PHASES = (
    ("argentine", "", "", "playing"),
    ("argentine", "A truco", "", "pending_truco"),
    ("argentine", "A envido", "", "pending_envido"),
    ("argentine", "A envido; B quiero", "", "awaiting_envido"),
    ("argentine_flor", "A flor", "", "pending_flor"),
    ("argentine_flor", "A flor; B flor", "", "awaiting_flor"),
    ("paulista", "", "11-4", "mao_decision"),
    ("venezuelan", "", "23-4", "cantando"),
    ("venezuelan", "B privo", "23-4", "pending_privo"),
    ("argentine", "A hand_won", "", "hand_over"),
)


@pytest.mark.parametrize(("variant", "steps", "start", "phase"), OPEN_PHASES)
def test_it_is_accepted_in_every_phase_of_a_game(
    variant: str, steps: str, start: str, phase: str
) -> None:
    game = play(variant, steps, start)
    assert document_value(game, "phase") == phase
    right = play_on(game, "- mano B")
    assert document_value(right, "mano") == "B"
    assert right._replace(mano=game.mano) == game._replace(last_credits=())
    assert document_value(right, "last") is None


@pytest.mark.parametrize(("start", "steps"), [("29-3", "A hand_won"), ("", "A concede")])
def test_a_game_that_is_over_has_its_mano(start: str, steps: str) -> None:
    assert why_not(play("argentine", steps, start), "- mano B") is Refusal.GAME_OVER


def test_the_mano_takes_three_ties() -> None:
    assert points(play("argentine", "- mano B; - all_tied", "29-28")) == "29-29"


def test_what_was_paid_is_not_reckoned_again() -> None:
    assert points(play("argentine", "- all_tied; - mano B")) == "1-0"


@pytest.mark.parametrize(("side", "follows"), [("A", "B"), ("B", "A")])
def test_after_a_hand_it_changes_who_comes_next(side: str, follows: str) -> None:
    game = play("argentine", f"A hand_won; - mano {side}; - new_hand")
    assert document_value(game, "mano") == follows


def test_after_a_hand_a_lie_can_still_be_entered() -> None:
    steps = "A envido; B quiero; A envido_won; A hand_won; - mano B; A envido_reversed"
    assert points(play("argentine", steps)) == "1-2"


def test_the_deal_goes_on_from_the_new_mano() -> None:
    game = play("argentine", "- mano B; A hand_won; - new_hand")
    assert document_value(game, "mano") == "A"


@pytest.mark.parametrize(("duels_played", "mano"), [(0, "B"), (1, "A"), (2, "B")])
def test_in_a_pica_hand_it_is_that_of_the_first_duel(duels_played: int, mano: str) -> None:
    played = "; ".join(["A hand_won"] * duels_played)
    game = play_on(play("pica_pica", played, "10-8", hand_kind="pica"), "- mano B")
    assert document_value(game, "mano") == mano


def test_of_three_players_each_can_be_mano() -> None:
    game = play("destantado", "- mano C; - all_tied")
    assert points(game) == points(play("destantado", "- all_tied", mano="C"))
    assert document_value(play_on(game, "- new_hand"), "mano") == "C"


def test_the_winner_of_a_hand_of_three_leads_the_next_whatever_the_mano_was() -> None:
    game = play("destantado", "B hand_won; - mano C; - new_hand")
    assert document_value(game, "mano") == "B"


@pytest.mark.parametrize("steps", ["", "A hand_won", "A concede"])
def test_in_pata_de_gallo_the_mano_follows_the_gallo(steps: str) -> None:
    steps = steps.replace("A hand_won", "gallo hand_won")
    game = play("pata_gallo", steps)
    assert why_not(game, "- mano B") is Refusal.NOT_IN_THIS_VARIANT


@pytest.mark.parametrize("redeal", ["- new_hand", "- redonda"])
def test_a_hand_without_entries_stays_one(redeal: str) -> None:
    game = play("pica_pica", f"- mano B; {redeal}", "10-8", hand_kind="pica")
    assert document_value(game, "mano") == "B"


def test_two_misdeals_that_pass_the_deal() -> None:
    game = play("argentine", "- new_hand; - new_hand; - mano B; - new_hand")
    assert document_value(game, "mano") == "B"


def test_a_series_goes_on_from_it() -> None:
    game = play("argentine", "- mano B; A award 30; - new_hand", best_of=3)
    assert document_value(game, "mano") == "A"


def test_undo_takes_it_back() -> None:
    assert document_value(play("argentine", "A truco; - mano B; - undo"), "mano") == "A"


@pytest.mark.parametrize("variant", variant_ids())
def test_the_line_is_read_and_written(variant: str) -> None:
    rules = deal(variant).rules
    for side in rules.scoring_sides:
        line = f"- mano {side}"
        assert step_text(parse_step(line, rules)) == line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("A mano", "mano belongs to no side; write it as in '- mano A'"),
        ("A mano B", "mano belongs to no side; write it as in '- mano A'"),
        (
            "- mano",
            "mano names a side, as in '- mano A', not nothing; the sides are A and B",
        ),
        (
            "- mano C",
            "mano names a side, as in '- mano A', not 'C'; the sides are A and B",
        ),
    ],
)
def test_a_line_without_its_side_is_unreadable(line: str, sentence: str) -> None:
    with pytest.raises(SheetError) as error:
        parse_step(line, deal("argentine").rules)
    assert str(error.value) == sentence


# --- who deals next, which no step depends on -----------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "steps", "dealer"),
    [
        ("argentine", "", "B"),  # this hand
        ("argentine", "- mano B", "A"),
        ("argentine", "A award 1", "B"),
        ("argentine", "A truco", "A"),  # the next one
        ("argentine", "A hand_won", "A"),
        ("argentine", "A hand_won; - new_hand", "A"),
        ("argentine", "A hand_won; - new_hand; A truco", "B"),
        ("pica_pica", "A hand_won; - new_hand; A truco", "B"),
        ("pata_gallo", "", "A"),  # the gallo deals
        ("pata_gallo", "gallo truco", "B"),
        ("destantado", "", "C"),
        ("destantado", "A truco", None),  # the winner of the tricks is mano of the next hand
        ("destantado", "A hand_won", "C"),
        ("destantado", "B hand_won", "A"),
    ],
)
def test_the_side_before_the_mano_deals(variant: str, steps: str, dealer: str | None) -> None:
    assert next_dealer(play(variant, steps)) == dealer
