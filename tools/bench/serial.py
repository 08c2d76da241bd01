"""From a press on a serial box to its step, against a press on a pin.

The port is a pseudo-terminal with a simulated box; the pin is gpiozero's mock. Debouncing is
simulated on both. The gate is CPU time of all threads, which does not depend on the load;
wall-clock time is informative.
"""

from __future__ import annotations

import os
import queue
import statistics
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from scorer.hw import load
from scorer.hw.ports import Edge
from scorer.hw.serial.box_lines import BoxMessage, Change, encode_message
from scorer.hw.serial.port import Port
from scorer.hw.simulated import SimulatedHardware
from scorer.rules import header_of
from scorer.session import reducer as sessions
from scorer.session.input.gestures import Gestures
from scorer.session.values.settings import ConsolesSection, Settings
from scorer.session.values.state import new_session
from tools.bench import Measurement, Result, Skipped

BUTTON, PIN = "A.truco", 5
PATIENCE = 10.0  # seconds
BUDGET = 6.0


class _AnsweringPort(Port):
    """A port with a simulated box at the other end that answers each request."""

    def __init__(self, box: int, path: str, baud: int) -> None:
        super().__init__(path, baud)
        self._box = box

    def write(self, data: bytes) -> int:
        os.write(self._box, encode_message(BoxMessage("0001", 0, 0, 0)))
        return super().write(data)


class InputCost(NamedTuple):
    """Seconds of CPU time and of wall-clock time."""

    cpu: float
    wall: float


def measure(quick: bool) -> Iterator[Result]:
    """Medians of a press from a box, against those of a pin."""
    presses = 50 if quick else 300
    what = "press on a serial box to its step, median"
    try:
        with ExitStack() as stack:
            serial = _costs(_box(stack), presses)
    except OSError as error:
        yield Skipped(what, f"no pseudo-terminals here ({error})")
        return
    with ExitStack() as stack:
        pins = _costs(_pin(stack), presses)
    for kind, budget in (("cpu", BUDGET), ("wall", None)):
        ours, reference = (
            statistics.median(getattr(cost, kind) for cost in costs) for costs in (serial, pins)
        )
        name = what if kind == "cpu" else f"{what}, on the wall"
        yield Measurement(
            name, ours * 1e6, reference * 1e6, "us", "the same press on a pin", budget
        )


Press = Callable[[bool, float], Edge]


def _costs(press: Press, presses: int) -> list[InputCost]:
    """The cost of each press, until the rules have a step for it."""
    game = header_of([("Variant", "argentine")]).game()
    session = new_session(game, Settings(), now=0.0, names=("", ""))
    costs = []
    for at in range(1, presses + 1):
        gestures = Gestures(lambda button: False)
        begin = InputCost(time.process_time(), time.perf_counter())
        edge = press(True, float(at))
        gestures.feed(edge)
        (gesture,) = gestures.tick(edge.time + 2 * ConsolesSection().debounce)
        # Both sessions are one second old, whatever their clocks say.
        if not sessions.press(session, gesture._replace(time=1.0, since=1.0), 1.0).steps:
            raise RuntimeError("the press was no step")
        end = InputCost(time.process_time(), time.perf_counter())
        costs.append(InputCost(end.cpu - begin.cpu, end.wall - begin.wall))
        press(False, at + 0.1)
    return costs


def _pin(stack: ExitStack) -> Press:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    hardware = SimulatedHardware({BUTTON: PIN}, {})
    hardware.inputs.open(edges.put)
    stack.callback(hardware.inputs.close)

    def press(down: bool, at: float) -> Edge:
        hardware.set_pin(BUTTON, 0 if down else 1, at)
        return edges.get(timeout=PATIENCE)

    return press


def _box(stack: ExitStack) -> Press:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    here, there = os.openpty()
    stack.callback(os.close, here)
    stack.callback(os.close, there)
    tty.setraw(there)
    options = {"port": os.ttyname(there), "lines": [BUTTON]}
    driver = load.input_source("box", options, port=partial(_AnsweringPort, here))
    driver.open(edges.put)
    stack.callback(driver.close)
    changes = iter(range(1, 1 << 16))

    def press(down: bool, at: float) -> Edge:
        clock = round(at * 1000)
        message = BoxMessage("0001", next(changes), int(down), clock, (Change(0, down, 0),))
        os.write(here, encode_message(message))
        return edges.get(timeout=PATIENCE)

    return press
