"""Turns raw edges into gestures: presses, holds and both TANTOS at once.

A contact is never clean. It bounces for some milliseconds when it closes, an old one opens again
under a finger that stays, and a long cable carries pulses that no finger caused. The engine sees
edges only, each with its time, and has to decide for each contact when its level counts.

A *train* is a run of edges of one contact. It begins with an edge away from the level that counts
and is settled when the newest level has lasted long enough: ``debounce`` (8 ms), or ``release``
(60 ms) if a pressed button is open. The two differ because they cost differently. A player waits
for a press, so it acts early. The end of a press may act later, and no finger leaves a button and
returns within 60 ms: a worn contact does. If the contact is closed again before that, the train
is settled without effect and the press goes on: one press, and a hold still fires at its time.
The time of a gesture is that of the first edge of its train, however late the train is settled.

Buttons without a hold act when they go down. The others act on release, since only that tells a
press from a hold; their press waits for ``release``, and has the time at which the finger left.

The order of presses decides between teams, so it has to be that of the fingers. Trains are settled
in the order of their first edges: an earlier train goes first, even if it bounces for longer. A
press therefore waits until earlier trains have been stable for ``debounce``, but not for longer
than ``_MAX_CHATTER`` debounce times, or one broken contact would block every button. It does not
wait for ``release``. Instead, a press that counts ends the releases that began before it: the
button that was let go acts first, then the new press. If that contact closes again, it is still
the old press, which has acted; such a gap turns a hold into a press, and never into two.

TANTOS of one console waits for that of another (``chord``), because both together mean something
else. It is reported as touched at once, and no later press overtakes it.

*Interference* is a change of too many contacts within ``INTERFERENCE_WINDOW``: a dip of the supply
or a discharge pulls all lines low at once, and half a period of the mains those of one cable. Four
hands can press a button each of four consoles in 2 ms; a fifth is not to be expected, nor a third
of one console (``INTERFERENCE_LINES``, ``INTERFERENCE_OF_ONE``). A cable has the lines of one
console, perhaps with the shared UNDO and MENU, which count for each. Two lines of a cable look like
two hands. The window is at most the shortest debounce time, so that no press of such a
burst has counted when its last line changes. A contact that the burst closed plays nothing and has
no release. One that was held already is unchanged: a dip cannot close it again, and a gap
is shorter than ``release``.

A button is *stuck* if it was down at power-on, or for ``JAMMED`` in play: it jams, or its wire
touches ground. Its release is no press; the next press counts again.

Time is an argument, in seconds of any monotonic clock, and an edge may be dated earlier than the
moment at which it is fed: a process that did not run for a moment receives old edges together, and
their times keep a tap as long as it was. Which button currently has a hold, and which repeats
while it is held, is decided by callbacks.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.settings import DEBOUNCE_RANGE, RELEASE_RANGE, ConsolesSection

HOLD_SHOWN = 0.25  # seconds after which the panel announces the hold
REPEAT_AFTER = 0.6  # seconds until a held button repeats
REPEAT_EVERY = 0.15
REPEAT_FOR = 12.0  # a button held longer no longer repeats
JAMMED = 30.0  # seconds after which a button that stays down is stuck
SAFE = 3.0
SAFE_BUTTONS = ("undo", "A.truco")
NEVER_HELD = ("truco", "tantos")  # players slap and lean on them
INTERFERENCE_LINES = 5  # contacts, more than hands change at once
INTERFERENCE_OF_ONE = 3  # contacts of one console, the shared ones included
INTERFERENCE_WINDOW = DEBOUNCE_RANGE[0]  # seconds
INTERFERENCE_REPEATS = 600.0  # seconds within which a second burst is a repetition
_USUAL = ConsolesSection()
_MAX_CHATTER = 3  # debounce times after which a chattering button no longer delays the others
_BURST = 1.0  # seconds; the start and the end of a dip are one burst
_ROUNDING = 1e-6  # seconds; a gap of exactly the release time is a gap


def _default_hold_time(button: str) -> float:
    return _USUAL.hold


def _never_repeats(button: str) -> bool:
    return False


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
        "is_noise",
        "last",
        "name",
        "raw",
        "released",
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
        self.is_noise = False  # the running train is interference
        self.last = self.reported = since
        self.released = float("-inf")  # last edge of the newest release that counted
        self.since = since  # when the debounced level went down
        self.candidate = False  # down and may become a hold
        self.shown = False  # HOLD_STARTED was reported
        self.repeat_at: float | None = None

    @property
    def is_releasing(self) -> bool:
        """True if it was pressed and is open now, perhaps only for a moment."""
        return self.down and not self.raw


class Gestures:
    """State of all contacts. Takes edges and time; returns gestures in order.

    A level counts after ``debounce`` seconds, a release after ``release`` seconds if that is more.
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
        debounce: float = _USUAL.debounce,
        release: float = _USUAL.release,
        hold_time: Callable[[str], float] = _default_hold_time,
        chord: float = _USUAL.chord,
        without_levels: Collection[str] = (),
        repeats: Callable[[str], bool] = _never_repeats,
    ) -> None:
        for name, value, (low, high) in (
            ("debounce", debounce, DEBOUNCE_RANGE),
            ("release", release, RELEASE_RANGE),
        ):
            if not low <= value <= high:
                raise ValueError(f"{name} {value} s is not from {low} to {high}")
        self._has_hold, self._hold_time, self._repeats = has_hold, hold_time, repeats
        self._debounce, self._release = debounce, max(debounce, release + _ROUNDING)
        self._chord, self._without_levels = chord, frozenset(without_levels)
        self._bursts: deque[float] = deque(maxlen=2)  # times of the newest interference
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
        """Buttons that are down since power-on, or for ``JAMMED`` in play."""
        return tuple(line.name for line in self._lines.values() if line.stuck)

    def held_since(self, first: float, last: float) -> tuple[str, ...]:
        """Buttons that were pressed from ``first`` to ``last`` and not released since."""
        lines = self._lines.values()
        return tuple(line.name for line in lines if line.down and first <= line.since <= last)

    def has_repeated_interference(self, now: float) -> bool:
        """True if two bursts of interference occurred within the last ten minutes."""
        return len(self._bursts) == 2 and now - self._bursts[0] < INTERFERENCE_REPEATS

    @property
    def is_holding(self) -> bool:
        """True during a hold: read the levels again before it fires (lost edges)."""
        return any(line.candidate or line.repeat_at is not None for line in self._lines.values())

    @property
    def is_undecided(self) -> bool:
        """True while a press is undecided (hold, chord or bounce pending)."""
        unsettled = any(line.first is not None and not line.down for line in self._lines.values())
        held = any(line.candidate for line in self._lines.values())
        return unsettled or held or self._waiting is not None

    def _record(self, name: str, time: float, down: bool) -> None:
        line = self._lines.setdefault(name, _Line(name))
        if down:
            line.reported = max(time, line.reported)
        if line.raw == down:
            return
        line.raw = down
        if down and not line.down and time <= line.released + self._release:
            # Read so late that the release had counted: a gap all the same.
            line.down = True
            return
        if line.first is None:
            line.first, line.is_noise = time, False
        line.last = max(time, line.last)
        self._mark_interference(time)

    def _mark_interference(self, time: float) -> None:
        """Marks the running trains around ``time`` if too many contacts changed at once."""
        burst = [
            line
            for line in self._lines.values()
            if line.first is not None and abs(time - line.last) <= INTERFERENCE_WINDOW
        ]
        if not _is_interference([line.name for line in burst]):
            return
        for line in burst:
            line.is_noise = True
        if not self._bursts or time > self._bursts[-1] + _BURST:
            self._bursts.append(time)

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
            jams_at = line.since + JAMMED
            if line.down and not line.stuck and self._may_repeat(line, jams_at):
                yield jams_at, line.since, at, partial(self._jam, line)
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
        # A release that has begun decides whether safe mode still follows.
        if self._safe_at is not None and not any(
            self._lines[name].is_releasing for name in SAFE_BUTTONS
        ):
            yield self._safe_at, self._safe_at, len(self._lines) + 1, self._fire_safe

    def _settle_time(self, line: _Line) -> float:
        """When the level of ``line`` counts; an earlier train goes first."""
        assert line.first is not None
        wait = self._wait(line)
        own = line.last + wait
        older = [
            other.last + min(wait, self._wait(other))
            for other in self._lines.values()
            if other.first is not None and other.first < line.first
        ]
        latest = own + (_MAX_CHATTER - 1) * self._debounce
        return max(own, min(latest, max(older, default=own)))

    def _wait(self, line: _Line) -> float:
        """Seconds for which the newest level of ``line`` must last."""
        return self._release if line.is_releasing else self._debounce

    def _press_time(self, name: str, time: float) -> float:
        """When a single TANTOS counts: no second one can follow or is still bouncing."""
        others = [
            line.last + self._debounce
            for line in self._lines.values()
            if line.first is not None
            and not line.down
            and line.first <= time + self._chord
            and line.name != name
            and _key_of(line.name) == "tantos"
        ]
        own = time + self._chord + self._debounce
        latest = time + self._chord + _MAX_CHATTER * self._debounce
        return max(own, min(latest, max(others, default=own)))

    def _settle(self, line: _Line) -> list[Gesture]:
        settled, first = self._settle_time(line), line.first
        assert first is not None
        line.first = None
        if line.raw == line.down or (line.raw and line.is_noise):
            return []
        line.down = line.raw
        if not line.down:
            line.stuck, line.repeat_at, line.released = False, None, line.last
            if line.name in SAFE_BUTTONS:
                self._safe_at = None
            return self._end(line, first)
        return [*self._finish_releases(first, settled), *self._on_down(line, first)]

    def _finish_releases(self, before: float, now: float) -> list[Gesture]:
        """Ends presses whose release began ``before`` a later gesture and is stable."""
        released = [
            (line.first, at, line)
            for at, line in enumerate(self._lines.values())
            if line.candidate
            and line.is_releasing
            and line.first is not None
            and line.first < before
            and line.last + self._debounce <= now
        ]
        return [made for first, _, line in sorted(released) for made in self._end(line, first)]

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

    def _end(self, line: _Line, time: float) -> list[Gesture]:
        """The press of a button that acts on release, unless its hold has fired."""
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
        time = line.since + self._hold_time(line.name)
        return [
            *self._finish_releases(time, time),
            Gesture(GestureKind.HOLD, line.name, time, line.since),
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

    def _jam(self, line: _Line) -> list[Gesture]:
        line.stuck, line.candidate, line.repeat_at = True, False, None
        return []

    def _fire_safe(self) -> list[Gesture]:
        assert self._safe_at is not None
        time, self._safe_at = self._safe_at, None
        return [Gesture(GestureKind.SAFE, SAFE_BUTTONS[0], time, time - SAFE)]


def _is_interference(changed: Sequence[str]) -> bool:
    """Whether more contacts have changed at once than hands press."""
    if len(changed) < INTERFERENCE_OF_ONE:
        return False
    consoles = [name.rpartition(".")[0] for name in changed]
    shared = consoles.count("")
    of_one = max(Counter(filter(None, consoles)).values(), default=0)
    return len(changed) >= INTERFERENCE_LINES or of_one + shared >= INTERFERENCE_OF_ONE


def _key_of(name: str) -> str:
    """The button without its console: ``tantos`` for ``A.tantos``."""
    return name.rpartition(".")[2]
