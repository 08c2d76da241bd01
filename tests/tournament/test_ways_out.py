"""Rounds changed by hand: exchanges, rematches, own pairs, an early end."""

from __future__ import annotations

import pytest

from scorer.tournament import EventRefusal, Reader, apply
from scorer.tournament.events import (
    AllowRematch,
    EndPhase,
    Enter,
    Event,
    ExchangeTeams,
    Forbid,
    MissRound,
    PairByHand,
    PairRound,
    StartPhase,
    TakeBack,
)
from scorer.tournament.model import Reason
from scorer.tournament.rounds import met
from tests.tournament.play import Played, coin, format_of

SWISS = {"kind": "rounds", "rounds": 5, "pairing": "swiss"}
WHY = "la sala lo pidió"


def swiss(teams: int, *, rounds: int = 0) -> Played:
    """Rounds of a Swiss phase, all played."""
    played = Played(format_of(SWISS), teams).draw()
    played.do(StartPhase("a"))
    for number in range(rounds):
        played.do(PairRound("a"))
        played.play_open("a", coin(number))
    return played


def pairs_of(played: Played) -> list[set[int | None]]:
    """The pairs of the last round."""
    last = played.state.stages["a"].rounds[-1]
    return [{*played.reader.sides(each)} for each in last.matches]


def refusal(played: Played, event: Event) -> Reason:
    found = apply(played.state, event)
    assert isinstance(found, EventRefusal)
    return found.reason


def test_two_teams_of_a_paired_round_change_places() -> None:
    played = swiss(6)
    played.do(PairRound("a"))
    (one, rival), (other, second), *_ = ([*map(int, filter(None, p))] for p in pairs_of(played))
    played.do(ExchangeTeams("a", one, other, WHY))
    assert {other, rival} in pairs_of(played) and {one, second} in pairs_of(played)
    # The next round knows who has met.
    played.play_open("a", coin(1))
    assert (min(other, rival), max(other, rival)) in met(played.reader, played.phase("a"))


def test_the_team_without_a_match_changes_places_too() -> None:
    played = swiss(5)
    played.do(PairRound("a"))
    bye = played.state.stages["a"].rounds[-1].bye
    one, rival = map(int, filter(None, pairs_of(played)[0]))
    played.do(ExchangeTeams("a", bye, one, WHY))
    assert played.state.stages["a"].rounds[-1].bye == one
    assert {bye, rival} in pairs_of(played)


def test_an_exchange_is_refused_where_it_would_change_a_result_or_make_a_rematch() -> None:
    played = swiss(4)
    assert refusal(played, ExchangeTeams("a", 1, 2, WHY)) is Reason.NO_TEAMS
    played.do(PairRound("a"))
    (one, rival), (other, second) = ([*map(int, filter(None, p))] for p in pairs_of(played))
    assert refusal(played, ExchangeTeams("a", one, rival, WHY)) is Reason.NO_TEAMS
    played.do(Forbid(one, second))
    assert refusal(played, ExchangeTeams("a", one, other, WHY)) is Reason.NO_PAIRING
    match = next(m for m in played.open_matches("a") if one in played.reader.sides(m))
    played.win(match, one)
    assert refusal(played, ExchangeTeams("a", rival, other, WHY)) is Reason.RESTS


def test_one_rematch_is_allowed_and_no_third_match() -> None:
    played = swiss(2, rounds=1)
    assert refusal(played, PairRound("a")) is Reason.NO_PAIRING
    played.do(AllowRematch("a", 2, 1, WHY))
    played.do(PairRound("a"))
    played.play_open("a", coin(3))
    assert refusal(played, PairRound("a")) is Reason.NO_PAIRING
    assert len(played.state.stages["a"].rounds) == 2


def test_a_round_by_hand_has_the_pairs_that_were_chosen() -> None:
    played = swiss(5, rounds=1)
    played.do(MissRound("a", 2, 5))
    pairs = ((1, 2), (4, 3))
    assert refusal(played, PairByHand("a", ((1, 2),), 0, WHY)) is Reason.NO_PAIRING
    assert refusal(played, PairByHand("a", (), 0, WHY)) is Reason.NO_PAIRING
    assert refusal(played, PairByHand("a", ((1, 2), (2, 3)), 0, WHY)) is Reason.NO_PAIRING
    played.do(PairByHand("a", pairs, 0, WHY))
    assert pairs_of(played) == [{1, 2}, {3, 4}]


def test_a_phase_that_is_ended_early_is_complete_and_opened_again() -> None:
    played = swiss(4)
    assert refusal(played, EndPhase("a", WHY)) is Reason.NOT_COMPLETE
    played.do(PairRound("a"))
    played.do(EndPhase("a", WHY))
    assert not played.reader.is_complete("a")
    played.play_open("a", coin(1))
    assert played.reader.is_complete("a")
    assert refusal(played, PairRound("a")) is Reason.NO_ROUND_LEFT
    assert refusal(played, MissRound("a", 2, 1)) is Reason.TOO_LATE
    assert refusal(played, Enter("late")) is Reason.TOO_LATE
    assert refusal(played, EndPhase("a", WHY)) is Reason.NO_ROUND_LEFT
    played.do(TakeBack("a"))
    assert not played.reader.is_complete("a")
    played.do(PairRound("a"))


@pytest.mark.parametrize("event", [EndPhase("b", WHY), AllowRematch("b", 1, 2, WHY)])
def test_only_rounds_that_have_begun_are_changed(event: EndPhase | AllowRematch) -> None:
    played = swiss(4)
    assert refusal(played, event) is Reason.UNKNOWN_PHASE
    before = Played(format_of(SWISS), 4).draw()
    assert refusal(before, event._replace(phase="a")) is Reason.NOT_STARTED
    assert Reader(before.state).state.rematches == frozenset()
