"""The wall's reports and the beats of boxes: what is sent, and when."""

from __future__ import annotations

import asyncio
import math
from contextlib import closing
from pathlib import Path

import pytest

from scorer.hall.events import BEAT_SECONDS
from scorer.hub.hub import Hub, random_hex
from scorer.hub.identity import load_identity
from scorer.hub.link_routes import until_beat
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.wall import WallReporter
from scorer.serving.broadcaster import Broadcaster
from tests.hub.boxes import SetClock
from tests.support.coroutines import awaited

PATIENCE = 60.0  # seconds


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
