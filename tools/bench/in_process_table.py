"""An in-process table with externally controlled pins and time.

The real code on simulated pins and recording buses. It records each picture shown, and the cost of
each press until its last byte was on the bus.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.config.pin_map import pins_for
from scorer.demo.buttons import PinEdge
from scorer.demo.table_process import TableReport
from scorer.hw.displays.luma_oled import Options
from scorer.hw.ports import Display
from scorer.hw.simulated import ONE_PANEL, SimulatedHardware
from scorer.rules import Header
from scorer.session.values import seating
from scorer.session.values.hall import Assignment, Decision
from scorer.session.values.settings import Layout
from scorer.session.view.view import View
from scorer.store.journal import Stamp
from scorer.table.simulated_table import SimulatedTable, TableChoices
from scorer.table.startup import StoreHolder

if TYPE_CHECKING:
    from PIL.Image import Image

    from scorer.hw.outputs.colour_light import ColourLight


class PressCost(NamedTuple):
    """The cost of one press: seconds of CPU time, and of wall-clock time."""

    cpu: float
    wall: float


class RecordingDisplay:
    """A display that records every picture, and reports when it has been shown."""

    def __init__(
        self, display: Display, pictures: list[Image], on_glass: Callable[[], None]
    ) -> None:
        self._display, self._pictures, self._on_glass = display, pictures, on_glass
        self.open, self.close = display.open, display.close
        self.contrast, self.dark = display.contrast, display.dark
        self.has_memory, self.refresh = display.has_memory, display.refresh

    @property
    def mode(self) -> str:
        return self._display.mode

    @property
    def size(self) -> tuple[int, int]:
        return self._display.size

    def show(self, image: Image) -> None:
        """Show and record the picture."""
        self._pictures.append(image)
        self._display.show(image)
        self._on_glass()


class InProcessTable:
    """A table and its hardware. ``pictures`` are those of all its panels, in order.

    ``costs``: of each press that changed a picture, from the end of debouncing to its last byte on
    the bus. Bounces before are processed while the table waits, so they are not included.
    """

    def __init__(
        self,
        header: Header,
        store: Path,
        stack: ExitStack,
        layout: Layout = Layout.FULL,
        panels: Mapping[str, Options] = ONE_PANEL,
        light: ColourLight | None = None,
    ) -> None:
        used = seating.consoles_in_use(header.rules, len(seating.CONSOLES))
        self.hardware = SimulatedHardware(pins_for(layout, len(used)), panels, lamps=used)
        self.pictures: list[Image] = []
        self.costs: list[PressCost] = []
        self._shown_costs: list[PressCost] = []  # when each picture of this turn was shown
        self._verdicts: list[str] = []
        self.hardware.displays = {
            name: RecordingDisplay(display, self.pictures, self._on_glass)
            for name, display in self.hardware.displays.items()
        }
        choices = TableChoices(header, "es-AR", layout, len(used))
        self._simulated = SimulatedTable(
            choices,
            self.hardware,
            StoreHolder(store, stack),
            _stamp,
            light=light,
            run_turn=self._measure,
        )
        stack.callback(self._simulated.close)
        self.report = self._report()

    @property
    def view(self) -> View:
        """The view shown on the panels."""
        return self._simulated.table.view

    def assign(self, match: Assignment) -> None:
        """Offer a match, as the link of a hall does."""
        table = self._simulated.table
        now = self.hardware.clock()
        match = match._replace(arrived=table.stamp(now))
        assert table.hall.decide(Decision(match.rev), match, table.session.game.match)
        table.tick(now)

    def advance(self, edges: Sequence[PinEdge], until: float) -> TableReport:
        """Move the pins and fire every timer at its time, up to ``until`` (seconds)."""
        self._verdicts.clear()
        self._simulated.advance(edges, until)
        self.hardware.take_messages()
        self.report = self._report()
        return self.report

    def _report(self) -> TableReport:
        """The state of the table; ``press``: verdicts of this ``advance``."""
        return TableReport(
            now=self.hardware.clock(),
            press=tuple(self._verdicts),
            state=self._simulated.table.document() or {},
        )

    def _on_glass(self) -> None:
        self._shown_costs.append(_clocks())

    def _measure(self, act: Callable[[], object]) -> None:
        self._shown_costs.clear()
        begin = _clocks()
        act()
        verdicts = [
            press.verdict for press in self._simulated.take_presses() if press.verdict != "-"
        ]
        self._verdicts += verdicts
        if verdicts and self._shown_costs:
            cpu, wall = self._shown_costs[-1]
            self.costs.append(PressCost(cpu - begin.cpu, wall - begin.wall))


def _clocks() -> PressCost:
    return PressCost(time.thread_time(), time.perf_counter())


def _stamp(now: float) -> Stamp:
    return Stamp("bench", int(now * 1000), "2026-01-01T21:00:00+00:00", trusted=True)


@contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder, in memory if possible: the cost of a disk is not measured."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def load_games() -> tuple[Any, Sequence[Mapping[str, Any]]]:
    """The player of games, and made-up games: the same on every machine.

    Raises ImportError without the tests.
    """
    from tests.longrun import made_up_games, recorded_games

    return recorded_games, made_up_games.kept("gaucho")


def replay_games(
    layouts: Sequence[Layout],
    panels: Mapping[str, Options] = ONE_PANEL,
    light: Callable[[], ColourLight] | None = None,
) -> Iterator[tuple[str, InProcessTable]]:
    """Each game after pressing it on a new table, with its name.

    ``light``: makes a team light for each table. Raises what ``load_games`` does.
    """
    people, games = load_games()
    for game in games:
        for layout in layouts:
            with folder() as store, ExitStack() as stack:
                team_light = light() if light is not None else None
                begun = people.header(game)
                night = InProcessTable(begun, store, stack, layout, panels, team_light)
                done = people.press(game, layout, night)
                if done.problem:
                    raise RuntimeError(f"{game['id']}: {done.problem}")
                yield game["id"], night
