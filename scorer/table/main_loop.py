"""The loop of a running table: real time, edges and requests from an inbox, the watchdog's ping.

It sleeps until the table wants to be woken. When nothing happens one tick every seven seconds does
everything that must be done now and then: ping, level re-read, dimming, trying lost devices again.
"""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from typing import Protocol

from scorer.api.server import Request
from scorer.hw.ports import DeviceError, Edge, InputSource, Presence
from scorer.system.sd_notify import Notifier
from scorer.table.loop_commands import Order
from scorer.table.observers import BoardNews, Printed
from scorer.table.store_failure import TroubleTable
from scorer.table.table import Table

TICK = 7.0  # seconds; systemd's watchdog waits for ten


NOTICED = 4.0  # seconds for which the panel tells that a console has come or gone

_CONSOLE = "console_"  # begins the mark of a console that is not there; its name ends it
_KINDS = ("absent", "forbidden", "taken", "silent", "version")
_LAST = (Order.STOP, Order.POWER_DOWN, Order.SAFE, Order.ANEW, Order.EXCHANGED)  # these end a table

Item = Edge | Presence | Request | Order | Printed | BoardNews
Inbox = queue.SimpleQueue[Item]


class Machine(Protocol):
    """What is under the table."""

    def weak(self, now: float) -> bool:
        """Is the supply too weak?"""

    def ready(self) -> None:
        """The table keeps the score."""

    def switch_off(self) -> None:
        """Asks for the machine to go down; returns at once."""


class Loop:
    """Turns one table until an order comes that ends it."""

    def __init__(
        self,
        table: Table | TroubleTable,
        buttons: Buttons,
        inbox: Inbox,
        notifier: Notifier,
        machine: Machine,
        now: Callable[[], float],
        tick: float = TICK,
    ) -> None:
        self._table, self._buttons, self._inbox = table, buttons, inbox
        self._notifier, self._now, self._every = notifier, now, tick
        self._machine = machine
        self._boards_lost: set[str] = set()

    def run(self) -> Order:
        """Turns until it is told to stop; whichever order that ends a table came."""
        self._table.tick(self._now())
        self._notifier.ready("keeping the score")
        self._machine.ready()
        next_tick = self._now() + self._every
        while True:
            item = self._wait(next_tick)
            if isinstance(item, Order) and item in _LAST:
                return item
            if isinstance(item, Order):
                self._ordered(item)
            elif isinstance(item, Edge):
                self._table.edge(item)
            elif isinstance(item, Presence):
                self._present(item)
            elif isinstance(item, Request):
                self._table.request(item, self._now())
            elif isinstance(item, Printed):
                self._table.printed(item, self._now())
            elif isinstance(item, BoardNews):
                self._hear_of(item)
            else:
                self._table.tick(self._now())
            if self._now() >= next_tick:
                next_tick = self._now() + self._every
                self._regular()

    def _ordered(self, order: Order) -> None:
        if order is Order.SWITCH_OFF:
            self._machine.switch_off()
        else:
            self._table.tell("stays_on", self._now())
            self._table.tick(self._now())

    def _present(self, item: Presence) -> None:
        """A console has come or gone: its buttons begin anew, and the panel tells it."""
        now = self._now()
        self._table.renew(item.levels, now)
        was = {mark for mark in self._table.marks if _is_of(mark, item.name)}
        self._table.marks -= was
        if not item.there:
            kind = item.kind if item.kind in _KINDS else _KINDS[0]
            self._table.marks.add(f"{_CONSOLE}{kind} {item.name}")
        if was or not item.there:
            key = "console_back" if item.there else "console_lost"
            self._table.tell(key, now, item.name, NOTICED)
        why = item.why or "it is there"
        sys.stderr.write(f"scorer run: console {item.name}: {why}\n")
        self._table.tick(now)

    def _hear_of(self, board: BoardNews) -> None:
        """A scoreboard has come or gone: whoever looks at it sees that; here it is written down."""
        (self._boards_lost.add if board.why else self._boards_lost.discard)(board.name)
        self._mark("board", wrong=bool(self._boards_lost))
        sys.stderr.write(f"scorer run: {board.why or f'scoreboard {board.name}: it is there'}\n")
        self._table.tick(self._now())

    def _wait(self, next_tick: float) -> Item | None:
        due = self._table.deadline()
        until = next_tick if due is None else min(due, next_tick)
        try:
            return self._inbox.get(timeout=max(0.0, until - self._now()))
        except queue.Empty:
            return None

    def _regular(self) -> None:
        now = self._now()
        if self._buttons.keep():
            self._table.resync(now)
            self._notifier.alive()
        self._mark("buttons", wrong=bool(self._buttons.lost))
        self._mark("power", wrong=self._machine.weak(now))
        self._table.tick(now)
        self._table.probe(now)

    def _mark(self, mark: str, *, wrong: bool) -> None:
        (self._table.marks.add if wrong else self._table.marks.discard)(mark)


def _is_of(mark: str, console: str) -> bool:
    return mark.startswith(_CONSOLE) and mark.endswith(f" {console}")


class Buttons:
    """Keeps the inputs open: buttons that were never there are waited for, dead ones reopened."""

    def __init__(self, inputs: InputSource, inbox: Inbox) -> None:
        self._inputs, self._inbox = inputs, inbox
        self._opened = False
        self.lost = ""  # the last failure's sentence

    def keep(self) -> bool:
        """Opens what is closed; False where they lived and cannot be brought back to life.

        Only a new process heals lgpio's dead thread: then the watchdog must go hungry.
        """
        if self._opened and self._inputs.alive():
            return True
        try:
            self._inputs.open(self._inbox.put)
        except DeviceError as error:
            self.lost = str(error)
            return not self._opened
        self._opened, self.lost = True, ""
        return self._inputs.alive()
