"""Turns raw edges into gestures: presses, holds and both TANTOS at once.

Time is an argument, in seconds of any monotonic clock. Which button currently has a hold, and which
repeats while it is held, is decided by callbacks.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from functools import partial
from typing import NamedTuple, Protocol

from scorer.session.settings import CHORD, DEBOUNCE, DEBOUNCE_RANGE, HOLD

HOLD_SHOWN = 0.25  # seconds after which the panel announces the hold
REPEAT_AFTER = 0.6  # seconds until a held button repeats
REPEAT_EVERY = 0.15
REPEAT_FOR = 12.0  # a button held longer is jammed
SAFE = 3.0
SAFE_BUTTONS = ("undo", "A.truco")
NEVER_HELD = ("truco", "tantos")  # players slap and lean on them
_MAX_CHATTER = 3  # debounce times after which a chattering button no longer delays the others


def _default_hold_time(button: str) -> float:
    return HOLD


def _never_repeats(button: str) -> bool:
    return False


class GestureKind(StrEnum):
    """The kind of a gesture."""

    PRESS = "press"
    TOUCHED = "touched"  # TANTOS went down: PRESS or CHORD follows within 0.3 s
    REPEATED = "repeated"  # TANTOS is still down
    CHORD = "chord"  # TANTOS of two consoles
    HOLD_STARTED = "hold_started"
    HOLD = "hold"
    HOLD_ENDED = "hold_ended"  # released before it fired
    SAFE = "safe"  # UNDO and TRUCO of A held from power-on


class Gesture(NamedTuple):
    """One gesture; ``time`` is when it counts, ``since`` when the button went down."""

    kind: GestureKind
    button: str
    time: float
    since: float


class RawEdge(Protocol):
    """A level change from a driver: seconds, name of the line, True for pressed."""

    @property
    def time(self) -> float: ...
    @property
    def line(self) -> str: ...
    @property
    def down(self) -> bool: ...


class _Line:
    """One contact: its debounced level and the train of edges that may change it."""

    __slots__ = (
        "candidate",
        "down",
        "first",
        "last",
        "name",
        "raw",
        "repeat_at",
        "reported",
        "shown",
        "since",
        "stuck",
    )

    def __init__(self, name: str, down: bool = False, since: float = 0.0) -> None:
        self.name = name
        self.down = self.raw = self.stuck = down
        self.first: float | None = None  # first edge of the running train
        self.last = self.reported = since
        self.since = since  # when the debounced level went down
        self.candidate = False  # down and may become a hold
        self.shown = False  # HOLD_STARTED was reported
        self.repeat_at: float | None = None


class Gestures:
    """State of all contacts. Takes edges and time; returns gestures in order.

    ``has_hold`` returns whether a button has a hold at this moment: only such a button acts on
    release; ``hold_time`` returns the seconds after which it fires. ``repeats`` returns whether a
    held TANTOS repeats. Two TANTOS within ``chord`` seconds are one gesture. ``levels`` are the
    lines at power-on: those that are down are stuck. A hold of a line in ``without_levels`` waits
    for an edge that repeats that it is still down.
    """

    def __init__(
        self,
        has_hold: Callable[[str], bool],
        levels: Mapping[str, bool] | None = None,
        now: float = 0.0,
        *,
        debounce: float = DEBOUNCE,
        hold_time: Callable[[str], float] = _default_hold_time,
        chord: float = CHORD,
        without_levels: Collection[str] = (),
        repeats: Callable[[str], bool] = _never_repeats,
    ) -> None:
        low, high = DEBOUNCE_RANGE
        if not low <= debounce <= high:
            raise ValueError(f"debounce {debounce} s is not from {low} to {high}")
        self._has_hold, self._hold_time, self._repeats = has_hold, hold_time, repeats
        self._debounce, self._chord, self._without_levels = (
            debounce,
            chord,
            frozenset(without_levels),
        )
        self._now = now
        self._lines = {name: _Line(name, down, now) for name, down in (levels or {}).items()}
        self._waiting: tuple[str, float] | None = None  # a TANTOS that may become part of a chord
        safe = [self._lines.get(name) for name in SAFE_BUTTONS]
        self._safe_at = now + SAFE if all(line and line.down for line in safe) else None

    def feed(self, edge: RawEdge) -> list[Gesture]:
        """Processes one edge; returns the gestures that have become certain by then."""
        made = self._advance(edge.time)
        self._record(edge.line, edge.time, edge.down)
        return made

    def tick(self, now: float) -> list[Gesture]:
        """The gestures that have become certain because nothing changed until ``now``."""
        return self._advance(now)

    def resync(self, levels: Mapping[str, bool], now: float) -> list[Gesture]:
        """Applies levels that were read: a lost edge is processed now, with debouncing."""
        made = self._advance(now)
        for name, down in levels.items():
            line = self._lines.get(name)
            if down != (line.raw if line else False):
                self._record(name, now, down)
        return made

    def reset_lines(self, levels: Mapping[str, bool], now: float) -> list[Gesture]:
        """Resets lines that were connected or removed; pending gestures of them are void.

        Lines that are down now are stuck, as at power-on. Gestures already certain are kept.
        """
        made = self._advance(now)
        for name, down in levels.items():
            line = self._lines.get(name)
            if line is not None and line.candidate and line.shown:
                made.append(Gesture(GestureKind.HOLD_ENDED, name, now, line.since))
            if name in SAFE_BUTTONS and not down:
                self._safe_at = None
            # Edges reported from here on may have happened before now.
            self._lines[name] = _Line(name, down, float("-inf"))
        return made

    def deadline(self) -> float | None:
        """When ``tick`` is due next if no edge arrives, or None."""
        return min((due for due, *_ in self._due_actions()), default=None)

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        """Buttons that were down at power-on and have not been released since."""
        return tuple(line.name for line in self._lines.values() if line.stuck)

    @property
    def is_holding(self) -> bool:
        """True during a hold: read the levels again before it fires (lost edges)."""
        return any(line.candidate or line.repeat_at is not None for line in self._lines.values())

    @property
    def is_undecided(self) -> bool:
        """True while a press is undecided (hold, chord or bounce pending)."""
        unsettled = any(line.first is not None for line in self._lines.values())
        held = any(line.candidate for line in self._lines.values())
        return unsettled or held or self._waiting is not None

    def _record(self, name: str, time: float, down: bool) -> None:
        line = self._lines.setdefault(name, _Line(name))
        if down:
            line.reported = max(time, line.reported)
        if line.raw == down:
            return
        line.raw = down
        if line.first is None:
            line.first = time
        line.last = max(time, line.last)

    def _advance(self, now: float) -> list[Gesture]:
        made: list[Gesture] = []
        while due := min(self._due_actions(), default=None):
            if due[0] > now:
                break
            made += due[3]()
        self._now = max(self._now, now)
        return made

    def _due_actions(self) -> Iterator[tuple[float, float, int, Callable[[], list[Gesture]]]]:
        """The pending timed actions: (when, order, tie-break, action)."""
        # The tie-break is unique, so that two functions are never compared.
        for at, line in enumerate(self._lines.values()):
            if line.first is not None:
                yield self._settle_time(line), line.first, at, partial(self._settle, line)
            elif line.candidate:
                when = line.since + (self._hold_time(line.name) if line.shown else HOLD_SHOWN)
                # The report of a release may be late for lines that cannot be read.
                if line.name not in self._without_levels or line.reported >= when:
                    yield when, line.since, at, partial(self._advance_hold, line)
            if line.repeat_at is not None and self._may_repeat(line, line.repeat_at):
                yield line.repeat_at, line.since, at, partial(self._repeat, line)
            if line.candidate and line.first is not None:
                when = line.since + (self._hold_time(line.name) if line.shown else HOLD_SHOWN)
                # A release that has begun decides whether the hold still fires.
                if when < line.first:
                    yield when, line.since, at, partial(self._advance_hold, line)
        if self._waiting is not None:
            # At the same time an edge goes first: it may be the other half of a chord.
            when = self._press_time(*self._waiting)
            yield when, when, len(self._lines), self._take_waiting
        if self._safe_at is not None:
            yield self._safe_at, self._safe_at, len(self._lines) + 1, self._fire_safe

    def _settle_time(self, line: _Line) -> float:
        """When the level of ``line`` counts; an earlier train goes first."""
        assert line.first is not None
        own = line.last + self._debounce
        older = [
            other.last + self._debounce
            for other in self._lines.values()
            if other.first is not None and other.first < line.first
        ]
        latest = line.last + _MAX_CHATTER * self._debounce
        return max(own, min(latest, max(older, default=own)))

    def _press_time(self, name: str, time: float) -> float:
        """When a single TANTOS counts: no second one can follow or is still bouncing."""
        others = [
            line.last + self._debounce
            for line in self._lines.values()
            if line.first is not None
            and line.first <= time + self._chord
            and line.name != name
            and _key_of(line.name) == "tantos"
        ]
        own = time + self._chord + self._debounce
        latest = time + self._chord + _MAX_CHATTER * self._debounce
        return max(own, min(latest, max(others, default=own)))

    def _settle(self, line: _Line) -> list[Gesture]:
        first, line.first = line.first, None
        assert first is not None
        if line.raw == line.down:
            return []
        line.down = line.raw
        return self._on_down(line, first) if line.down else self._on_up(line, first)

    def _on_down(self, line: _Line, time: float) -> list[Gesture]:
        line.since = time
        key = _key_of(line.name)
        if key == "tantos":
            if self._repeats(line.name):
                line.repeat_at = time + REPEAT_AFTER
            return self._touch_tantos(line.name, time)
        # A press never overtakes an earlier TANTOS.
        made = self._take_waiting()
        if key not in NEVER_HELD and self._has_hold(line.name):
            line.candidate, line.shown = True, False
            return made
        return [*made, Gesture(GestureKind.PRESS, line.name, time, time)]

    def _touch_tantos(self, name: str, time: float) -> list[Gesture]:
        if self._waiting is not None:
            first, since = self._waiting
            if first != name and time - since <= self._chord:
                self._waiting = None
                return [Gesture(GestureKind.CHORD, first, time, since)]
        made = self._take_waiting()
        self._waiting = (name, time)
        return [*made, Gesture(GestureKind.TOUCHED, name, time, time)]

    def _take_waiting(self) -> list[Gesture]:
        if self._waiting is None:
            return []
        (name, time), self._waiting = self._waiting, None
        return [Gesture(GestureKind.PRESS, name, time, time)]

    def _on_up(self, line: _Line, time: float) -> list[Gesture]:
        line.stuck, line.repeat_at = False, None
        if line.name in SAFE_BUTTONS:
            self._safe_at = None
        if not line.candidate:
            return []
        line.candidate = False
        ended = [Gesture(GestureKind.HOLD_ENDED, line.name, time, line.since)] if line.shown else []
        return [*ended, Gesture(GestureKind.PRESS, line.name, time, line.since)]

    def _advance_hold(self, line: _Line) -> list[Gesture]:
        if not line.shown:
            line.shown = True
            return [
                Gesture(GestureKind.HOLD_STARTED, line.name, line.since + HOLD_SHOWN, line.since)
            ]
        line.candidate = False
        return [
            Gesture(
                GestureKind.HOLD, line.name, line.since + self._hold_time(line.name), line.since
            )
        ]

    def _may_repeat(self, line: _Line, when: float) -> bool:
        """False once a release may have begun, or while it may have been lost."""
        return line.first is None and (
            line.name not in self._without_levels or line.reported >= when
        )

    def _repeat(self, line: _Line) -> list[Gesture]:
        assert line.repeat_at is not None
        time, line.repeat_at = line.repeat_at, None
        if time > line.since + REPEAT_FOR or not self._repeats(line.name):
            return []
        line.repeat_at = time + REPEAT_EVERY
        return [Gesture(GestureKind.REPEATED, line.name, time, line.since)]

    def _fire_safe(self) -> list[Gesture]:
        assert self._safe_at is not None
        time, self._safe_at = self._safe_at, None
        return [Gesture(GestureKind.SAFE, SAFE_BUTTONS[0], time, time - SAFE)]


def _key_of(name: str) -> str:
    """The button without its console: ``tantos`` for ``A.tantos``."""
    return name.rpartition(".")[2]
