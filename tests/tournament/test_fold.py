"""The fold: refusals, withdrawals, late entries and corrections."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.config.tournament_formats import built_in_formats
from scorer.tournament import (
    NoEvent,
    Reason,
    Result,
    apply,
    as_logged,
    begin,
    consequences,
    encode,
    parse,
    why,
)
from scorer.tournament import events as e
from scorer.tournament.consequences import (
    ByResult,
    ByScore,
    BySeed,
    ByZone,
    EntrantsChange,
    Obstacle,
    start_taken_back,
)
from scorer.tournament.draw import commitment_to, drawn_order
from scorer.tournament.events import NameTournament
from scorer.tournament.model import Ending, EventRefusal, Names
from scorer.tournament.results import double_walkover, walkover
from tests.sampling import amount, sample
from tests.tournament.play import Played, built_in, coin, format_of, result_of, stronger

SWISS = {"kind": "rounds", "pairing": "swiss", "rounds": 4}
DRAWN = {"kind": "rounds", "rounds": 3}
ZONES = {"kind": "zones", "zone_size": 4}
BOTH: tuple[dict[str, Any], ...] = (ZONES, {"id": "b", "from": [{"phase": "a", "places": [1, 2]}]})
WIN = Result(0, (1, 0), (30, 1))


def started(*phases: dict[str, Any], teams: int = 8) -> Played:
    played = Played(format_of(*phases), teams, seeds=teams).draw()
    played.do(e.StartPhase("a"))
    return played


# ---- refusals -----------------------------------------------------------------------------------


def entering() -> Played:
    format_ = format_of({}, teams=[2, 4], players=2, reserves=1)
    played = Played(format_, 2)
    played.do(e.Enter("Los Toros", ("Ana", "Juan"), ("Luz",)))
    return played


ENTRIES = [
    (e.Enter(" "), Reason.NAME),
    (e.Enter("los  TOROS"), Reason.NAME),
    (e.Enter("x", ("Eva",)), Reason.PLAYERS),
    (e.Enter("x", ("Eva", "Leo"), ("Sol", "Ivo")), Reason.PLAYERS),
    (e.Enter("x", ("Eva", "ana")), Reason.PLAYERS),
    (e.Enter("x", ("Eva", "Leo"), ("eva",)), Reason.PLAYERS),
    (e.ChangeTeam(9, "x"), Reason.UNKNOWN_TEAM),
    (e.ChangeTeam(3, "team 1"), Reason.NAME),
    (e.Withdraw(9, "ill"), Reason.UNKNOWN_TEAM),
    (e.Return(1), Reason.NOT_WITHDRAWN),
    (e.MarkMissing(9), Reason.UNKNOWN_TEAM),
    (e.MarkPresent(1), Reason.NOT_MISSING),
    (e.Forbid(1, 9), Reason.UNKNOWN_TEAM),
    (e.Forbid(1, 1), Reason.UNKNOWN_TEAM),
    (e.Allow(1, 2), Reason.UNKNOWN_TEAM),
    (e.MissRound("a", 1, 1), Reason.UNKNOWN_PHASE),
    (e.Draw(""), Reason.NOT_DRAWN),
    (e.StartPhase("a"), Reason.NOT_DRAWN),
    (e.StartPhase("z"), Reason.UNKNOWN_PHASE),
    (e.PairRound("a"), Reason.UNKNOWN_PHASE),
    (e.TakeBack("a"), Reason.NOT_STARTED),
    (e.EnterAgain("z", 1), Reason.UNKNOWN_PHASE),
    (e.EnterAgain("a", 1), Reason.NOT_ENTITLED),
    (e.RecordResult("a-R1-M1", WIN), Reason.UNKNOWN_MATCH),
    (e.CorrectResult("a-R1-M1", WIN, "x"), Reason.UNKNOWN_MATCH),
    (e.AnnulResult("a-R1-M1", "x"), Reason.UNKNOWN_MATCH),
]


@pytest.mark.parametrize(("event", "reason"), ENTRIES)
def test_before_the_start_an_event_is_refused(event: e.Event, reason: Reason) -> None:
    assert entering().refused(event).reason is reason


def test_names_one_letter_apart_are_different_teams() -> None:
    played = entering()
    played.do(e.Enter("Los Toros B"))
    assert played.refused(e.Enter("Los Toros C")).reason is Reason.FULL
    played.do(e.ChangeTeam(3, "Los Toros", ("Ana", "Eva"), club="Sur", seed=1))
    assert played.state.teams[3].club == "Sur"


def test_in_a_bracket_events_are_refused() -> None:
    played = started({}, teams=4)
    table: list[tuple[e.Event, Reason]] = [
        (e.StartPhase("a"), Reason.ALREADY_STARTED),
        (e.Draw("2"), Reason.ALREADY_DRAWN),
        (e.Commit("x"), Reason.ALREADY_DRAWN),
        (e.Enter("late"), Reason.TOO_LATE),
        (e.ChangeTeam(1, "team 1", seed=4), Reason.TOO_LATE),
        (e.RecordResult("a-R2-M1", WIN), Reason.NO_TEAMS),
        (e.RecordResult("a-R1-M1", Result(0, (1, 1), (30, 30))), Reason.IMPOSSIBLE),
        (e.CorrectResult("a-R1-M1", WIN, "x"), Reason.NO_RESULT),
        (e.AnnulResult("a-R1-M1", "x"), Reason.NO_RESULT),
    ]
    for event, reason in table:
        assert played.refused(event).reason is reason, event
    played.do(e.RecordResult("a-R1-M1", WIN))
    assert played.refused(e.RecordResult("a-R1-M1", WIN)).reason is Reason.HAS_RESULT


def test_too_few_teams_begin_nothing() -> None:
    played = Played(format_of({**ZONES, "zones": 2}), 3).draw()
    assert played.refused(e.StartPhase("a")).reason is Reason.TOO_FEW


# ---- the draw -----------------------------------------------------------------------------------


def test_the_draw_is_bound_to_the_published_digest() -> None:
    played = Played(format_of({}), 4)
    played.do(e.Commit(commitment_to("4711")))
    assert played.refused(e.Commit("other")).reason is Reason.ALREADY_DRAWN
    assert played.refused(e.Draw("4712")).reason is Reason.NOT_COMMITTED
    played.do(e.Draw("4711"))


def test_the_order_of_a_draw_is_pinned() -> None:
    # printf '20261123\na: order\n1' | sha256sum, and so on; the smallest digest is first.
    assert drawn_order("20261123", "a: order", range(1, 7)) == [5, 1, 3, 2, 6, 4]
    assert drawn_order("20261123", "b: order", range(1, 7)) == [3, 2, 6, 1, 5, 4]
    assert commitment_to("4711")[:16] == "692a8f2c1a5e7bea"


# ---- withdrawals and absences -------------------------------------------------------------------


def test_the_matches_of_a_withdrawn_team_are_lost_by_walkover() -> None:
    played = started(ZONES, teams=4)
    played.win("a-Z1-R1-M1", 1)
    played.do(e.Withdraw(1, "ill"))
    assert played.refused(e.Withdraw(1, "ill")).reason is Reason.WITHDRAWN
    reader = played.reader
    results = [reader.result(m) for m in played.state.stages["a"].matches if 1 in reader.sides(m)]
    assert [result.ending for result in results if result] == [
        Ending.PLAYED,
        Ending.WALKOVER,
        Ending.WALKOVER,
    ]
    played.play_phase("a", stronger)
    assert [each.rank for each in played.reader.standings("a", 1)] == [1, 2, 3, 4]
    played.do(e.Return(1))
    assert not played.reader.is_complete("a")


def test_a_withdrawn_team_makes_room_for_the_next_of_its_zone() -> None:
    played = started(*BOTH)
    played.play_phase("a", stronger)
    first, second, third, _ = played.order("a", 1)
    played.do(e.Withdraw(first, "left"))
    played.do(e.StartPhase("b"))
    assert {second, third} < set(played.state.stages["b"].entrants)
    assert first not in played.state.stages["b"].entrants


def test_in_a_bracket_the_opponent_of_a_withdrawn_team_goes_on() -> None:
    played = started({"third_place": True})
    played.play_open("a", stronger)
    played.do(e.Withdraw(1, "left"))
    assert played.reader.winner("a-R2-M1") == 4
    played.do(e.Withdraw(4, "left"))
    # No team comes from that half: the finalist of the other half has won.
    played.play_phase("a", stronger)
    assert played.order("a")[0] == 2
    assert played.refused(e.RecordResult("a-R3-M1", WIN)).reason is Reason.HAS_RESULT


def test_a_withdrawal_cannot_be_taken_back_after_its_consequences_were_played() -> None:
    played = started({}, teams=4)
    played.do(e.Withdraw(1, "late"))
    played.win("a-R1-M2", 2)
    played.win("a-R2-M1", 4)
    assert played.refused(e.Return(1)) == EventRefusal(Reason.RESTS, ("a-R2-M1",))


def test_after_a_double_walkover_the_next_opponent_goes_on() -> None:
    played = started({}, teams=4)
    played.do(e.RecordResult("a-R1-M1", double_walkover()))
    played.win("a-R1-M2", 3)
    assert played.reader.winner("a-R2-M1") == 3
    assert played.reader.is_complete("a")


def test_a_double_walkover_in_a_bracket_drawn_anew_leaves_an_odd_number() -> None:
    played = started({"redraw": True})
    played.do(e.PairRound("a"))
    assert played.refused(e.PairRound("a")).reason is Reason.NOT_COMPLETE
    played.do(e.RecordResult("a-R1-M1", double_walkover()))
    played.play_phase("a", stronger)
    assert played.refused(e.PairRound("a")).reason is Reason.NO_ROUND_LEFT
    assert [len(each.matches) for each in played.state.stages["a"].rounds] == [4, 1, 1]


def test_an_absent_team_is_not_paired_in_that_round() -> None:
    played = started(SWISS, teams=6)
    played.do(e.MissRound("a", 2, 1))
    played.play_phase("a", stronger)
    sides = [played.reader.sides(m) for m in played.state.stages["a"].rounds[1].matches]
    assert 1 not in {team for pair in sides for team in pair}
    assert played.state.stages["a"].rounds[1].bye != 1
    missed = played.reader.outings("a", 1)[1]
    assert (missed.opponent, missed.score, missed.is_absence) == (0, 0, True)
    assert played.refused(e.MissRound("a", 4, 2)).reason is Reason.TOO_LATE
    assert played.refused(e.MissRound("a", 5, 2)).reason is Reason.TOO_LATE
    assert played.refused(e.MissRound("a", 1, 99)).reason is Reason.UNKNOWN_TEAM


def test_a_late_entry_joins_the_rounds_that_are_left() -> None:
    played = started(SWISS, teams=5)
    played.do(e.PairRound("a"))
    played.play_open("a", stronger)
    played.do(e.Enter("late"))
    played.play_phase("a", stronger)
    outings = played.reader.outings("a", 6)
    assert [each.is_absence for each in outings] == [True, False, False, False]
    assert all(each.bye == 0 for each in played.state.stages["a"].rounds[1:])
    assert played.refused(e.Enter("later")).reason is Reason.TOO_LATE


# ---- rounds -------------------------------------------------------------------------------------


def test_a_swiss_round_waits_for_results_and_a_drawn_one_does_not() -> None:
    swiss, drawn = started(SWISS), started(DRAWN)
    for played in (swiss, drawn):
        played.do(e.PairRound("a"))
    assert swiss.refused(e.PairRound("a")).reason is Reason.NOT_COMPLETE
    drawn.do(e.PairRound("a"))
    drawn.do(e.PairRound("a"))
    assert drawn.refused(e.PairRound("a")).reason is Reason.NO_ROUND_LEFT
    assert Played(format_of(SWISS), 4).refused(e.PairRound("a")).reason is Reason.NOT_STARTED


def test_forbidden_pairs_and_clubs_do_not_meet_while_another_pairing_exists() -> None:
    played = Played(format_of(DRAWN), 6, clubs=2).draw()
    played.do(e.Forbid(2, 1))
    played.do(e.Forbid(3, 4))
    played.do(e.Allow(4, 3))
    played.play_phase("a", coin(1))
    stage = played.state.stages["a"]
    for paired in stage.rounds[:2]:
        for one, other in map(played.reader.sides, paired.matches):
            assert one and other and one % 2 != other % 2
            assert {one, other} != {1, 2}
    # The third round without 1-2 needs two teams of one club, and another pair of teams is left.
    lonely = started(SWISS, teams=4)
    for one, other in ((1, 2), (1, 3), (1, 4)):
        lonely.do(e.Forbid(one, other))
    assert lonely.refused(e.PairRound("a")).reason is Reason.NO_PAIRING


def test_a_round_or_a_phase_without_results_is_taken_back() -> None:
    played = started(SWISS)
    before = played.state
    played.do(e.PairRound("a"))
    paired = played.state
    played.do(e.TakeBack("a"))
    assert played.state == before
    played.do(e.PairRound("a"))
    assert played.state == paired
    played.play_open("a", stronger)
    assert played.refused(e.TakeBack("a")).reason is Reason.RESTS
    zones = started(*BOTH)
    zones.play_phase("a", stronger)
    zones.do(e.StartPhase("b"))
    first = next(iter(zones.state.stages["a"].matches))
    for match_id in zones.state.stages["a"].matches:
        zones.do(e.AnnulResult(match_id, "all again"))
    assert zones.refused(e.TakeBack("a")).reason is Reason.RESTS
    zones.do(e.TakeBack("b"))
    zones.do(e.TakeBack("a"))
    assert first and zones.state.stages == {}


# ---- corrections --------------------------------------------------------------------------------


def test_a_correction_is_refused_while_a_result_rests_on_it() -> None:
    played = started({}, teams=4)
    played.win("a-R1-M1", 1)
    played.win("a-R1-M2", 2)
    other = result_of(played.phase("a"), 1)
    found = consequences(played.state, "a-R1-M1", other)
    assert [(each.match, each.before, each.after) for each in found.exchanges] == [
        ("a-R2-M1", (1, 2), (4, 2))
    ]
    assert (found.blocking, found.standings) == ((), (("a", 0),))
    played.win("a-R2-M1", 1)
    assert consequences(played.state, "a-R1-M1", other).blocking == ("a-R2-M1",)
    refusal = EventRefusal(Reason.RESTS, ("a-R2-M1",))
    assert played.refused(e.CorrectResult("a-R1-M1", other, "typed wrong")) == refusal
    assert played.refused(e.AnnulResult("a-R1-M1", "wrong cards")) == refusal
    played.do(e.CorrectResult("a-R1-M1", result_of(played.phase("a"), 0, points=29), "points"))
    played.do(e.AnnulResult("a-R2-M1", "wrong teams"))
    played.do(e.CorrectResult("a-R1-M1", other, "typed wrong"))
    assert played.reader.sides("a-R2-M1") == (4, 2)


def test_what_rests_on_a_result_is_annulled_from_the_latest_on() -> None:
    """The winner of M1 is the lower seed; the champion comes from the other half."""
    played = started({}, teams=8)
    played.play_open("a", stronger)
    played.play_open("a", stronger)
    final = "a-R3-M1"
    played.win(final, 2)
    first = next(each for each in played.reader.state.results if 1 in played.reader.sides(each))
    semifinal = next(
        each.id
        for each in played.state.matches()
        if each.round == 2 and 1 in played.reader.sides(each.id)
    )
    other = result_of(played.phase("a"), 1 - played.reader.sides(first).index(1))
    blocking = consequences(played.state, first, other).blocking
    assert blocking == (final, semifinal)
    for each in blocking:
        played.do(e.AnnulResult(each, "typed wrong"))
    played.do(e.CorrectResult(first, other, "typed wrong"))
    assert 1 not in played.reader.sides(semifinal)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("teams", sample([5, 16, 27, 64, 256], 3))
def test_every_result_of_a_double_elimination_is_corrected_in_the_order_of_its_list(
    teams: int,
) -> None:
    format_ = format_of({"kind": "double", "second_final": True})
    whole = Played(format_, teams).draw().play(coin(teams))
    for match in sample(whole.state.results, 4):
        played = Played(format_)
        played.state = whole.state
        winner = played.state.results[match].winner
        assert winner is not None
        other = result_of(played.phase("a"), 1 - winner)
        blocking = consequences(played.state, match, other).blocking
        assert len(set(blocking)) == len(blocking)
        if blocking:
            assert played.refused(e.CorrectResult(match, other, "typed wrong"))
        for each in blocking:
            played.do(e.AnnulResult(each, "typed wrong"))
        played.do(e.CorrectResult(match, other, "typed wrong"))


def test_a_correction_lists_the_rounds_paired_with_the_old_score() -> None:
    played = started(SWISS)
    played.play_phase("a", stronger)
    first = played.state.stages["a"].rounds[0].matches[0]
    now = played.state.results[first].winner
    assert now is not None
    other = consequences(played.state, first, result_of(played.phase("a"), 1 - now))
    assert (other.pairings, other.blocking, other.exchanges) == ((2, 3, 4), (), ())
    same = consequences(played.state, first, result_of(played.phase("a"), now, points=20))
    assert same.pairings == ()
    assert consequences(started(ZONES).state, "a-Z1-R1-M1", None).pairings == ()


def test_a_correction_lists_the_teams_that_another_phase_would_have() -> None:
    played = started(*BOTH, teams=8)
    played.play_phase("a", stronger)
    played.do(e.StartPhase("b"))
    second, third = played.order("a", 1)[1:3]
    match_id = next(
        each
        for each in played.state.stages["a"].matches
        if set(played.reader.sides(each)) == {second, third}
    )
    at = played.reader.sides(match_id).index(third)
    by_far = Result(at, (1, 0) if at == 0 else (0, 1), (30, 0) if at == 0 else (0, 30))
    found = consequences(played.state, match_id, by_far)
    assert found.standings == (("a", 1),)
    assert found.entrants == (EntrantsChange("b", (second,), (third,)),)
    assert start_taken_back(played.state, "b") == (e.TakeBack("b"),)
    played.do(e.CorrectResult(match_id, by_far, "typed wrong"))
    assert third not in played.state.stages["b"].entrants
    assert consequences(played.state, match_id, None).entrants == ()
    played.play_open("b", stronger)
    assert start_taken_back(played.state, "b") == ()


# ---- why ----------------------------------------------------------------------------------------


def test_a_pair_of_a_swiss_round_is_explained() -> None:
    played = started(SWISS, teams=6)
    played.do(e.Forbid(1, 3))
    played.play_phase("a", stronger)
    gaps = 0
    for paired in played.state.stages["a"].rounds:
        for match_id in paired.matches:
            found = why(played.state, match_id)
            assert isinstance(found, ByScore)
            gap = abs(found.scores[0] - found.scores[1])
            gaps += gap > 0
            assert bool(found.nearer) <= (gap > 0)
            for each in found.nearer:
                pair = {each.team, each.opponent}
                earlier = {
                    frozenset(played.reader.sides(m))
                    for before in played.state.stages["a"].rounds
                    for m in before.matches
                    if m < match_id and before is not paired
                }
                if each.obstacle is Obstacle.MET:
                    assert frozenset(pair) in earlier
                if each.obstacle is Obstacle.FORBIDDEN:
                    assert pair == {1, 3}
                assert each.obstacle is not Obstacle.CLUB
    assert gaps > 2


def test_a_club_explains_a_gap() -> None:
    played = Played(format_of({**SWISS, "rounds": 2}), 0).draw()
    for name, club in (("a", "x"), ("b", ""), ("c", "x"), ("d", "")):
        played.do(e.Enter(name, club=club))
    played.do(e.StartPhase("a"))
    played.do(e.PairRound("a"))
    for match_id in played.open_matches("a"):
        played.win(match_id, next(t for t in played.reader.sides(match_id) if t in (1, 3)))
    played.do(e.PairRound("a"))
    for match_id in played.state.stages["a"].rounds[1].matches:
        found = why(played.state, match_id)
        assert isinstance(found, ByScore)
        assert Obstacle.CLUB in {each.obstacle for each in found.nearer}


def test_other_pairs_are_explained_by_zone_seed_or_result() -> None:
    assert why(started(ZONES).state, "a-Z2-R1-M1") == ByZone(2)
    bracket = started({})
    assert why(bracket.state, "a-R1-M1") == BySeed((1, 8))
    assert why(bracket.state, "a-R2-M1") == ByResult(("a-R1-M1", "a-R1-M2"))
    with pytest.raises(KeyError):
        why(bracket.state, "a-R9-M1")


# ---- the log ------------------------------------------------------------------------------------

TEXTS = st.text(max_size=8)
NUMBERS = st.integers(0, 99)
PAIRS = st.tuples(NUMBERS, NUMBERS)
RESULTS = st.builds(Result, st.none() | st.integers(0, 1), PAIRS, PAIRS, st.sampled_from(Ending))
NAMES = st.lists(TEXTS, max_size=3).map(tuple)
EVENTS = st.one_of(
    st.builds(e.Enter, TEXTS, NAMES, NAMES, TEXTS, NUMBERS),
    st.builds(e.ChangeTeam, NUMBERS, TEXTS, NAMES, NAMES, TEXTS, NUMBERS),
    st.builds(e.Withdraw, NUMBERS, TEXTS, NAMES),
    st.builds(e.Return, NUMBERS),
    st.builds(e.MarkMissing, NUMBERS),
    st.builds(e.MarkPresent, NUMBERS),
    st.builds(e.Forbid, NUMBERS, NUMBERS),
    st.builds(e.Allow, NUMBERS, NUMBERS),
    st.builds(e.MissRound, TEXTS, NUMBERS, NUMBERS),
    st.builds(e.AttendRound, TEXTS, NUMBERS, NUMBERS),
    st.builds(e.Commit, TEXTS),
    st.builds(e.Draw, TEXTS),
    st.builds(e.EnterAgain, TEXTS, NUMBERS),
    st.builds(e.StartPhase, TEXTS),
    st.builds(e.PairRound, TEXTS),
    st.builds(e.PairByHand, TEXTS, st.lists(PAIRS, max_size=3).map(tuple), NUMBERS, TEXTS),
    st.builds(e.ExchangeTeams, TEXTS, NUMBERS, NUMBERS, TEXTS),
    st.builds(e.AllowRematch, TEXTS, NUMBERS, NUMBERS, TEXTS),
    st.builds(e.EndPhase, TEXTS, TEXTS),
    st.builds(e.TakeBack, TEXTS),
    st.builds(e.RecordResult, TEXTS, RESULTS),
    st.builds(e.RecordResult, TEXTS, RESULTS, TEXTS),
    st.builds(e.CorrectResult, TEXTS, RESULTS, TEXTS),
    st.builds(e.AnnulResult, TEXTS, TEXTS),
)


@pytest.mark.sampled
@given(EVENTS)
@settings(max_examples=amount(30, 100))
def test_an_event_comes_back_from_json(event: e.Event) -> None:
    found = parse(json.loads(json.dumps(encode(event))))
    assert (type(found), found) == (type(event), event)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "do: wants one of Enter"),
        ({"do": "Burn"}, "do: wants one of"),
        ({"do": "Draw"}, "Draw: seed: is missing"),
        ({"do": "Draw", "seed": 3}, "seed: wants a text"),
        ({"do": "Return", "team": True}, "team: wants a whole number"),
        ({"do": "StartPhase", "phase": "a", "now": 1}, "now: no such key"),
        ({"do": "Enter", "name": "x", "players": "Ana"}, "players: wants a list"),
        ({"do": "Enter", "name": "x", "players": [1]}, "players.0: wants a text"),
        ({"do": "RecordResult", "match": "m", "result": 3}, "result: wants a table"),
        ({"do": "RecordResult", "match": "m", "result": {"winner": "A"}}, "games: is missing"),
        ({"do": "RecordResult", "match": "m",
          "result": {"winner": 0, "games": [1], "points": [1, 0]}},
         "result.games: wants 2 values"),
        ({"do": "RecordResult", "match": "m",
          "result": {"winner": 0.5, "games": [1, 0], "points": [1, 0]}},
         "result.winner: wants a whole number"),
        ({"do": "RecordResult", "match": "m",
          "result": {"winner": 0, "games": [1, 0], "points": [1, 0], "ending": "won"}},
         "result.ending: wants one of played"),
        ({"do": "RecordResult", "match": "m",
          "result": {"winner": 0, "games": [1, 0], "points": [1, 0], "ending": []}},
         "result.ending: wants one of played"),
    ],
)  # fmt: skip
def test_an_object_that_is_no_event_is_refused(values: dict[str, object], words: str) -> None:
    found = parse(values)
    assert isinstance(found, NoEvent)
    assert words in found.text


@pytest.mark.parametrize("name", ["gaucho", "zones_and_bracket", "swiss", "double"])
def test_the_log_rebuilds_the_tournament(name: str) -> None:
    played = Played(built_in(name), 30, clubs=4, seeds=5).draw().play(coin(7))
    state = begin(played.state.format)
    for event in played.log:
        again = parse(json.loads(json.dumps(encode(event))))
        assert not isinstance(again, NoEvent)
        after = apply(state, again)
        assert not isinstance(after, EventRefusal)
        state = after
    assert state == played.state


def test_a_walkover_is_recorded_for_the_absent_team() -> None:
    played = started(SWISS)
    played.do(e.PairRound("a"))
    match_id = played.open_matches("a")[0]
    played.do(e.RecordResult(match_id, walkover(played.phase("a"), 0)))
    winner, loser = played.reader.sides(match_id)
    assert winner and loser
    assert not played.reader.outings("a", winner)[0].is_played
    assert played.reader.outings("a", loser)[0].is_absence


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(built_in_formats()))
def test_what_the_log_has_of_a_draw_is_what_is_drawn_again(name: str) -> None:
    format_ = built_in(name)
    teams = min(max(32, format_.teams[0]), format_.teams[1])
    played = Played(format_, teams, clubs=5).draw().play(coin(3))
    drawn = [each for each in played.log if isinstance(each, e.StartPhase | e.PairRound)]
    assert drawn and all(any(each[1:]) for each in drawn)
    state = begin(played.state.format)
    for event in played.log:
        plain = type(event)(event.phase) if event in drawn else event
        after = apply(state, plain)
        assert not isinstance(after, EventRefusal)
        state = after
    assert state == played.state


ONE_BRACKET: dict[str, Any] = {}
TWO_ZONES = {"kind": "zones", "zones": 2}
WRONG_STARTS = {
    "a team twice": (ONE_BRACKET, (1, 2, 3, 3), ((1, 3, 2, 3),)),
    "an unknown team": (ONE_BRACKET, (1, 2, 3, 9), ((1, 9, 2, 3),)),
    "a withdrawn team": (ONE_BRACKET, (1, 2, 3, 5), ((1, 5, 2, 3),)),
    "a team without a place": (ONE_BRACKET, (1, 2, 3, 4), ((1, 0, 2, 3),)),
    "a team in two places": (ONE_BRACKET, (1, 2, 3, 4), ((1, 4, 2, 2),)),
    "a bracket of other places": (ONE_BRACKET, (1, 2, 3, 4), ((1, 4, 2, 3, 0, 0, 0, 0),)),
    "a match of two byes": (ONE_BRACKET, (1, 2, 3), ((0, 0, 1, 2, 3, 0, 0, 0),)),
    "a bracket of no places": (ONE_BRACKET, (1, 2, 3, 4), ()),
    "two sections for one survivor": (ONE_BRACKET, (1, 2, 3, 4), ((1, 4), (2, 3))),
    "zones of other sizes": (TWO_ZONES, (1, 2, 3, 4), ((1, 2, 3), (4,))),
    "one zone too many": (TWO_ZONES, (1, 2, 3, 4), ((1, 2), (3, 4), ())),
    "a bye in a zone": (TWO_ZONES, (1, 2, 3, 4), ((1, 2), (3, 0))),
    "zones of a swiss phase": (SWISS, (1, 2, 3, 4), ((1, 2), (3, 4))),
}


@pytest.mark.parametrize("case", WRONG_STARTS)
def test_a_start_with_wrong_teams_or_places_is_refused(case: str) -> None:
    phase, entrants, groups = WRONG_STARTS[case]
    played = Played(format_of({**phase, "id": "a"}), 5).draw()
    played.do(e.Withdraw(5, "ill"))
    start = e.StartPhase("a", entrants, groups)
    assert played.refused(start) == EventRefusal(Reason.NO_PAIRING)
    logged = as_logged(played.state, start)
    assert logged == as_logged(played.state, e.StartPhase("a")), "those of a request are ignored"
    assert not isinstance(apply(played.state, logged), EventRefusal)


@pytest.mark.parametrize("score", [[1, 0, 0], [3, 1, 0], [3, 2, 1]])
def test_the_scores_of_a_phase_are_the_sums_of_its_outings(score: list[int]) -> None:
    played = started({**SWISS, "score": score}, teams=9)
    flip = coin(11)
    steps = 0
    while played.play_open("a", flip) or played.next_round("a"):
        steps += 1
        if steps == 3:
            played.do(e.MissRound("a", 3, 4))
            played.do(e.Withdraw(5, "ill"))
            played.do(e.Enter("late"))
        for team in played.state.stages["a"].entrants:
            outings = played.reader.outings("a", team)
            assert played.reader.scores("a")[team] == sum(each.score for each in outings)
    assert steps == 8


@pytest.mark.parametrize(
    ("pairs", "bye"),
    [
        (((1, 2), (3, 4), (5, 6)), 0),  # two teams lack
        (((1, 2), (3, 4), (5, 6), (7, 7)), 0),
        (((1, 2), (3, 4), (5, 6), (7, 99)), 0),
        (((1, 2), (3, 4), (5, 6), (7, 8)), 8),
    ],
)
def test_a_round_of_other_teams_is_refused(pairs: tuple[tuple[int, int], ...], bye: int) -> None:
    played = Played(built_in("swiss"), 8).draw()
    played.do(e.StartPhase("suizo"))
    assert apply(played.state, e.PairRound("suizo", pairs, bye)) == EventRefusal(Reason.NO_PAIRING)
    assert as_logged(played.state, e.PairRound("suizo", pairs, bye)) == as_logged(
        played.state, e.PairRound("suizo")
    ), "the pairs of a request are ignored"


@pytest.mark.parametrize(
    ("date", "is_day"),
    [
        ("", True),
        ("2026-11-28", True),
        ("2028-02-29", True),
        ("2026-02-29", False),
        ("2026-13-01", False),
        ("0000-01-01", False),
        ("28/11/2026", False),
        ("2026-11-28T20:00", False),
    ],
)
def test_a_tournament_has_a_day_of_the_calendar(date: str, is_day: bool) -> None:
    state = begin(built_in("swiss"))
    after = apply(state, NameTournament("Copa", date, "Damas"))
    if is_day:
        assert not isinstance(after, EventRefusal)
        assert after.names == Names("Copa", date, "Damas")
    else:
        assert after == EventRefusal(Reason.DATE)
