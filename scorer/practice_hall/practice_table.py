"""A simulated table: its process, and the thread that presses its buttons."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final, Protocol

from scorer.demo import buttons
from scorer.demo.table_process import TableCommand, TableEnded, TableProcess, TableReport
from scorer.practice_hall.hands import next_presses

# Seconds.
_LOOK: Final = 1.0  # between two looks at a table without a match
_THINK: Final = (1.2, 4.0)  # before a press
_SETTLE: Final = 0.6  # after a press, until its meaning is known
_SAME_BUTTON: Final = 3.2  # until a button acts again: the guard against a partner's slap
_AFTER_PAYMENT: Final = 8.2  # from a payment to the next TANTOS: the guard against a late one


class Pressable(Protocol):
    """A table whose pins can be moved, in its own process or in this one."""

    @property
    def report(self) -> TableReport: ...
    def advance(self, edges: Sequence[buttons.PinEdge], until: float, /) -> TableReport: ...


class Players:
    """Both teams of a table, who play each match that it is given."""

    def __init__(self, table: Pressable, seed: int, wait: Callable[[float], object]) -> None:
        """``wait`` lets some seconds pass; the clock of the table is moved after it."""
        self._table, self._wait, self._chance = table, wait, Random(seed)
        self._pressed: dict[str, float] = {}  # when each button was, of the table's clock
        self._paid_at = -_AFTER_PAYMENT

    def play(self) -> None:
        """Press what comes next, or wait for a match. Raises TableEnded."""
        presses = next_presses(self._table.report.state, self._chance)
        for button in presses:
            self._press(button)
        if not presses:
            self._pass(_LOOK)

    def _press(self, button: str) -> None:
        """Press as soon as the guards of the table allow it, and say yes if it asks."""
        since = self._pressed.get(button, -_SAME_BUTTON) + _SAME_BUTTON
        if button.endswith("tantos"):
            since = max(since, self._paid_at + _AFTER_PAYMENT)
        self._pass(max(self._chance.uniform(*_THINK), since - self._table.report.now))
        before, at = self._score(), self._table.report.now
        self._pressed[button] = at
        edges = buttons.press_edges(button, at, buttons.TAP, self._chance)
        self._pass(buttons.TAP + _SETTLE, edges)
        report = self._table.report
        if self._score() != before:
            self._paid_at = report.now
        if report.press and report.press[-1] == "question":
            self._press(f"{button[0]}.quiero")

    def _score(self) -> object:
        return self._table.report.state.get("score")

    def _pass(self, seconds: float, edges: Sequence[buttons.PinEdge] = ()) -> None:
        self._wait(seconds)
        self._table.advance(edges, self._table.report.now + seconds)


class PracticeTable:
    """A table that plays each match that the hub assigns to it, at the pace of people."""

    def __init__(self, folder: Path, number: int, command: TableCommand, speed: float) -> None:
        """``speed``: how much faster than people; the clock of the table is faster too."""
        folder.mkdir(parents=True)
        self.number, self.socket = number, folder / "table.sock"
        self.problem = ""  # why its process ended
        self._process = TableProcess(
            command._replace(store=str(folder / "store"), socket=str(self.socket)).command(0.0)
        )
        self._stop = threading.Event()
        self._players = Players(
            self._process, number, lambda seconds: self._stop.wait(seconds / speed)
        )
        self._thread = threading.Thread(target=self._play, name=f"table {number}")
        self._has_power = False

    def start(self) -> None:
        """Power on, and play. Raises TableEnded."""
        self._has_power = True
        self._process.start()
        self._thread.start()

    def close(self) -> None:
        """Switch off. Idempotent."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self._has_power:
            self._process.close()

    def _play(self) -> None:
        try:
            while not self._stop.is_set():
                self._players.play()
        except TableEnded as ended:
            self.problem = str(ended)
