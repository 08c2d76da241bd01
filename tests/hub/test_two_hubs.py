"""Two processes of one hub: one shows what the other has stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from scorer.hall.events import Desired
from scorer.hall.joining import key_of
from scorer.hall.rows import Opening
from scorer.hall.wire import RowsReply, Shown
from scorer.hub.hub import Hub
from scorer.hub.identity import load_identity
from scorer.hub.state import TableWish
from scorer.hub.store.database import Database
from tests.hub.boxes import DIRECTOR, HEADER, Hall, digest_of, greet, row, rows_message, submission
from tests.support.coroutines import awaited_in
from tests.support.waiting import PATIENCE, until

TOKEN = "1" * 32
OPENED = Opening(1, 1, HEADER)
HAND = ("A truco", "B no_quiero", "- new_hand")  # one for A


@asynccontextmanager
async def hubs_of_one_store(database: Database) -> AsyncIterator[list[Hub]]:
    """Two hubs with one box at table 7."""
    hall = Hall(database)
    hall.join(TOKEN)
    with database.write() as connection:
        identity = load_identity(connection, hall.digits)
    hubs = [Hub(database, identity, hall.clock) for _ in range(2)]
    for hub in hubs:
        await hub.load()
    await hubs[0].submit(submission(TOKEN, greet()))
    yield hubs
    for hub in hubs:
        hub.close()
        hub.state.thread.close()


two_hubs = awaited_in(hubs_of_one_store, 2)


async def send_hand(hub: Hub, number: int, shown: int) -> None:
    """The rows of one hand, with the score that the panel shows for A after them."""
    first = 3 * (number - 1) + 1
    rows = [row(first + at, line) for at, line in enumerate(HAND)]
    openings = (OPENED,) if first == 1 else ()
    before = (OPENED,) if first == 4 else ()
    prev = "" if first == 1 else digest_of(row(first - 1, HAND[-1]), *before)
    score = Shown(1, first + 3, first + 2, {"A": shown, "B": 0})
    message = rows_message(rows, prev=prev, openings=openings, shown=score)
    outcome = await hub.submit(submission(TOKEN, message))
    assert outcome.reply == RowsReply(first + 2)


def score_of_a(hub: Hub) -> Any:  # noqa: ANN401
    game = hub.wall_document()["tables"][0]["game"]
    return None if game is None else game["sides"][0]["score"]


@two_hubs
async def test_a_box_that_sends_to_both_is_shown_right_by_both_and_raises_no_alarm(
    one: Hub, other: Hub
) -> None:
    for number in range(1, 7):
        hub = one if number in (1, 3, 4) else other
        await send_hand(hub, number, shown=number)
        await until(lambda hub=hub, number=number: score_of_a(hub) == number)  # type: ignore[misc]
    # The last hand was stored by the other one.
    following = asyncio.create_task(one.follow_others(0.005))
    await until(lambda: score_of_a(one) == 6)
    following.cancel()
    await one.state.refresh()
    assert one.state.view.alarms == ()


@two_hubs
async def test_rows_that_come_while_their_table_is_read_are_not_read_once_for_each(
    one: Hub, other: Hub
) -> None:
    read, reads, may_read = other._read_tables, list[dict[int, str]](), asyncio.Event()

    async def read_slowly(epochs: dict[int, str]) -> None:
        reads.append(epochs)
        await may_read.wait()
        await read(epochs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(other, "_read_tables", read_slowly)
        await send_hand(one, 1, shown=1)
        for number in range(2, 26):
            await send_hand(other, number, shown=number)
        may_read.set()
        await until(lambda: score_of_a(other) == 25)
        await send_hand(other, 26, shown=26)
        await until(lambda: score_of_a(other) == 26)
    assert len(reads) == 1
    assert other.state.view.alarms == ()


@two_hubs
async def test_other_rules_are_found_also_after_rows_that_the_other_one_has_stored(
    one: Hub, other: Hub
) -> None:
    await send_hand(one, 1, shown=1)
    await send_hand(other, 2, shown=9)
    await until(lambda: bool(other.state.view.alarms))
    assert [alarm.kind for alarm in other.state.view.alarms] == ["rules"]


@two_hubs
async def test_a_decision_of_the_other_one_reaches_a_box_after_a_refresh_of_its_own(
    one: Hub, other: Hub
) -> None:
    (box,) = one.state.view.boxes
    stream = one.state.presence.join(key_of(TOKEN), box.device)
    wish: dict[str, Any] = {"do": "assign", "header": HEADER, "lock": True, "cap": None}
    await other.state.desire(DIRECTOR, [TableWish(box.device, wish)])
    # An alarm of its own, or a look at the desk, comes before it looks at the other one.
    await one.state.refresh()
    following = asyncio.create_task(one.follow_others(0.005))
    async with asyncio.timeout(PATIENCE):
        event = await stream.next()
    assert isinstance(event, Desired)
    following.cancel()
