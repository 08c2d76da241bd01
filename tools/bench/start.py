"""Cost of a start, from exec to READY=1, and memory of a ready table.

The reference is a process that only imports the libraries that such a table needs; for the first
picture those of the panels and the store, because the buttons are opened after it.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scorer.rules import (
    History,
    Start,
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
    UNTIL_FIRST_PICTURE,
    UNTIL_READY,
    command_until,
    pycache_environment,
    running_daemon,
    status,
)
from tools.bench.in_process_table import folder
from tools.bench.instructions import Work, measure_work

PICTURE_FLOOR = ("luma.oled.device", "smbus2", "PIL.Image", "sqlite3")
FLOOR = ("gpiozero", "lgpio", *PICTURE_FLOOR)
ARCHIVED, QUICK_ARCHIVED = 10_000, 1_000
STARTS = 3  # of which the one with the least work counts
MIB = 1024.0  # KiB


def measure(quick: bool) -> Iterator[Result]:
    """Rows for work and memory, with an empty store and with a full one."""
    with folder() as place:
        names = _floor_imports(FLOOR)
        empty = _start(place, place / "empty")
        yield _row("start until READY=1", empty, _work_of(place, names), f"importing {names}", 2.2)
        picture = _start(place, place / "empty", UNTIL_FIRST_PICTURE)
        of_picture = _floor_imports(PICTURE_FLOOR)
        floor = _work_of(place, of_picture)
        yield _row("start until the first picture", picture, floor, f"importing {of_picture}", 3.1)
        games = QUICK_ARCHIVED if quick else ARCHIVED
        fill(place / "full", games)
        full = _start(place, place / "full")
        yield _row(f"start with {games} archived games", full, empty, "the same without them", 1.1)
        yield Measurement(
            "resident memory when ready",
            _memory(place, place / "empty"),
            _memory_of(place, names),
            "MiB",
            f"importing {names}",
            1.6,
        )


def _row(what: str, ours: Work, reference: Work, reference_is: str, budget: float) -> Measurement:
    return Measurement(what, ours.amount, reference.amount, ours.unit, reference_is, budget)


def _floor_imports(libraries: Sequence[str]) -> str:
    """The installed ones of ``libraries``; a missing one makes the reference stricter."""
    return ", ".join(name for name in libraries if importlib.util.find_spec(name.partition(".")[0]))


def _start(place: Path, store: Path, program: str = UNTIL_READY) -> Work:
    # A first start creates the store with its first game, and compiles every module.
    with running_daemon(place, store):
        pass
    # The threads interleave differently in each start.
    command, environment = command_until(program, place, store), pycache_environment(place)
    return min(measure_work(command, environment) for _ in range(STARTS))


def _memory(place: Path, store: Path) -> float:
    with running_daemon(place, store) as pid:
        resident = status(pid)["VmRSS"]
    return float(resident.split()[0]) / MIB


def _work_of(place: Path, names: str) -> Work:
    _run_imports(place, names, "")  # every module is compiled
    command = _import_command(names, "")
    return measure_work(command, {**pycache_environment(place), "LG_WD": str(place)})


def _memory_of(place: Path, names: str) -> float:
    status_text = _run_imports(place, names, "print(open('/proc/self/status').read())")
    line = next(line for line in status_text.splitlines() if line.startswith("VmRSS"))
    return float(line.split()[1]) / MIB


def _import_command(names: str, then: str) -> list[str]:
    return [sys.executable, "-W", "ignore", "-c", f"import {names}\n{then}"]


def _run_imports(place: Path, names: str, then: str) -> str:
    """The output of a process that imports the libraries ``names`` and runs ``then``."""
    environment = {**os.environ, **pycache_environment(place), "LG_WD": str(place)}
    command = _import_command(names, then)
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
    history = History(new_game(Start(rules_for(find_variant("argentine")))))
    lines = []
    while history.game.winner is None:
        for text in ("A truco", "B quiero", "A hand_won", "- new_hand"):
            step = parse_step(text, history.game.rules)
            if history.play(step) is None:
                lines.append(step_text(step))
    return header_text(header_of([("Variant", "argentine")]).tags), lines
