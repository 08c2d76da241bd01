"""The simulated table: its child process, panels, buttons and power.

Time is passed by the caller, in seconds; it never goes back, not even over a power cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scorer.demo.buttons import PinEdge
from scorer.demo.panel import DemoPanel, build_panels
from scorer.demo.script_lines import Inventory
from scorer.demo.table_process import Ready, TableEnded, TableReport


class RunningTable(Protocol):
    """A table with power, such as ``table_process.TableProcess``.

    Its methods raise TableEnded.
    """

    @property
    def report(self) -> TableReport: ...
    def start(self) -> Ready: ...
    def advance(
        self, edges: Sequence[PinEdge], until: float, cut: str | None = None
    ) -> TableReport: ...
    def set_fault(self, panel: str, kind: str | None) -> TableReport: ...
    def kill(self) -> None: ...
    def close(self) -> None: ...


class Startable(Protocol):
    """A table that can be started: ``table_process.TableCommand`` or a fake."""

    @property
    def layout(self) -> str: ...
    def power_on(self, at: float, stuck: Sequence[str] = ()) -> RunningTable:
        """A table that starts at ``at`` with these buttons down, before its ``start``."""


class DemoTable:
    """All simulated hardware of one table. Every method may raise TableEnded."""

    def __init__(self, table: Startable) -> None:
        self._table = table
        self._process: RunningTable | None = None
        self.panels: dict[str, DemoPanel] = {}
        self.stuck_lines: set[str] = set()  # jammed buttons

    def __enter__(self) -> DemoTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the table. Idempotent."""
        if self._process is not None:
            self._process.close()

    def power_on(self, at: float) -> Ready:
        """Start the table; the panels show what it sends at once."""
        if self._process is not None:
            self._process.close()
        self._process = self._table.power_on(at, sorted(self.stuck_lines))
        self.ready = self._process.start()
        if not self.panels:
            self.panels = build_panels(self.ready.panels)
        self._show(self._process.report)
        for name, panel in self.panels.items():
            if not panel.is_plugged:
                self._show(self._process.set_fault(name, "gone"))
        return self.ready

    def replace(self, table: Startable) -> Startable:
        """Let the next ``power_on`` start ``table``; return the one that it replaces."""
        replaced, self._table = self._table, table
        return replaced

    def power_off(self) -> None:
        """Cut the power: SIGKILL without notice, and the panels go black."""
        self._require_running().kill()
        self._blank_panels()

    def inventory(self) -> Inventory:
        """The buttons and panels of the table."""
        return Inventory(self._table.layout, frozenset(self.ready.lines), tuple(self.panels))

    @property
    def report(self) -> TableReport:
        """The last report."""
        return self._require_running().report

    def advance(self, edges: Sequence[PinEdge], until: float) -> TableReport:
        """Move pins and advance the table to ``until``."""
        return self._show(self._require_running().advance(edges, until))

    def advance_with_power_cut(self, edges: Sequence[PinEdge], until: float) -> TableReport | None:
        """Like ``advance``, but cut the power between commit and frame of the next press.

        None: the power was cut. A report: nothing was stored, and the table still runs.
        """
        child = self._require_running()
        try:
            return self._show(child.advance(edges, until, cut="after_commit"))
        except TableEnded as ended:
            if not ended.was_killed:
                raise
        child.kill()
        self._blank_panels()
        return None

    def plug(self, name: str, *, plugged: bool) -> TableReport:
        """Plug or unplug a panel's cable."""
        panel = self.panels[name]
        if panel.is_plugged != plugged:
            panel.is_plugged = plugged
            panel.lose_power()
        return self._show(self._require_running().set_fault(name, None if plugged else "gone"))

    def _require_running(self) -> RunningTable:
        assert self._process is not None, "power_on comes first"
        return self._process

    def _blank_panels(self) -> None:
        for panel in self.panels.values():
            panel.lose_power()

    def _show(self, report: TableReport) -> TableReport:
        for name, message in report.bus:
            self.panels[name].feed(message)
        return report
