"""The loop of a running table: real time, edges and requests from an inbox, the watchdog's ping.

It sleeps until the table wants to be woken. When nothing happens one tick every seven seconds does
everything that must be done now and then: ping, level re-read, dimming, trying lost devices again.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from enum import Enum

from scorer.hw.ports import DeviceError, Edge, InputSource
from scorer.notify import Notifier
from scorer.socket import Request
from scorer.table import Table
from scorer.trouble import TroubleTable

TICK = 7.0  # seconds; systemd's watchdog waits for ten


class Order(Enum):
    """What a signal puts into the inbox."""

    STOP = "stop"


Item = Edge | Request | Order
Inbox = queue.SimpleQueue[Item]


class Loop:
    """Turns one table. ``run`` returns when an Order.STOP comes."""

    def __init__(
        self,
        table: Table | TroubleTable,
        buttons: Buttons,
        inbox: Inbox,
        notifier: Notifier,
        now: Callable[[], float],
    ) -> None:
        self._table, self._buttons, self._inbox = table, buttons, inbox
        self._notifier, self._now = notifier, now

    def run(self) -> None:
        """Turns until it is told to stop."""
        self._table.tick(self._now())
        self._notifier.ready("keeping the score")
        next_tick = self._now() + TICK
        while True:
            item = self._wait(next_tick)
            if item is Order.STOP:
                self._notifier.stopping()
                return
            if isinstance(item, Edge):
                self._table.edge(item)
            elif isinstance(item, Request):
                self._table.request(item, self._now())
            else:
                self._table.tick(self._now())
            if self._now() >= next_tick:
                next_tick = self._now() + TICK
                self._regular()

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
        (self._table.marks.add if self._buttons.lost else self._table.marks.discard)("buttons")
        self._table.tick(now)
        self._table.probe(now)


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
