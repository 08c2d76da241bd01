"""``make hall-sabotage``: the faults of a hall during two tournaments.

They share the tables and some people. After each fault the hub has every row of the tables exactly
once, no alarm was raised that is none, each match has one result at most, no team is called to two
tables, and the desk says that all is well: not before.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import create_engine, text

from scorer.hall import wire
from scorer.hall.rows import Opening, digest_in
from scorer.hall.wire import GreetRequest, RowsRequest
from scorer.hub.store.database import sqlite_url
from tests.hub import postgresql
from tests.hub.boxes import EPOCH, HEADER, greet, row, rows_message
from tests.hub.hub_process import Client, HubProcess
from tests.hub.joining_box import join_box
from tests.longrun.hall.kills import PATIENCE, Hall, SteppedTable
from tests.longrun.hall.network import Network
from tests.longrun.hall.processes import Process, audit, end_on_sigterm, ended, log_of
from tests.longrun.hall.tournament import NAME, PASSWORD, Director, team_list
from tests.sampling import QUICK
from tests.support.honest_box import PLAYED

TABLES, TEAMS = 4, 32
PAIRS, SHARED_NAMES = 12, 4  # teams of the Swiss tournament; those that are in both
KILLS = 6 if QUICK else 60
CUT = 4.0 if QUICK else 90.0  # seconds without deliveries; a hub notices after a minute
DECISIONS = 8 if QUICK else 60  # of two desks at once
DISK = 96 * 1024 * 1024  # bytes; a copy leaves 64 MB
_NOTICE = 90.0  # seconds until a line has to stand at the desk
_JUMPS = (3 * 3600.0, -86_400.0, -30 * 86_400.0, 400 * 86_400.0)
_STORE_LINE = "La sala no puede guardar nada: el disco está lleno"
Json = dict[str, Any]


class Wrong(AssertionError):
    """What a hall should not do."""


class MatchTable(SteppedTable):
    """A table that plays what it is assigned, and agrees to the result."""

    def step(self) -> None:
        match = self.state()["match"]
        phase = match["phase"] if match else ""
        if phase == "offered":
            self.press("A")
        elif phase == "ended":
            self.press("A", "B")
        elif phase in ("accepted", "playing"):
            super().step()


@dataclass
class ClockedHub(HubProcess):
    """A hub whose wall clock is ``ahead`` by some seconds."""

    clock: Path = field(default_factory=Path)

    def set_ahead(self, seconds: float) -> None:
        """Set the clock of the running hub."""
        new = self.clock.with_suffix(".new")
        new.write_text(str(seconds), "ascii")
        new.replace(self.clock)

    @property
    def command(self) -> list[str]:
        python, *_ = super().command
        module = "tests.longrun.hall.set_clock"
        return [python, "-m", module, str(self.clock), "hub", *self._options]


class Sabotaged:
    """A hall whose two tournaments are played, and its director."""

    def __init__(
        self, folder: Path, chance: Random, settings: str = "", tables: int = TABLES
    ) -> None:
        config, state = folder / "hub.toml", folder / "hub"
        config.write_text(f"[hub]\n{settings}\n", "ascii")
        state.mkdir(exist_ok=True)
        self.hub = ClockedHub(state, config, clock=folder / "ahead")
        self.hub.set_ahead(0.0)
        self.folder, self.chance, self.network = folder, chance, Network()
        self.database = json.loads(settings.partition("=")[2] or "null") or sqlite_url(
            state / "hub.sqlite"
        )
        self.expected: Counter[str] = Counter()  # alarms that were raised with a reason
        self.hall = Hall(folder, tables, chance, self.hub, MatchTable, self._lead)
        self.director = Director(self.hub)
        self.director.set_password()
        self.director.begin(TEAMS)
        pairs = [f"Pareja {number}" for number in range(PAIRS - SHARED_NAMES)]
        shared = team_list(TEAMS).splitlines()[:SHARED_NAMES]
        self.director.begin_another("swiss", "\n".join([*shared, *pairs]))
        # One of them is two teams of the same name.
        self.director.answer_about_people(is_same_person=False, names=1)
        self.director.answer_about_people(is_same_person=True, names=SHARED_NAMES - 1)

    def _lead(self, hub: HubProcess) -> str:
        self.network.lead_to(hub.desk)
        return self.network.address

    @property
    def processes(self) -> list[Process | HubProcess]:
        return [*self.hall.links, self.hub]

    def close(self) -> None:
        self.network.close()
        for table in self.hall.tables:
            table.close()

    # ---- what is seen -----------------------------------------------------------------------

    def lines(self) -> dict[str, str]:
        """What the desk says besides alarms, by kind; {} if all is well."""
        return {each["kind"]: each["line"] for each in self.director.state()["troubles"]}

    def play_until(self, is_so: Callable[[], bool], sentence: str, seconds: float) -> None:
        """Play on until something is so. Raises Wrong."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(OSError, RuntimeError):
                if is_so():
                    return
            if time.monotonic() > end:
                with contextlib.suppress(OSError, RuntimeError):
                    sentence += f"; the desk says {self.lines()}"
                raise Wrong(sentence)
            self.hall.play(2)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """What the database of the hub says."""
        engine = create_engine(self.database)
        try:
            with engine.connect() as connection:
                return [tuple(each) for each in connection.execute(text(statement))]
        finally:
            engine.dispose()

    def streams(self) -> dict[str, dict[int, str]]:
        """The digests of every stream at the hub, by epoch."""
        found: dict[str, dict[int, str]] = {}
        for (epoch,) in self.query("SELECT epoch FROM stream"):
            found[epoch] = {}
        for epoch, seq, digest in self.query('SELECT epoch, seq, digest FROM "row"'):
            assert seq not in found[epoch], "a row is stored twice"
            found[epoch][seq] = digest
        return found

    def has_all_rows(self) -> bool:
        streams = self.streams()
        return all(
            streams.get(epoch) == rows
            for epoch, rows in (each.digests() for each in self.hall.tables)
        )

    def require_well(self) -> None:
        """Require every row once, and a desk where all is well. Raises Wrong."""
        _wait(self.has_all_rows, "the hub has other rows than the tables")
        _wait(lambda: not self.lines(), lambda: f"all is well, the desk says {self.lines()}")
        raised = Counter(kind for (kind,) in self.query("SELECT kind FROM alarm"))
        if raised != self.expected:
            raise Wrong(f"alarms {dict(raised)} instead of {dict(self.expected)}")
        if twice := [match for match, count in self.results().items() if count > 1]:
            raise Wrong(f"results of {twice} were recorded twice")
        at_tables = [each for one in self.director.tournaments() for each in one["tables"]]
        for each in at_tables:
            if each["is_late"]:
                raise Wrong(f"{each['match']['id']} is late")
        called = Counter(
            side["name"]
            for each in at_tables
            if each["match"]["result"] is None
            for side in each["match"]["sides"]
        )
        two_teams = team_list(1)
        if twice := [name for name, count in called.items() if count > 1 and name != two_teams]:
            raise Wrong(f"{twice} are called to two tables")

    def results(self) -> Counter[tuple[int, str]]:
        """How often each match of a tournament got a result."""
        bodies = self.query("SELECT body FROM log WHERE kind = 'tournament.event'")
        found = [json.loads(body) for (body,) in bodies]
        return Counter(
            (each["tournament"], each["event"]["match"])
            for each in found
            if each["event"]["do"] == "RecordResult"
        )

    def require_audit(self) -> None:
        """The comparison of every box is equal. Raises Wrong."""
        said = ""

        def is_equal() -> bool:
            nonlocal said
            said = audit(self.hub)
            return said.splitlines()[-1] == "all tables are equal"

        # A box that has just connected may greet a moment later.
        _wait(is_equal, "the audit is not equal", 60.0)


