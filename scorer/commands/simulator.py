"""The table on a desk: the real table over simulated pins and buses, moved by another program.

It reads one JSON object a line and answers each with one: pins that change and the time until
which to live, panels that are unplugged, and what came of it. Time is what the other program says.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from scorer.api.server import Request, Server, listen
from scorer.config.loader import defaults
from scorer.config.pin_map import pins_for
from scorer.config.sources import Settled, settle
from scorer.display import screen_text
from scorer.hw.displays import luma_oled
from scorer.hw.ports import Edge
from scorer.hw.simulated import SimulatedHardware
from scorer.i18n import known
from scorer.records.clock import boot_id
from scorer.rules import Header
from scorer.session import seats
from scorer.session.settings import Layout
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp
from scorer.table.loop_commands import Order
from scorer.table.outputs import Devices
from scorer.table.panels import DrawingHere, Panel
from scorer.table.startup import (
    Beginning,
    Careful,
    Choose,
    Keeping,
    applied_of,
    begin_table,
    chooser,
)
from scorer.table.store_failure import TroubleTable
from scorer.table.table import Table

Line = dict[str, Any]
GONE = "gone"  # the word for an unplugged panel
PANELS = {
    "A": luma_oled.Options(controller="ssd1306", address=0x3C),
    "B": luma_oled.Options(controller="ssd1306", address=0x3D),
}


class DeskError(ValueError):
    """A request that makes no sense; the text says why."""


class Desk:
    """A table and its hardware, driven by requests."""

    def __init__(
        self,
        begin: Callable[[Order | None, float], Table | TroubleTable],
        hardware: SimulatedHardware,
        edges: list[Edge],
        plug: Callable[[], object] = lambda: None,
    ) -> None:
        """``begin`` makes the table at a time in seconds: in safe mode, anew, or at power-on.

        ``edges``: the list that the hardware's input driver fills, emptied here at every turn;
        ``plug`` is pulled where the store lies under another one.
        """
        self._begin, self._hardware, self._plug = begin, hardware, plug
        self._edges = edges
        self._told: tuple[View, str, int] | None = None
        self._orders: list[Order] = []
        self._table = self._started(None)

    def answer(self, request: Line) -> Line:
        """Does what ``request`` asks and tells what came of it. Raises DeskError."""
        if "panel" in request:
            kind = request.get("fault")
            self._hardware.fault(str(request["panel"]), "absent" if kind == GONE else kind)
            self._live_until(self._hardware.clock())
        elif "until" in request:
            if request.get("cut") == "after_commit":
                self._table.stored = _die
            self._live(request.get("edges", []), float(request["until"]))
        else:
            raise DeskError("a request holds 'until' or 'panel'")
        return self.report(brief=bool(request.get("brief")))

    def report(self, *, brief: bool = False) -> Line:
        """Everything that happened since the last report."""
        table = self._table
        view, document = table.view, table.document()
        seq = 0 if document is None else document["seq"]
        seen = list(table.seen)
        table.seen.clear()
        told: Line = {
            "now": self._hardware.clock(),
            "bus": [[name, message.hex()] for name, message in self._hardware.take_messages()],
            "lamps": {name: "on" if on else "off" for name, on in self._hardware.lamps().items()},
            "sounds": [each.sound for each in seen if each.sound],
            "buzz": [phrase for _, phrase in self._hardware.take_sounds()],
            "press": [each.verdict for each in seen if each.verdict != "-"],
            "screen": view.screen,
            "seq": seq,
        }
        newest = (view, table.language, seq)
        if not brief or newest != self._told:
            self._told = newest
            told |= {"text": screen_text(view, table.language), "state": document}
        return told

    def request(self, request: Request) -> None:
        """Answers one request of the socket."""
        self._table.request(request, self._hardware.clock())

    def _started(self, order: Order | None) -> Table | TroubleTable:
        now = self._hardware.clock()
        table = self._begin(order, now)
        table.order = self._orders.append
        if order is Order.SAFE:
            table.marks.add("safe")
            table.tell("safe", now)
        table.tick(now)
        return table

    def _obey(self) -> None:
        """Starts the table anew where it wants to; a desk has no machine to switch off."""
        orders, self._orders[:] = list(self._orders), []
        if Order.EXCHANGED in orders:
            self._plug()
        begins = next((each for each in orders if each in (Order.SAFE, Order.ANEW)), None)
        if begins is not None:
            seen = self._table.seen
            self._table = self._started(begins)
            # What the press that led to it was is still to be told.
            self._table.seen.extendleft(reversed(seen))

    def _live(self, edges: list[list[Any]], until: float) -> None:
        for when, line, level in edges:
            self._live_until(float(when))
            try:
                # A timer may have fired a rounding error later than the edge.
                self._hardware.set_pin(
                    str(line), int(level), max(float(when), self._hardware.clock())
                )
            except KeyError:
                raise DeskError(f"there is no button '{line}' here") from None
            self._pass_on()
        self._live_until(until)

    def _live_until(self, until: float) -> None:
        """Lets every timer of the table fire at its own moment up to ``until``."""
        while (due := self._table.deadline()) is not None and due <= until:
            self._hardware.clock.set(max(due, self._hardware.clock()))
            self._table.tick(self._hardware.clock())
            self._obey()
        self._hardware.clock.set(max(until, self._hardware.clock()))
        self._table.tick(self._hardware.clock())
        self._obey()
        self._table.probe(self._hardware.clock())
        self._obey()

    def _pass_on(self) -> None:
        edges, self._edges[:] = list(self._edges), []
        for edge in edges:
            self._table.edge(edge)


def _die() -> None:
    """The plug is pulled at this very moment."""
    os.kill(os.getpid(), signal.SIGKILL)


class DeskChoice(NamedTuple):
    """What a desk is told on the command line."""

    header: Header
    language: str
    layout: Layout
    store: Path
    panels: int = 2
    at: float = 0.0  # simulated time of power-on, seconds
    down: tuple[str, ...] = ()  # buttons that are down then
    socket: Path | None = None
    consoles: int = 2


def run(choice: DeskChoice, lines: Iterable[str], tell: Callable[[str], object]) -> None:
    """A table on simulated hardware of its own, until ``lines`` end."""
    panels = dict(list(PANELS.items())[: choice.panels])
    lamps = seats.consoles(choice.header.rules, choice.consoles)
    # Which buttons there are may be chosen at the table: the pins of all of them are there.
    hardware = SimulatedHardware(
        pins_for(Layout.FULL, choice.consoles), panels, lamps=lamps, start=choice.at
    )
    for line in choice.down:
        hardware.set_pin(line, 0, choice.at)
    edges: list[Edge] = []
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with ExitStack() as stack:
        hardware.inputs.open(edges.append)
        stack.callback(hardware.inputs.close)
        outside = _server(choice.socket, inbox, stack)
        keeping, devices = Keeping(choice.store, stack), _devices(hardware, stack)
        begins = _Begins(choice, keeping, _stamps(choice.at), outside)
        layout = begins.settled().config.settings.layout
        pins = pins_for(layout, choice.consoles)

        def begin(order: Order | None, now: float) -> Table | TroubleTable:
            return begin_table(keeping.journal, devices, begins.beginning(order, now))

        told = {
            name: {"controller": each.controller, "size": list(each.size)}
            for name, each in panels.items()
        }
        desk = Desk(begin, hardware, edges, keeping.pull_the_plug)
        serve(desk, {"lines": pins, "panels": told}, lines, inbox, tell)


class _Begins:
    """How the tables of one desk begin: by the command line, and what was chosen at the table."""

    def __init__(
        self,
        choice: DeskChoice,
        keeping: Keeping,
        stamp: Callable[[float], Stamp],
        outside: Server | None,
    ) -> None:
        self._choice, self._stamp, self._outside = choice, stamp, outside
        self._keeping, self._owners = keeping, owners_text(choice)

    def settled(self) -> Settled:
        """The command line as an owner's file, under what was chosen at the table."""
        return settle(self._owners, None, Careful(self._keeping.journal))

    def beginning(self, order: Order | None, now: float) -> Beginning:
        choice = self._choice
        settled = Settled(defaults(), (), ()) if order is Order.SAFE else self.settled()
        config, applied = settled.config, applied_of(settled)
        # A header may say more than a configuration: who plays alone, how the first hand is dealt.
        header = choice.header if applied.box.rules is None else config.header
        return Beginning(
            header,
            config.settings,
            known(config.table.language),
            now,
            self._stamp,
            self._outside,
            applied,
            self._choose(),
            order is Order.ANEW,
            salvaged=self._keeping.salvaged,
            exchanged=self._keeping.exchanged,
            again=self._keeping.again,
        )

    def _choose(self) -> Choose | None:
        journal = self._keeping.journal
        return chooser(self._owners, journal) if isinstance(journal, Journal) else None


