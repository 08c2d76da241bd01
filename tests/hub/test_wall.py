"""The wall's reports and the beats of boxes: what is sent, and when."""

from __future__ import annotations

import asyncio
import math
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorer.hall.events import BEAT_SECONDS
from scorer.hub.drawn.tables import DrawnWall
from scorer.hub.hub import Hub, random_hex
from scorer.hub.identity import load_identity
from scorer.hub.link_routes import until_beat
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.wall import WallReporter
from scorer.i18n import translator
from scorer.serving.broadcaster import Broadcaster
from tests.hub.boxes import SetClock
from tests.hub.test_plain import game, side, table
from tests.support.coroutines import awaited
from tests.support.page_scripts import needs_node, page_script

PATIENCE = 60.0  # seconds


@awaited
async def test_a_viewer_that_claims_to_have_the_newest_wall_gets_it_with_the_next_change(
    tmp_path: Path,
) -> None:
    database = Database.open(sqlite_url(tmp_path / "hub.sqlite"))
    with closing(database):
        with database.write() as connection:
            identity = load_identity(connection, random_hex)
        hub, feed = Hub(database, identity, SetClock()), Broadcaster[str](2)
        reporter = WallReporter(hub, feed)
        honest, liar = feed.join("es-AR"), feed.join("pt-BR")
        assert honest is not None and liar is not None
        honest.send(reporter.newest("es-AR"))
        liar.send(reporter.heartbeat())
        for viewer in (honest, liar):
            await viewer.next()
        running = asyncio.create_task(reporter.run())
        hub.name = "Otro club"
        hub.state.changed.set()
        async with asyncio.timeout(PATIENCE):
            for viewer in (honest, liar):
                frame = await viewer.next()
                assert frame is not None and b"Otro club" in frame
                assert (b'"keys"' in frame) is (viewer is liar)
        running.cancel()
        hub.state.thread.close()


@awaited
async def test_a_viewer_that_comes_back_has_missed_what_changed_without_viewers(
    tmp_path: Path,
) -> None:
    database = Database.open(sqlite_url(tmp_path / "hub.sqlite"))
    with closing(database):
        with database.write() as connection:
            identity = load_identity(connection, random_hex)
        hub = Hub(database, identity, SetClock())
        reporter = WallReporter(hub, Broadcaster(1))
        known = reporter.id
        running = asyncio.create_task(reporter.run())
        hub.state.changed.set()
        async with asyncio.timeout(PATIENCE):
            while reporter.id == known:
                await asyncio.sleep(0)
        running.cancel()
        hub.state.thread.close()


@pytest.mark.parametrize("now", [0.0, 0.001, 7.5, 7.999, 1e6 + 0.25])
def test_the_beats_of_all_boxes_are_on_whole_seconds(now: float) -> None:
    wait = until_beat(now)
    assert BEAT_SECONDS - 1 < wait <= BEAT_SECONDS
    assert math.isclose(now + wait, round(now + wait), abs_tol=1e-6)


# ---- what is sent -------------------------------------------------------------------------------


def document(*tables: dict[str, Any], **values: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    empty = {"version": "1", "hall": "Club", "has_teams": False, "queue": [], "tournaments": []}
    return {**empty, "tables": [*tables], **values}


def played(number: int, score: int, **values: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return table(number, game=game(side("A", "Ancho", score), side("B", "", 4)), **values)


EVENING = (
    document(),
    document(played(1, 2), table(2)),
    document(played(1, 3), table(2)),
    document(played(1, 3), table(2), queue=[["Uno", "Dos"]]),
    document(played(1, 3, time={"left": 9, "over": 0}), table(2)),
    document(played(1, 3, time={"left": 8, "over": 0}), table(2, silent=True)),
    document(played(1, 3), table(2, called=["Uno", "Dos"]), table(3)),
    document(table(2, called=["Uno", "Dos"]), table(3), hall="Otro"),
)


def test_only_the_tables_that_changed_are_sent_again() -> None:
    wall = DrawnWall(translator("es-AR"))
    sent = [wall.update(each) for each in EVENING]
    keys = [[each["key"] for each in report["tables"]] for report in sent]
    assert keys[1] == ["table-1", "table-2"]
    assert keys[2] == ["table-1"]
    assert (keys[3], sent[3]["head"]["next"]) == ([], "Siguen: 1. Uno – Dos")
    # Minutes pass beside the fragment of their table.
    assert (keys[4], sent[4]["clocks"]) == (["table-1"], {"table-1": "quedan 9 min"})
    assert (keys[5], sent[5]["clocks"]) == (["table-2"], {"table-1": "quedan 8 min"})
    # Another list of tables is sent whole.
    assert keys[6] == sent[6]["keys"] == ["table-1", "table-2", "table-3"]
    assert all("keys" in sent[at] for at in (0, 1, 6, 7))
    assert not any("keys" in sent[at] for at in (2, 3, 4, 5))


CHANGED_DRIVER = """
import { changed } from "./tables.js";
let hall = null;
export default function (report) {
  hall = changed(hall, report);
  return Object.assign({}, hall, { tables: hall.keys.map((key) => hall.tables.get(key)) });
}
"""


@needs_node
def test_a_page_that_follows_the_changes_has_the_whole_wall(tmp_path: Path) -> None:
    wall = DrawnWall(translator("es-AR"))
    with page_script(tmp_path, CHANGED_DRIVER) as script:
        for each in EVENING:
            shown = script.ask(wall.update(each))
            assert shown == wall.whole()
