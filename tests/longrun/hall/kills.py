"""``make hall-kills``: kill tables, links and the hub of a hall at random moments.

Every run has its seed. In a third of them the hub's disk is set back to an earlier moment.
Afterwards every stream at the hub has exactly the rows of its table. Further runs have two hubs on
one PostgreSQL.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from scorer.demo import buttons
from scorer.demo.table_process import TableCommand, TableProcess
from scorer.hall.rows import digest_in
from scorer.link.table_page import Page, parse_page
from tests.hub import postgresql
from tests.hub.hub_process import HubProcess
from tests.longrun.hall.processes import (
    audit,
    cards,
    desk_address,
    end_on_sigterm,
    ended,
    link_process,
    log_of,
)
from tests.longrun.hall.two_hubs import run_two_hubs
from tests.sampling import QUICK
from tests.support.table_client import TableClient

PATIENCE = 300.0  # seconds for everything to arrive at the end
DEADS = 3, 7  # kills of a run
PRESSES = 2, 12  # between two kills
_NEVER = frozenset(("correct", "concede", "time", "tricks", "award"))


class SteppedTable:
    """A table whose steps come through its socket: any that is legal."""

    def __init__(self, folder: Path, number: int, chance: Random) -> None:
        self.socket = folder / f"table-{number}.sock"
        self._command = TableCommand(
            "argentine", "target=18", "es-AR", "full", 1, str(folder / f"store-{number}"),
            str(self.socket),
        )  # fmt: skip
        self._chance, self._now = chance, 0.0
        self._process = self._start()

    def state(self) -> dict[str, Any]:
        with TableClient(self.socket) as client:
            return client.state

    def step(self) -> None:
        """Enter a legal step, or open the next game."""
        with TableClient(self.socket) as client:
            state = client.state
            if state["phase"] == "match_over":
                self._next_game()
                return
            legal = [(side, action) for side, action in state["legal"] if action not in _NEVER]
            side, action = self._chance.choice(legal)
            line = f"{side} {action}"
            client.ask(do="step", line=line, number=state["number"])

    def kill(self) -> None:
        """SIGKILL, and start again on the same store."""
        self._process.kill()
        self._now += 60.0
        self._process = self._start()

    def close(self) -> None:
        self._process.close()

    def digests(self) -> tuple[str, dict[int, str]]:
        """The epoch, and the digest of each of its rows."""
        found: dict[int, str] = {}
        with TableClient(self.socket) as client:
            page = _page(client, 1)
            start = page.epoch.first
            while (page := _page(client, start)).rows:
                found |= {row.seq: digest_in(row, page.openings) for row in page.rows}
                start = page.rows[-1].seq + 1
        return page.epoch.id, found

    def _start(self) -> TableProcess:
        process = TableProcess(self._command.command(self._now))
        process.start()
        return process

    def _next_game(self) -> None:
        self.press("A", "B")

    def press(self, *sides: str) -> None:
        """Press QUIERO at the consoles of these sides."""
        for side in sides:
            self._now = max(self._now, self._process.report.now) + 30.0
            edges = buttons.press_edges(f"{side}.quiero", self._now, 0.15, self._chance)
            self._now += 2.0
            self._process.advance(buttons.sort_edges(edges), self._now)


def _page(client: TableClient, first: int) -> Page:
    return parse_page(client.ask(do="journal", **{"from": first}), hall="")


class Hall:
    """Tables, links and the hub of one run."""

    def __init__(
        self,
        folder: Path,
        count: int,
        chance: Random,
        hub: HubProcess | None = None,
        table: type[SteppedTable] = SteppedTable,
        address: Callable[[HubProcess], str] = desk_address,
    ) -> None:
        """``address``: at which boxes reach the hub, once it runs."""
        self._folder, self._chance = folder, chance
        self.hub = hub or HubProcess(folder / "hub", folder / "none.toml")
        self.hub.start()
        own = cards(self.hub, count, folder / "cards", address(self.hub))
        numbers = range(1, count + 1)
        self.tables = [table(folder, number, chance) for number in numbers]
        self.links = [
            link_process(number, folder, card, table.socket)
            for number, card, table in zip(numbers, own, self.tables, strict=True)
        ]
        for link in self.links:
            link.start()
        self._backup = folder / "backup"

    def play(self, count: int) -> None:
        for _ in range(count):
            self._chance.choice(self.tables).step()

    def kill_something(self) -> str:
        """Kill one process and start it again; its kind."""
        match self._chance.choice(("table", "link", "hub")):
            case "table":
                self._chance.choice(self.tables).kill()
                return "table"
            case "link":
                link = self._chance.choice(self.links)
                link.kill()
                self.play(self._chance.randint(0, 5))
                link.start()
                return "link"
            case kind:
                self.hub.kill()
                self.play(self._chance.randint(0, 5))
                self.hub.start()
                return kind

    def wait_until_joined(self) -> None:
        """Wait until every box is at the hub: a card counts once."""
        _wait(lambda: len(self.streams()) == len(self.tables), "the boxes do not join")

    def back_up_disk(self) -> None:
        """Copy the hub's disk as it is without a process."""
        self.hub.kill()
        shutil.copytree(self.hub.state, self._backup)
        self.hub.start()

    def set_disk_back(self) -> None:
        """Put that copy in the place of the disk."""
        self.hub.kill()
        shutil.rmtree(self.hub.state)
        shutil.copytree(self._backup, self.hub.state)
        self.hub.start()

    def streams(self) -> dict[str, dict[int, str]]:
        """The digests of every stream at the hub, by epoch."""
        found: dict[str, dict[int, str]] = {}
        path = f"file:{self.hub.state / 'hub.sqlite'}?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
            for (epoch,) in database.execute("SELECT epoch FROM stream"):
                found[epoch] = {}
            for epoch, seq, digest in database.execute("SELECT epoch, seq, digest FROM row"):
                found[epoch][seq] = digest
        return found

    def is_right(self) -> bool:
        """Whether each table's rows are at the hub, or its stream is held."""
        streams = self.streams()
        tables = dict(table.digests() for table in self.tables)
        return all(streams.get(epoch) == rows for epoch, rows in tables.items())


