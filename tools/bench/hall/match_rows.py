"""Rows of matches: what a tournament in play adds to a row.

Two hubs get the same rows in turn. At the tables of one of them a round of a tournament is played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from random import Random
from typing import Any

from scorer.hub.decisions import Desk
from scorer.hub.matches import NextGame, header_of_match
from scorer.hub.scores import Sitting
from scorer.hub.store.database import Database
from scorer.hub.store.log import Author
from scorer.hub.times import WallClock
from scorer.hub.tournaments import TournamentDesk, Tournaments
from scorer.tournament import Reader
from tools.bench import Measurement, Result, Skipped
from tools.bench.hall.boxes import HAND, HANDS, Box
from tools.bench.hall.intake import HALL, Crowd, Taken, connect, open_many_files, send_for
from tools.bench.hall.processes import RunningHub, cpu_ms, running_hub

TEAMS = 256
GAMES = 20  # that every table has played before
CPU_BUDGET = 1.5
_AUTHOR = Author("bench", "director")
BATCH = 50  # rows of a request
PLAIN = '[Variant "argentine"]'


def measure(quick: bool) -> Iterator[Result]:
    """All rows; without the tests, which play tournaments, none."""
    try:
        from tests.tournament.play import Played, built_in
    except ImportError as error:
        yield Skipped("rows of the matches of a tournament", str(error))
        return
    open_many_files()
    tournament = BegunRound(Played(built_in("swiss"), TEAMS).draw())
    games, seconds, rounds = (3, 2.0, 2) if quick else (GAMES, 4.0, 6)
    with ExitStack() as stack:
        crowds = []
        for headers, prepare in ((tournament.headers, tournament.begin), ({}, None)):
            boxes = [Box(at, headers.get(at, PLAIN)) for at in range(1, HALL + 1)]
            hub = stack.enter_context(running_hub(boxes, prepare=prepare))
            crowds.append((hub, boxes))
        ours, plain = asyncio.run(_compare(crowds, games, seconds, rounds))
    what = f"{HALL} boxes, {TEAMS} teams, {games} games a table"
    reference = "the same rows without a tournament"
    cpu = ours.cpu_of_row, plain.cpu_of_row
    yield Measurement(f"{what}: processor of a row", *cpu, "ms", reference, CPU_BUDGET)
    yield Measurement(f"{what}: a row, p99", ours.p99, plain.p99, "ms", reference, None)


class BegunRound:
    """The first round of a Swiss tournament, a match at every table of its half."""

    def __init__(self, played: Any) -> None:  # noqa: ANN401
        from scorer.tournament.events import PairRound, StartPhase

        (phase,) = played.state.format.phases
        played.do(StartPhase(phase.id))
        played.do(PairRound(phase.id))
        self._played = played
        self._reader = Reader(played.state)
        self.headers = {
            table: header_of_match(self._reader, Sitting(match, f"bench-{table}"), NextGame())
            for table, match in enumerate(played.open_matches(phase.id), 1)
        }

    def begin(self, database: Database) -> None:
        """Store it, with its matches assigned."""
        with database.write() as connection:
            desk = TournamentDesk(connection, WallClock(), _AUTHOR, Tournaments())
            desk.begin(self._played.state.format, self._played.log)
            tables = Desk(connection, WallClock(), _AUTHOR)
            for table, header in self.headers.items():
                # The tables were accepted in the order of their numbers.
                tables.desire(table, {"do": "assign", "header": header, "lock": True})


async def _compare(
    crowds: Sequence[tuple[RunningHub, Sequence[Box]]], games: int, seconds: float, rounds: int
) -> list[Taken]:
    """What each hub did with rows at ten times the pace of a hall, after many games."""
    chance, members = Random(1), []
    for hub, boxes in crowds:
        connected = await connect(boxes, hub.secure)
        members.append(Crowd(hub.pid, connected, Taken([], [])))
        for _ in range(games * len(HAND) * HANDS // BATCH):
            await asyncio.gather(*(way.ask(box.next_rows(BATCH)) for box, way in connected))
    for turn in range(rounds + 1):
        for crowd in members:
            before = cpu_ms(crowd.pid)
            await send_for(crowd, seconds, chance)
            crowd.taken.cpu.append(cpu_ms(crowd.pid) - before)
            if turn == 0:  # it warms up
                crowd.taken.seconds.clear()
                crowd.taken.cpu.clear()
    for crowd in members:
        for _, way in crowd.members:
            way.close()
    return [crowd.taken for crowd in members]
