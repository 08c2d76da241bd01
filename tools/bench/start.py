"""Cost of a start, from exec to READY=1, and memory of a ready table.

The reference is a process that only imports the libraries that such a table needs.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scorer.rules import (
    History,
    find_variant,
    header_of,
    header_text,
    new_game,
    parse_step,
    rules_for,
)
from scorer.rules.notation import step_text
from scorer.store.journal import Journal, Stamp
from tools.bench import Measurement, Result
from tools.bench.daemon_process import (
    command_until_ready,
    pycache_environment,
    running_daemon,
    status,
)
from tools.bench.in_process_table import folder
from tools.bench.instructions import Work, measure_work

FLOOR = ("gpiozero", "lgpio", "luma.oled.device", "smbus2", "PIL.Image", "sqlite3")
ARCHIVED, QUICK_ARCHIVED = 10_000, 1_000
STARTS = 3  # of which the one with the least work counts
MIB = 1024.0  # KiB


def measure(quick: bool) -> Iterator[Result]:
    """Rows for work and memory, with an empty store and with a full one."""
    with folder() as place:
        names = ", ".join(_floor_imports())
        floor = _work_of_floor(place)
        empty = _start(place, place / "empty")
        yield _row("start until READY=1", empty, floor, f"importing {names}", 1.9)
        games = QUICK_ARCHIVED if quick else ARCHIVED
        fill(place / "full", games)
        full = _start(place, place / "full")
        yield _row(f"start with {games} archived games", full, empty, "the same without them", 1.1)
        yield Measurement(
            "resident memory when ready",
            _memory(place, place / "empty"),
            _memory_of_floor(place),
            "MiB",
            f"importing {names}",
            1.6,
        )


def _row(what: str, ours: Work, reference: Work, reference_is: str, budget: float) -> Measurement:
    return Measurement(what, ours.amount, reference.amount, ours.unit, reference_is, budget)


def _floor_imports() -> list[str]:
    """The installed imports of the reference; a missing one makes it stricter."""
    return [name for name in FLOOR if importlib.util.find_spec(name.partition(".")[0])]


def _start(place: Path, store: Path) -> Work:
    # A first start creates the store with its first game, and compiles every module.
    with running_daemon(place, store):
        pass
    # The threads interleave differently in each start.
    command, environment = command_until_ready(place, store), pycache_environment(place)
    return min(measure_work(command, environment) for _ in range(STARTS))


def _memory(place: Path, store: Path) -> float:
    with running_daemon(place, store) as pid:
        resident = status(pid)["VmRSS"]
    return float(resident.split()[0]) / MIB


def _work_of_floor(place: Path) -> Work:
    _run_imports(place, "")  # every module is compiled
    return measure_work(_import_command(""), {**pycache_environment(place), "LG_WD": str(place)})


def _memory_of_floor(place: Path) -> float:
    status_text = _run_imports(place, "print(open('/proc/self/status').read())")
    line = next(line for line in status_text.splitlines() if line.startswith("VmRSS"))
    return float(line.split()[1]) / MIB


def _import_command(then: str) -> list[str]:
    return [sys.executable, "-W", "ignore", "-c", f"import {', '.join(_floor_imports())}\n{then}"]


def _run_imports(place: Path, then: str) -> str:
    """The output of a process that imports the reference libraries and runs ``then``."""
    environment = {**os.environ, **pycache_environment(place), "LG_WD": str(place)}
    command = _import_command(then)
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def fill(store: Path, games: int) -> None:
    """Store ``games`` finished games, and one in progress."""
    header, lines = _whole_game()
    stamp = Stamp("bench", 1000, "2026-01-01T21:00:00+00:00", trusted=True)
    with Journal.open(store) as journal:
        for game in range(1, games + 1):
            # All its lines in one press: the presses of a finished game are not counted.
            journal.append(game=game, lines=lines, source="A", stamp=stamp, opens=header)
        journal.append(game=games + 1, lines=[], source="menu", stamp=stamp, opens=header)


def _whole_game() -> tuple[str, list[str]]:
    history = History(new_game(rules_for(find_variant("argentine"))))
    lines = []
    while history.game.winner is None:
        for text in ("A truco", "B quiero", "A hand_won", "- new_hand"):
            step = parse_step(text, history.game.rules)
            if history.play(step) is None:
                lines.append(step_text(step))
    return header_text(header_of([("Variant", "argentine")]).tags), lines
