"""``make hall N=8 [TEAMS=16]``: a hall on this machine; Ctrl-C ends everything."""

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

from tests.hub.hub_process import HubProcess
from tests.longrun.hall.playing import PlayedTable, RecordedTable, games
from tests.longrun.hall.processes import audit, cards, end_on_sigterm, ended, link_process, log_of
from tests.longrun.hall.tournament import NAME, PASSWORD, Director, MatchTable, hands

MAX_TABLES = 32


def main(arguments: Sequence[str]) -> int:
    """0: ended by Ctrl-C; 1: a table or the comparison at the end shows a fault."""
    chosen = _parser().parse_args(arguments)
    end_on_sigterm()
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as name:
        return _run(Path(name), chosen)
    return 0


def _run(folder: Path, chosen: argparse.Namespace) -> int:
    hub = HubProcess(folder / "hub", folder / "none.toml")
    numbers = range(1, chosen.tables + 1)
    tables = _tables(folder, chosen)
    hub.start()
    *own, spare = cards(hub, chosen.tables + 1, folder / "cards")
    links = [
        link_process(number, folder, card, table.socket)
        for number, card, table in zip(numbers, own, tables, strict=True)
    ]
    with ended([*links, hub]):
        try:
            for table in tables:
                table.start()
            for link in links:
                link.start()
            _tell(hub, spare, folder)
            _Evening(hub, chosen).wait()
            # Another Ctrl-C must not leave processes behind.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for table in tables:
                table.pause()
            print(f"\n{audit(hub)}", end="")
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for table in tables:
                table.stop()
    problems = [f"{table.socket.stem}: {table.problem}" for table in tables if table.problem]
    print("\n".join(problems))
    log_of(links, sys.stdout)
    return 1 if problems else 0


def _tables(folder: Path, chosen: argparse.Namespace) -> list[PlayedTable]:
    numbers = range(1, chosen.tables + 1)
    if chosen.teams:
        listed = hands()
        return [
            MatchTable(folder, number, listed, chosen.speed, chosen.seed + number)
            for number in numbers
        ]
    recorded = games()
    return [
        RecordedTable(folder, number, recorded, chosen.speed, chosen.seed + number)
        for number in numbers
    ]


def _tell(hub: HubProcess, spare: Path, folder: Path) -> None:
    print(f"the wall       {_wall(hub)}")
    print("the desk       https://{}:{}/desk".format(*hub.desk))
    print(f"one table more: scorer demo --socket {folder}/mine.sock    and, in another terminal,")
    print(f"                scorer link --socket {folder}/mine-hall.sock --config {spare} \\")
    print(f"                  --card /none --state {folder}/mine")
    print(f"the hub        is process {hub.pid}: kill -9 {hub.pid}; it starts again a minute later")
    print("Ctrl-C ends everything", flush=True)
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(_wall(hub))


def _wall(hub: HubProcess) -> str:
    return "http://{}:{}/".format(*hub.wall)


class _Evening:
    """The time until Ctrl-C, with a director if there is a tournament."""

    def __init__(self, hub: HubProcess, chosen: argparse.Namespace) -> None:
        self._hub, self._hub_pause = hub, chosen.hub_pause
        self._until = time.monotonic() + chosen.seconds if chosen.seconds else float("inf")
        self._ends_at_champion = chosen.seconds and chosen.teams
        self._progress = self._champion = ""
        self._director = Director(hub) if chosen.teams else None
        if self._director:
            self._director.set_password()
            self._director.begin(chosen.teams)
            print(f"a tournament of {chosen.teams} teams begins; log in as {NAME}, {PASSWORD}")
            print(f"televisions    {_wall(hub)}tv    a team {_wall(hub)}e/1", flush=True)

    def wait(self) -> None:
        """Wait for Ctrl-C or some seconds; start a killed hub again after a pause."""
        with contextlib.suppress(KeyboardInterrupt):
            while time.monotonic() < self._until:
                time.sleep(0.2)
                if not self._hub.is_running:
                    self._start_again()
                if self._director and not self._champion:
                    self._lead(self._director)
                if self._champion and self._ends_at_champion:
                    return

    def _start_again(self) -> None:
        print(f"the hub was killed; it starts again in {self._hub_pause:g} s", flush=True)
        time.sleep(self._hub_pause)
        self._hub.start()
        print(f"the hub        started again as process {self._hub.pid}", flush=True)

    def _lead(self, director: Director) -> None:
        """Open the next phase, and print what has changed."""
        try:
            director.open_next_phase()
            progress, self._champion = director.progress(), director.champion()
        except (OSError, RuntimeError):
            return  # the hub is about to start again, or the page it saw is an old one
        listed = ", ".join(f"{title} {done} of {of}" for title, (done, of) in progress.items())
        if listed != self._progress:
            self._progress = listed
            print(f"matches        {listed}", flush=True)
        if self._champion:
            print(f"the champion   {self._champion}", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make hall", description=__doc__)
    parser.add_argument("--tables", type=int, default=8, choices=range(1, MAX_TABLES + 1))
    parser.add_argument("--teams", type=int, default=0, help="play a tournament, 6 to 128 teams")
    parser.add_argument("--speed", type=float, default=1.0, help="1 is the pace of people")
    parser.add_argument("--seconds", type=float, default=0.0, help="end by itself")
    parser.add_argument("--hub-pause", type=float, default=60.0, help="seconds")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
