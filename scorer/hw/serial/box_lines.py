"""The button box protocol, version 1, and the tracking of button states.

Pure: lines and times are arguments. Each line carries the level of every button and the changes of
the last two seconds with their age, so the next line recovers whatever was lost. The format is
documented in docs/makers/button-box.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from scorer.hw.serial.lines import seal, unseal

VERSION: Final = 1
BUTTONS: Final = 16
MAX_CHANGES: Final = 16  # per line
MEMORY: Final = 2000  # milliseconds for which a change is repeated
REPEAT: Final = 0.1  # seconds between lines while there is activity
BEAT: Final = 10.0  # seconds between lines while idle
HELD: Final = 4.0  # seconds after its last change for which a held button is repeated

IDLE_TIMEOUT: Final = BEAT + 2.0  # seconds after which a silent idle box on a cable is lost
HELD_TIMEOUT: Final = 3.5 * REPEAT  # while a button is held: a hold must be confirmed by lines

_CERTAINLY_HELD = HELD - 2 * REPEAT
_MAX_COPIES = 3  # out-of-order lines taken for copies; after that the box has restarted
_DRIFT = 0.01  # seconds per second; the error of a cheap oscillator
_MAX_CHANGE_AGE = MEMORY / 1000 + 1.0  # seconds; an older change is not reported as a press
_MIN_CHANGE_GAP = 0.1  # seconds kept between changes at least as far apart: above any release time
_MAX_DELAY = 0.4  # seconds of latency at most; beyond it the clock has jumped
_CLOCK, _SEQ = 1 << 32, 1 << 16

_MESSAGE = re.compile(
    r"T1 ([0-9a-f]{4}) ([0-9a-f]{4}) ([0-9a-f]{4}) (\d{1,10})(?: b(\d{1,3}))?"
    r"((?: [+-]\d{1,2}:\d{1,4})*)"
)
_VERSION = re.compile(r"T(\d{1,4})(?: |$)")
QUERY: Final = b"?\n"  # asks a listening box for its state


class Change(NamedTuple):
    """A button that went down or up, and its age when the line was sent."""

    button: int
    down: bool
    age_ms: int


class BoxMessage(NamedTuple):
    """One message of a box."""

    boot_id: str  # four hex digits, new after every start
    seq: int  # the number of the newest change, modulo 65536
    levels: int  # bit mask; 1 is down
    clock_ms: int  # milliseconds, modulo 2**32
    changes: tuple[Change, ...] = ()  # the newest first
    battery: int | None = None  # percent; None: of a box that does not measure it


class UnknownVersion(NamedTuple):
    """A line of another protocol version."""

    version: int


class Move(NamedTuple):
    """A change of a button, in seconds of our clock."""

    time: float
    button: int
    down: bool


def encode_message(message: BoxMessage) -> bytes:
    """The line of a message, between two ends of line.

    A garbled end costs the line that it ends, not the next. Empty lines are ignored.
    """
    changes = "".join(f" {'-+'[c.down]}{c.button}:{c.age_ms}" for c in message.changes)
    head = f"T{VERSION} {message.boot_id} {message.seq:04x} {message.levels:04x} {message.clock_ms}"
    battery = "" if message.battery is None else f" b{message.battery}"
    return b"\n" + seal(head + battery + changes)


def decode_line(line: bytes) -> BoxMessage | UnknownVersion | None:
    """Decode a line; None for noise and inconsistent messages."""
    words = unseal(line)
    if words is None:
        return None
    found = _MESSAGE.fullmatch(words)
    if found is None:
        other = _VERSION.match(words)
        return UnknownVersion(int(other[1])) if other and int(other[1]) != VERSION else None
    battery = None if found[5] is None else int(found[5])
    changes = []
    for word in found[6].split():
        button, _, age = word[1:].partition(":")
        changes.append(Change(int(button), word[0] == "+", int(age)))
    levels, clock = int(found[3], 16), int(found[4])
    message = BoxMessage(found[1], int(found[2], 16), levels, clock, tuple(changes), battery)
    return message if _is_consistent(message) else None


def _is_consistent(message: BoxMessage) -> bool:
    """Whether levels and changes agree, going back from now."""
    levels, age = message.levels, 0
    for change in message.changes:
        bit = 1 << change.button
        if change.button >= BUTTONS or change.age_ms < age or bool(levels & bit) is not change.down:
            return False
        levels, age = levels ^ bit, change.age_ms
    is_percent = message.battery is None or message.battery <= 100
    return is_percent and len(message.changes) <= MAX_CHANGES and message.clock_ms < _CLOCK


class InitialLevels(NamedTuple):
    """The levels at the start of tracking: buttons down here were not pressed."""

    levels: int


class BoxTracker:
    """Tracks the state of a box: messages and arrival times in, changes out.

    It survives a reconnection: a box that kept running reports what was pressed meanwhile.
    """

    def __init__(self, idle: float = IDLE_TIMEOUT, held: float = HELD_TIMEOUT) -> None:
        """``idle``, ``held``: seconds until a silent box is lost, all up or one down."""
        self._idle_timeout, self._held_timeout = idle, held
        self.levels = 0
        self._newest: BoxMessage | None = None
        self._clock = _BoxClock()
        self._copies = 0
        self._received_at = self._moved_at = self._sent_at = float("-inf")
        self._moved_clock = float("-inf")

    def update(
        self, lines: Sequence[BoxMessage], at: float, since: float = float("inf")
    ) -> Iterator[InitialLevels | Move]:
        """Process messages read together at ``at``.

        Yield changes in order, with the box's times. ``InitialLevels`` comes first for a new box
        and after a restart. Of the first message only changes after ``since`` count.
        """
        self._clock.add_lines(lines, at)
        for message in lines:
            self._received_at = at
            yield from self._apply(message, at, since)

    @property
    def held_repeated_at(self) -> float | None:
        """The time of the newest message if it repeats a held button; else None."""
        return self._sent_at if self._is_held and self._sent_at > self._moved_at else None

    @property
    def _is_held(self) -> bool:
        """Whether a button is down that may become a hold."""
        return bool(self.levels) and self._received_at - self._moved_at < _CERTAINLY_HELD

    def time_left(self, now: float) -> float:
        """Seconds from ``now`` until a silent box counts as lost; 0: it is lost."""
        timeout = self._held_timeout if self._is_held else self._idle_timeout
        until = self._received_at + timeout
        return max(0.0, until - now)

    def _apply(
        self, message: BoxMessage, at: float, since: float
    ) -> Iterator[InitialLevels | Move]:
        new = self._count_new(message)
        if new is None:
            return
        last, self._newest = self._newest, message
        self._sent_at = time = min(at, self._clock.time_of(message))
        since = since if last is None else at - _MAX_CHANGE_AGE
        news = (change for change in message.changes[:new] if time - change.age_ms / 1000 > since)
        changes = tuple(news)[::-1]
        levels = message.levels
        for change in changes:
            levels ^= 1 << change.button
        if last is None or last.boot_id != message.boot_id:
            # A button that was down before tracking began was not pressed for this table.
            self.levels = levels
            yield InitialLevels(levels)
        # More was lost than is repeated: buttons that differ now changed unseen.
        first = changes[0].age_ms / 1000 if changes else 0.0
        differing = self.levels ^ levels
        for button in range(BUTTONS):
            if differing & 1 << button:
                yield self._move(button, bool(levels & 1 << button), first)
        for change in changes:
            yield self._move(change.button, change.down, change.age_ms / 1000)

    def _count_new(self, message: BoxMessage) -> int | None:
        """How many of its changes are new; None for an outdated message."""
        last = self._newest
        if last is None:
            return len(message.changes)
        ahead = (message.seq - last.seq) % _SEQ
        if last.boot_id == message.boot_id and ahead >= _SEQ // 2:
            self._copies += 1
            if self._copies <= _MAX_COPIES:
                return None
            # Not copies, then: a box whose boot id is the same after every start.
            self._newest, self._copies = None, 0
            return len(message.changes)
        self._copies = 0
        return (
            min(ahead, len(message.changes))
            if last.boot_id == message.boot_id
            else len(message.changes)
        )

    def _move(self, button: int, down: bool, age: float) -> Move:
        """Record a change ``age`` seconds before the newest message."""
        clock = self._clock.line_time - age
        # The estimated clock offset improves with every message. Order is preserved all the same,
        # and a press never becomes shorter than a bounce.
        apart = min(max(0.0, clock - self._moved_clock), _MIN_CHANGE_GAP)
        self._moved_at = max(self._sent_at - age, self._moved_at + apart)
        self._moved_clock = clock
        self.levels = self.levels & ~(1 << button) | down << button
        return Move(self._moved_at, button, down)


class _BoxClock:
    """Converts box milliseconds to our seconds; the fastest message gives the offset.

    Messages that waited in a buffer arrive all at once: dated by arrival, a press would have no
    length and be taken for a bounce.
    """

    def __init__(self) -> None:
        self._boot_id, self._raw, self._clock = "", 0, 0
        self._offset: float | None = None
        self._dating_offset = 0.0
        self.line_time = 0.0  # seconds on the box's clock, of the message dated last

    def add_lines(self, lines: Sequence[BoxMessage], at: float) -> None:
        """Process messages read together at ``at``."""
        before = self._offset
        for message in lines:
            self._add(message, at)
        after = self._offset or 0.0
        # Rather too early by the drift during silence than too late by a delay after it: a press
        # may seem longer than it was, never shorter.
        has_jumped = before is None or self._offset is None or after - before > _MAX_DELAY
        self._dating_offset = after if before is None or has_jumped else min(before, after)

    def _add(self, message: BoxMessage, at: float) -> None:
        if message.boot_id != self._boot_id:
            self._boot_id, self._raw, self._offset = message.boot_id, message.clock_ms, None
        step = self._elapsed_ms(message)
        self._raw, self._clock = message.clock_ms, self._clock + step
        here = at - self._clock / 1000
        before = self._offset
        slow = here if before is None else before + _DRIFT * max(step, 0) / 1000
        self._offset = here if here - slow > _MAX_DELAY else min(here, slow)

    def time_of(self, message: BoxMessage) -> float:
        """The time of a processed message, in our seconds."""
        self.line_time = (self._clock + self._elapsed_ms(message)) / 1000
        return self.line_time + self._dating_offset

    def _elapsed_ms(self, message: BoxMessage) -> int:
        """Milliseconds from the newest message to this one; negative for an earlier one."""
        return (message.clock_ms - self._raw + _CLOCK // 2) % _CLOCK - _CLOCK // 2