def _wait(
    is_so: Callable[[], bool], sentence: str | Callable[[], str], patience: float = PATIENCE
) -> None:
    end = time.monotonic() + patience
    while True:
        with contextlib.suppress(OSError, RuntimeError):
            if is_so():
                return
        if time.monotonic() > end:
            raise Wrong(sentence if isinstance(sentence, str) else sentence())
        time.sleep(0.2)


# ---- faults ---------------------------------------------------------------------------------


def kills(hall: Sabotaged) -> None:
    """Table, link and hub are killed at random moments."""
    for _ in range(KILLS):
        hall.hall.play(hall.chance.randint(2, 12))
        hall.hall.kill_something()


def network_is_refused(hall: Sabotaged) -> None:
    """The desk has one line with all tables; the hub works, and its monitor knows."""
    hall.network.refuse()
    tables = ", ".join(str(number + 1) for number in range(len(hall.hall.tables)))
    line = f"{len(hall.hall.tables)} mesas sin conexión: {tables}"
    hall.play_until(lambda: hall.lines() == {"boxes": line}, "a cut network is no line", _NOTICE)
    with contextlib.closing(hall.hub.client()) as client:
        answer = client.get("/healthz?lang=es-AR")
    if (answer.status, answer.document["lines"]) != (200, [line]):
        raise Wrong(f"/healthz says {answer.status} {answer.document}")
    hall.network.deliver()


