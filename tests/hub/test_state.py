"""The state of a hub: what follows it, and what is decided in one transaction."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from scorer.hall.events import Release
from scorer.hub.alarms import NewAlarm
from scorer.hub.decisions import DecisionError, Desk
from scorer.hub.state import HubState, TableWish
from scorer.hub.store.database import Database
from scorer.hub.store.projections import AlarmKind
from tests.hub.boxes import DIRECTOR, Hall
from tests.support.coroutines import awaited_in

TOKEN = "1" * 32
CALL = NewAlarm(1, AlarmKind.RESULT, "Z1-R1-M1", subject="official Z1-R1-M1")


@asynccontextmanager
async def state_of_a_hub(database: Database) -> AsyncIterator[tuple[HubState, list[int]]]:
    """The state of a hub with one box.

    And the newest entry of the log after each change.
    """
    hall = Hall(database)
    hall.join(TOKEN)
    state = HubState(database, hall.clock, time.monotonic)
    heard: list[int] = []

    async def hear() -> None:
        heard.append(state.view.log_seq)

    await state.load()
    state.subscribe(hear)
    try:
        yield state, heard
    finally:
        state.thread.close()


with_state = awaited_in(state_of_a_hub, 2)


@with_state
async def test_a_follower_hears_of_every_change_after_it_is_known(
    state: HubState, heard: list[int]
) -> None:
    before = state.view.log_seq
    await state.refresh()
    assert heard == []
    (box,) = state.view.boxes
    await state.decide(DIRECTOR, lambda desk: desk.name(box.device, box.table, "Fondo"))
    assert heard == [before + 1]
    assert state.view.boxes[0].name == "Fondo"
    assert state.changed.is_set()


@with_state
async def test_an_alarm_is_raised_once_for_each_subject(state: HubState, heard: list[int]) -> None:
    await state.report(CALL)
    await state.report(CALL)
    assert [alarm.text for alarm in state.view.alarms] == ["Z1-R1-M1"]
    assert len(heard) == 1


@with_state
async def test_a_refused_decision_sends_no_box_anything(state: HubState, heard: list[int]) -> None:
    (box,) = state.view.boxes

    def refuse(desk: Desk) -> None:
        raise DecisionError("no")

    with pytest.raises(DecisionError):
        await state.desire(DIRECTOR, [TableWish(box.device, {"do": "release"})], refuse)
    assert await state.desired(box.device) is None
    assert heard == []


@with_state
async def test_a_box_gets_a_decision_before_the_one_that_follows_from_it(
    state: HubState, heard: list[int]
) -> None:
    (box,) = state.view.boxes
    stream = state.presence.join("1" * 64, box.device)
    release = [TableWish(box.device, {"do": "release"})]

    async def decide_again() -> None:
        if len(heard) == 1:
            await state.desire(DIRECTOR, release)

    state.subscribe(decide_again)
    await state.desire(DIRECTOR, release)
    events = [await stream.next(), await stream.next()]
    first, second = (event.rev for event in events if isinstance(event, Release))
    assert first < second
