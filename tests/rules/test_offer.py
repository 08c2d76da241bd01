"""An offer names the sides of a pending call and what the engine pays for it."""

from __future__ import annotations

import pytest

from scorer.rules import (
    GAME,
    Action,
    Game,
    Side,
    Start,
    Step,
    find_variant,
    new_game,
    parse_step,
    rules_for,
)
from scorer.rules.engine import play_steps
from scorer.rules.offer import Bet, offer
from scorer.rules.score import scorers

OUTCOMES = {
    Bet.TRUCO: Action.HAND_WON,
    Bet.ENVIDO: Action.ENVIDO_WON,
    Bet.FLOR: Action.FLOR_WON,
    Bet.MAO: Action.HAND_WON,
    Bet.PRIVO: Action.HAND_WON,
}
# Variant, scores, steps that lead to the offer; then who made it, who owes, and what it pays.
OFFERS = [
    ("argentine", "0-0", "A truco", "A", "B", (2, 2), 1),
    ("argentine", "0-0", "A truco, B retruco", "B", "A", (3, 3), 2),
    ("argentine", "0-0", "A truco, B retruco, A vale_cuatro", "A", "B", (4, 4), 3),
    ("argentine", "0-0", "B envido", "B", "A", (2, 2), 1),
    ("argentine", "0-0", "B envido, A real_envido", "A", "B", (5, 5), 2),
    ("argentine", "24-27", "A truco, B falta_envido", "B", "A", (3, 3), 1),
    ("argentine", "12-9", "A falta_envido", "A", "B", (18, 21), 1),
    ("argentine_flor", "0-0", "A flor", "A", "B", (3, 3), 3),
    ("argentine_flor", "0-0", "A flor, B contraflor", "B", "A", (6, 6), 3),
    ("paulista", "0-0", "A truco, B seis", "B", "A", (6, 6), 3),
    ("paulista", "11-8", "", "A", "A", (3, 3), 1),
    ("valencian", "0-0", "A truc", "A", "B", (2, 2), 1),
    ("venezuelan", "23-17", "B privo", "B", "A", (GAME, 4), 2),
    ("pata_gallo", "0-0", "gallo truco", "gallo", "pair", (2, 2), 1),
]  # fmt: skip


def reached(variant: str, scores: str, steps: str) -> Game:
    rules = rules_for(find_variant(variant))
    numbers = tuple(map(int, scores.split("-")))
    score = (*numbers, *rules.starting_score[len(numbers) :])
    game = new_game(Start(rules, score))
    played = play_steps(game, [parse_step(step, rules) for step in filter(None, steps.split(", "))])
    assert played is not None
    return played


def paid(game: Game, *steps: Step) -> dict[Side, int]:
    """What the last step pays each side."""
    after = play_steps(game, steps)
    assert after is not None
    totals = dict.fromkeys(game.rules.scoring_sides, 0)
    for credit in after.last_credits:
        totals[credit.to] += credit.points
    return {side: points for side, points in totals.items() if points}


@pytest.mark.parametrize(
    ("variant", "scores", "steps", "by", "owed", "accepted", "refused"), OFFERS
)
def test_an_offer_names_its_sides_and_what_each_answer_pays(
    variant: str,
    scores: str,
    steps: str,
    by: str,
    owed: str,
    accepted: tuple[int, ...],
    refused: int,
) -> None:
    pending = offer(reached(variant, scores, steps))
    assert pending is not None
    assert (pending.by, pending.owed) == (by, (owed,))
    assert (pending.accepted, pending.refused) == (accepted, refused)


@pytest.mark.parametrize(("variant", "scores", "steps"), [case[:3] for case in OFFERS])
def test_the_engine_pays_what_the_offer_names(variant: str, scores: str, steps: str) -> None:
    game = reached(variant, scores, steps)
    pending = offer(game)
    assert pending is not None and pending.refused_to is not None
    (answers,) = pending.owed
    receivers = scorers(game, pending.refused_to)
    assert paid(game, Step(answers, pending.no)) == dict.fromkeys(receivers, pending.refused)
    for side in game.rules.speaking_sides:
        won = paid(game, Step(answers, pending.yes), Step(side, OUTCOMES[pending.bet]))
        worth = pending.worth_for(game, side)
        if worth != GAME:
            assert won == dict.fromkeys(scorers(game, side), worth)


@pytest.mark.parametrize("steps", ["", "A truco, B quiero", "A envido, B no_quiero", "A hand_won"])
def test_without_a_call_there_is_no_offer(steps: str) -> None:
    assert offer(reached("argentine", "0-0", steps)) is None


def test_an_accepted_bet_waits_for_its_winner_and_no_side_owes_an_answer() -> None:
    pending = offer(reached("argentine", "0-0", "A envido, B quiero"))
    assert pending is not None
    assert (pending.owed, pending.accepted, pending.refused) == ((), (2, 2), 0)


def test_of_three_single_players_both_rivals_owe_an_answer() -> None:
    pending = offer(reached("destantado", "9-9-9", "A truco"))
    assert pending is not None
    assert (pending.owed, pending.accepted, pending.refused) == ((Side.B, Side.C), (2, 2, 2), 1)
    assert pending.refused_to is None


def test_a_plain_flor_pays_more_to_a_rival_that_gives_in_than_the_answer_of_none() -> None:
    rules = rules_for(find_variant("argentine_flor"), {"me_achico": 4})
    game = play_steps(new_game(Start(rules)), (Step(Side.A, Action.FLOR),))
    assert game is not None
    pending = offer(game)
    assert pending is not None
    assert (pending.no, pending.refused, pending.me_achico) == (Action.NO_FLOR, 3, 4)