def network_delivers_nothing(hall: Sabotaged) -> None:
    """What is sent arrives late or never."""
    hall.network.swallow()
    end = time.monotonic() + CUT
    while time.monotonic() < end:
        hall.hall.play(4)
        time.sleep(0.05)
    if not QUICK:
        hall.play_until(lambda: "boxes" in hall.lines(), "a black hole is no line", _NOTICE)
    hall.network.deliver()


def disk_is_full(hall: Sabotaged) -> None:
    """Nothing can be stored: one line, 503, and a refused click with its key."""
    filling = hall.hub.state / "filling"
    # To log in is to store a session.
    client = _log_in(hall.hub)
    try:
        _fill(filling)
        hall.play_until(
            lambda: hall.lines().get("store") == _STORE_LINE, "a full disk is no line", _NOTICE
        )
        health = client.get("/healthz")
        answer = client.desk("/desk/act", {"do": "t.by_itself", "on": False})
        if (health.status, answer.status, answer.document.get("key")) != (503, 503, "store"):
            raise Wrong(f"{health.status} {answer.status} {answer.document}")
    finally:
        filling.unlink()
        client.close()


def _fill(file: Path) -> None:
    """Leave no byte of a disk free."""
    size = 65536
    with file.open("wb", buffering=0) as opened:
        while size:
            try:
                opened.write(b"\0" * size)
            except OSError:
                size //= 4


def clock_is_set(hall: Sabotaged) -> None:
    """No jump makes a call late or a box lost."""

    def is_offered() -> bool:
        at_tables = (each for one in hall.director.tournaments() for each in one["tables"])
        return any(each["match"]["state"] == "offered" for each in at_tables)

    for seconds in (*_JUMPS, 0.0):
        hall.play_until(is_offered, "no match is called", 60.0)
        hall.hub.set_ahead(seconds)
        hall.require_well()
    # One that starts with another clock.
    hall.hub.kill()
    hall.hub.set_ahead(_JUMPS[0])
    hall.hub.start()
    hall.require_well()


def another_hub(hall: Sabotaged) -> None:
    """Another certificate at the address gets no row; the log says why."""
    other = HubProcess(hall.folder / "other", hall.folder / "none.toml")
    other.start()
    try:
        logs = [(link.log, link.log.stat().st_size) for link in hall.hall.links]
        hall.network.lead_to(other.desk)

        def is_refused() -> bool:
            return all("another certificate" in log.read_text()[size:] for log, size in logs)

        hall.play_until(is_refused, "the logs do not name another certificate", _NOTICE)
        with contextlib.closing(sqlite3.connect(other.state / "hub.sqlite")) as database:
            (count,) = database.execute("SELECT count(*) FROM stream").fetchone()
        if count:
            raise Wrong("rows were sent to another hub")
    finally:
        hall.network.lead_to(hall.hub.desk)
        other.stop()


def old_copy(hall: Sabotaged) -> None:
    """The hub goes back to a copy, while boxes go on."""
    copy = hall.folder / "old.copy"
    hall.hub.run("backup", str(copy)).check_returncode()
    hall.hall.play(60)
    _wait(hall.has_all_rows, "rows do not arrive")
    hall.hub.stop()
    hall.hall.play(20)
    hall.hub.run("restore", str(copy)).check_returncode()
    hall.hub.start()
    hall.hall.play(20)


