"""Edge cases of the articles: complete menus, and the reasons of payments.

rules.md#phases defines the legal actions by phase; some menus are listed here in full, in order.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules import (
    History,
    IllegalStep,
    Refusal,
    Side,
    Start,
    alphabet,
    apply,
    find_variant,
    legal,
    new_game,
    parse_step,
    rules_for,
    state_document,
    step_text,
)
from scorer.rules.actions import Action
from scorer.rules.deal import may_start_at
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not

# --- rules.md#phases: the menu, in its order -----------------------------------------------------

_RECORD = "A award 1; B award 1; - all_tied"
MENUS = {
    "argentine": (
        "A truco; A envido; A real_envido; A falta_envido; A hand_won; A fold; "
        "B truco; B envido; B real_envido; B falta_envido; B hand_won; B fold; "
        f"{_RECORD}; - first_trick_done; - new_hand; - tricks A; - tricks B; - tricks tie"
    ),
    "venezuelan": (
        "A truco; A envido; A envido 5; A falta_envido; A envido_igualar; A flor; A hand_won; "
        "A fold; B truco; B envido; B envido 5; B falta_envido; B envido_igualar; B flor; "
        f"B hand_won; B fold; {_RECORD}; - first_trick_done; - new_hand; "
        "- tricks A; - tricks B; - tricks tie"
    ),
    "destantado": (
        "A truco; A envido; A real_envido; A falta_envido; A hand_won; A fold; "
        "B truco; B envido; B real_envido; B falta_envido; B hand_won; B fold; "
        "C truco; C envido; C real_envido; C falta_envido; C hand_won; C fold; "
        "A award 1; B award 1; C award 1; - all_tied; - first_trick_done; - new_hand"
    ),
}
LATER = (
    ("venezuelan", "A flor; B flor", (
        "A truco; A flor; A flor_envida; A flor_envida 5; A flor_won; A flor_won 1; A hand_won; "
        "A fold; B truco; B flor; B flor_envida; B flor_envida 5; B flor_won; B flor_won 1; "
        f"B hand_won; B fold; {_RECORD}; - first_trick_done; "
        "- tricks A; - tricks B; - tricks tie")),
    ("venezuelan", "A envido", (
        "A flor; B envido; B falta_envido; B envido_mas 2; B envido_mas 3; B envido_mas 5; "
        "B flor; B quiero; B no_quiero; B fold; A award 1; B award 1")),
    ("argentine", "- tricks A", (
        f"A truco; A hand_won; A fold; B truco; B hand_won; B fold; {_RECORD}; "
        "- tricks A,A; - tricks A,B; - tricks A,tie")),
    ("paulista", "- tricks A,B", (
        f"A truco; A hand_won; A fold; B truco; B hand_won; B fold; {_RECORD}; "
        "- tricks A,B,A; - tricks A,B,B; - tricks A,B,tie")),
    ("argentine", "A envido; B quiero; A envido_won", (
        "A truco; A hand_won; A fold; A envido_reversed; B truco; B hand_won; B fold; "
        f"{_RECORD}; - first_trick_done; - tricks A; - tricks B; - tricks tie")),
    ("argentine", "A hand_won", "A award 1; B award 1; - new_hand"),
    ("destantado", "A hand_won", "A award 1; B award 1; C award 1; - new_hand"),
)  # fmt: skip


def menu(variant: str, steps: str = "") -> str:
    return "; ".join(map(step_text, legal(play(variant, steps))))


@pytest.mark.parametrize(("variant", "offered"), MENUS.items())
def test_the_menu_at_the_deal_is_exactly_this(variant: str, offered: str) -> None:
    assert menu(variant) == offered


@pytest.mark.parametrize(("variant", "steps", "offered"), LATER)
def test_the_menu_later_in_the_hand_is_exactly_this(variant: str, steps: str, offered: str) -> None:
    assert menu(variant, steps) == offered


def test_the_menu_omits_trick_lists_where_they_are_illegal() -> None:
    """Results after the hand is decided are refused; destantado has no trick lists.

    Source: rules.md#tricks.
    """
    for game in (deal("destantado"), play("argentine", "- tricks A,B,A")):
        assert all(step.action is not Action.TRICKS for step in alphabet(game))


def test_applying_a_refused_step_raises_an_error_with_step_and_reason() -> None:
    game = deal("argentine")
    step = parse_step("A quiero", game.rules)
    with pytest.raises(IllegalStep, match="NOTHING_TO_ANSWER") as raised:
        apply(game, step)
    assert (raised.value.step, raised.value.why) == (step, Refusal.NOTHING_TO_ANSWER)
    assert Action.QUIERO in str(raised.value)


# --- what points are for -------------------------------------------------------------------------

LAST = (
    ("argentine", "A concede", "B 0 concede"),
    ("argentine", "A award 3; - time", "A 0 time"),
    ("argentine", "A award 3", "A 3 award"),
    ("argentine", "A correct 7", "A 7 correct"),
    ("argentine", "A truco; B no_quiero", "A 1 truco_refused"),
    ("argentine", "A envido; B no_quiero", "A 1 envido_refused"),
    ("argentine", "A envido; B quiero; B envido_won", "B 2 envido"),
    ("argentine", "A hand_won", "A 1 hand"),
    ("argentine", "A fold", "B 1 fold_envido, B 1 fold"),
    ("argentine", "- all_tied", "A 1 hand"),
    ("destantado", "A concede", "B 0 concede"),
    ("destantado", "A award 3; - time", "A 0 time"),
    ("destantado", "A award 3", "A -3 award"),
    ("destantado", "A award 3; A correct 9", "A 2 correct"),
    ("destantado", "A envido; B no_quiero; C no_quiero", "A -1 envido_refused"),
    ("destantado", "A truco; B no_quiero; C no_quiero", "A -1 truco_refused"),
    ("destantado", "A hand_won", "A -1 hand"),
    ("destantado", "A fold; B fold", "C -1 fold"),
    ("destantado", "A correct 1", "A -9 correct"),
    ("destantado", "A hand_won; A award 3", "A -3 award"),
    ("destantado", "A envido; B envido; C no_quiero; A no_quiero", "B -2 envido, A 2 envido"),
    ("destantado", "A truco; B fold; C fold", "A -1 truco_refused"),
    ("destantado", "A truco; B retruco; A fold; C fold", "B -2 truco_refused, A 2 truco_refused"),
    ("destantado", "A truco; B quiero; C quiero; B fold; C fold",
     "A -2 fold, B 2 fold, A -2 fold, C 2 fold"),
    ("destantado", "- all_tied", "A -1 hand"),
    # A player who folds owes their proposal; the envido precedes it: rules.md#destantado.
    ("destantado", "A truco; B envido; A fold; C fold", "B -1 envido_refused, B -2 fold, A 2 fold"),
    ("destantado", "A truco; B envido; A fold; C quiero; B envido_won; B fold",
     "C -2 fold, A 2 fold"),
    # The tricks may be entered before the envite, which is scored first: rules.md#venezuelan-late.
    ("venezuelan", "A envido; B quiero; A truco; B no_quiero; A envido_won",
     "A 2 envido, A 1 truco_refused"),
    ("destantado", "A envido; B quiero; C quiero; A envido_won",
     "A -2 envido, B 2 envido, A -2 envido, C 2 envido"),
    ("destantado", "A truco; B quiero; C quiero; A hand_won",
     "A -2 hand, B 2 hand, A -2 hand, C 2 hand"),
    ("argentine", "A envido; B quiero; A envido_won; A envido_reversed",
     "A -2 envido_reversed, B 2 envido_reversed"),
    ("argentine_flor", "A flor; B no_flor; A flor_reversed",
     "A -3 flor_reversed, B 3 flor_reversed"),
    ("argentine_flor", "A flor; B me_achico", "A 3 flor_refused"),
    ("argentine_flor", "A flor; B flor; B flor_won", "B 3 flor"),
    ("pata_gallo", "pair envido; gallo quiero; pair envido_won", "B 2 envido, C 2 envido"),
)  # fmt: skip
LAST_OF_SPECIAL_HANDS = (
    ("paulista", "11-4", "A mao_run", "B 1 mao_run"),
    ("paulista", "11-4", "A mao_play; B truco", "A 3 mao_truco"),
    ("pata_gallo", "1-5-3", "A concede", "B 0 concede"),
    ("pata_gallo", "1-3-5", "A concede", "C 0 concede"),
    ("venezuelan", "23-20", "B award 4", "B 4 award"),
    ("venezuelan", "23-20", "B privo; A no_quiero", "B 2 privo"),
    ("venezuelan", "23-10", "B privo; A quiero; B hand_won", "B 1 privo, B 3 hand"),
)


@pytest.mark.parametrize(("variant", "steps", "credited"), LAST)
def test_the_last_points_have_a_side_and_a_reason(variant: str, steps: str, credited: str) -> None:
    assert credits_text(document_value(play(variant, steps), "last")) == credited


@pytest.mark.parametrize(("variant", "start", "steps", "credited"), LAST_OF_SPECIAL_HANDS)
def test_the_last_points_of_special_hands_have_a_side_and_a_reason(
    variant: str, start: str, steps: str, credited: str
) -> None:
    assert credits_text(document_value(play(variant, steps, start), "last")) == credited


@pytest.mark.parametrize("reversed_by", ["A", "B"])
def test_a_reversal_within_a_pica_hand_lists_its_credits(reversed_by: str) -> None:
    """Applies to the duel just ended, whose points are not in the score yet.

    Source: rules.md#reversed.
    """
    rival = {"A": "B", "B": "A"}[reversed_by]
    steps = f"A envido; B quiero; {reversed_by} envido_won; {reversed_by} envido_reversed"
    game = play("pica_pica", steps, hand_kind="pica")
    moved = f"{reversed_by} -2 envido_reversed, {rival} 2 envido_reversed"
    assert credits_text(document_value(game, "last")) == moved
    assert document_value(game, "duel_points") == {reversed_by: 0, rival: 2}
    assert points(game) == "0-0"


@pytest.mark.parametrize("end", ["B award 1", "A concede", "- time"])
def test_no_duel_is_reversed_once_the_game_has_ended(end: str) -> None:
    """Its points count at the end of the hand, which never comes.

    Source: rules.md#reversed.
    """
    steps = f"A envido; B quiero; A envido_won; {end}"
    game = play("pica_pica", steps, "14-29", hand_kind="pica")
    assert game.winner is Side.B
    assert why_not(game, "A envido_reversed") is Refusal.NOTHING_TO_REVERSE


def credits_text(last: list[dict[str, Any]]) -> str:
    """Credits of the state document as one line."""
    return ", ".join(f"{each['to']} {each['points']} {each['why']}" for each in last)


# --- pending calls and their payments -------------------------------------------------------------

PENDING = (
    ("argentine_flor", "0-0", "A flor", "A flor 3 3"),
    ("argentine_flor", "0-0", "A flor; B contraflor", "B contraflor 6 3"),
    # Refused: what the raise before it had accepted, not the first raise: rules.md#uruguayan.
    ("uruguayan", "0-0", "A flor; B con_flor_envido; A contraflor_resto",
     "A contraflor_resto 40 5"),
    ("venezuelan", "23-20", "B privo", "B privo {'A': 'game', 'B': 4} 2"),
    ("argentine", "0-0", "A truco; B retruco", "B retruco 3 2"),
    ("argentine", "0-0", "A envido; B real_envido", "B real_envido 5 2"),
    # rules.md#resto: what the leader lacks is a single point, and wanted pays no less than refused.
    ("argentine_flor", "29-20", "A flor; B contraflor_resto", "B contraflor_resto 3 3"),
    ("destantado", "10-10-10", "A truco", "A truco 2 1"),
    ("destantado", "10-10-10", "A truco; B retruco", "B retruco 3 2"),
    ("destantado", "10-10-10", "A envido", "A envido 2 1"),
    ("destantado", "10-10-10", "A envido; B envido; C real_envido", "C real_envido 7 4"),
)  # fmt: skip


@pytest.mark.parametrize(("variant", "start", "steps", "asked"), PENDING)
def test_what_is_pending_names_the_call_and_both_outcomes(
    variant: str, start: str, steps: str, asked: str
) -> None:
    pending = document_value(play(variant, steps, start), "pending")
    wanted = pending["quiero"]
    if isinstance(wanted, dict):
        wanted = {str(side): worth for side, worth in wanted.items()}
    assert f"{pending['by']} {pending['call']} {wanted} {pending['no_quiero']}" == asked


def test_an_envido_over_no_truco_suspends_nothing() -> None:
    assert document_value(play("argentine", "A envido"), "suspended") is None
    assert document_value(play("argentine", "A truco; B envido"), "suspended") == {
        "by": "A",
        "call": "truco",
    }


def test_a_plain_hand_may_be_passed_to_both_rivals_as_a_hand() -> None:
    game = play("destantado", "A hand_won", destantado_plain_hand="rivals")
    assert credits_text(document_value(game, "last")) == "A -1 hand, B 1 hand, A -1 hand, C 1 hand"


def test_the_stake_of_a_mao_stays_visible_after_running() -> None:
    """The stake of the mão de onze is three from the deal on: rules.md#special-hand."""
    assert document_value(play("paulista", "A mao_run", "11-4"), "stake") == 3


