"""Brackets and zones: laws for every number of teams."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from scorer.tournament.bracket import (
    LOSERS,
    MAIN,
    double_elimination,
    first_places,
    meeting_round,
    section_size,
    seed_places,
    single_elimination,
)
from scorer.tournament.model import Fixture, Loser, Winner
from scorer.tournament.places import Entrant, spread
from scorer.tournament.zones import circle, distribute, zone_count, zone_matches
from tests.sampling import sample
from tests.tournament.play import Played, coin, format_of, stronger

pytestmark = pytest.mark.sampled
SIZES = range(2, 257)
SAMPLE = sample(SIZES, 12)
SMALL = [2, 3, 4, 5, 6, 7, 8, 9, 12, 13]


def seeded(number: int) -> list[Entrant]:
    return [Entrant(team, team) for team in range(1, number + 1)]


def teams_of(matches: list[Fixture]) -> list[int]:
    return [slot for match in matches for slot in match.slots if isinstance(slot, int)]


def check_ways(matches: list[Fixture]) -> None:
    """Every slot is a team, or comes once from an earlier match."""
    known: set[str] = set()
    sources: list[Winner | Loser] = []
    for match in matches:
        for slot in match.slots:
            if not isinstance(slot, int):
                assert slot.match in known, match
                sources.append(slot)
        known.add(match.id)
    assert len(known) == len(matches)
    assert len(set(sources)) == len(sources)


def final_slots(number: int) -> list[int]:
    """The entrants of the first places, in the order of the bracket."""
    places = seed_places(section_size(number))
    return [seed + 1 for _, seed in sorted((place, seed) for seed, place in enumerate(places))]


@pytest.mark.parametrize("number", sorted({*SAMPLE, *SMALL}))
def test_a_bracket_has_a_match_fewer_than_teams(number: int) -> None:
    matches = single_elimination("a", first_places(seeded(number)))
    assert len(matches) == number - 1
    assert sorted(teams_of(matches)) == list(range(1, number + 1))
    check_ways(matches)


@pytest.mark.parametrize("number", sorted({*SAMPLE, *SMALL}))
def test_byes_are_in_round_one_and_go_to_the_best_seeds(number: int) -> None:
    matches = single_elimination("a", first_places(seeded(number)))
    later = [match for match in matches if match.round > 1]
    with_bye = sorted(teams_of(later))
    assert with_bye == list(range(1, section_size(number) - number + 1)) or number == 2
    assert all(match.round == 2 for match in later if teams_of([match]))


@pytest.mark.parametrize("number", sorted({*SAMPLE, *SMALL}))
def test_the_best_seeds_are_in_different_parts(number: int) -> None:
    size = section_size(number)
    places = seed_places(size)
    assert sorted(places) == list(range(size))
    parts = 2
    while parts <= min(size, number):
        assert len({place * parts // size for place in places[:parts]}) == parts
        parts *= 2


def test_seeds_of_eight_meet_in_the_usual_order() -> None:
    assert final_slots(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("survivors", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("number", sample(range(10, 257), 6))
def test_a_bracket_with_survivors_ends_before_they_meet(number: int, survivors: int) -> None:
    matches = single_elimination("a", first_places(seeded(number), survivors))
    assert len(matches) == number - survivors
    check_ways(matches)
    went_on = {slot.match for match in matches for slot in match.slots if not isinstance(slot, int)}
    last = {match.id for match in matches} - went_on
    assert len(last) == survivors
    assert len({match.level for match in matches if match.id in last}) == 1
    sections = Counter(match.slots[0] for match in matches if match.id in last)
    assert max(sections.values()) == 1


def test_a_team_that_needs_no_match_survives() -> None:
    played = Played(format_of({"survivors": 4}), 6, seeds=6).draw().play(stronger)
    assert [(each.rank, each.team) for each in played.reader.standings("a")] == [
        (1, 1), (1, 2), (1, 3), (1, 4), (5, 5), (5, 6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "expected"), [(2, 1), (3, 2), (4, 4), (5, 5), (6, 6), (8, 8), (24, 24)]
)
def test_third_place_is_played_by_the_losers_of_two_semifinals(number: int, expected: int) -> None:
    matches = single_elimination("a", first_places(seeded(number)), third_place=True)
    assert len(matches) == expected
    check_ways(matches)


@pytest.mark.parametrize("second_final", [False, True])
@pytest.mark.parametrize("number", sorted({*SAMPLE, *SMALL}))
def test_a_double_elimination_has_a_way_to_every_match(number: int, second_final: bool) -> None:
    matches = double_elimination("a", first_places(seeded(number))[0], second_final=second_final)
    assert len(matches) == 2 * number - 2 + second_final
    assert sorted(teams_of(matches)) == list(range(1, number + 1))
    check_ways(matches)
    upper = [match for match in matches if match.group == MAIN]
    assert len(upper) == number - 1
    assert {Loser(match.id) for match in upper} <= {slot for m in matches for slot in m.slots}
    assert sum(match.group == LOSERS for match in matches) == number - 2


@pytest.mark.parametrize("number", [8, 16, 32, 64, 128, 256])
def test_losers_of_round_two_meet_no_team_of_their_part(number: int) -> None:
    matches = double_elimination("a", first_places(seeded(number))[0])
    ways: dict[str, set[int]] = {}
    for match in matches:
        both = [{slot} if isinstance(slot, int) else ways[slot.match] for slot in match.slots]
        ways[match.id] = both[0] | both[1]
        if (match.group, match.round) == (LOSERS, 2):
            assert not both[0] & both[1]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", ["bracket", "double"])
@pytest.mark.parametrize("number", sample(SIZES, 6))
def test_every_loser_leaves_after_its_defeats(number: int, kind: str) -> None:
    played = Played(format_of({"kind": kind}), number).draw().play(coin(number))
    reader = played.reader
    defeats = Counter(reader.loser(match) for match in played.state.stages["a"].matches)
    champion, *others = played.order("a")
    allowed = 1 if kind == "bracket" else 2
    assert {defeats[team] for team in others} <= {allowed} | ({1} if kind == "double" else set())
    assert defeats[champion] <= allowed - 1
    # Without a second final, the unbeaten finalist may leave with one defeat.
    assert sum(defeats[team] < allowed for team in others) <= (kind == "double")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", sample(SIZES, 6))
def test_a_second_final_is_played_if_the_unbeaten_team_lost(number: int) -> None:
    format_ = format_of({"kind": "double", "second_final": True})
    played = Played(format_, number).draw().play(coin(3 * number))
    reader = played.reader
    defeats = Counter(reader.loser(match) for match in played.state.results)
    champion, *others = played.order("a")
    assert {defeats[team] for team in others} == {2}
    assert defeats[champion] < 2
    assert len(played.state.results) == 2 * number - 2 + (defeats[champion] == 1)


@pytest.mark.parametrize("number", sample(SIZES, 6))
def test_a_bracket_drawn_anew_has_byes_in_round_one_only(number: int) -> None:
    played = Played(format_of({"redraw": True}), number, seeds=2).draw().play(coin(number))
    stage = played.state.stages["a"]
    assert len(stage.matches) == number - 1
    sizes = [2 * len(paired.matches) for paired in stage.rounds]
    assert sizes[1:] == [section_size(number) >> at for at in range(1, len(sizes))]


@pytest.mark.parametrize("zones", [2, 3, 4, 5, 6, 7, 8, 12, 16])
def test_winners_and_seconds_of_a_zone_meet_as_late_as_possible(zones: int) -> None:
    entrants = [
        Entrant(place * 100 + zone, place, frozenset([zone]))
        for place in (1, 2)
        for zone in range(zones)
    ]
    rounds = section_size(2 * zones).bit_length() - 1
    matches = single_elimination("a", first_places(entrants))
    for zone in range(zones):
        assert earliest_meeting(matches, 100 + zone, 200 + zone) == rounds


def earliest_meeting(matches: list[Fixture], one: int, other: int) -> int:
    """The round of the match that both teams can reach."""
    ways: dict[str, set[int]] = {}
    for match in matches:
        reached: set[int] = set()
        for slot in match.slots:
            reached |= {slot} if isinstance(slot, int) else ways[slot.match]
        ways[match.id] = reached
        if {one, other} <= reached:
            return match.round
    return 0


def test_places_meet_in_the_round_of_their_first_common_match() -> None:
    assert [meeting_round(0, other) for other in range(1, 8)] == [1, 2, 2, 3, 3, 3, 3]


# ---- zones --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", sample(range(2, 41), 12))
def test_in_a_zone_every_pair_meets_once_and_no_team_plays_twice_a_round(number: int) -> None:
    rounds = circle(range(1, number + 1))
    pairs = [tuple(sorted(pair)) for paired in rounds for pair in paired]
    assert sorted(pairs) == list(combinations(range(1, number + 1), 2))
    assert len(rounds) == number - 1 + number % 2
    for paired in rounds:
        teams = [team for pair in paired for team in pair]
        assert len(set(teams)) == len(teams)


def test_a_double_round_robin_exchanges_the_sides() -> None:
    matches = zone_matches("a", 1, [1, 2, 3, 4, 5], double=True)
    assert sorted(match.slots for match in matches) == sorted(
        (a, b) for a in range(1, 6) for b in range(1, 6) if a != b
    )
    assert len({match.id for match in matches}) == 20


@pytest.mark.parametrize("number", sample(range(4, 257), 12))
@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_zones_have_almost_equal_sizes_and_different_heads(number: int, size: int) -> None:
    count = zone_count(number, 0, size)
    zones = distribute(seeded(number), count)
    assert sorted(team for zone in zones for team in zone) == list(range(1, number + 1))
    assert max(map(len, zones)) - min(map(len, zones)) <= 1
    assert max(map(len, zones)) <= size
    assert [zone[0] for zone in zones] == list(range(1, count + 1))


@pytest.mark.sampled(9)
@pytest.mark.parametrize("number", sample(range(8, 257), 8))
@pytest.mark.parametrize("size", [3, 4, 6])
def test_clubs_are_kept_apart_in_zones(number: int, size: int) -> None:
    count = zone_count(number, 0, size)
    clubs = number // min(count, 5) + 1
    entrants = [Entrant(team, 0, frozenset([team % clubs])) for team in range(1, number + 1)]
    for zone in distribute(entrants, count):
        assert len({team % clubs for team in zone}) == len(zone)


@pytest.mark.parametrize("seed", sample(range(200), 20))
def test_no_exchange_of_two_equals_would_keep_origins_further_apart(seed: int) -> None:
    rng = random.Random(seed)
    entrants = [
        Entrant(team, rng.randrange(2), frozenset(rng.sample("abcde", rng.randrange(3))))
        for team in range(rng.randrange(2, 14))
    ]

    def penalty(one: int, other: int) -> int:
        return 1 << 2 * (4 - meeting_round(one, other))

    def total(at: dict[int, Entrant]) -> int:
        return sum(
            penalty(one, other) * len(at[one].origins & at[other].origins)
            for one, other in combinations(at, 2)
        )

    placed = spread(entrants, range(len(entrants)), penalty)
    assert sorted(placed.values()) == sorted(entrants)
    for one, other in combinations(placed, 2):
        if placed[one].tier == placed[other].tier:
            exchanged = {**placed, one: placed[other], other: placed[one]}
            assert total(exchanged) >= total(placed)


def test_only_equals_are_exchanged() -> None:
    apart = [Entrant(1, 1, frozenset("x")), Entrant(2, 2, frozenset("x")), Entrant(3, 2)]
    placed = spread(apart, [0, 1, 2], lambda one, other: int(one + other == 1))
    assert [placed[place].team for place in range(3)] == [1, 3, 2]
    fixed = [Entrant(1, 1, frozenset("x")), Entrant(2, 2, frozenset("x")), Entrant(3, 3)]
    placed = spread(fixed, [0, 1, 2], lambda one, other: int(one + other == 1))
    assert [placed[place].team for place in range(3)] == [1, 2, 3]
    byes = spread(apart, [0, 1, 2], lambda one, other: int(one + other == 1), frozenset([2]))
    assert [byes[place].team for place in range(3)] == [1, 2, 3]
