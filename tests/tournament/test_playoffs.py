"""Play-offs: where level teams play for their order, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from scorer.tournament import EventRefusal, Reader, Reason, Result, Tournament, consequences, why
from scorer.tournament.consequences import ByTie, TieChange
from scorer.tournament.events import (
    AnnulResult,
    CorrectResult,
    PairRound,
    RecordResult,
    Return,
    StartPhase,
    TakeBack,
    Withdraw,
)
from scorer.tournament.export import TournamentFile, decode, encode
from scorer.tournament.model import Ending
from tests.sampling import amount
from tests.tournament.play import Chooser, Played, coin, format_of, result_of, stronger

LEVEL = ["wins", "playoff", "draw"]
ZONE: dict[str, Any] = {"id": "a", "kind": "zones", "zones": 1, "tiebreaks": LEVEL}
ROUNDS: dict[str, Any] = {"id": "a", "kind": "rounds", "rounds": 1, "tiebreaks": LEVEL}


def then(*sources: dict[str, Any], **keys: object) -> dict[str, Any]:
    """A bracket whose teams come from the phase ``a``."""
    return {"id": "b", "from": [{"phase": "a", **each} for each in sources], **keys}


def circle_of_wins(_: object, __: str, one: int, other: int) -> int:
    """Of three teams each wins once, 1 against 2, 2 against 3, 3 against 1; 4 loses."""
    if 4 in (one, other):
        return 0 if other == 4 else 1
    return 0 if (other - one) % 3 == 1 else 1


def played(teams: int, *phases: dict[str, Any], results: Chooser = circle_of_wins) -> Played:
    """The first phase with all its matches played, without a play-off."""
    game = Played(format_of(*phases), teams).draw()
    game.do(StartPhase("a"))
    while game.play_open("a", results) or (
        len(game.state.stages["a"].rounds) < game.phase("a").rounds and game.next_round("a")
    ):
        pass
    return game


def level(game: Played) -> list[tuple[int, set[int]]]:
    return [(each.zone, set(each.teams)) for each in game.reader.ties("a")]


# Four teams in a zone: 1, 2 and 3 have two wins each, 4 has none. In one round of pairs two
# teams have won and two have lost.
MATTERS = [
    # phases, how many ties, the reason
    ((ZONE,), 1, "the final ranking"),
    ((ZONE, then({"places": [1, 2]})), 1, "two of three advance"),
    ((ZONE, then({"places": [1, 3]})), 1, "a zone is seeded by place"),
    ((ZONE, then({"places": [1, 3]}, drawn=True)), 0, "all three advance to a new draw"),
    ((ZONE, then({"places": [1, 1]}, {"places": [2, 3]}, drawn=True)), 1, "by two tables"),
    ((ZONE, then({"places": [3, 4]}, drawn=True)), 1, "the third place advances"),
    (({**ZONE, "tiebreaks": ["wins", "draw"]}, then({"places": [1, 2]})), 0, "no play-off"),
    ((ROUNDS,), 2, "the final ranking"),
    ((ROUNDS, then({"places": [1, 2]})), 0, "the two winners advance"),
    ((ROUNDS, then({"places": [1, 3]})), 1, "one of two losers advances"),
    ((ROUNDS, then({"places": [1, 4]})), 0, "all advance by one table"),
    ((ROUNDS, then({"places": [1, 1]}, {"places": [2, 2]})), 1, "each by its table"),
]  # fmt: skip


@pytest.mark.parametrize(("phases", "ties", "reason"), MATTERS, ids=[each[2] for each in MATTERS])
def test_level_teams_play_where_their_order_matters(
    phases: Sequence[dict[str, Any]], ties: int, reason: str
) -> None:
    game = played(4, *phases)
    assert len(game.reader.ties("a")) == ties, reason
    assert game.reader.is_complete("a") == (ties == 0)
    if not ties:
        assert game.refused(PairRound("a")).reason in (Reason.NO_ROUND_LEFT, Reason.UNKNOWN_PHASE)


def test_three_level_teams_meet_each_other_and_the_wins_order_them() -> None:
    game = played(4, ZONE, then({"places": [1, 2]}))
    before = {each.team: each.values[0] for each in game.reader.standings("a", 1)}
    assert game.refused(StartPhase("b")).reason is Reason.NOT_COMPLETE
    game.do(PairRound("a"))
    matches = game.open_matches("a")
    assert matches == ["a-P1-M1", "a-P1-M2", "a-P1-M3"]
    # Each round has a team once, after the rounds of the zone.
    assert [game.state.stages["a"].matches[each].round for each in matches] == [4, 5, 6]
    found = why(game.state, matches[0])
    assert isinstance(found, ByTie) and set(found.teams) == {1, 2, 3}
    for match_id in matches[:2]:
        game.win(match_id, max(filter(None, game.reader.sides(match_id))))
    assert not game.reader.is_complete("a")
    game.win(matches[2], max(filter(None, game.reader.sides(matches[2]))))
    assert game.order("a", 1) == [3, 2, 1, 4]
    after = {each.team: each.values for each in game.reader.standings("a", 1)}
    assert {team: values[0] for team, values in after.items()} == before
    assert [after[team][1] for team in (3, 2, 1, 4)] == [2, 1, 0, None]
    assert all(len(game.reader.outings("a", team)) == 3 for team in (1, 2, 3, 4))
    game.do(StartPhase("b"))
    assert set(game.state.stages["b"].entrants) == {3, 2}


def test_a_play_off_that_ends_level_is_decided_by_the_draw() -> None:
    game = played(4, ZONE, then({"places": [1, 2]}))
    tie = game.reader.ties("a")[0]
    game.do(PairRound("a"))
    game.play_open("a", circle_of_wins)
    assert game.reader.is_complete("a")
    assert game.order("a", 1) == [*tie.teams, 4]


def test_the_matches_of_a_play_off_have_a_winner() -> None:
    legs = {"legs": 2, "draws": True, "score": [3, 1, 0], "tiebreaks": ["score", "playoff", "draw"]}
    game = Played(format_of({**ZONE, **legs}), 2).draw()
    game.do(StartPhase("a"))
    drawn = Result(None, (1, 1), (40, 40))
    game.do(RecordResult("a-Z1-R1-M1", drawn))
    game.do(PairRound("a"))
    assert game.refused(RecordResult("a-P1-M1", drawn)).reason is Reason.IMPOSSIBLE
    game.do(RecordResult("a-P1-M1", Result(0, (1, 1), (40, 39))))
    assert game.reader.is_complete("a")


def test_teams_of_several_zones_play_for_the_last_place_of_the_best() -> None:
    # Two zones of three: each third has lost twice, and one of them advances.
    zones = {**ZONE, "zones": 2}
    game = played(6, zones, then({"place": 3, "best": 1}, {"places": [1, 1]}), results=stronger)
    thirds = {game.order("a", zone)[2] for zone in (1, 2)}
    assert level(game) == [(0, thirds)]
    game.do(PairRound("a"))
    match = game.state.stages["a"].matches["a-P1-M1"]
    assert (match.group, set(match.slots)) == (0, thirds)
    game.win("a-P1-M1", max(thirds))
    # It leaves the order of each zone as it was.
    assert {game.order("a", zone)[2] for zone in (1, 2)} == thirds
    game.do(StartPhase("b"))
    assert max(thirds) in game.state.stages["b"].entrants
    assert min(thirds) not in game.state.stages["b"].entrants


def test_zones_are_decided_before_teams_of_several_zones_are_compared() -> None:
    zones = {**ZONE, "zones": 2}

    def in_circles(state: Tournament, match_id: str, one: int, other: int) -> int:
        stage = state.stages["a"]
        zone = stage.zones[stage.matches[match_id].group - 1]
        return 0 if (zone.index(other) - zone.index(one)) % 3 == 1 else 1

    game = played(6, zones, then({"places": [1, 1]}, {"place": 2, "best": 1}), results=in_circles)
    assert [zone for zone, _ in level(game)] == [1, 2]
    game.do(PairRound("a"))
    game.play_open("a", stronger)
    assert [zone for zone, _ in level(game)] == [1, 2, 0]
    game.do(PairRound("a"))
    game.play_open("a", stronger)
    seconds = [game.order("a", zone)[1] for zone in (1, 2)]
    game.do(StartPhase("b"))
    assert min(seconds) in game.state.stages["b"].entrants


def test_a_correction_lists_the_ties_that_appear_and_disappear() -> None:
    game = played(4, ZONE, then({"places": [1, 2]}))
    match = next(
        each.id for each in game.state.stages["a"].matches.values() if set(each.slots) == {1, 2}
    )
    other = result_of(game.phase("a"), 1 - game.reader.sides(match).index(1))
    same = game.state.results[match]
    # 2 has three wins instead, 3 two and 1 one.
    tie = game.reader.ties("a")[0]
    found = consequences(game.state, match, other)
    assert found.ties == (TieChange("a", tie.teams, False),)
    game.do(PairRound("a"))
    assert len(consequences(game.state, match, other).exchanges) == 3
    game.do(CorrectResult(match, other, "typed wrong"))
    assert game.open_matches("a") == []
    assert game.reader.is_complete("a")
    assert game.refused(RecordResult("a-P1-M1", other)).reason is Reason.NO_TEAMS
    assert consequences(game.state, match, same).ties == (TieChange("a", tie.teams, True),)
    game.do(CorrectResult(match, same, "was right"))
    assert len(game.open_matches("a")) == 3


def test_a_play_off_that_was_played_for_nothing_changes_no_order() -> None:
    game = played(4, ZONE, then({"places": [1, 2]}))
    match = next(m.id for m in game.state.stages["a"].matches.values() if set(m.slots) == {1, 2})
    game.do(PairRound("a"))
    game.play_open("a", stronger)
    assert game.order("a", 1) == [1, 2, 3, 4]
    other = result_of(game.phase("a"), 1 - game.reader.sides(match).index(1))
    game.do(CorrectResult(match, other, "typed wrong"))
    assert game.order("a", 1) == [2, 3, 1, 4]


def test_a_third_team_that_becomes_level_plays_the_matches_that_are_missing() -> None:
    # 1 and 2 have won, and play for the first place; then 3 has won in place of its opponent.
    game = played(4, ROUNDS, results=stronger)
    winners = next(each for each in game.reader.ties("a") if 1 in each.teams)
    game.do(PairRound("a"))
    count = len(game.open_matches("a"))
    game.play_open("a", stronger)
    first = next(m.id for m in game.state.stages["a"].matches.values() if not m.is_playoff)
    gone = game.state.results[first]
    double = Result(None, (0, 0), (0, 0), Ending.WALKOVER)
    game.do(CorrectResult(first, double, "both were absent"))
    # Three have no win now; the losers of both matches and the winner of the first.
    assert count == 2 and gone.winner is not None and len(winners.teams) == 2
    assert sorted(map(len, (each.teams for each in game.reader.ties("a")))) == [3]
    game.do(PairRound("a"))
    assert len(game.state.stages["a"].playoffs[1]) == 2
    game.play_open("a", stronger)
    assert game.reader.is_complete("a")


def test_a_withdrawn_team_plays_no_play_off() -> None:
    game = played(4, ZONE, then({"places": [1, 2]}))
    game.do(PairRound("a"))
    game.do(Withdraw(3, "gone"))
    # 1 and 2 advance both, in the order that they play for.
    assert [game.reader.sides(each) for each in game.open_matches("a")] in ([(1, 2)], [(2, 1)])
    game.play_open("a", stronger)
    assert game.order("a", 1)[:2] == [1, 2]
    assert game.reader.is_complete("a")
    game.do(Return(3))
    assert len(game.open_matches("a")) == 2


def test_a_play_off_is_taken_back_before_the_round() -> None:
    game = played(4, ROUNDS)
    game.do(PairRound("a"))
    game.do(TakeBack("a"))
    assert game.state.stages["a"].playoffs == () and len(game.state.stages["a"].rounds) == 1
    game.do(PairRound("a"))
    game.win("a-P1-M1", int(game.reader.sides("a-P1-M1")[0] or 0))
    assert game.refused(TakeBack("a")) == EventRefusal(Reason.RESTS, ("a-P1-M1",))
    game.do(AnnulResult("a-P1-M1", "again"))
    assert "a-P1-M1" in game.open_matches("a")


@pytest.mark.parametrize("pairs", [((1, 4),), ((1, 2), (1, 2)), ((4, 4),)])
def test_pairs_that_are_not_level_are_refused(pairs: tuple[tuple[int, int], ...]) -> None:
    game = played(4, ZONE)
    refused = game.refused(PairRound("a", pairs))
    assert refused.reason is Reason.NO_PAIRING


def test_a_later_phase_that_has_begun_ends_the_search_for_ties() -> None:
    game = played(4, {**ZONE, "tiebreaks": ["wins", "playoff", "draw"]}, then({"places": [1, 2]}),
                  results=stronger)  # fmt: skip
    game.do(StartPhase("b"))
    first = next(m.id for m in game.state.stages["a"].matches.values() if set(m.slots) == {2, 3})
    other = result_of(game.phase("a"), 1 - game.reader.sides(first).index(2))
    tied = next(m.id for m in game.state.stages["a"].matches.values() if set(m.slots) == {3, 4})
    game.do(CorrectResult(first, other, "typed wrong"))
    back = result_of(game.phase("a"), 1 - game.reader.sides(tied).index(3))
    found = consequences(game.state, tied, back)
    assert [each.is_level for each in found.ties] == [True]
    game.do(CorrectResult(tied, back, "typed wrong"))
    assert game.refused(PairRound("a")).reason is Reason.NO_ROUND_LEFT


@pytest.mark.sampled
def test_after_random_results_only_the_draw_parts_level_teams() -> None:
    """No two places of different worth are level, unless their play-off is level too."""
    swiss = {**ROUNDS, "rounds": 3, "pairing": "swiss"}
    formats = [
        format_of({**ZONE, "zones": 3}, then({"places": [1, 1]}, {"place": 2, "best": 1})),
        format_of({**ZONE, "zones": 2, "tiebreaks": ["wins", "met", "playoff", "draw"]},
                  then({"places": [1, 2]})),
        format_of(swiss, then({"places": [1, 1]}, {"places": [2, 4]})),
    ]  # fmt: skip
    matches = 0
    for at in range(amount(6, 60)):
        format_ = formats[at % len(formats)]
        game = Played(format_, 9 + at % 4).draw(str(at))
        flip = coin(at)
        if at % 5 == 4:
            game.do(Withdraw(2, "gone"))
        game.play(flip)
        stage, reader = game.state.stages["a"], game.reader
        matches += sum(map(len, stage.playoffs))
        for tie in reader.ties("a"):
            pairs = {frozenset(m.slots) for m in stage.matches.values() if m.is_playoff}
            assert all(frozenset(pair) in pairs for pair in tie.pairs())
        # The log gives the same state and the same bytes again.
        data = encode(format_, game.log)
        again = decode(data)
        assert isinstance(again, TournamentFile)
        assert again.state == game.state and encode(format_, again.log) == data
        # Without the play-off's results the other values are the same.
        own = {each.id for each in stage.matches.values() if not each.is_playoff}
        plain = {key: each for key, each in game.state.results.items() if key in own}
        before = Reader(game.state._replace(results=plain))
        for zone in range(1, len(stage.zones) + 1) or (0,):
            index = game.phase("a").tiebreaks.index("playoff")
            assert {each.team: each.values[:index] for each in before.standings("a", zone)} == {
                each.team: each.values[:index] for each in reader.standings("a", zone)
            }
    assert matches > 5