def test_time_finds_no_winner_where_two_of_three_piles_are_the_lowest() -> None:
    assert why_not(play("destantado", "A award 3; B award 3"), "- time") is Refusal.TIED


def test_undone_steps_are_listed_in_redo_order() -> None:
    history = History(deal("argentine"))
    for text in ("A envido", "B quiero", "- undo", "- undo"):
        assert history.play(parse_step(text, history.game.rules)) is None
    assert [step_text(step) for step in history.undone] == ["A envido", "B quiero"]
    assert history.steps == ()


# --- rules.md#phases: which of two reasons is reported -------------------------------------------

_BOTH_FLORES = "A flor; B flor; A flor_envida; B quiero"
REASONS = (
    ("destantado", "A truco", "A retruco", Refusal.OWN_CALL),
    ("destantado", "A truco; B quiero; C quiero", "A retruco", Refusal.NOT_YOUR_RAISE),
    ("destantado", "A truco; B retruco", "A envido", Refusal.ANSWER_FIRST),
    ("destantado", "A truco; B quiero; C quiero", "A envido", Refusal.ENVIDO_CLOSED),
    # rules.md#envido: an envido answers an envido once, a real envido never a real envido.
    ("destantado", "A envido", "B envido", None),
    ("destantado", "A envido; B envido", "C envido", Refusal.OUT_OF_ORDER),
    ("destantado", "A envido; B real_envido", "C real_envido", Refusal.OUT_OF_ORDER),
    ("argentine", "A truco", "A retruco", Refusal.OWN_CALL),
    ("argentine", "A truco; B quiero", "A retruco", Refusal.NOT_YOUR_RAISE),
    ("argentine", "A truco; B retruco", "A envido", Refusal.ANSWER_FIRST),
    ("argentine", "A truco; B quiero", "A envido", Refusal.ENVIDO_CLOSED),
    ("argentine", "A envido; B quiero", "A envido", Refusal.WINNER_FIRST),
    ("venezuelan", "A envido; B quiero", "A envido", Refusal.WINNER_FIRST),
    ("venezuelan", "A envido; B quiero; A truco", "B envido", Refusal.ANSWER_FIRST),
    ("argentine_flor", "A truco; B retruco", "B flor", Refusal.OWN_CALL),
    ("argentine_flor", "A truco; B quiero", "A flor", None),
    ("argentine_flor", "A flor", "A me_achico", Refusal.OWN_CALL),
    ("argentine_flor", "A flor; B contraflor", "B me_achico", Refusal.OWN_CALL),
    ("venezuelan", "A flor; B flor; A hand_won", "A flor_envida", Refusal.WINNER_FIRST),
    ("venezuelan", _BOTH_FLORES, "A flor_envida", Refusal.WINNER_FIRST),
    # rules.md#venezuelan-flor: how many of the winner's flores are paid.
    ("argentine_flor", "A flor; B flor", "A flor_won 1", Refusal.NOT_IN_THIS_VARIANT),
    ("venezuelan", "A flor; B flor", "A flor_won 0", Refusal.TOO_LITTLE),
    ("venezuelan", "A flor; B flor", "A flor_won 1", None),
    ("venezuelan", "A flor; B flor", "A flor_won 2", Refusal.TOO_MUCH),
    # An envido names 2 to the target, and so does a flor: rules.md#amounts.
    ("venezuelan", "A flor; B flor", "A flor_envida 24", None),
    ("venezuelan", "A flor; B flor", "A flor_envida 25", Refusal.TOO_MUCH),
    ("venezuelan", "", "A envido 24", None),
    ("venezuelan", "", "A envido 25", Refusal.TOO_MUCH),
)