def owners_text(choice: DeskChoice) -> str:
    """What the command line says, as an owner would have written it."""
    rules, names = choice.header.rules, choice.header.names
    table = {
        "variant": rules.variant.id,
        "language": choice.language,
        "layout": str(choice.layout),
        "names": [names.get(side, "") for side in rules.sides] if names else [],
    }
    sections = (
        ("table", table),
        ("table.house", dict(rules.chosen)),
        ("consoles", {"count": choice.consoles}),
    )
    return "".join(f"[{name}]\n{_lines(values)}" for name, values in sections)


def _lines(values: Mapping[str, Any]) -> str:
    # Words, lists of words, numbers and truths are written alike in JSON and TOML.
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def _devices(hardware: SimulatedHardware, stack: ExitStack) -> Devices:
    panels = [Panel(name, display, name) for name, display in hardware.displays.items()]
    for lamp in hardware.lamp_drivers.values():
        lamp.open()
    hardware.buzzer.open()
    drawing = DrawingHere(panels)
    stack.callback(drawing.close)
    return Devices(hardware.inputs, panels, drawing, hardware.lamp_drivers, hardware.buzzer)


def _server(path: Path | None, inbox: queue.SimpleQueue[Any], stack: ExitStack) -> Server | None:
    if path is None:
        return None
    server = Server(listen(path), "desk", inbox.put)
    server.start()
    stack.callback(server.close)
    return server


