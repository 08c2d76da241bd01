"""Ask for each button in turn, and find broken, swapped and shorted wires.

The wires are read without debouncing: two lines that fall together are one wire.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from scorer.doctor.findings import Finding, fail, ok
from scorer.hw.ports import Edge

AskForPress = Callable[[str], None]

PRESS_TIMEOUT = 20.0  # seconds to press a button
RELEASE_TIMEOUT = 5.0  # seconds to let a button go, before the next one is asked for
SETTLED = 0.1  # seconds without a change after which a contact no longer bounces
TOGETHER = 0.05  # seconds within which two lines that go down are one wire


class PressIo(NamedTuple):
    """Time functions, and how long to wait for a person."""

    now: Callable[[], float] = time.monotonic
    press_timeout: float = PRESS_TIMEOUT
    release_timeout: float = RELEASE_TIMEOUT


class OpenedLines(NamedTuple):
    """Lines that are read: their levels at the start, and the edges since.

    ``pins``: of those on the header (BCM number).
    """

    pins: Mapping[str, int]
    levels: Mapping[str, bool]
    edges: queue.SimpleQueue[Edge]


def check_presses(
    lines: Iterable[str], opened: OpenedLines, io: PressIo, ask_for: AskForPress
) -> Iterator[Finding]:
    """Ask for a press of each of ``lines``."""
    contacts, pins = _Contacts(opened, io), opened.pins
    named: set[str] = set()
    for name in lines:
        stays = contacts.wait_for_release() - named
        named |= stays
        yield from (fail("button.down", line) for line in sorted(stays - {name}))
        if name in contacts.down:
            # A press of it would change nothing.
            yield fail("button.down", name)
            continue
        ask_for(name)
        pressed = contacts.wait_for_press()
        if len(pressed) > 1:
            yield _touching(name, pressed, pins)
        elif not pressed:
            seconds = round(io.press_timeout)
            yield (
                fail("button.silent", name, seconds=seconds, pin=pins[name])
                if name in pins
                else fail("button.silent_box", name, seconds=seconds)
            )
        elif name in pressed:
            yield ok("button.heard", name)
        else:
            yield fail("button.other", name, other=pressed.pop())


def _touching(name: str, pressed: set[str], pins: Mapping[str, int]) -> Finding:
    """The short circuit of the lines that went down when ``name`` was asked for."""
    names = ", ".join(sorted(pressed))
    if pressed <= pins.keys():
        wires = ", ".join(f"GPIO {pins[line]}" for line in sorted(pressed))
        return fail("button.touch", name, names=names, pins=wires)
    return fail("button.touch_box", name, names=names)


class _Contacts:
    """The levels of all lines, from those at the start and the edges since."""

    def __init__(self, opened: OpenedLines, io: PressIo) -> None:
        self.down = {name for name, is_down in opened.levels.items() if is_down}
        self._edges, self._io = opened.edges, io

    def wait_for_release(self) -> set[str]:
        """Wait until every line is up and quiet; return those that stay down."""
        until = self._io.now() + self._io.release_timeout
        while self._io.now() < until:
            # Also empties the queue: an edge of the last press must not answer for the next one.
            if self._take(self._io.now() + SETTLED) is None and not self.down:
                break
        return set(self.down)

    def wait_for_press(self) -> set[str]:
        """Wait until a line goes down; return all lines that go down with it."""
        first = self._next_down(self._io.now() + self._io.press_timeout)
        if first is None:
            return set()
        pressed = {first.line}
        until = self._io.now() + TOGETHER
        while (other := self._next_down(until)) is not None:
            if other.time <= first.time + TOGETHER:
                pressed.add(other.line)
        return pressed

    def _next_down(self, until: float) -> Edge | None:
        while (edge := self._take(until)) is not None:
            if edge.down:
                return edge
        return None

    def _take(self, until: float) -> Edge | None:
        """The next change of a level, None if there is none by then."""
        while (left := until - self._io.now()) > 0:
            try:
                edge = self._edges.get(timeout=left)
            except queue.Empty:
                return None
            # A device without readable levels repeats a held button.
            if edge.down is not (edge.line in self.down):
                (self.down.add if edge.down else self.down.discard)(edge.line)
                return edge
        return None
