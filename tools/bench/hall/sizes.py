"""A hall of 256 teams: rows while a round is paired, the desk's state, documents."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

from scorer.hub.desk import ACT_PATH, COOKIE
from scorer.hub.logins import Logins
from scorer.hub.passwords import Person, hash_password
from scorer.hub.store.database import Database
from scorer.hub.store.log import Author
from scorer.hub.store.tables import PERSON
from scorer.hub.times import WallClock
from scorer.hub.titles import title_text
from scorer.hub.tournament_documents import tournament_document
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import TournamentDesk, Tournaments
from scorer.i18n import translator
from tools.bench import Measurement, Result, Skipped
from tools.bench.hall.boxes import Box
from tools.bench.hall.intake import (
    HALL,
    PACE,
    Crowd,
    Taken,
    connect,
    open_many_files,
)
from tools.bench.hall.match_rows import PLAIN, BegunRound
from tools.bench.hall.processes import RunningHub, least_cpu_seconds, running_hub

TEAMS = 256
ROUNDS = 9  # of the Swiss system; the last one is paired
P99_BUDGET, DOCUMENT_BUDGET, STATE_BUDGET = 2.0, 40.0, 10.0
LOOKS = 300  # of a desk in ten minutes
_TURN = 10  # looks between two rows of a table: 20 s
_HOUR = 6  # times ten minutes
_TOKEN = "7" * 32
_DIRECTOR = Author("bench", "director")
_COOKIE = {"Cookie": f"{COOKIE}={_TOKEN}"}
_SEEN = 1_000_000_000  # newer than every entry of the log


def measure(quick: bool) -> Iterator[Result]:
    """All rows; without the tests, which play tournaments, none."""
    try:
        from tests.tournament.play import Played, built_in, coin
    except ImportError as error:
        yield Skipped(f"a hall of {TEAMS} teams", str(error))
        return
    for name in ("zones_and_bracket", "double"):
        played = Played(built_in(name), TEAMS).draw()
        played.play_phase(played.state.format.phases[0].id, coin(1))
        yield _documents(played, 5 if quick else 25)
    open_many_files()
    yield from _pairing(_last_round(Played, built_in, coin), 8 if quick else 20)
    first_round = BegunRound(Played(built_in("swiss"), TEAMS).draw())
    yield _desk_of_an_hour(first_round, 60 if quick else LOOKS)


def _documents(played: Any, rounds: int) -> Result:  # noqa: ANN401
    """What screens show of a tournament, beside writing it as JSON."""
    from scorer.tournament import Reader

    def make() -> dict[str, Any]:
        return tournament_document(Phrases(Reader(played.state), "es-AR"), {})

    made = make()
    ours, plain = least_cpu_seconds((make, lambda: json.dumps(made)), rounds)
    title = title_text(played.state.format.title, translator("en"))
    what = f"{title}, {TEAMS} teams: what screens show, {len(json.dumps(made)) // 1024} KiB"
    return Measurement(what, ours * 1000, plain * 1000, "ms", "it as JSON alone", DOCUMENT_BUDGET)


# ---- rows while a round is paired ---------------------------------------------------------------


def _last_round(played: Any, built_in: Any, coin: Any) -> Any:  # noqa: ANN401
    """A Swiss tournament whose last round can be paired."""
    from scorer.tournament.changes import changed
    from scorer.tournament.events import PairRound, StartPhase

    found = played(changed(built_in("swiss"), {"phase": {"suizo": {"rounds": ROUNDS}}}), TEAMS)
    found.draw().do(StartPhase("suizo"))
    for _ in range(ROUNDS - 1):
        found.do(PairRound("suizo"))
        found.play_open("suizo", coin(1))
    return found


def _pairing(played: Any, turns: int) -> Iterator[Result]:  # noqa: ANN401
    boxes = [Box(at, PLAIN) for at in range(1, HALL + 1)]

    def prepare(database: Database) -> None:
        with database.write() as connection:
            desk = TournamentDesk(connection, WallClock(), _DIRECTOR, Tournaments())
            desk.begin(played.state.format, played.log)
        _open_session(database)

    with ExitStack() as stack:
        hub = stack.enter_context(running_hub(boxes, prepare=prepare))
        alone, meanwhile, pairings = asyncio.run(_alternate(hub, boxes, turns))
    what = f"{HALL} boxes: a row, p99, while {TEAMS} teams are paired in another process"
    reference = "the same rows while nothing is paired"
    yield Measurement(what, meanwhile.p99, alone.p99, "ms", reference, P99_BUDGET)
    what = f"{HALL} boxes: a row, p50, while {TEAMS} teams are paired in another process"
    yield Measurement(what, meanwhile.p50, alone.p50, "ms", reference, None)
    seconds = sum(pairings) / len(pairings)
    what = f"round {ROUNDS} of {TEAMS} teams from the request to the answer, mean"
    yield Measurement(what, seconds, seconds, "s", "itself", None)


async def _alternate(
    hub: RunningHub, boxes: list[Box], turns: int
) -> tuple[Taken, Taken, list[float]]:
    """Rows alone, and while the last round is paired; and the seconds of each pairing."""
    client = _client_of(hub)
    alone, meanwhile, pairings = Taken([], []), Taken([], []), list[float]()
    members, chance = await connect(boxes, hub.secure), Random(1)
    await _send_until(Crowd(hub.pid, members, Taken([], [])), asyncio.sleep(2.0), chance)
    for _ in range(turns):
        began = time.perf_counter()
        pairing = asyncio.to_thread(_decide, client, "PairRound")
        await _send_until(Crowd(hub.pid, members, meanwhile), pairing, chance)
        pairings.append(time.perf_counter() - began)
        await asyncio.to_thread(_decide, client, "TakeBack")
        await _send_until(
            Crowd(hub.pid, members, alone), asyncio.sleep(max(1.0, pairings[-1])), chance
        )
    for _, connection in members:
        connection.close()
    client.close()
    return alone, meanwhile, pairings


async def _send_until(crowd: Crowd, work: Any, chance: Random) -> None:  # noqa: ANN401
    """Each box sends rows at random moments until ``work`` has ended."""
    over = asyncio.ensure_future(work)

    async def send(box: Box, connection: Any) -> None:  # noqa: ANN401
        while not (await asyncio.wait([over], timeout=chance.expovariate(PACE)))[0]:
            request = box.next_rows(1)
            began = time.perf_counter()
            await connection.ask(request)
            crowd.taken.seconds.append(time.perf_counter() - began)

    await asyncio.gather(*(send(*member) for member in crowd.members))
    await over


# ---- the desk -----------------------------------------------------------------------------------


def _open_session(database: Database) -> None:
    """Let a director be logged in with ``_TOKEN``."""
    password = hash_password("bench bench", "0" * 32)
    person = Person("bench", "admin", password)
    with database.write() as connection:
        connection.execute(PERSON.insert().values(**person._asdict()))
        Logins(WallClock(), time.monotonic).open(connection, person, "127.0.0.1", _TOKEN)


def _client_of(hub: RunningHub) -> Any:  # noqa: ANN401
    from tests.hub.hub_process import Client

    return Client((hub.secure.host, hub.secure.port), hub.pin)


def _decide(client: Any, event: str) -> None:  # noqa: ANN401
    message = {"do": "t.event", "event": {"do": event, "phase": "suizo"}, "seen": _SEEN}
    headers = {**_COOKIE, "Content-Type": "application/json", "X-Truco": "1"}
    answer = client.request("POST", ACT_PATH, json.dumps(message).encode(), headers)
    assert answer.status == 200, answer.document


def _desk_of_an_hour(tournament: BegunRound, looks: int) -> Result:
    """What one desk receives: a look each two seconds, a row each 20 s at every table."""
    boxes = [Box(at, tournament.headers.get(at, PLAIN)) for at in range(1, HALL + 1)]

    def prepare(database: Database) -> None:
        tournament.begin(database)
        _open_session(database)

    with ExitStack() as stack:
        hub = stack.enter_context(running_hub(boxes, prepare=prepare))
        received, whole = asyncio.run(_look(hub, boxes, looks))
    megabytes = 1_000_000 * looks / LOOKS / _HOUR
    what = f"the desk of {TEAMS} teams at {HALL} tables: received in an hour"
    reference = "the whole state at each look"
    return Measurement(
        what, received / megabytes, whole / megabytes, "MB", reference, STATE_BUDGET, counted=True
    )


async def _look(hub: RunningHub, boxes: list[Box], looks: int) -> tuple[int, int]:
    """The bytes of the answers to ``looks``, and those of as many whole states."""
    client, members, tag, received = _client_of(hub), await connect(boxes, hub.secure), "", 0
    first = 0
    for look in range(looks):
        for box, connection in members[look % _TURN :: _TURN]:
            await connection.ask(box.next_rows(1))
        headers = {**_COOKIE, "Accept-Encoding": "gzip"}
        answer = client.request("GET", f"/desk/state?since={tag}", b"", headers)
        assert answer.status == 200, answer.status
        tag = answer.headers["etag"].strip('"')
        head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
        size = len(head) + len(answer.body)
        first = first or size
        received += size
    for _, connection in members:
        connection.close()
    client.close()
    return received, first * looks
