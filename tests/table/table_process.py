"""An evening at a table process: presses closer together than a script allows.

Speaks the simulator's protocol, and reads the panels through a model of their controllers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Protocol

from scorer.demo.buttons import (
    CONSOLE_BUTTONS,
    PinEdge,
    close_contact,
    open_contact,
    press_edges,
    sort_edges,
)
from scorer.demo.panel import build_panels
from scorer.demo.table_process import TableCommand, TableProcess, TableReport

TAP, HOLD = 0.15, 0.9
START = 100.0  # seconds
ALL_BUTTONS = (*(f"{side}.{key}" for side in "AB" for key in CONSOLE_BUTTONS), "undo", "menu")


class Startable(Protocol):
    """A table that can be started, perhaps on a disk that fails."""

    def command(self, at: float, stuck: Sequence[str] = ()) -> list[str]: ...


class TableDriver:
    """Time is simulated and advances with each action. Methods raise TableGone."""

    def __init__(self, table: Startable) -> None:
        self._table, self._random = table, Random(1)
        self.now = START
        self.down: set[str] = set()
        self.power_on()

    def power_on(self) -> None:
        """Starts the table; buttons that are held down are so already."""
        self.process = TableProcess(self._table.command(self.now, sorted(self.down)))
        ready = self.process.start()
        self.panels = build_panels(ready.panels)
        self._feed_panels(self.process.report)

    def power_cut(self, after: float = 0.5) -> None:
        """SIGKILL, and a new table on the same store."""
        self.process.kill()
        self.now += after
        self.power_on()

    def close(self) -> None:
        self.process.close()

    def press(
        self, *lines: str, held_s: float = TAP, apart_s: float = 0.0, duration_s: float = 1.0
    ) -> str:
        """Press ``lines``, each ``apart`` seconds after the last; the last verdict."""
        edges: list[PinEdge] = []
        for number, line in enumerate(lines):
            edges += press_edges(line, self.now + number * apart_s, held_s, self._random)
        self.apply_edges(sort_edges(edges), max(duration_s, edges[-1].time - self.now + 0.1))
        return self.report.press[-1] if self.report.press else "-"

    def press_each(self, *lines: str, duration_s: float) -> None:
        """Press one line after the other, each for itself."""
        for line in lines:
            self.press(line, duration_s=duration_s)

    def hold(self, *lines: str, duration_s: float, apart_s: float = 0.0) -> None:
        """Press and keep holding, each line ``apart`` seconds after the last."""
        self.down |= set(lines)
        edges = [
            edge
            for number, line in enumerate(lines)
            for edge in close_contact(line, self.now + number * apart_s, self._random)
        ]
        self.apply_edges(sort_edges(edges), duration_s)

    def release(self, *lines: str, duration_s: float = 1.0) -> None:
        """Release these lines; without ``lines`` all of them."""
        lifted = lines or tuple(sorted(self.down))
        self.down -= set(lifted)
        edges = [edge for line in lifted for edge in open_contact(line, self.now, self._random)]
        self.apply_edges(sort_edges(edges), duration_s)

    def wait(self, seconds: float) -> TableReport:
        return self.apply_edges([], seconds)

    def apply_edges(self, edges: Sequence[PinEdge], seconds: float) -> TableReport:
        """Change pins and advance by this many seconds."""
        self.now = round(self.now + seconds, 6)
        return self._feed_panels(self.process.advance(edges, self.now))

    def fault(self, panel: str, kind: str | None) -> None:
        """Disconnect a panel, or reconnect it (None)."""
        self._feed_panels(self.process.set_fault(panel, kind))

    @property
    def report(self) -> TableReport:
        return self.process.report

    @property
    def state(self) -> Mapping[str, Any]:
        return self.report.state

    @property
    def score(self) -> dict[str, int]:
        return dict(self.state["score"])

    @property
    def text(self) -> str:
        return " ".join(self.report.text)

    def read_pages(self) -> str:
        """All text on the pages of MENU, which ends at the score again."""
        said = []
        for _ in range(7):
            self.press("menu")
            said.append(self.text)
        return " ".join(said)

    def picture(self, panel: str) -> bytes:
        """The pixels of a panel, from the bytes received by its controller."""
        return self.panels[panel].picture().tobytes()

    def _feed_panels(self, report: TableReport) -> TableReport:
        for name, message in report.bus:
            if not message:
                self.panels[name].lose_power()
            else:
                self.panels[name].feed(message)
        return report


def table_on(
    store: Path,
    variant: str = "argentine",
    options: str = "",
    layout: str = "full",
    socket: Path | None = None,
) -> TableCommand:
    """A table on ``store`` with two panels."""
    path = None if socket is None else str(socket)
    return TableCommand(variant, options, "es-AR", layout, 2, str(store), path)


@contextmanager
def running_table(started: Startable) -> Iterator[TableDriver]:
    """A table that ends with the block."""
    playing = TableDriver(started)
    try:
        yield playing
    finally:
        playing.close()
