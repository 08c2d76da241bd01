"""What keeps a hall from being in order; and jumps of its clock."""

from __future__ import annotations

import errno
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from scorer.hub.desk_tournament import desk_tournament
from scorer.hub.folder_fault import FolderFault
from scorer.hub.hub import Hub
from scorer.hub.identity import load_identity
from scorer.hub.presence import LATELY_SECONDS, RECONNECT_SECONDS, SILENT_SECONDS, Presence
from scorer.hub.store.database import Database, DatabaseError, database_error
from scorer.hub.store.log import Author
from scorer.hub.tournaments import TournamentDesk
from scorer.hub.troubles import Trouble, TroubleKind, find_troubles, trouble_line
from scorer.i18n import translator
from scorer.tournament.events import PairRound, StartPhase
from tests.hub.boxes import DIRECTOR, NOON, Hall, greet, submission
from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_stored_or_not import limit_files
from tests.hub.test_tournament import LNT
from tests.support.coroutines import awaited_in
from tests.tournament.play import Played, built_in

TOKEN = "1" * 32


class Monotonic:
    """Seconds since a start, as a test sets them."""

    now = 5000.0

    def __call__(self) -> float:
        return self.now


def test_a_silent_box_is_missed_if_it_has_a_match_or_was_heard_lately() -> None:
    clock = Monotonic()
    presence = Presence(clock)
    # After a start nothing is missed until boxes had time to connect.
    assert not presence.is_missed(1, has_match=True)
    clock.now += SILENT_SECONDS
    assert presence.is_missed(1, has_match=True)
    assert not presence.is_missed(1, has_match=False), "it was never here"
    presence.heard(1)
    assert not presence.is_missed(1, has_match=True)
    clock.now += SILENT_SECONDS
    assert presence.is_missed(1, has_match=True)
    assert presence.is_missed(1, has_match=False)
    clock.now += LATELY_SECONDS - SILENT_SECONDS
    assert presence.is_missed(1, has_match=True)
    assert not presence.is_missed(1, has_match=False), "it was switched off"


def test_a_connected_box_is_never_missed_and_has_a_while_to_come_back() -> None:
    clock = Monotonic()
    presence = Presence(clock)
    stream = presence.join("key", 1)
    clock.now += 10 * LATELY_SECONDS
    assert not presence.is_missed(1, has_match=True)
    presence.leave(stream)
    assert not presence.is_missed(1, has_match=True)
    clock.now += RECONNECT_SECONDS
    assert presence.is_missed(1, has_match=True)


def test_a_box_that_another_process_has_heard_is_not_missed_here() -> None:
    clock = Monotonic()
    presence = Presence(clock)
    presence.heard(1)
    presence.heard_elsewhere(1)
    clock.now += 2 * SILENT_SECONDS
    assert not presence.is_missed(1, has_match=True)
    presence.heard(1)
    clock.now += SILENT_SECONDS
    assert presence.is_missed(1, has_match=True)


def test_each_trouble_is_one_line_in_the_language_of_the_reader() -> None:
    full = DatabaseError("database or disk is full", is_full=True)
    fault = FolderFault(Path("/media/stick"), "No such file or directory")
    found = find_troubles(full, [9, 2], {TroubleKind.COPIES: [fault], TroubleKind.SITE: [fault]})
    assert [trouble_line(each, translator("es-AR")) for each in found] == [
        "La sala no puede guardar nada: el disco está lleno",
        "2 mesas sin conexión: 2, 9",
        "Falta una copia de los últimos resultados",
        "El sitio publicado no tiene los últimos resultados",
    ]
    assert [trouble_line(each, translator("pt-BR")) for each in found][:2] == [
        "O salão não consegue guardar nada: o disco está cheio",
        "2 mesas sem conexão: 2, 9",
    ]
    one = Trouble(TroubleKind.BOXES, (3,))
    assert trouble_line(one, translator("en")) == "Table 3 without connection"
    assert find_troubles(None, [], {}) == []


