"""The boxes and the references of the hall benchmark."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hub.hub import random_hex
from scorer.hub.intake import Intake, Submission
from scorer.hub.scores import Scores, TableScore
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.times import WallClock
from tools.bench.hall.boxes import Address, Box, BoxConnection, accept_boxes, tls_of_boxes
from tools.bench.hall.intake import (
    Crowd,
    Taken,
    bare_commit,
    bare_store,
    connect,
    missing,
    send_for,
)
from tools.bench.hall.processes import RunningHub, pss_bytes, running_bare, running_hub

PATIENCE = 60.0  # seconds


def body(request: bytes) -> bytes:
    return request.partition(b"\r\n\r\n")[2]


def test_the_rows_of_a_box_continue_over_requests_and_games_and_agree_with_their_score(
    tmp_path: Path,
) -> None:
    box, scores = Box(3), Scores()
    database = Database.open(sqlite_url(tmp_path / "hub.sqlite"))
    accept_boxes(database, [box])
    intake, key = Intake(database, WallClock(), random_hex), key_of(box.token)
    (greeted,) = intake.receive([Submission(key, wire.parse_greet(body(box.greeting())))])
    assert isinstance(greeted.reply, wire.GreetReply)
    for count in (1, 50, 48, 7):
        (taken,) = intake.receive([Submission(key, wire.parse_rows(body(box.next_rows(count))))])
        assert taken.reply == wire.RowsReply(box.last)
        assert taken.stored is not None
        if not scores.is_continued_by(taken.stored):
            scores.put(taken.device, TableScore(taken.stored.epoch))
        scores.add(taken.stored)
        # The panel shows what the hub replays.
        assert scores.agrees(taken.stored)
        assert taken.stored.shown is not None
    assert box.last == 106
    database.close()


def test_a_bare_commit_is_on_the_disk(tmp_path: Path) -> None:
    with bare_store(tmp_path / "bare.sqlite") as store:
        bare_commit(store, b"a row")
        assert store.execute("SELECT body FROM row").fetchall() == [(b"a row",)]
        assert store.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.slow
@pytest.mark.sampled(0)
def test_hub_and_references_answer_the_same_boxes() -> None:
    boxes = [Box(number) for number in range(1, 4)]
    with (
        running_hub(boxes) as hub,
        running_bare("http", hub) as (bare_pid, bare),
        running_bare("echo", hub) as (_, echo),
    ):
        asyncio.run(_send(boxes, hub))
        # One row was refused, and the one before it was never sent.
        assert missing(hub, boxes) == 2
        asyncio.run(_ask_references(boxes[1], bare, echo))
        assert 1_000_000 < pss_bytes(bare_pid) < pss_bytes(hub.pid) * 2


async def _send(boxes: list[Box], hub: RunningHub) -> None:
    crowd = Crowd(hub.pid, await connect(boxes, hub.secure), Taken([], []))
    for box, connection in crowd.members:
        await connection.ask(box.next_rows(5))
    await send_for(crowd, 1.0, Random(1))
    box, connection = crowd.members[0]
    box.next_rows(1)
    with pytest.raises(ConnectionError, match="409"):
        await connection.ask(box.next_rows(1))
    for _, connection in crowd.members:
        connection.close()


async def _ask_references(box: Box, bare: Address, echo: Address) -> None:
    tls = tls_of_boxes()
    asking = await BoxConnection.open(box, bare, tls)
    assert await asking.ask(box.next_rows(2)) == b'{"last":1000}'
    echoing = await BoxConnection.open(box, echo, tls)
    async with asyncio.timeout(PATIENCE):
        await echoing.echo(b"x" * 100_000)
    for connection in (asking, echoing):
        connection.close()
