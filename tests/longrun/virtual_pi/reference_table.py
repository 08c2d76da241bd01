"""The same table once more, on this side: moved as the one inside was, it must agree with it.

It runs on simulated pins and panels, in a time that is told to it: the guest's. So the levels that
the guest's kernel saw, at the moments when it saw them, are what it plays, and what it then has on
its panels is what must be on the glass inside. It knows what can be pressed and what a script says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from scorer.demo.buttons import PinEdge, press_edges, sort_edges
from scorer.demo.panel import build_panels
from scorer.demo.script_lines import ButtonPress, Inventory, Wait, parse_command
from scorer.demo.table_process import Report, TableCommand, TableProcess
from tests.longrun.virtual_pi.box import PANELS as PANELS_OF_THE_BOX
from tests.longrun.virtual_pi.box import A, B, Box
from tests.longrun.virtual_pi.guest import GuestError

ADDRESSES = {"A": A, "B": B}
LINE = 1.0  # seconds from one line of a script to the next
APART = 0.05  # seconds between two fingers that press together
LATE = 0.4  # seconds from a look to the next: another part of a picture that blinks
LOOKS = 150


class Shadow:
    """A table on this side beside that of ``box``. Its time is the guest's clock."""

    def __init__(self, box: Box, child: TableProcess, layout: str) -> None:
        self._box, self._child = box, child
        ready = child.start()
        self._bench = Inventory(layout, frozenset(ready.lines), tuple(ready.panels))
        self._glass = build_panels(ready.panels)
        self._chance = Random(7)
        self._verdicts: list[str] = []
        self._see(child.report)

    def play(self, line: str) -> dict[str, Any]:
        """Plays one line of a script on both; what the demo would tell of the one inside.

        Raises GuestError where the two do not come to agree.
        """
        self._verdicts = []
        match parse_command(line, self._bench):
            case ButtonPress(buttons, held, False):
                self._press(buttons, held)
            case Wait(seconds):
                self._live([], self._box.guest.now(seconds))
            case _:
                raise ValueError(f"nobody here can do that: {line}")
        self._agree(line)
        report = self._child.report
        told = {"line": line, "screen": report.screen, "text": report.text, "seq": report.seq}
        presses = self._verdicts or ["-"]
        told |= {"press": presses[-1], "presses": presses, "lamps": report.lamps}
        return {**told, "state": self._box.state()}

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
        """Both blink, so looks are taken until one finds the same pictures on all panels."""
        for _ in range(LOOKS):
            now = self._box.guest.now()
            seen = {name: self._box.cable.pixels(address) for name, address in ADDRESSES.items()}
            self._live([], now)
            if seen == {name: self._glass[name].picture().tobytes() for name in ADDRESSES}:
                break
            self._box.guest.now(LATE)
        else:
            raise GuestError(f"after {line!r} the panels show something else than they should")
        inside, here = self._box.state(), self._child.report.state
        # Told beside the state to who could answer it; the panels, which agree, show it.
        inside.pop("question", None)
        if inside != here:
            raise GuestError(f"after {line!r} the state is {inside}, and should be {here}")

    def _live(self, edges: Sequence[PinEdge], until: float) -> None:
        self._see(self._child.advance(edges, until))

    def _see(self, report: Report) -> None:
        self._verdicts += report.press
        for name, message in report.bus:
            self._glass[name].feed(message)


@contextmanager
def shadow_of(box: Box, options: Mapping[str, str], store: Path) -> Iterator[Shadow]:
    """A table inside and one here, with the same choices, both on an empty store."""
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