@pytest.mark.parametrize(("variant", "steps", "step", "reason"), REASONS)
def test_a_step_is_refused_for_just_this_reason(
    variant: str, steps: str, step: str, reason: Refusal | None
) -> None:
    assert why_not(play(variant, steps), step) is reason


# --- where a game may start, and the next one of a series -----------------------------------------

WRONG_STARTS: tuple[tuple[str, tuple[int, ...] | None, Side | None, str], ...] = (
    ("argentine", (3,), None, "1 scores for the 2 sides of argentine"),
    ("argentine", (30, 0), None, "a game to 30 cannot start at 30"),
    ("argentine", (0, -1), None, "a game to 30 cannot start at -1"),
    ("argentine", None, Side.C, "C cannot be mano in argentine"),
    ("destantado", (0, 10, 10), None, "a game to 10 cannot start at 0"),
    ("destantado", (11, 10, 10), None, "the piles hold 31; all there is are 30"),
)


@pytest.mark.parametrize(("variant", "score", "mano", "sentence"), WRONG_STARTS)
def test_an_impossible_start_is_refused_with_a_reason(
    variant: str, score: tuple[int, ...] | None, mano: Side | None, sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        new_game(Start(rules_for(find_variant(variant)), score, mano))


@pytest.mark.parametrize(("won", "over"), [((1, 0), (2, 0)), ((0, 1), (0, 2))])
def test_a_series_that_is_over_has_no_next_game(
    won: tuple[int, ...], over: tuple[int, ...]
) -> None:
    rules = rules_for(find_variant("argentine"), {"best_of": 3})
    assert new_game(Start(rules, games=won)).games == won
    with pytest.raises(ValueError, match=r"^a series of 3 games is over at "):
        new_game(Start(rules, games=over))


def test_a_game_starts_below_its_target_and_a_pile_at_any_height() -> None:
    argentine, destantado = (
        rules_for(find_variant("argentine")),
        rules_for(find_variant("destantado")),
    )
    assert [may_start_at(argentine, n) for n in (-1, 0, 29, 30)] == [False, True, True, False]
    assert [may_start_at(destantado, n) for n in (0, 1, 30, 31)] == [False, True, True, False]


def test_the_next_game_of_a_series_resets_surrender_and_hand_number() -> None:
    game = play("argentine", "A hand_won; - new_hand; A concede; - new_hand", best_of=3)
    assert values(game, "hand", "points") == (1, "0-0")
    game = play_on(game, "B hand_won")
    assert values(game, "phase", "points") == ("hand_over", "0-1")


def test_a_falta_is_worth_the_one_point_that_the_leader_lacks() -> None:
    assert pays(play("argentine", "A falta_envido", "29-28", falta="leader_to_target")) == (1, 1)


def test_an_envido_that_empties_the_pile_ends_the_game_and_the_truco_that_waited() -> None:
    game = play("destantado", "A truco; B envido; A quiero; C quiero; B envido_won", "10-2-10")
    assert values(game, "phase", "winner") == ("match_over", "B")
    assert values(game, "points", "stake", "pending") == ("10-0-12", 1, None)


def test_a_penalty_of_zero_is_refused_in_cantando() -> None:
    assert why_not(deal("venezuelan", "23-20"), "A award 0") is Refusal.TOO_LITTLE


# --- the document, word for word (state.md#hand-keys) --------------------------------------------


def test_the_document_of_a_game_has_these_keys_and_values() -> None:
    document = dict(state_document(deal("argentine", "16-3", best_of=3)))
    assert document.pop("legal") == [
        tuple(text.split()[:2])
        for text in dict.fromkeys(MENUS["argentine"].split("; "))
        if not text.startswith("- tricks")
    ] + [("-", "tricks")]
    assert document == {
        "version": 1,
        "variant": "argentine",
        "options": {"best_of": 3},
        "sides": ["A", "B"],
        "target": 30,
        "half": 15,
        "score": {"A": 16, "B": 3},
        "spoken": {"A": (1, "buenas"), "B": (3, "malas")},
        "games": {"A": 0, "B": 0},
        "best_of": 3,
        "hand": 1,
        "hand_kind": "normal",
        "duel": None,
        "duel_points": None,
        "mano": "A",
        "gallo": None,
        "pot": None,
        "phase": "playing",
        "stake": 1,
        "pending": None,
        "suspended": None,
        "may_raise": ["A", "B"],
        "last": None,
        "winner": None,
    }
