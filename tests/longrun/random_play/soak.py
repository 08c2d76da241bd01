"""``make soak``: run a table for 24 simulated hours and measure its resources.

The real table runs in its own process, with two panels and its socket. Every hour games are played,
phones connect and disconnect, a panel is unplugged, all buttons are mashed, and the table idles
until it is dark; at night it is idle. The last 12 hours must show no growth. ``QUICK=1``: fewer
games. The last line is "N passed, N failed".
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from scorer.api.server import Client
from scorer.demo.buttons import PinEdge, press_edges, sort_edges
from scorer.demo.table_process import TableCommand, TableProcess
from scorer.rules import variant_ids
from tests.longrun.random_play.night import MEMORY
from tests.support.table_client import TableClient

HOURS, SECOND_HALF = 24, 12
CLOSED = range(3, 9)  # hours without players
GAMES, FEW_GAMES = 6, 2  # per hour, as time permits
HOUR = 3600.0
LAST_GAME = 1500.0  # seconds before the end of an hour after which no game starts
PAUSE = 1.1  # seconds between presses
DEALT = 4.4  # seconds after a hand
MASHED, MASH = 150, 0.02  # random presses, and the seconds between them
MOST_HANDS = 80  # of one game
# The tracemalloc mark takes memory, so it is taken before the half that must be flat.
WISHES = {HOURS - SECOND_HALF - 1: "mark", HOURS - 1: "grown"}
CACHES = 256 * 1024  # bytes that glyphs and sentences take when they are drawn the first time
FLAT = 0.01  # allowed growth in twelve hours, as a fraction
SIDES = ("A", "B")


class Held(NamedTuple):
    """The resources of the table's process at the end of an hour."""

    hour: int
    rss: int  # bytes
    blocks: int
    traced: int  # bytes
    files: int
    threads: int
    children: int


