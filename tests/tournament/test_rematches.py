"""The first round of a bracket after rounds: as few rematches as can be."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from scorer.tournament.bracket import first_places
from scorer.tournament.events import StartPhase
from scorer.tournament.model import EMPTY
from scorer.tournament.places import Entrant
from scorer.tournament.rematches import without_rematches
from tests.sampling import amount
from tests.tournament.play import Played, coin, format_of

SWISS = {"id": "s", "kind": "rounds", "pairing": "swiss", "rounds": 4}
BRACKET = {"id": "b", "kind": "bracket", "from": [{"phase": "s", "places": [1, 8]}]}


def entrants_of(count: int) -> list[Entrant]:
    return [Entrant(team, team) for team in range(1, count + 1)]


def pairs_of(sections: list[list[int]]) -> list[tuple[int, int]]:
    places = [team for section in sections for team in section]
    return [(min(pair), max(pair)) for pair in zip(places[::2], places[1::2], strict=True)]


@pytest.mark.sampled
def test_no_other_order_of_the_lower_seeds_has_fewer_rematches() -> None:
    """Every order of them, for random matches before."""
    chance = Random(58)
    for _ in range(amount(150, 4000)):
        count, survivors = chance.randint(4, 12), chance.choice((1, 1, 2))
        entrants, pairs = entrants_of(count), [*permutations(range(1, count + 1), 2)]
        met = {frozenset(each) for each in chance.sample(pairs, chance.randint(0, len(pairs)))}
        before = first_places(entrants, survivors)
        after = without_rematches(before, entrants, met)
        played = [pair for pair in pairs_of(before) if EMPTY not in pair]
        found = [pair for pair in pairs_of(after) if EMPTY not in pair]
        upper, lower = ([pair[at] for pair in played] for at in (0, 1))
        best = min(
            sum(frozenset(pair) in met for pair in zip(upper, order, strict=True))
            for order in permutations(lower)
        )
        assert sum(frozenset(pair) in met for pair in found) == best
        # Byes and the better teams keep their places, and each other team has one.
        assert [one for one, _ in found] == [one for one, _ in played]
        assert sorted(other for _, other in found) == sorted(lower)
        if not best and not any(frozenset(pair) in met for pair in played):
            assert after == before


def test_two_teams_change_places_where_that_is_enough() -> None:
    entrants = entrants_of(8)
    before = first_places(entrants)
    assert pairs_of(before) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    met = {frozenset((1, 8))}
    after = without_rematches(before, entrants, met)
    assert pairs_of(after) == [(1, 7), (4, 5), (2, 8), (3, 6)]


def test_clubs_stay_apart_and_what_cannot_be_avoided_stays_as_it_was() -> None:
    club = frozenset([("club", "Norte")])
    entrants = [each._replace(origins=club if each.team in (1, 7) else frozenset())
                for each in entrants_of(8)]  # fmt: skip
    before = first_places(entrants_of(8))
    met = {frozenset((1, 8))}
    after = without_rematches(before, entrants, met)
    assert pairs_of(after)[0] == (1, 6)
    all_met = without_rematches(before, entrants, {*map(frozenset, permutations(range(1, 9), 2))})
    assert all_met == before


def test_a_format_that_does_not_keep_apart_has_the_seeds_alone() -> None:
    bracket = {**BRACKET, "apart": False}
    played = Played(format_of(SWISS, bracket), 16).draw("3")
    played.play_phase("s", coin(3))
    teams = [each.team for each in played.reader.standings("s")[:8]]
    played.do(StartPhase("b"))
    first = [each.slots for each in played.state.stages["b"].matches.values() if each.round == 1]
    assert {frozenset(pair) for pair in first} == {
        frozenset((teams[at], teams[7 - at])) for at in range(4)
    }
