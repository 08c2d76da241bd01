"""Requests share transactions, and none waits for the fault of another one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hall.wire import GreetReply, RefusedReply, WireStatus
from scorer.hub.intake import Intake, Outcome, Submission
from scorer.hub.store.database import Database, DatabaseError, sqlite_url
from scorer.hub.turns import StoreThread, Turns
from scorer.serving.prices import Rank
from tests.hub.boxes import Hall, greet, submission

TOKENS = ("1" * 32, "2" * 32, "3" * 32)


class FaultyIntake(Intake):
    """The intake of a hall, with a fault in the requests of the second box."""

    def __init__(self, hall: Hall, fault: Exception) -> None:
        super().__init__(hall.database, hall.clock, hall.digits)
        self._fault = fault
        self.turns: list[int] = []  # the number of requests of each

    def receive(self, submissions: Sequence[Submission]) -> list[Outcome]:
        self.turns.append(len(submissions))
        if any(each.key == key_of(TOKENS[1]) for each in submissions):
            raise self._fault
        return super().receive(submissions)


async def exchange(intake: FaultyIntake, tokens: Sequence[str]) -> list[wire.Reply]:
    """The answers to greetings that arrive at once."""
    thread = StoreThread()
    turns = Turns(intake, thread)
    sent = [turns.submit(submission(token, greet())) for token in tokens]
    try:
        async with asyncio.timeout(10):
            return [outcome.reply for outcome in await asyncio.gather(*sent)]
    finally:
        thread.close()


@pytest.mark.parametrize("fault", [DatabaseError("the disk is full"), KeyError(7)])
def test_a_fault_of_one_request_is_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: Exception
) -> None:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as database:
        hall = Hall(database)
        for table, token in enumerate(TOKENS, 1):
            hall.join(token, table)
        first, second, third = asyncio.run(exchange(FaultyIntake(hall, fault), TOKENS))
    assert isinstance(first, GreetReply)
    assert isinstance(third, GreetReply)
    assert isinstance(second, RefusedReply)
    assert second.status is WireStatus.UNAVAILABLE
    assert "nothing was stored: " in capsys.readouterr().err


def test_two_requests_of_one_box_are_in_two_turns(tmp_path: Path) -> None:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as database:
        hall = Hall(database)
        hall.join(TOKENS[0])
        hall.join(TOKENS[2], 8)
        intake = FaultyIntake(hall, KeyError())
        asyncio.run(exchange(intake, (TOKENS[0], TOKENS[0], TOKENS[2])))
    assert intake.turns == [2, 1]


def test_the_store_serves_tables_first_the_desk_second_and_visitors_last() -> None:
    async def evening() -> list[Rank]:
        thread, served, release, is_busy = StoreThread(), list[Rank](), Event(), Event()

        def wait() -> None:
            is_busy.set()
            release.wait()

        busy = asyncio.create_task(thread.run(wait, Rank.VISITORS))
        await asyncio.to_thread(is_busy.wait)
        asked = [Rank.VISITORS, Rank.DESK, Rank.TABLES] * 20
        calls = [
            asyncio.create_task(thread.run(partial(served.append, each), each)) for each in asked
        ]
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(busy, *calls)
        thread.close()
        with pytest.raises(RuntimeError):
            await thread.run(release.wait)
        return served

    served = asyncio.run(evening())
    assert served == [Rank.TABLES] * 20 + [Rank.DESK] * 20 + [Rank.VISITORS] * 20
