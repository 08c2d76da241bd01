"""A team that leaves: which of its matches count, in every format at every moment."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from scorer.config.tournament_formats import built_in_formats
from scorer.tournament import (
    FormatError,
    NoEvent,
    Reader,
    Reason,
    Result,
    Tournament,
    apply,
    begin,
    encode,
    parse,
)
from scorer.tournament import events as e
from scorer.tournament.consequences import Departure, annulled_by_rule, departure
from scorer.tournament.export import decode
from scorer.tournament.export import encode as file_of
from scorer.tournament.fold import may_annul
from scorer.tournament.format import Criterion, PhaseKind
from scorer.tournament.model import Ending
from scorer.tournament.results import annulled, walkover
from tests.sampling import sample
from tests.tournament.play import Played, built_in, coin, format_of, stronger

ZONE = {"kind": "zones", "zone_size": 5}
BRACKET = {"id": "b", "from": [{"phase": "a", "places": [1, 2]}]}
WIN = Result(0, (1, 0), (30, 1))


def zone_of_five(**keys: object) -> Played:
    """A zone in which each team plays four matches."""
    played = Played(format_of({**ZONE, **keys}, BRACKET), 5).draw()
    played.do(e.StartPhase("a"))
    return played


def matches_of(played: Played, team: int) -> list[str]:
    return [each.id for each in played.state.stages["a"].matches.values() if team in each.slots]


def leave(played: Played, team: int) -> None:
    played.do(e.Withdraw(team, "ill", annulled_by_rule(played.reader, team)))


def endings(played: Played, team: int) -> list[Ending | None]:
    found = (played.reader.result(each) for each in matches_of(played, team))
    return [each and each.ending for each in found]


# ---- the rule of the format ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "played_before", "is_annulled"),
    [
        ("half", 0, True),
        ("half", 1, True),
        ("half", 2, False),
        ("annul", 0, True),
        ("annul", 4, True),
        ("walkover", 0, False),
        ("walkover", 1, False),
    ],
)
def test_the_format_says_whether_the_matches_of_a_team_are_annulled(
    rule: str, played_before: int, *, is_annulled: bool
) -> None:
    played = zone_of_five(leaving=rule)
    for match in matches_of(played, 3)[:played_before]:
        played.win(match, 3)
    leave(played, 3)
    if is_annulled:
        assert endings(played, 3) == [Ending.ANNULLED] * 4
    else:
        left = 4 - played_before
        assert endings(played, 3) == [Ending.PLAYED] * played_before + [Ending.WALKOVER] * left


def test_without_a_rule_half_of_the_matches_decide() -> None:
    played = zone_of_five()
    for match in matches_of(played, 3)[:1]:
        played.win(match, 3)
    assert annulled_by_rule(played.reader, 3) == ("a",)


def test_a_team_that_was_absent_has_not_played() -> None:
    played = zone_of_five()
    for match in matches_of(played, 3):
        at = played.reader.sides(match).index(3)
        played.do(e.RecordResult(match, walkover(played.phase("a"), 1 - at)))
    assert annulled_by_rule(played.reader, 3) == ("a",)


def test_matches_that_are_annulled_already_are_none_of_the_half() -> None:
    played = zone_of_five()
    leave(played, 1)
    (own,) = [each for each in matches_of(played, 2) if 3 in played.reader.sides(each)]
    played.win(own, 2)
    assert annulled_by_rule(played.reader, 2) == ("a",)  # one of three
    (other,) = [each for each in matches_of(played, 2) if 4 in played.reader.sides(each)]
    played.win(other, 2)
    assert annulled_by_rule(played.reader, 2) == ()  # two of three


@pytest.mark.parametrize("kind", ["bracket", "rounds", "double"])
def test_only_zones_have_the_key(kind: str) -> None:
    rounds = {"rounds": 3} if kind == "rounds" else {}
    with pytest.raises(FormatError, match="leaving"):
        format_of({"kind": kind, "leaving": "annul", **rounds})


# ---- what is annulled ---------------------------------------------------------------------------


def test_an_annulled_match_keeps_its_numbers_and_has_no_winner() -> None:
    played = zone_of_five()
    match = matches_of(played, 3)[0]
    played.win(match, 3)
    stored = played.state.results[match]
    leave(played, 3)
    assert played.reader.result(match) == annulled(stored)
    assert played.reader.result(match) == stored._replace(winner=None, ending=Ending.ANNULLED)
    assert played.reader.result(matches_of(played, 3)[1]) == annulled(None)


def test_the_team_stands_last_without_values_behind_one_that_has_lost_all() -> None:
    played = zone_of_five()
    for match in matches_of(played, 1) + matches_of(played, 2) + matches_of(played, 4):
        sides = played.reader.sides(match)
        if 3 not in sides and played.reader.result(match) is None:
            played.win(match, min(each for each in sides if each))
    leave(played, 3)
    ranked = played.reader.standings("a", 1)
    assert [each.team for each in ranked] == [1, 2, 4, 5, 3]
    assert [each.rank for each in ranked] == [1, 2, 3, 4, 5]
    assert set(ranked[-1].values) == {None}
    assert played.reader.is_complete("a")
    met = played.phase("a").tiebreaks.index(Criterion.MET)
    assert all(each.values[met] is None for each in ranked)


def test_no_result_of_an_annulled_match_is_recorded() -> None:
    played = zone_of_five()
    leave(played, 3)
    match = matches_of(played, 3)[0]
    assert played.refused(e.RecordResult(match, WIN)).reason is Reason.HAS_RESULT
    bad = Result(None, (0, 0), (0, 0), Ending.ANNULLED)
    other = next(each for each in played.open_matches("a"))
    assert played.refused(e.RecordResult(other, bad)).reason is Reason.IMPOSSIBLE


def test_nothing_is_annulled_once_a_phase_has_begun_with_teams_of_the_zones() -> None:
    played = Played(format_of({"kind": "zones", "zone_size": 4}, BRACKET), 8).draw()
    played.play_phase("a", stronger)
    played.do(e.StartPhase("b"))
    assert may_annul(played.state, 1) == ()
    assert played.refused(e.Withdraw(1, "ill", ("a",))).reason is Reason.TOO_LATE
    first = played.order("a", 1)[0]
    leave(played, first)
    assert played.order("a", 1)[0] == first


@pytest.mark.parametrize("phase", ["b", "x", ""])
def test_a_phase_without_zones_of_the_team_is_refused(phase: str) -> None:
    played = zone_of_five()
    assert played.refused(e.Withdraw(1, "ill", (phase,))).reason is Reason.TOO_LATE


def test_a_correction_of_an_annulled_match_counts_when_the_team_returns() -> None:
    played = zone_of_five()
    match = matches_of(played, 3)[0]
    played.win(match, 3)
    leave(played, 3)
    result = Result(1, (0, 1), (3, 30))
    played.do(e.CorrectResult(match, result, "paper"))
    assert played.reader.result(match) == annulled(result)
    played.do(e.Return(3))
    assert played.reader.result(match) == result


def test_a_play_off_that_was_played_is_not_annulled() -> None:
    chain = ["wins", "playoff", "draw"]
    played = Played(
        format_of(
            {"kind": "zones", "zone_size": 3, "tiebreaks": chain, "leaving": "annul"}, BRACKET
        ),
        3,
    ).draw()
    played.do(e.StartPhase("a"))
    for match in played.open_matches("a"):
        one, other = (each or 0 for each in played.reader.sides(match))
        played.win(match, {(1, 2): 1, (2, 3): 2, (1, 3): 3}[min(one, other), max(one, other)])
    played.do(e.PairRound("a"))
    first = next(each for each in played.open_matches("a") if 3 in played.reader.sides(each))
    played.win(first, 3)
    leave(played, 3)
    found = played.reader.result(first)
    assert found is not None and found.ending is Ending.PLAYED
    played.play_phase("a", stronger)
    assert played.order("a", 1)[-1] == 3


def test_a_withdrawal_of_an_earlier_log_keeps_its_bytes_and_its_meaning() -> None:
    earlier = {"do": "Withdraw", "team": 3, "reason": "ill"}
    event = parse(earlier)
    assert event == e.Withdraw(3, "ill", ())
    assert not isinstance(event, NoEvent) and encode(event) == earlier
    played = zone_of_five()
    played.do(event)
    assert endings(played, 3) == [Ending.WALKOVER] * 4


# ---- every format, every moment -----------------------------------------------------------------


@cache
def whole(name: str) -> Played:
    format_ = built_in(name)
    teams = min(max(format_.teams[0] + 2, 12), format_.teams[1])
    return Played(format_, teams, clubs=3).draw().play(coin(5))


def moments(name: str) -> list[Tournament]:
    """The states of a whole tournament, from the draw on."""
    state, found = begin(whole(name).state.format), []
    for event in whole(name).log:
        after = apply(state, event)
        assert isinstance(after, Tournament)
        state = after
        if state.seed:
            found.append(state)
    return found


def left(state: Tournament, team: int) -> tuple[Departure, Tournament]:
    annuls = annulled_by_rule(Reader(state), team)
    found = departure(state, team, annuls)
    assert isinstance(found, Departure)
    after = apply(state, e.Withdraw(team, "", annuls))
    assert after == found.after
    return found, found.after


def counted(state: Tournament, team: int, gone: int, phase_id: str) -> tuple[int, ...]:
    """Wins, games and points of a team against the others, from the stored results."""
    wins = games = points = 0
    for match in state.stages[phase_id].matches.values():
        result = state.results.get(match.id)
        if result is None or team not in match.slots or gone in match.slots or match.is_playoff:
            continue
        at = match.slots.index(team)
        wins += result.winner == at
        games += result.games[at] - result.games[1 - at]
        points += result.points[at] - result.points[1 - at]
    return wins, games, points


ORACLE = (Criterion.WINS, Criterion.GAMES_DIFFERENCE, Criterion.POINTS_DIFFERENCE)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(built_in_formats()))
def test_laws_of_leaving(name: str) -> None:
    """At every moment: what is counted, what stays, and that it can be taken back."""
    teams = random.Random(name)
    annulled_somewhere = False
    for state in sample(moments(name), 12):
        team = teams.choice(sorted(state.teams))
        found, after = left(state, team)
        old, new = Reader(state), Reader(after)
        assert apply(after, e.Return(team)) == state
        annulled_somewhere |= bool(after.annulled)
        for match in state.matches():
            before, now = old.result(match.id), new.result(match.id)
            if team not in old.sides(match.id):
                # A bracket may be shorter, but what was played stays.
                assert before is None or now == before
                continue
            assert (match.id in found.changed) == (now != before)
            assert (match.id in found.kept) == (before is not None and now == before)
            is_annulled = (match.phase, team) in after.annulled and not match.is_playoff
            if is_annulled:
                assert now == annulled(before)
            elif before is not None:
                assert now == before
            elif now is not None:
                assert now.ending is Ending.WALKOVER and (
                    now.winner is None or new.loser(match.id) == team
                )
        for phase_id in (phase for phase, _ in after.annulled):
            stage, phase = after.stages[phase_id], state.format.phase(phase_id)
            assert phase is not None and phase.kind is PhaseKind.ZONES
            for zone, members in enumerate(stage.zones, 1):
                ranked = new.standings(phase_id, zone)
                assert sorted(each.team for each in ranked) == sorted(members)
                assert [each.rank for each in ranked] == [*range(1, len(members) + 1)]
                if team not in members:
                    assert ranked == old.standings(phase_id, zone)
                    continue
                assert ranked[-1].team == team
                for each in ranked[:-1]:
                    values = dict(zip(phase.tiebreaks, each.values, strict=True))
                    oracle = counted(state, each.team, team, phase_id)
                    assert all(
                        values.get(key, value) == value
                        for key, value in zip(ORACLE, oracle, strict=True)
                    )
    has_zones = any(each.kind is PhaseKind.ZONES for each in built_in(name).phases)
    assert annulled_somewhere is has_zones


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", sorted(built_in_formats()))
def test_a_tournament_is_played_to_its_end_after_a_team_has_left(name: str) -> None:
    states = moments(name)
    chosen = [states[len(states) * at // 5] for at in range(1, 5)]
    for at, state in enumerate(chosen):
        playing = sorted({t for each in Reader(state).state.stages.values() for t in each.entrants})
        gone = playing[at % len(playing)] if playing else 1
        played = Played(state.format)
        _, played.state = left(state, gone)
        if not state.stages and len(state.teams) == state.format.teams[0]:
            continue  # too few are left to begin
        played.play(coin(11))
        last = state.format.phases[-1].id
        first = played.reader.standings(last)[0]
        assert first.team != gone
        assert [each.rank for each in played.reader.standings(last)][:2] == [1, 2]


def test_the_file_of_a_tournament_has_what_was_annulled() -> None:
    played = Played(built_in("zones_and_bracket"), 9).draw()
    played.do(e.StartPhase("zonas"))
    leave(played, 2)
    assert played.state.annulled == {("zonas", 2)}
    data = file_of(played.state.format, played.log)
    found = decode(data)
    assert found.state == played.state  # type: ignore[union-attr]
    assert file_of(found.state.format, found.log) == data  # type: ignore[union-attr]
    assert json.loads(data)["events"][-1]["annuls"] == ["zonas"]
