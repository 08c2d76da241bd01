"""All teams over all phases: laws over whole tournaments, and one by hand."""

from __future__ import annotations

from itertools import groupby

import pytest

from scorer.config.tournament_formats import built_in_formats
from scorer.tournament.events import EnterAgain, StartPhase, Withdraw
from tests.tournament.play import Played, built_in, coin, format_of, stronger

TEAMS = {"jau_2022": 42, "jau_2020": 52, "ptc_2013": 16, "acla_2025": 14}  # of the others 40


def whole(name: str, seed: int) -> Played:
    return Played(built_in(name), TEAMS.get(name, 40)).draw().play(coin(seed))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", built_in_formats())
def test_every_team_has_one_place_and_the_best_of_the_main_phase_the_first(name: str) -> None:
    played = whole(name, 3)
    order, reader = played.reader.final_order(), played.reader
    assert sorted(each.team for each in order) == sorted(played.state.teams)
    # Of two brackets that meet in no final, the main one is the first that the format lists.
    main = "principal" if name == "ptc_2013" else played.state.format.phases[-1].id
    assert order[0] == (1, reader.standings(main)[0].team, main)
    for at, each in enumerate(order):
        assert each.rank in (at + 1, order[at - 1].rank)


# The phases that decide places, from the first place on; every other phase sends all its teams on.
DECIDING = {
    "acla_2025": ["final", "llave", "clasificacion"],
    "double": ["llave"],
    "gaucho": ["final", "principal", "repescagem"],
    "jau_2020": ["final", "segunda", "primeira"],
    "jau_2022": ["final", "segunda", "primeira"],
    "lnt": ["final", "zonas"],
    "ptc_2013": ["principal", "repescagem"],
    "swiss": ["suizo"],
    "zones_and_bracket": ["llave", "zonas"],
    "zones_and_playoffs": ["llave", "zonas"],
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", built_in_formats())
def test_the_phases_decide_places_from_the_final_down(name: str) -> None:
    order = whole(name, 5).reader.final_order()
    assert [phase for phase, _ in groupby(each.phase for each in order)] == DECIDING[name]


def test_who_enters_again_is_after_the_main_bracket_and_before_who_does_not() -> None:
    again = {"id": "r", "from": [{"phase": "a", "losers_of": 1, "by_entry": True}]}
    played = Played(format_of({}, again), 8).draw()
    played.do(StartPhase("a"))
    played.play_open("a", stronger)
    losers = played.reader.losers_of(played.phase("r").entrants[0])
    for team in sorted(losers)[-2:]:
        played.do(EnterAgain("r", team))
    played.play_phase("a", stronger)
    played.play_phase("r", stronger)
    order = [(each.rank, each.team, each.phase) for each in played.reader.final_order()]
    weakest, last = sorted(losers)[-2:], sorted(losers)[:2]
    assert [each[2] for each in order] == ["a"] * 4 + ["r"] * 2 + ["a"] * 2
    assert [each[1] for each in order[4:6]] == weakest
    assert {each[1] for each in order[6:]} == {*last} and [e[0] for e in order[6:]] == [7, 7]


def test_the_order_of_zones_and_bracket_by_hand() -> None:
    # The team that entered first wins each match: two zones of four, the first two of each go on.
    zones = {"id": "z", "kind": "zones", "zone_size": 4, "tiebreaks": ["wins", "draw"]}
    bracket = {"id": "k", "from": [{"phase": "z", "places": [1, 2]}]}
    played = Played(format_of(zones, bracket), 8).draw()
    played.do(StartPhase("z"))
    ranked = [sorted(zone) for zone in played.state.stages["z"].zones]
    played.play_phase("z", stronger)
    played.play_phase("k", stronger)
    found = {each.team: (each.rank, each.phase) for each in played.reader.final_order()}
    assert found[1] == (1, "k")
    advanced = {team for zone in ranked for team in zone[:2]}
    semifinal = sorted(rank for team, (rank, _) in found.items() if team in advanced)
    assert semifinal == [1, 2, 3, 3]
    assert sorted(found[zone[2]] for zone in ranked) == [(5, "z"), (6, "z")]
    assert sorted(found[zone[3]] for zone in ranked) == [(7, "z"), (8, "z")]


def test_a_team_that_has_left_its_zone_is_the_last_and_one_that_entered_nothing_after_it() -> None:
    played = Played(built_in("zones_and_bracket"), 9).draw()
    played.do(Withdraw(9, "no vino"))
    played.do(StartPhase("zonas"))
    played.do(Withdraw(1, "lesión", ("zonas",)))
    order = played.reader.final_order()
    assert [(each.team, each.phase) for each in order[-2:]] == [(1, "zonas"), (9, "")]


def test_before_anything_has_begun_all_teams_are_level() -> None:
    assert {each.rank for each in Played(built_in("swiss"), 6).reader.final_order()} == {1}
