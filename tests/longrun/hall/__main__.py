"""``make hall N=8``: a hall on this machine; Ctrl-C ends everything."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from tests.longrun.hall.playing import PlayedTable, games
from tests.longrun.hall.processes import (
    HubProcess,
    Process,
    end_on_sigterm,
    ended,
    link_process,
    log_of,
)

MAX_TABLES = 32


def main(arguments: Sequence[str]) -> int:
    """0: ended by Ctrl-C; 1: a table or the comparison at the end shows a fault."""
    chosen = _parser().parse_args(arguments)
    end_on_sigterm()
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as name:
        return _run(Path(name), chosen)
    return 0


def _run(folder: Path, chosen: argparse.Namespace) -> int:
    hub, numbers = HubProcess(folder), range(1, chosen.tables + 1)
    recorded = games(chosen.seed)
    tables = [
        PlayedTable(folder, number, recorded, chosen.speed, chosen.seed + number)
        for number in numbers
    ]
    hub.start()
    *cards, spare = hub.cards(chosen.tables + 1, folder / "cards")
    links = [
        link_process(number, folder, card, table.socket)
        for number, card, table in zip(numbers, cards, tables, strict=True)
    ]
    processes: list[Process] = [*links, hub]
    with ended(processes):
        try:
            for table in tables:
                table.start()
            for link in links:
                link.start()
            _tell(hub, spare, folder)
            _wait(hub, chosen.seconds, chosen.hub_pause)
            # Another Ctrl-C must not leave processes behind.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for table in tables:
                table.pause()
            print(f"\n{hub.audit()}", end="")
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for table in tables:
                table.stop()
    problems = [f"{table.socket.stem}: {table.problem}" for table in tables if table.problem]
    print("\n".join(problems))
    log_of(processes, sys.stdout)
    return 1 if problems else 0


def _tell(hub: HubProcess, spare: Path, folder: Path) -> None:
    print(f"the wall       {hub.wall}")
    print(f"the desk       {hub.desk}")
    print(f"one table more: scorer demo --socket {folder}/mine.sock    and, in another terminal,")
    print(f"                scorer link --socket {folder}/mine-hall.sock --config {spare} \\")
    print(f"                  --card /none --state {folder}/mine")
    print(f"the hub        is process {hub.pid}: kill -9 {hub.pid}; it starts again a minute later")
    print("Ctrl-C ends everything", flush=True)
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(hub.wall)


def _wait(hub: HubProcess, seconds: float, hub_pause: float) -> None:
    """Wait for Ctrl-C or some seconds; start a killed hub again after a pause."""
    until = time.monotonic() + seconds if seconds else float("inf")
    with contextlib.suppress(KeyboardInterrupt):
        while time.monotonic() < until:
            time.sleep(0.2)
            if not hub.is_running:
                print(f"the hub was killed; it starts again in {hub_pause:g} s", flush=True)
                time.sleep(hub_pause)
                hub.start()
                print(f"the hub        started again as process {hub.pid}", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make hall", description=__doc__)
    parser.add_argument("--tables", type=int, default=8, choices=range(1, MAX_TABLES + 1))
    parser.add_argument("--speed", type=float, default=1.0, help="1 is the pace of people")
    parser.add_argument("--seconds", type=float, default=0.0, help="end by itself")
    parser.add_argument("--hub-pause", type=float, default=60.0, help="seconds")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
