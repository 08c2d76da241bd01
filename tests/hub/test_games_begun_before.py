"""A hub scores games of tables of an earlier version as these did."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.hall.rows import Opening, Row
from scorer.hall.wire import GreetReply, RowsReply
from scorer.hub.scores import Scores, read_table
from scorer.hub.store.backup import back_up, restore
from scorer.hub.store.database import Database
from scorer.store.journal import Journal
from tests.hub.boxes import Hall, greet, row, rows_message
from tests.support.store_before import EPOCH, LAST, PLAYED, TIP, make_store

TOKEN = "1" * 32


@pytest.fixture
def hall(database: Database, tmp_path: Path) -> Hall:
    """A hub that a table of that version has sent its games."""
    with Journal.open(make_store(tmp_path / "store")) as journal:
        rows = [Row(*each) for each in journal.since(1, LAST)]
        openings = tuple(
            Opening(each.game, each.opened, each.header) for each in journal.openings(1, LAST, LAST)
        )
    hall = Hall(database)
    hall.join(TOKEN)
    assert isinstance(hall.send(TOKEN, greet(epoch=EPOCH)), GreetReply)
    sent = hall.send(TOKEN, rows_message(rows, epoch=EPOCH, openings=openings))
    assert sent == RowsReply(LAST)
    return hall


def running_points(database: Database) -> tuple[int, ...]:
    with database.read() as connection:
        score = read_table(connection, 1, EPOCH, Scores().written).running()
    assert score is not None
    return tuple(side.score for side in score.sides)


def test_the_hub_agrees_with_the_table(hall: Hall) -> None:
    assert running_points(hall.database) == PLAYED[5]["score"]
    # The rows are those that it had, so the table goes on in its stream.
    reply = hall.send(TOKEN, greet(LAST, TIP, epoch=EPOCH))
    assert isinstance(reply, GreetReply)
    assert (reply.last, reply.digest) == (LAST, TIP)
    following = [row(LAST + 1, "A quiero", game=5), row(LAST + 2, "A flor_won", game=5)]
    hall.send(TOKEN, rows_message(following, epoch=EPOCH, prev=TIP))
    assert running_points(hall.database) == (12, 11)


def test_the_same_holds_for_a_copy_that_is_restored(
    hall: Hall, database: Database, tmp_path: Path
) -> None:
    back_up(database, tmp_path / "copy.sqlite")
    restore(database, tmp_path / "copy.sqlite")
    assert running_points(database) == PLAYED[5]["score"]
