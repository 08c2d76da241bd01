"""When results are published and called matches are late; marks of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from scorer.hall.result_code import MatchResult, ResultPhase
from scorer.hall.rows import Opening
from scorer.hub.match_place import MatchKey, MatchPlace
from scorer.hub.matches import (
    AgreedResult,
    Call,
    ResultMarks,
    agreed_result,
    cap_seconds,
    cap_start,
    differs,
    goes_on,
    is_late,
    is_undecided,
    marks_of,
    next_calls,
    result_of_code,
    results_to_publish,
    used_seconds,
    waiting_matches,
)
from scorer.hub.scores import Scores, Sitting, TableScore
from scorer.hub.times import seconds_of
from scorer.rules.assigned import MIN_CAP_S
from scorer.tournament import Result
from scorer.tournament.events import RecordResult, StartPhase
from scorer.tournament.model import Ending
from tests.hub.boxes import SetClock, row
from tests.hub.open_tournaments import ID, opened
from tests.tournament.play import Played, format_of

WON = Result(0, (1, 0), (30, 12), Ending.PLAYED)
FIRST = "zonas-Z1-R1-M1"
ROUND_1 = (FIRST, "zonas-Z1-R1-M2", "zonas-Z2-R1-M1", "zonas-Z2-R1-M2")


# Played last at each table, the calls expected: zones 1 and 2 have two matches in a round each.
@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param(
            ["", "", "", ""], ["Z1-R1-M1", "Z1-R1-M2", "Z2-R1-M1", "Z2-R1-M2"], id="first"
        ),
        pytest.param(["Z2-R1-M1"], ["Z2-R1-M1"], id="one table stays at its zone"),
        pytest.param(["Z2-R1-M1", "Z1-R1-M1"], ["Z2-R1-M1", "Z1-R1-M1"], id="both stay"),
        pytest.param(
            ["", "Z1-R1-M1"], ["Z1-R1-M2", "Z1-R1-M1"], id="the longest free one is not first"
        ),
        pytest.param(
            ["Z2-R1-M1"] * 3, ["Z2-R1-M1", "Z2-R1-M2", "Z1-R1-M1"], id="no table waits for its zone"
        ),
        pytest.param(
            ["unknown-M1", "Z2-R1-M2"], ["Z1-R1-M1", "Z2-R1-M1"], id="of another tournament"
        ),
    ],
)
def test_a_zone_stays_at_its_tables(played: Played, last: list[str], expected: list[str]) -> None:
    at = {device: MatchKey(ID, f"zonas-{match}") for device, match in enumerate(last, 1)}
    found = {each.device: each.match for each in calls(played, at)}
    assert [found[device].match.removeprefix("zonas-") for device in at] == expected


def calls(played: Played, last: Mapping[int, MatchKey]) -> list[Call]:
    """The calls to free boxes that have played these matches last."""
    ready = waiting_matches([opened(played, {})], {}).ready
    return next_calls(ready, {ID: played.reader}, {each: each for each in last}, last, {})


def test_a_zone_is_not_called_before_an_earlier_round_of_another(played: Played) -> None:
    for match in (FIRST, "zonas-Z1-R1-M2"):
        played.do(RecordResult(match, WON))
    # The second round of zone 1 is ready, the first one of zone 2 as well.
    (call,) = calls(played, {1: MatchKey(ID, FIRST)})
    assert call.match == MatchKey(ID, "zonas-Z2-R1-M1")


def agreed(*matches: str, minutes: float = 0) -> list[AgreedResult]:
    return [AgreedResult(each, WON, minutes) for each in matches]


@pytest.mark.parametrize(
    ("after", "minutes", "is_published"),
    [(0, 0, True), (5, 4.9, False), (5, 5, True), (5, 60, True)],
)
def test_a_result_waits_its_minutes(
    played: Played, after: int, minutes: float, is_published: bool
) -> None:
    listed = agreed(FIRST, minutes=minutes)
    assert bool(results_to_publish(played.reader, listed, after)) is is_published


def test_a_round_is_published_with_its_last_match(played: Played) -> None:
    *others, last = ROUND_1
    assert results_to_publish(played.reader, agreed(*others), None) == []
    assert results_to_publish(played.reader, agreed(*ROUND_1), None) == agreed(*ROUND_1)
    # One that was decided on paper counts, those of the next round do not.
    played.do(RecordResult(last, WON))
    assert results_to_publish(played.reader, agreed(*others), None) == agreed(*others)


@pytest.mark.parametrize(
    ("state", "minutes", "expected"),
    [("offered", 15, False), ("offered", 15.1, True), ("accepted", 60, False)],
)
def test_a_match_is_late_after_its_tolerance(
    played: Played, state: str, minutes: float, expected: bool
) -> None:
    assert is_late(played.reader, FIRST, MatchPlace(1, state), 60 * minutes) is expected


def test_the_marks_follow_a_result_from_the_table_to_its_publication(played: Played) -> None:
    def marks(place: MatchPlace | None) -> str:
        found = marks_of(played.reader, FIRST, place)
        return "".join("ny"[each] for each in found)

    def at_end(state: str, points: tuple[int, int] = (30, 12)) -> MatchPlace:
        return MatchPlace(1, state, (1, 0), points)

    assert [marks(None), marks(MatchPlace(1, "playing"))] == ["nnn", "nnn"]
    assert [marks(at_end("ended")), marks(at_end("agreed"))] == ["ynn", "yyn"]
    played.do(RecordResult(FIRST, WON))
    assert marks(at_end("agreed")) == "yyy"
    assert marks(at_end("agreed", (30, 29))) == "yyn", "the rows say something else"
    assert marks_of(played.reader, FIRST, None) == ResultMarks(
        table=False, hub=False, published=True
    )


@pytest.mark.parametrize(
    ("official", "expected"),
    [
        (Result(0, (0, 0), (0, 0), Ending.DECIDED), False),
        (Result(1, (0, 0), (0, 0), Ending.DECIDED), True),
        (Result(0, (1, 0), (30, 0), Ending.WALKOVER), False),
        (Result(1, (0, 1), (0, 30), Ending.WALKOVER), True),
        (Result(0, (1, 0), (30, 11), Ending.PLAYED), True),
    ],
)
def test_a_decision_differs_from_the_table_by_its_winner_alone(
    played: Played, official: Result, expected: bool
) -> None:
    played.do(RecordResult(FIRST, official))
    place = MatchPlace(1, "contested", (1, 0), (30, 12))
    assert differs(played.reader, FIRST, place) is expected
    if official.ending is Ending.DECIDED:
        # The table says nothing against it where no match of the phase ends so.
        assert not differs(played.reader, FIRST, place._replace(games=(0, 0)))


def test_an_agreed_result_is_official_or_goes_on_or_is_undecided() -> None:
    phase = {"id": "z", "kind": "bracket", "variant": "argentine", "target": 30, "legs": 2}
    played = Played(format_of(phase), 4).draw()
    played.do(StartPhase("z"))

    def found(
        games: tuple[int, int], points: tuple[int, int], state: str = "agreed"
    ) -> tuple[bool, bool, bool]:
        asked = (played.reader, "z-R1-M1", MatchPlace(1, state, games, points))
        return agreed_result(*asked) is not None, goes_on(*asked), is_undecided(*asked)

    assert found((1, 1), (42, 37)) == (True, False, False)
    assert found((1, 1), (37, 37)) == (False, True, True)
    assert found((1, 1), (37, 37), state="ended") == (False, False, False)
    assert found((1, 0), (30, 12)) == (False, False, True)
    assert found((2, 1), (67, 67)) == (True, False, False)


@pytest.mark.parametrize(
    ("ending", "cap", "expected"),
    [
        ("leader", 60, Result(0, (1, 0), (35, 12), Ending.CAP)),
        ("start", 60, None),
        ("director", 60, None),
        ("leader", 0, None),
    ],
)
def test_the_end_of_the_time_decides_where_the_leader_wins(
    ending: str, cap: int, expected: Result | None
) -> None:
    phase = {"id": "z", "kind": "bracket", "best_of": 3, "cap": cap}
    if cap:
        phase |= {"cap_ending": ending}
    if ending == "start":
        phase |= {"cap_start": 10}
    played = Played(format_of(phase), 4).draw()
    played.do(StartPhase("z"))
    place = MatchPlace(1, "agreed", (1, 0), (35, 12), by_time=True)
    assert agreed_result(played.reader, "z-R1-M1", place) == expected
    assert is_undecided(played.reader, "z-R1-M1", place) is (expected is None)


def test_a_code_has_the_result_of_a_series_or_of_its_time() -> None:
    phase = {"id": "z", "kind": "bracket", "best_of": 3, "cap": 60}
    played = Played(format_of(phase), 4).draw()
    played.do(StartPhase("z"))

    def found(games: tuple[int, int]) -> Result | None:
        code = MatchResult(1, 5, ResultPhase.AGREED, games, (30, 12))
        return result_of_code(played.reader.phase_of("z-R1-M1"), {}, 1, code)

    # The points of the earlier games are not known.
    assert found((2, 0)) == Result(0, (2, 0), (0, 0), Ending.PLAYED)
    assert found((1, 0)) == Result(0, (1, 0), (0, 0), Ending.CAP)
    assert found((0, 0)) == Result(0, (0, 0), (30, 12), Ending.CAP)
    assert found((1, 1)) is None


LEG = '[Variant "argentine"]\n[Match "z-R1-M1"]\n[Hall "h"]\n[Leg "2/2"]\n'


@pytest.mark.parametrize("lines", [("B award 9", "- time"), ("B award 30",)])
def test_a_later_leg_decides_nothing_while_the_hub_misses_an_earlier_one(
    lines: tuple[str, ...],
) -> None:
    phase = {"id": "z", "kind": "bracket", "legs": 2, "cap": 60}
    played = Played(format_of(phase), 4).draw()
    played.do(StartPhase("z"))
    table, scores = TableScore("e"), Scores()
    agreed = (*lines, "A agree", "B agree")
    table.add([Opening(2, 5, LEG)], [row(5 + at, line, 2) for at, line in enumerate(agreed)])
    scores.put(1, table)
    found = scores.progress_of(1, Sitting("z-R1-M1", "h"), 1)
    place = MatchPlace(1, found.state, (0, 0), (0, 9), found.by_time, found.misses_leg)
    assert (place.state, place.misses_leg) == ("agreed", True)
    assert is_undecided(played.reader, "z-R1-M1", place)
    first = Opening(1, 1, LEG.replace("2/2", "1/2"))
    table.add([first], [])
    scores.put(1, table)
    assert not scores.progress_of(1, Sitting("z-R1-M1", "h"), 1).misses_leg


def test_a_step_of_a_newer_table_hides_only_the_score_of_its_game() -> None:
    table, header = TableScore("e"), '[Variant "argentine"]\n'
    table.add([Opening(1, 1, header)], [row(1, "A award 3", 1), row(2, "- of_a_newer_table", 1)])
    assert (table.running(), table.last) == (None, 2)
    table.add([Opening(2, 3, header)], [row(3, "- mano B", 2), row(4, "- all_tied", 2)])
    running = table.running()
    assert running is not None
    assert [side.score for side in running.sides] == [0, 1]


TIMED = """[Variant "argentine"]
[Match "z-R1-M1"]
[Hall "h"]
"""
SITTING = Sitting("z-R1-M1", "h")


def played_at(device: int, minutes: Sequence[int], scores: Scores, at: float = 0) -> None:
    """A table with rows of a match, so many minutes after its machine has started."""
    table = TableScore("e")
    rows = [
        row(seq, "A award 1")._replace(monotonic_ms=minute * 60_000, trusted=False)
        for seq, minute in enumerate(minutes, 1)
    ]
    table.add([Opening(1, 1, TIMED)], rows, at)
    scores.put(device, table)


def test_a_match_that_moves_keeps_the_time_it_has_used() -> None:
    phase = {"id": "z", "kind": "bracket", "cap": 40}
    played = Played(format_of(phase), 4).draw()
    played.do(StartPhase("z"))
    scores = Scores()
    played_at(1, [3, 10, 15], scores)
    assert used_seconds(scores, SITTING, 1, 2, None) == 12 * 60
    # It is at table 1 now, where 14 minutes have passed.
    assert used_seconds(scores, SITTING, 1, 2, (1, 14 * 60)) == 14 * 60
    played_at(2, [100, 120], scores)
    used = used_seconds(scores, SITTING, 1, 3, None)
    assert cap_seconds(played.reader, "z-R1-M1", used) == (40 - 12 - 20) * 60
    # The next leg at the same table: its clock goes on.
    assert used_seconds(scores, SITTING, 2, 2, (2, 21 * 60)) == 12 * 60
    # A table takes no limit below a second.
    assert cap_seconds(played.reader, "z-R1-M1", 3600) == MIN_CAP_S


def test_the_clock_of_a_match_counts_from_its_first_row() -> None:
    scores = Scores()
    played_at(1, [3, 10], scores, at=50_000.0)
    run = scores.run_of(1, SITTING)
    assert run is not None
    assert run.began == 50_000.0 - 7 * 60
    late = run.last._replace(trusted=True, wall="2026-11-22T20:00:00Z")
    clock = SetClock(seconds_of("2026-11-22T20:05:00Z"))
    # Where both clocks are right, a row counts from when it was written, not from its arrival.
    assert Scores(lambda: 1000.0, clock).written([late]) == 1000.0 - 5 * 60
    assert Scores(lambda: 1000.0, clock).written([run.last]) == 1000.0


@pytest.mark.parametrize(
    ("ending", "points"), [("leader", None), ("director", None), ("start", 10)]
)
def test_only_a_phase_whose_games_begin_at_a_score_sends_one(
    ending: str, points: int | None
) -> None:
    phase = {"id": "z", "kind": "bracket", "best_of": 3, "cap": 60, "cap_ending": ending}
    played = Played(format_of(phase | ({"cap_start": 10} if points else {})), 4).draw()
    played.do(StartPhase("z"))
    assert cap_start(played.reader, "z-R1-M1") == points