@pytest.mark.sampled(0)
def test_a_hub_that_cannot_store_says_so_at_the_desk_and_refuses_with_a_key(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        client = log_in(hub)
        assert client.get("/desk/state").document["troubles"] == []
        assert client.get("/healthz").document == {"ok": True, "lines": []}
        limit_files(hub, 1)
        answer = client.desk(
            "/desk/act", {"do": "t.begin", "format": "lnt", "teams": LNT, "replaces": 0}
        )
        assert (answer.status, answer.document["key"]) == (503, "store")
        (found,) = client.get("/desk/state?lang=es-AR").document["troubles"]
        assert (found["kind"], found["line"]) == ("store", "La sala no puede guardar nada ahora")
        assert found["detail"] and found["what"]
        health = client.get("/healthz?lang=pt-BR")
        assert (health.status, health.document["ok"]) == (503, False)
        assert health.document["lines"] == ["O salão não consegue guardar nada agora"]
        limit_files(hub, resource.RLIM_INFINITY)
        assert client.get("/desk/state").document["troubles"] == []
        assert client.get("/healthz").status == 200


def test_an_error_without_words_is_named_by_its_kind() -> None:
    assert str(database_error(OSError())) == "OSError"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_is_distinguished_from_another_fault(database: Database, number: int) -> None:
    driver: Any = database.engine.dialect.dbapi
    raised = driver.OperationalError("it failed")
    full = {"sqlite": ("sqlite_errorname", "SQLITE_FULL"), "postgresql": ("sqlstate", "53100")}
    if number == errno.ENOSPC:
        setattr(raised, *full[database.engine.dialect.name])
    with pytest.raises(DatabaseError) as found, database.write():
        raise raised
    assert database.problem is found.value
    assert found.value.is_full is (number == errno.ENOSPC)
    with database.write():
        pass
    assert database.problem is None


@asynccontextmanager
async def hub_with_a_box(database: Database) -> AsyncIterator[tuple[Hub, Hall, Monotonic]]:
    """A hub with one box that has greeted, at table 7."""
    hall, monotonic = Hall(database), Monotonic()
    device = hall.join(TOKEN)
    assert device
    with database.write() as connection:
        identity = load_identity(connection, hall.digits)
    hub = Hub(database, identity, hall.clock, monotonic=monotonic)
    await hub.load()
    await hub.submit(submission(TOKEN, greet()))
    try:
        yield hub, hall, monotonic
    finally:
        hub.close()
        hub.state.thread.close()


in_hall = awaited_in(hub_with_a_box, 3)


async def call_first(hub: Hub) -> str:
    """Begin a tournament and call its first match to table 7."""
    tournament = Played(built_in("swiss"), 4).draw()

    def begin(desk: TournamentDesk) -> None:
        desk.begin(tournament.state.format, tournament.log)

    await hub.state.direct(DIRECTOR, begin)
    (phase,) = tournament.state.format.phases
    for event in (StartPhase(phase.id), PairRound(phase.id)):
        await hub.decide(DIRECTOR, event)
    (box,) = hub.state.view.boxes
    key = hub.matches.waiting().ready[0]
    await hub.matches.call(Author("Ana", "director"), key, box.device)
    return key.match


def late(hub: Hub) -> list[bool]:
    found = desk_tournament(hub, "en")
    assert found is not None
    return [each["is_late"] for each in found["tables"]]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("jump", [3 * 3600.0, -86_400.0, -30 * 86_400.0, 400 * 86_400.0])
@in_hall
async def test_a_jump_of_the_clock_makes_no_call_late_and_no_box_lost(
    hub: Hub, hall: Hall, monotonic: Monotonic, jump: float
) -> None:
    await call_first(hub)
    hall.clock.now += jump
    assert late(hub) == [False]
    assert await hub.troubles() == []
    # With the time that passes it is late.
    monotonic.now += 15 * 60
    hub.state.presence.heard(hub.state.view.boxes[0].device)
    assert late(hub) == [False]
    monotonic.now += 1
    assert late(hub) == [True]


@pytest.mark.sampled(1)
@in_hall
async def test_a_hub_that_starts_with_another_clock_marks_no_call_late(
    hub: Hub, hall: Hall, monotonic: Monotonic, database: Database
) -> None:
    await call_first(hub)
    hall.clock.now = NOON + 3 * 3600
    again = Hub(database, hub.identity, hall.clock, monotonic=monotonic)
    await again.load()
    assert late(again) == [False]
    again.state.thread.close()


@pytest.mark.sampled(1)
@in_hall
async def test_a_box_with_a_called_match_is_missed_until_it_is_back(
    hub: Hub, hall: Hall, monotonic: Monotonic
) -> None:
    await call_first(hub)
    assert await hub.troubles() == []
    monotonic.now += LATELY_SECONDS
    assert await hub.troubles() == [Trouble(TroubleKind.BOXES, (7,))]
    await hub.submit(submission(TOKEN, greet()))
    assert await hub.troubles() == []


@in_hall
async def test_a_box_without_a_match_is_missed_for_ten_minutes(
    hub: Hub, hall: Hall, monotonic: Monotonic
) -> None:
    monotonic.now += SILENT_SECONDS
    assert await hub.troubles() == [Trouble(TroubleKind.BOXES, (7,))]
    monotonic.now += LATELY_SECONDS
    assert await hub.troubles() == []


@in_hall
async def test_what_another_process_hears_is_not_missed(
    hub: Hub, hall: Hall, monotonic: Monotonic, database: Database
) -> None:
    other = Hub(database, hub.identity, hall.clock, monotonic=monotonic)
    await other.load()
    hall.clock.now += 1
    await other.submit(submission(TOKEN, greet()))
    monotonic.now += SILENT_SECONDS
    # Until then the box was its own.
    assert await hub.troubles() == []
    assert await other.troubles() == [Trouble(TroubleKind.BOXES, (7,))]
    other.state.thread.close()