def two_hubs(hall: Sabotaged) -> None:
    """Two processes on one folder; both desks decide, and boxes move."""
    other = ClockedHub(hall.hub.state, hall.hub.config, clock=hall.hub.clock)
    other.start()
    try:
        desks = [hall.director, Director(other)]
        count = "SELECT count(*) FROM log WHERE kind = 'tournament.settings'"
        (before,) = hall.query(count)
        taken = refused = 0
        for turn in range(DECISIONS):
            # One of them has seen what the other one has changed meanwhile.
            seen = desks[turn % 2].state()["tournament"]["seq"]
            for desk, on in zip(desks, (True, False), strict=True):
                try:
                    desk.act("t.publish_after", minutes=turn if on else turn + 1, seen=seen)
                    taken += 1
                except RuntimeError as error:
                    if "t.changed" not in str(error):
                        raise
                    refused += 1
            hall.hall.play(6)
        # One page may be twenty seconds behind the other process; then both are refused.
        (after,) = hall.query(count)
        if not 0 < taken <= DECISIONS or after[0] - before[0] != taken:
            raise Wrong(f"{taken} decisions were taken, {refused} refused: {before} to {after}")
        desks[0].act("t.publish_after", minutes=0)
        hall.network.lead_to(other.desk)
        hall.hall.play(20)
        _wait(hall.has_all_rows, "rows do not arrive")
        for desk in desks:
            _wait(lambda desk=desk: not desk.state()["troubles"], "a desk is not well")  # type: ignore[misc]
        # The first one must not take the boxes of the other one for lost.
        end = time.monotonic() + 20.0
        while time.monotonic() < end:
            if troubles := desks[0].state()["troubles"]:
                raise Wrong(f"boxes of another process are lost: {troubles}")
            hall.hall.play(2)
    finally:
        hall.network.lead_to(hall.hub.desk)
        other.stop()


def altered_batches(hall: Sabotaged) -> None:
    """Repeated rows count once; early ones are refused, others held."""
    with contextlib.closing(_log_in(hall.hub)) as desk:
        box = join_box(hall.hub, desk, "7" * 32, 99)
        opened = (Opening(1, 1, HEADER),)
        rows = [row(seq, PLAYED[(seq - 1) % len(PLAYED)]) for seq in range(1, 9)]
        digests = [digest_in(each, opened) for each in rows]
        batches = [
            rows_message(rows[at : at + 2], openings=opened if not at else (),
                         prev=digests[at - 1] if at else "")
            for at in range(0, 8, 2)
        ]  # fmt: skip

        def send(message: GreetRequest | RowsRequest) -> int:
            path = wire.GREET_PATH if isinstance(message, GreetRequest) else wire.ROWS_PATH
            return box.client.post(path, wire.encode(message), box.token).status

        order = [0, 0, 2, 1, 0, 2, 3, 1, 3]
        wanted = [200, 200, 409, 200, 200, 200, 200, 200, 200]
        found = [send(greet()), *(send(batches[at]) for at in order)]
        if found != [200, *wanted]:
            raise Wrong(f"the answers are {found}")
        altered = rows_message([row(8, "B truco")], prev=digests[6])
        if send(altered) != 423:
            raise Wrong("an altered row was taken")
        hall.expected["fork"] += 1
        stored = hall.query(f"""SELECT digest FROM "row" WHERE epoch = '{EPOCH}' ORDER BY seq""")
        if [digest for (digest,) in stored] != digests:
            raise Wrong("the hub has other rows than the box")
        state = desk.get("/desk/state").document
        (alarm,) = (each for each in state["alarms"] if each["kind"] == "fork")
        desk.desk("/desk/act", {"do": "resolve", "alarm": alarm["id"], "how": "ignore"})
        desk.desk("/desk/act", {"do": "revoke", "device": alarm["device"]})
        box.client.close()


SHARED: tuple[Callable[[Sabotaged], None], ...] = (
    kills,
    network_is_refused,
    network_delivers_nothing,
    disk_is_full,
    clock_is_set,
    another_hub,
    old_copy,
    two_hubs,
    altered_batches,
)


