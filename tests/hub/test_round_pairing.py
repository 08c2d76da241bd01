"""Rounds paired in another process: once, of what is true then, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from scorer.hub import round_pairing
from scorer.hub.decisions import DecisionError
from scorer.hub.desk_tournament import desk_tournament
from scorer.hub.hub import Hub
from scorer.hub.identity import load_identity
from scorer.hub.round_pairing import RoundPairing
from scorer.hub.store.database import Database, sqlite_url
from scorer.tournament import Tournament
from scorer.tournament.events import AttendRound, MissRound, PairRound, StartPhase
from tests.hub.boxes import DIRECTOR, Hall
from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director
from tests.support.coroutines import awaited_in
from tests.tournament.play import Played, built_in

TEAMS = 12
ROUND = PairRound("suizo")
PATIENCE = 20.0  # seconds


def pairing_after(first: str) -> tuple[str, ...]:
    """The command of a process that does something before it pairs."""
    script = f"import os, sys, time; {first}; from scorer.hub.pairing_process import main; main()"
    return (sys.executable, "-c", script)


@asynccontextmanager
async def swiss_hub(store: Database) -> AsyncIterator[Hub]:
    """A hub whose Swiss tournament has begun."""
    hall = Hall(store)
    with store.write() as connection:
        identity = load_identity(connection, hall.digits)
    hub = Hub(store, identity, hall.clock)
    await hub.load()
    begun = Played(built_in("swiss"), TEAMS).draw()
    begun.do(StartPhase("suizo"))
    await hub.state.direct(DIRECTOR, lambda desk: desk.begin(begun.state.format, begun.log))
    try:
        yield hub
    finally:
        hub.close()
        hub.state.thread.close()


def swiss_hub_of_any_store(database: Database) -> AbstractAsyncContextManager[Hub]:
    return swiss_hub(database)


in_hub = awaited_in(swiss_hub)


@pytest.fixture
def store(tmp_path: Path, migrated_file: Path) -> Iterator[Database]:
    """An empty SQLite database."""
    shutil.copyfile(migrated_file, tmp_path / "hub.sqlite")
    opened = Database.open(sqlite_url(tmp_path / "hub.sqlite"))
    yield opened
    opened.close()


def state_of(hub: Hub) -> Tournament:
    return hub.matches.running().state


def rounds(hub: Hub) -> int:
    return len(state_of(hub).stages["suizo"].rounds)


def todo(hub: Hub) -> str:
    found = desk_tournament(hub, "es-AR")
    assert found is not None
    return str(found["phases"][0]["todo"])


async def until_drawing(hub: Hub, path: Path) -> None:
    """Until the process is there, which makes the file."""
    async with asyncio.timeout(PATIENCE):
        while not path.exists():
            await asyncio.sleep(0.01)
    assert todo(hub) == "drawing"


@pytest.mark.sampled(1)
@awaited_in(swiss_hub_of_any_store)
async def test_the_round_is_the_one_that_is_paired_here(hub: Hub) -> None:
    here = Played(built_in("swiss"), TEAMS).draw()
    for event in (StartPhase("suizo"), ROUND):
        here.do(event)
    await hub.decide(DIRECTOR, ROUND)
    assert state_of(hub).stages == here.state.stages
    assert todo(hub) == ""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("first", "limit"),
    [
        ("os.kill(os.getpid(), 9)", PATIENCE),
        ("sys.exit(1)", PATIENCE),
        ("raise MemoryError", PATIENCE),
        ("time.sleep(3600)", 0.2),
        ("os.kill(os.getpid(), 19)", 0.2),
    ],
)
@in_hub
async def test_a_process_that_fails_leaves_the_round_undrawn(
    hub: Hub, first: str, limit: float
) -> None:
    before = hub.state.view.log_seq
    rounds_, hub.rounds = hub.rounds, RoundPairing(hub.state, pairing_after(first), limit)
    with pytest.raises(DecisionError) as refused:
        await hub.decide(DIRECTOR, ROUND)
    assert refused.value.key == "t.not_paired"
    assert (hub.state.view.log_seq, rounds(hub), todo(hub)) == (before, 0, "pair")
    # The desk can try again.
    hub.rounds = rounds_
    await hub.decide(DIRECTOR, ROUND)
    assert rounds(hub) == 1


@in_hub
async def test_a_program_that_is_missing_leaves_the_round_undrawn(hub: Hub) -> None:
    hub.rounds = RoundPairing(hub.state, ("/nowhere/python",))
    with pytest.raises(DecisionError):
        await hub.decide(DIRECTOR, ROUND)
    assert rounds(hub) == 0


@in_hub
async def test_without_its_library_the_desk_says_what_to_install(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_pairing, "find_spec", lambda _: None)
    with pytest.raises(DecisionError, match="rounds are paired with a library: run make"):
        await hub.decide(DIRECTOR, ROUND)
    assert (rounds(hub), todo(hub)) == (0, "pair")


@pytest.mark.sampled(0)
@in_hub
async def test_two_directors_at_once_draw_once(hub: Hub, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    command = pairing_after(f"open({str(starts)!r}, 'a').write('.'); time.sleep(0.3)")
    hub.rounds = RoundPairing(hub.state, command)
    seen = hub.state.view.log_seq
    asked = (hub.decide(DIRECTOR, ROUND, seen) for _ in range(2))
    one, other = await asyncio.gather(*asked, return_exceptions=True)
    assert one is None
    assert isinstance(other, DecisionError)
    assert (other.key, other.change is not None) == ("t.changed", True)
    assert (rounds(hub), starts.read_text()) == (1, ".")


@pytest.mark.sampled(0)
@in_hub
async def test_a_round_is_paired_of_the_teams_that_are_there_in_the_end(
    hub: Hub, tmp_path: Path
) -> None:
    there, ready = tmp_path / "there", tmp_path / "ready"
    waits = f'exec("while not os.path.exists({str(ready)!r}): time.sleep(0.01)")'
    hub.rounds = RoundPairing(
        hub.state, pairing_after(f"open({str(there)!r}, 'w').close(); {waits}")
    )
    drawing = asyncio.create_task(hub.decide(DIRECTOR, ROUND))
    await until_drawing(hub, there)
    # What changes no pair does not matter; a team that stays away does.
    await hub.decide(DIRECTOR, MissRound("suizo", 2, 1))
    await hub.decide(DIRECTOR, MissRound("suizo", 1, 1))
    ready.touch()
    await drawing
    (paired,) = state_of(hub).stages["suizo"].rounds
    assert {each.team for each in paired.contestants} == set(range(2, TEAMS + 1))
    assert paired.bye


@in_hub
async def test_a_round_that_has_no_pairing_is_refused_after_such_a_change_too(
    hub: Hub, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    script = (
        "import pickle, sys, time; sys.stdin.buffer.read(); "
        f"open({str(starts)!r}, 'a').write('.'); time.sleep(0.5); "
        "pickle.dump(None, sys.stdout.buffer)"
    )
    hub.rounds = RoundPairing(hub.state, (sys.executable, "-c", script))
    drawing = asyncio.create_task(hub.decide(DIRECTOR, ROUND))
    await until_drawing(hub, starts)
    await hub.decide(DIRECTOR, MissRound("suizo", 2, 1))
    await hub.decide(DIRECTOR, AttendRound("suizo", 2, 1))
    with pytest.raises(DecisionError) as refused:
        await drawing
    assert refused.value.key == "t.no_pairing"
    assert (rounds(hub), starts.read_text()) == (0, ".")


@in_hub
async def test_a_hub_that_stops_waits_for_no_process(hub: Hub, tmp_path: Path) -> None:
    there = tmp_path / "there"
    hub.rounds = RoundPairing(
        hub.state, pairing_after(f"open({str(there)!r}, 'w').close(); time.sleep(3600)")
    )
    drawing = asyncio.create_task(hub.decide(DIRECTOR, ROUND))
    await until_drawing(hub, there)
    hub.close()
    with pytest.raises(DecisionError):
        async with asyncio.timeout(PATIENCE):
            await drawing
    with pytest.raises(DecisionError):
        await hub.decide(DIRECTOR, ROUND)


@pytest.mark.sampled(0)
@in_hub
async def test_every_round_without_a_pairing_is_refused_as_before(hub: Hub) -> None:
    await hub.decide(DIRECTOR, ROUND)
    # Its matches are open.
    with pytest.raises(DecisionError) as refused:
        await hub.decide(DIRECTOR, ROUND)
    assert refused.value.key == "t.not_complete"
    with pytest.raises(DecisionError) as refused:
        await hub.decide(DIRECTOR, PairRound("nothing"))
    assert refused.value.key == "t.unknown_phase"


def stop_pairing(pid: int) -> int:
    """Stop the process that pairs a round of a hub; its id.

    Before its program runs the hub waits for it, and would stop too.
    """
    wait_for(lambda: bool(_pairings(pid)))
    (child,) = _pairings(pid)
    os.kill(child, signal.SIGSTOP)
    return child


def _pairings(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    commands = {int(each): Path(f"/proc/{each}/cmdline") for each in text.split()}
    return [each for each, path in commands.items() if b"pairing_process" in path.read_bytes()]


@pytest.mark.sampled(0)
def test_a_real_hub_ends_while_its_pairing_is_stopped(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        director = Director(hub, log_in(hub))
        teams = "\n".join(f"Equipo {at}" for at in range(1, 257))
        director.act("t.begin", format="swiss", teams=teams, replaces=0)
        director.event("Draw", seed="20261127")
        director.event("StartPhase", phase="suizo")
        pid = hub.pid
        asking = threading.Thread(target=ask, args=(director, director.tournament["seq"]))
        asking.start()
        child = stop_pairing(pid)
        again = hub.client()
        again.cookie = director.client.cookie
        (phase,) = again.get("/desk/state").document["tournament"]["phases"]
        assert phase["todo"] == "drawing"
        began = time.monotonic()
        assert hub.stop() == 0
        assert time.monotonic() - began < PATIENCE / 2
        assert not Path(f"/proc/{child}").exists()
        asking.join(PATIENCE)
        assert not asking.is_alive()


def ask(director: Director, seen: int) -> None:
    """Ask for the round of a hub that stops before it answers."""
    event = {"do": "PairRound", "phase": "suizo"}
    with contextlib.suppress(OSError, http.client.HTTPException):
        director.client.desk("/desk/act", {"do": "t.event", "event": event, "seen": seen})
