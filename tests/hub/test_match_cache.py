"""The desk's objects of matches: made once, and never older than the tournament."""

from __future__ import annotations

import asyncio
import json

import pytest

from scorer.hall.rows import Opening, digest_in
from scorer.hall.wire import RowsRequest
from scorer.hub.desk_tournament import desk_tournament
from scorer.hub.hub import Hub
from scorer.hub.match_cache import MatchCache
from scorer.hub.match_place import MatchPlace, PlayingTime
from scorer.hub.matches import places
from scorer.hub.tournaments import TournamentDesk
from scorer.tournament import Event
from scorer.tournament.changes import changed
from scorer.tournament.events import (
    AnnulResult,
    ChangeTeam,
    CorrectResult,
    Enter,
    MarkMissing,
    PairRound,
    RecordResult,
    StartPhase,
    Withdraw,
)
from scorer.tournament.model import Result
from tests.hub.boxes import DIRECTOR, Hall, row, rows_message, submission
from tests.hub.test_troubles import TOKEN, Monotonic, in_hall
from tests.tournament.play import Played, built_in

PLACE = MatchPlace(7, "playing", points=(3, 1), time=PlayingTime(0.0, 1800.0, 10.0))


def shown(hub: Hub, language: str = "es-AR") -> str:
    """What the desk shows of tables and tournament."""
    found = desk_tournament(hub, language), hub.desk_document(language)["boxes"]
    return json.dumps(found, sort_keys=True)


def at_tables(hub: Hub) -> dict[str, tuple[int, MatchPlace]]:
    running = hub.matches.running()
    return dict(hub.matches.at_tables(running.id))


def found_anew(hub: Hub) -> dict[str, tuple[int, MatchPlace]]:
    """The same, of all tables at once."""
    (box,) = hub.state.view.boxes
    view, scores = hub.state.view, hub.state.scores
    found = places(hub.matches.running(), hub.matches.reader(), view.assigned, scores)
    return {each: (box.device, at._replace(table=box.table)) for each, (_, at) in found.items()}


async def send(hub: Hub, message: RowsRequest) -> None:
    """Send rows, and wait until they are replayed."""
    before = hub.state.scores.changes
    await hub.submit(submission(TOKEN, message))
    async with asyncio.timeout(20):
        while hub.state.scores.changes == before:
            await asyncio.sleep(0.01)


def test_an_object_is_made_again_when_something_of_it_has_changed() -> None:
    made, count = MatchCache(), 0
    state = object()

    def get(place: MatchPlace | None = PLACE, known: object = state, kind: str = "desk") -> int:
        def make() -> dict[str, int]:
            nonlocal count
            count += 1
            return {"n": count}

        return int(made.get(kind, known, "R1-M1", place, make)["n"])

    assert [get(), get()] == [1, 1]
    # The same minute, then the next one.
    assert PLACE.time is not None
    assert get(PLACE._replace(time=PLACE.time._replace(now=30.0))) == 1
    assert get(PLACE._replace(time=PLACE.time._replace(now=70.0))) == 2
    assert get(PLACE._replace(time=PlayingTime(0.0, None, 10.0))) == 3
    assert get(PLACE._replace(points=(3, 2))) == 4
    assert get(None) == 5
    assert get(None, kind="tables") == 6
    assert get(None, known=object()) == 7


@pytest.mark.parametrize(
    ("seconds", "left", "over"),
    [(0, 30, 0), (1, 30, 0), (60, 29, 0), (1799, 1, 0), (1800, 0, 0), (1859, 0, 0), (1860, 0, 1)],
)
def test_a_clock_counts_the_minutes_up_to_its_end_and_those_after_it(
    seconds: float, left: int, over: int
) -> None:
    time = PlayingTime(10.0, 1810.0, 10.0 + seconds)
    assert (time.left, time.over) == (left, over)


@pytest.mark.sampled(1)
@in_hall
async def test_after_each_decision_and_each_row_the_desk_shows_what_a_new_hub_would(
    hub: Hub, hall: Hall, monotonic: Monotonic
) -> None:
    begun = Played(changed(built_in("swiss"), {"every_phase": {"cap": 30}}), 4).draw()

    def begin(desk: TournamentDesk) -> None:
        desk.begin(begun.state.format, begun.log)

    seen: list[str] = []

    def compare() -> None:
        with_known = shown(hub), shown(hub, "en")
        hub.match_cache, known = MatchCache(), hub.match_cache
        assert with_known == (shown(hub), shown(hub, "en"))
        hub.match_cache = known
        assert at_tables(hub) == found_anew(hub)
        seen.append(with_known[0])

    await hub.state.direct(DIRECTOR, begin)
    compare()
    for event in (StartPhase("suizo"), PairRound("suizo")):
        await hub.decide(DIRECTOR, event)
        compare()
    (box,) = hub.state.view.boxes
    key = hub.matches.waiting().ready[0]
    await hub.matches.call(DIRECTOR, key, box.device)
    compare()
    document = await hub.state.desired(box.device)
    assert document is not None
    opening = Opening(1, 1, document.header)  # type: ignore[union-attr]
    rows = [row(1, "A truco", 1), row(2, "B no_quiero", 1)]
    message = rows_message(rows, openings=(opening,))
    await send(hub, message)
    compare()
    monotonic.now += 90
    compare()
    rows = [row(3, "- new_hand", 1), row(4, "A truco", 1), row(5, "B no_quiero", 1)]
    prev = digest_in(row(2, "B no_quiero", 1), (opening,))
    await send(hub, rows_message(rows, prev=prev))
    compare()
    other = hub.matches.waiting().ready[0].match
    won = Result(0, (1, 0), (30, 12))
    decisions: tuple[Event, ...] = (
        RecordResult(other, won),
        CorrectResult(other, Result(1, (0, 1), (12, 30)), "read wrongly"),
        AnnulResult(other, "played again"),
        MarkMissing(1),
        ChangeTeam(2, "Otro nombre"),
        Withdraw(3, "ill"),
        Enter("Los tardíos"),
    )
    for decision in decisions:
        await hub.decide(DIRECTOR, decision)
        compare()
    assert len(set(seen)) == len(seen)