class SoakedTable(TableProcess):
    """A table process that reports its resources."""

    def held(self, hour: int, wish: str) -> tuple[Held, list[str]]:
        """Its resources now; with "grown" also what has grown since "mark"."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"sample": wish}).encode() + b"\n")
        self._process.stdin.flush()
        report: dict[str, Any] = json.loads(self._read_line())
        grown = report.pop("grown", [])
        return Held(hour, **report), grown


class Day:
    """The day of one table, in simulated time."""

    def __init__(self, folder: Path, variant: str, games: int) -> None:
        self.socket = folder / "table.sock"
        self._table = TableCommand(
            variant, "", "es-AR", "full", 2, str(folder / "store"), str(self.socket)
        )
        self._chance, self._games = Random(variant), games
        self.now, self.presses, self.won, self.phones = 0.0, 0, 0, 0
        self.table = self._started()

    def hour(self, number: int) -> None:
        """Play one hour to its end."""
        end = (number + 1) * HOUR
        if number not in CLOSED:
            for game in range(self._games):
                if self.now > end - LAST_GAME:
                    break
                self._game()
                if game % 2:
                    self._phone()
            self._mash()
            self._unplugged()
            self._look_around()
        assert self.now < end, f"the games of hour {number} took longer than it lasts"
        self._live([], end - self.now)

    def held(self, hour: int, wish: str) -> tuple[Held, list[str]]:
        """The resources of the table, with one client connected."""
        with TableClient(self.socket) as client:
            # After two replies all resources of earlier phones have been released.
            client.look().look()
            return self.table.held(hour, wish)

    def cut(self) -> bool:
        """Kill and restart the table; return whether the state shown is unchanged."""
        shown = self.table.report.state
        self.table.kill()
        self.table = self._started()
        return self.table.report.state == shown

    def close(self) -> None:
        """End the table."""
        self.table.close()

    def _started(self) -> SoakedTable:
        python, _, _, _, *words = self._table.command(self.now)
        table = SoakedTable([python, "-m", "tests.longrun.random_play.soak_table", *words])
        table.start()
        return table

    def _game(self) -> None:
        for _ in range(MOST_HANDS):
            phase = str(self.table.report.state["phase"])
            if phase == "match_over":
                break
            self._press(*self._hand(phase))
            self._live([], DEALT)
        self.won += self.table.report.state["winner"] is not None
        # 30 seconds for the confirmation; then the next game starts or the unfinished one goes on.
        self._press("A.quiero", "B.quiero")

    def _hand(self, phase: str) -> tuple[str, ...]:
        """Buttons for one hand, or to continue from another phase."""
        one, other = self._chance.sample(SIDES, 2)
        won, compared = self._chance.choices(SIDES, k=2)
        if phase not in ("playing", "hand_over", "game_over"):
            return (f"{one}.quiero", f"{other}.quiero", f"{won}.tantos")
        hands = (
            (f"{won}.tantos",),
            (f"{one}.truco", f"{other}.quiero", f"{won}.tantos"),
            (f"{one}.truco", f"{other}.no_quiero"),
            (f"{one}.truco", f"{other}.truco", f"{one}.quiero", f"{won}.tantos"),
            (f"{one}.envido", f"{other}.quiero", f"{compared}.tantos", f"{won}.tantos"),
            (f"{one}.envido", f"{other}.no_quiero", f"{won}.tantos"),
            (f"{one}.flor", f"{other}.quiero", f"{won}.tantos", "undo", "undo"),
            (f"{one}.truco", "undo", "menu", f"{won}.tantos"),
        )
        return self._chance.choice(hands)

    def _press(self, *buttons: str, pause: float = PAUSE) -> None:
        edges: list[PinEdge] = []
        at = self.now
        for button in buttons:
            edges += press_edges(button, at, 0.15, self._chance)
            at += pause
        self.presses += len(buttons)
        self._live(sort_edges(edges), at - self.now + 1.0)

    def _live(self, edges: Sequence[PinEdge], seconds: float) -> None:
        self.now = round(self.now + seconds, 6)
        self.table.advance(edges, self.now)

    def _mash(self) -> None:
        keys = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
        buttons = [*(f"{side}.{key}" for side in SIDES for key in keys), "undo", "menu"]
        for _ in range(MASHED // 30):
            self._press(*self._chance.choices(buttons, k=30), pause=MASH)
        # Anything left open closes after a timeout.
        self._live([], 40.0)
        self._press("undo")

    def _unplugged(self) -> None:
        panel = self._chance.choice(("A", "B"))
        self.table.set_fault(panel, "gone")
        self._press("menu", "A.truco", "B.no_quiero")
        self._live([], 60.0)
        self.table.set_fault(panel, None)
        self._live([], 10.0)

    def _look_around(self) -> None:
        """Go through every page, open set-up, and come back."""
        for _ in range(7):
            self._press("menu")
        edges = press_edges("menu", self.now, 0.9, self._chance)
        self._live(sort_edges(edges), 2.0)
        self._press("B.tantos", "B.tantos", "A.quiero", "B.tantos", "A.no_quiero", "A.no_quiero")
        self._live([], 40.0)

    def _phone(self) -> None:
        """Connect, read the score, send a request, and disconnect, sometimes abruptly."""
        client = Client(self.socket, timeout=30.0)
        self.phones += 1
        if self._chance.random() < 0.7:
            hello = client.receive()
            assert hello is not None and hello["hello"] == 1
            client.send({"id": 1, "do": "step", "line": "A truco", "seq": -1})
            client.send({"id": 2, "do": "journal", "from": 1, "limit": 50})
            while (client.receive() or {"id": 2}).get("id") != 2:
                pass
        client.close()


def slope(values: Sequence[float]) -> float:
    """The rise of the regression line over ``values``, relative to their mean."""
    count, middle_value = len(values), mean(values)
    middle = (count - 1) / 2
    rise = sum((at - middle) * (value - middle_value) for at, value in enumerate(values))
    per_step = rise / sum((at - middle) ** 2 for at in range(count))
    return per_step * (count - 1) / middle_value


def judged(curve: Sequence[Held]) -> list[tuple[str, bool]]:
    """The checks of the second half, each as a sentence and whether it holds."""
    half = curve[-SECOND_HALF:]
    found: list[tuple[str, bool]] = []
    for name in ("rss", "blocks", "traced"):
        values = [float(getattr(held, name)) for held in half]
        grown = slope(values)
        # A leak of one kilobyte per row would be thirty times as much.
        is_flat = grown <= FLAT or (name == "traced" and grown * mean(values) <= CACHES)
        found.append((f"{name} grows by {100 * grown:+.2f} % in 12 hours", is_flat))
    for name in ("files", "threads", "children"):
        counts = sorted({getattr(held, name) for held in half})
        found.append((f"{name}: {', '.join(map(str, counts))}", len(counts) == 1))
    return found


def soaked(folder: Path, variant: str, games: int) -> list[tuple[str, bool]]:
    """Run one day; print the curve as it grows."""
    day = Day(folder, variant, games)
    curve: list[Held] = []
    grown: list[str] = []
    print(f"{variant}: hour, resident KiB, blocks, traced KiB, files, threads, children, won, seq")
    try:
        for hour in range(HOURS):
            day.hour(hour)
            held, grown = day.held(hour, WISHES.get(hour, ""))
            curve.append(held)
            print(
                f"{hour + 1:4} {held.rss // 1024:8,} {held.blocks:9,} {held.traced // 1024:8,}"
                f" {held.files:4} {held.threads:4} {held.children:3} {day.won:4}"
                f" {day.table.report.seq:7,}",
                flush=True,
            )
        print("what holds more than twelve hours ago:")
        print("\n".join(grown))
        print(f"{day.presses:,} presses, {day.won} games, {day.phones} phones")
        kept = ("after a power cut everything is there that was shown", day.cut())
    finally:
        day.close()
    return [*judged(curve), kept]


def main() -> int:
    """Run the day of one table; return 1 if something grows."""
    games = FEW_GAMES if os.environ.get("QUICK") else GAMES
    folder = Path(tempfile.mkdtemp(prefix="soak-", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        found = soaked(folder, variant_ids()[0], games)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for sentence, flat in found:
        print(f"{'ok    ' if flat else 'FAILED'} {sentence}")
    passed = sum(flat for _, flat in found)
    print(f"{passed} passed, {len(found) - passed} failed")
    return 0 if passed == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
