"""Run histories of the protocol; also a command."""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from scorer.hub.store.database import DatabaseError
from tests.hub import postgresql
from tests.hub.postgresql import Cluster
from tests.hub.protocol.machine import GUARDS, IN_MEMORY, Protocol, WithoutCopies, at, without
from tests.hub.protocol.world import LawBroken

STEPS = 30  # rules of a history
BLOCK = 250  # histories of one seed: hypothesis remembers all that it tried
SERVED_BLOCK = 20  # the same on PostgreSQL, where a history takes a second
_CONTROL_HISTORIES = 3000
# Its disk is not what is tested here.
_FAST = ("fsync=off", "synchronous_commit=off")


def run_histories(machine: type[Protocol], count: int, seed: int, *, shrinks: bool = True) -> None:
    """Run ``count`` histories; a broken law is raised with the shortest history found."""
    phases = (Phase.generate, Phase.shrink) if shrinks else (Phase.generate,)
    _run(machine, seed, _settings(count, phases))


@functools.lru_cache
def _database_of(cluster: Cluster | None) -> str:
    """The address of this process's own database."""
    return IN_MEMORY if cluster is None else cluster.new_database()


def control_fails(
    guard: str, most: int, seed: int, cluster: Cluster | None = None, block: int = BLOCK
) -> bool:
    """Whether a hub without this guard breaks a law within ``most`` histories.

    ``block``: histories of one seed.
    """
    for start in range(0, most, block):
        try:
            count = min(block, most - start)
            run_histories(without(guard, _database_of(cluster)), count, seed + start, shrinks=False)
        except (LawBroken, DatabaseError):
            return True
    return False


def _run(machine: type[Protocol], number: int, chosen: settings) -> None:
    run_state_machine_as_test(seed(number)(machine), settings=chosen)


def _settings(count: int, phases: tuple[Phase, ...]) -> settings:
    return settings(
        max_examples=count,
        stateful_step_count=STEPS,
        phases=phases,
        deadline=None,
        database=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )


class Block(NamedTuple):
    """Histories of one seed. ``cluster``: of PostgreSQL, None for SQLite in memory."""

    machine: str
    seed: int
    size: int
    cluster: Cluster | None


def _run_block(block: Block) -> str:
    """Run one block in a process of its own; the fault, or ""."""
    machine = WithoutCopies if block.machine == WithoutCopies.__name__ else Protocol
    try:
        run_histories(at(_database_of(block.cluster), machine), block.size, block.seed)
    except Exception as error:
        notes = "\n".join(getattr(error, "__notes__", ()))
        return f"{block}: {type(error).__name__}: {error}\n{notes}"
    return ""


def _run_all(
    pool: Executor, count: int, size: int, seed: int, cluster: Cluster | None
) -> tuple[int, int]:
    """Run ``count`` blocks and the controls; how many passed and failed."""
    where = "on SQLite" if cluster is None else "on PostgreSQL"
    # Every fourth block has no copies: there each stream equals its table, without an alarm.
    names = [WithoutCopies.__name__ if at % 4 == 3 else Protocol.__name__ for at in range(count)]
    blocks = [Block(name, seed + at, size, cluster) for at, name in enumerate(names)]
    began, failed = time.monotonic(), 0
    for number, fault in enumerate(pool.map(_run_block, blocks), 1):
        if fault:
            failed += 1
            print(fault, flush=True)
        if number % 10 == 0 or number == count:
            done, seconds = number * size, time.monotonic() - began
            print(f"{done} histories {where} in {seconds:.0f} s, {failed} faults", flush=True)
    controls = [
        pool.submit(control_fails, guard, _CONTROL_HISTORIES, seed, cluster) for guard in GUARDS
    ]
    for guard, control in zip(GUARDS, controls, strict=True):
        failed += not control.result()
        found = "found" if control.result() else "NOT FOUND"
        print(f"without {guard} {where}: {found}", flush=True)
    return count + len(GUARDS) - failed, failed


def main() -> int:
    """0: all laws held and every control failed; 1: not so."""
    parser = argparse.ArgumentParser(description="Random histories of the protocol of a hall.")
    usual, served = (2_000, 80) if os.environ.get("QUICK") else (100_000, 4_000)
    parser.add_argument("--histories", type=int, default=usual, help="(%(default)s)")
    parser.add_argument(
        "--postgresql", type=int, default=served, help="further ones there (%(default)s)"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    print(f"histories of at most {STEPS} rules, seed {chosen.seed}", flush=True)
    blocks, served_blocks = chosen.histories // BLOCK, chosen.postgresql // SERVED_BLOCK
    passed = failed = 0
    if blocks:
        with ProcessPoolExecutor(chosen.workers, get_context("spawn")) as pool:
            passed, failed = _run_all(pool, blocks, BLOCK, chosen.seed, None)
    if served_blocks and not postgresql.is_installed():
        print("PostgreSQL is not installed: no histories there.")
    elif served_blocks:
        with (
            postgresql.running_cluster(*_FAST) as cluster,
            ProcessPoolExecutor(chosen.workers, get_context("spawn")) as pool,
        ):
            more = _run_all(pool, served_blocks, SERVED_BLOCK, chosen.seed, cluster)
            passed, failed = passed + more[0], failed + more[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