def _stamps(start: float) -> Callable[[float], Stamp]:
    """Stamps of a desk: the hour goes on from now as the simulated time does."""
    began = time.time()
    boot = boot_id()

    def stamp(now: float) -> Stamp:
        wall = datetime.fromtimestamp(began + now - start, UTC).isoformat(timespec="seconds")
        return Stamp(boot, int(now * 1000), wall, trusted=True)

    return stamp


def serve(
    desk: Desk,
    ready: Mapping[str, Any],
    lines: Iterable[str],
    inbox: queue.SimpleQueue[Any],
    tell: Callable[[str], object],
) -> None:
    """Answers ``lines`` until they end; requests of the socket come in between."""
    tell(json.dumps({"ready": 1, "pid": os.getpid(), **ready, **desk.report()}) + "\n")
    reader = threading.Thread(target=_read, args=(lines, inbox), name="desk", daemon=True)
    reader.start()
    while (item := inbox.get()) is not None:
        if isinstance(item, Request):
            desk.request(item)
            continue
        try:
            answer = desk.answer(json.loads(item))
        except (DeskError, ValueError) as error:
            answer = {"error": str(error), **desk.report(brief=True)}
        tell(json.dumps(answer) + "\n")


def _read(lines: Iterable[str], inbox: queue.SimpleQueue[Any]) -> None:
    for line in lines:
        inbox.put(line)
    inbox.put(None)
