"""A reference table on the host that replays the guest's edges and must agree.

It runs on simulated pins and panels in simulated time: it plays the levels that the guest's kernel
saw, at the guest's times, and its panels must equal those of the guest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from scorer.demo.buttons import PinEdge, press_edges, sort_edges
from scorer.demo.panel import build_panels
from scorer.demo.script_lines import Inventory, TimedPress, Wait, parse_command
from scorer.demo.table_process import TableCommand, TableProcess, TableReport
from tests.longrun.virtual_pi.box import PANELS as PANELS_OF_THE_BOX
from tests.longrun.virtual_pi.box import A, B, Box
from tests.longrun.virtual_pi.guest import GuestError

ADDRESSES = {"A": A, "B": B}
LINE = 1.0  # seconds from one line of a script to the next
APART = 0.05  # seconds between two buttons pressed together
LATE = 0.4  # seconds between two comparisons: a different phase of a blinking picture
LOOKS = 150


class Shadow:
    """A reference table beside the table of ``box``. Its time is the guest's clock."""

    def __init__(self, box: Box, child: TableProcess, layout: str) -> None:
        self._box, self._child = box, child
        ready = child.start()
        self._bench = Inventory(layout, frozenset(ready.lines), tuple(ready.panels))
        self._glass = build_panels(ready.panels)
        self._chance = Random(7)
        self._verdicts: list[str] = []
        self._see(child.report)

    def play(self, line: str) -> dict[str, Any]:
        """Play one line of a script on both; return the report as the demo prints it.

        Raises GuestError if the two do not agree.
        """
        self._verdicts = []
        match parse_command(line, self._bench):
            case TimedPress(buttons, held, False):
                self._press(buttons, held)
            case Wait(seconds):
                self._live([], self._box.guest.now(seconds))
            case _:
                raise ValueError(f"nobody here can do that: {line}")
        self._agree(line)
        report = self._child.report
        report_line = {
            "line": line,
            "screen": report.screen,
            "text": report.text,
            "seq": report.seq,
        }
        presses = self._verdicts or ["-"]
        report_line |= {"press": presses[-1], "presses": presses, "lamps": report.lamps}
        return {**report_line, "state": self._box.state()}

    def _press(self, buttons: Sequence[str], held: float) -> None:
        edges: list[PinEdge] = []
        for number, button in enumerate(buttons):
            edges += press_edges(button, number * APART, held, self._chance)
        edges = sort_edges(edges)
        rest = max(LINE - edges[-1].time, 0.1)
        at = self._box.move(edges, edges[-1].time + rest)
        moved = [edge._replace(time=moment) for edge, moment in zip(edges, at, strict=True)]
        self._live(moved, at[-1] + rest)

    def _agree(self, line: str) -> None:
        """Compare repeatedly until all pictures agree: both may blink."""
        for _ in range(LOOKS):
            now = self._box.guest.now()
            glass = {name: self._box.cable.pixels(address) for name, address in ADDRESSES.items()}
            self._live([], now)
            if glass == {name: self._glass[name].picture().tobytes() for name in ADDRESSES}:
                break
            self._box.guest.now(LATE)
        else:
            raise GuestError(f"after {line!r} the panels show something else than they should")
        inside, here = self._box.state(), self._child.report.state
        # Published only to those who may answer; the panels, which agree, show it.
        inside.pop("question", None)
        if inside != here:
            raise GuestError(f"after {line!r} the state is {inside}, and should be {here}")

    def _live(self, edges: Sequence[PinEdge], until: float) -> None:
        self._see(self._child.advance(edges, until))

    def _see(self, report: TableReport) -> None:
        self._verdicts += report.press
        for name, message in report.bus:
            self._glass[name].feed(message)


@contextmanager
def shadow_of(box: Box, options: Mapping[str, str], store: Path) -> Iterator[Shadow]:
    """A guest table and a reference table with the same options on empty stores."""
    choices = {"variant": "argentine", "language": "es-AR", "layout": "full", **options}
    lines = [f'{key} = "{value}"' for key, value in choices.items()]
    box.settle("\n".join(["[table]", *lines, PANELS_OF_THE_BOX]))
    table = TableCommand(
        choices["variant"], "", choices["language"], choices["layout"], 2, str(store)
    )
    child = TableProcess(table.command(box.guest.now()))
    try:
        yield Shadow(box, child, choices["layout"])
    finally:
        child.close()