def server_is_killed(hall: Sabotaged, cluster: postgresql.Cluster) -> None:
    """PostgreSQL is killed, and starts again."""
    hall.hall.play(40)
    killed = cluster.postmaster
    os.kill(killed, signal.SIGKILL)

    def is_unwell() -> bool:
        with contextlib.closing(hall.hub.client()) as client:
            return client.get("/healthz").status == 503

    hall.play_until(is_unwell, "the hub does not miss its database", _NOTICE)
    cluster.restart_after_kill(killed)
    hall.hall.play(20)


# ---- running --------------------------------------------------------------------------------


def _log_in(hub: HubProcess) -> Client:
    client = hub.client()
    client.desk("/desk/login", {"name": NAME, "password": PASSWORD})
    return client


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[str]:
    """A disk at ``folder`` that can be filled; why there is none, or ""."""
    folder.mkdir()
    if os.geteuid() != 0:
        yield "only root can mount a small disk"
        return
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"no small disk: {done.stderr.strip()}"
        return
    try:
        yield ""
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def _sabotaged(
    folder: Path, chance: Random, settings: str = "", tables: int = TABLES
) -> Iterator[Sabotaged]:
    hall = Sabotaged(folder, chance, settings, tables)
    with ended(hall.processes), contextlib.closing(hall):
        _wait(lambda: len(hall.streams()) == tables, "the boxes do not join")
        try:
            yield hall
        except BaseException:
            log_of(hall.hall.links, sys.stdout)
            raise


def _reported(name: str, fault: Callable[[], None], hall: Sabotaged) -> bool:
    """Let something fail, and print what follows; whether it is right."""
    began, problem = time.monotonic(), "right"
    try:
        hall.director.lead()
        fault()
        hall.require_well()
        hall.require_audit()
    except (Wrong, OSError, RuntimeError) as error:
        problem = f"{type(error).__name__}: {error}"
    print(f"{name}: {problem} ({time.monotonic() - began:.0f} s)", flush=True)
    return problem == "right"


def run_on_sqlite(seed: int, only: str) -> list[bool]:
    """All faults in one evening on SQLite, one after another."""
    found = []
    with (
        tempfile.TemporaryDirectory() as name,
        _small_disk(Path(name) / "hub") as why_not,
        _sabotaged(Path(name), Random(seed)) as hall,
    ):
        for fault in SHARED:
            title = fault.__name__.replace("_", " ")
            if only not in title:
                continue
            if fault is disk_is_full and why_not:
                print(f"{title}: skipped, {why_not}")
                continue
            found.append(_reported(title, partial(fault, hall), hall))
        played = Counter(tournament for tournament, _ in hall.results())
        print(f"results of the tournaments: {', '.join(map(str, played.values()))}")
        if not only:
            found.append(len(played) == len(hall.director.tournaments()))
    return found


def run_on_postgresql(seed: int) -> list[bool]:
    """The server of the database is killed."""
    with tempfile.TemporaryDirectory() as name, postgresql.running_cluster() as cluster:
        settings = f'database = "{cluster.new_database()}"'
        with _sabotaged(Path(name), Random(seed), settings, tables=2) as hall:
            return [_reported("server is killed", partial(server_is_killed, hall, cluster), hall)]


def main(arguments: Sequence[str]) -> int:
    """Print a line per fault; 1 if something was wrong after one."""
    parser = argparse.ArgumentParser(prog="make hall-sabotage", description=__doc__)
    parser.add_argument("--evenings", type=int, default=1 if QUICK else 4)
    parser.add_argument("--first", type=int, default=1, help="seed of the first evening")
    parser.add_argument("--only", default="", help="a part of the name of a fault")
    chosen = parser.parse_args(arguments)
    end_on_sigterm()
    found: list[bool] = []
    for seed in range(chosen.first, chosen.first + chosen.evenings):
        found += run_on_sqlite(seed, chosen.only)
        if chosen.only not in "server is killed":
            continue
        if postgresql.is_installed() and shutil.which("psql"):
            found += run_on_postgresql(seed)
        else:
            print("server is killed: skipped, PostgreSQL is not installed")
    print(f"{sum(found)} passed, {len(found) - sum(found)} failed")
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