def run(seed: int, tables: int) -> str:
    """One evening; "" or what is wrong at its end."""
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as name:
        hall = Hall(Path(name), tables, chance)
        with ended([*hall.links, hall.hub]), contextlib.ExitStack() as stack:
            for table in hall.tables:
                stack.callback(table.close)
            try:
                _evening(hall, chance, with_backup=seed % 3 == 0)
            except (TimeoutError, ConnectionError) as error:
                log_of(hall.links, sys.stdout)
                return f"{error}\n{audit(hall.hub)}"
    return ""


def _evening(hall: Hall, chance: Random, *, with_backup: bool) -> None:
    hall.play(chance.randint(0, 10))
    hall.wait_until_joined()
    kills = chance.randint(*DEADS)
    copied_at = chance.randrange(kills) if with_backup else -1
    for turn in range(kills):
        if turn == copied_at:
            hall.back_up_disk()
        hall.play(chance.randint(*PRESSES))
        hall.kill_something()
    if with_backup:
        hall.set_disk_back()
    hall.play(chance.randint(0, 10))
    _wait(hall.is_right, "the hub has other rows than the tables")


def _wait(is_so: Any, sentence: str) -> None:  # noqa: ANN401 - a function without arguments
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(sentence)
        time.sleep(0.1)


def main(arguments: Sequence[str]) -> int:
    """Print a line per run; 1 if a stream was wrong at the end of one."""
    parser = argparse.ArgumentParser(prog="make hall-kills", description=__doc__)
    parser.add_argument("--runs", type=int, default=10 if QUICK else 300)
    parser.add_argument("--two-hubs", type=int, default=2 if QUICK else 60, help="runs of them")
    parser.add_argument("--first", type=int, default=0, help="seed of the first run")
    parser.add_argument("--tables", type=int, default=4)
    chosen = parser.parse_args(arguments)
    end_on_sigterm()
    with contextlib.ExitStack() as stack:
        problems = [
            _reported(f"run {seed}", lambda seed=seed: run(seed, chosen.tables))  # type: ignore[misc]
            for seed in range(chosen.first, chosen.first + chosen.runs)
        ]
        if chosen.two_hubs and postgresql.is_installed():
            cluster = stack.enter_context(postgresql.running_cluster())
            problems += [
                _reported(f"two hubs {seed}", lambda seed=seed: run_two_hubs(seed, cluster))  # type: ignore[misc]
                for seed in range(chosen.first, chosen.first + chosen.two_hubs)
            ]
        elif chosen.two_hubs:
            print("PostgreSQL is not installed: no runs with two hubs.")
    failed = sum(problems)
    print(f"{len(problems) - failed} passed, {failed} failed")
    return 1 if failed else 0


def _reported(name: str, evening: Callable[[], str]) -> bool:
    """Run one evening and print its result; whether something was wrong."""
    began = time.monotonic()
    problem = evening()
    print(f"{name}: {problem or 'right'} ({time.monotonic() - began:.0f} s)", flush=True)
    return bool(problem)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
