"""What a button box says, version 1, and what can be known of its buttons from that.

Pure: lines and times come in as arguments. Each line tells everything anew, the level of every
button and the changes of the last two seconds with their age: whatever was lost on the way is told
again by the next line that arrives. The words are explained in docs/button-box.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from scorer.hw.serial.lines import sealed, unsealed

VERSION: Final = 1
BUTTONS: Final = 16
MOST_CHANGES: Final = 16  # in a line
MEMORY: Final = 2000  # milliseconds for which a change is told again
REPEAT: Final = 0.1  # seconds between two lines while something is going on
BEAT: Final = 10.0  # the same while nothing is
HELD: Final = 4.0  # seconds after its last change in which a button that is down is told again

_SILENCE = BEAT + 2.0  # seconds after which an idle box is lost
_HELD_SILENCE = 3.5 * REPEAT  # the same while somebody holds a button: a hold is only what is told
_CERTAINLY_HELD = HELD - 2 * REPEAT
_COPIES = 3  # lines of the past that are taken for copies; after that the box has begun anew
_DRIFT = 0.01  # seconds a second: what a cheap oscillator is wrong by
_FORGOTTEN = MEMORY / 1000 + 1.0  # seconds after which a change that is heard of is no press
_KEPT_APART = 0.05  # seconds that two changes are never nearer than, if they were not
_LATE = 0.4  # seconds a line is late at most; after that its clock has jumped
_CLOCK, _SEQ = 1 << 32, 1 << 16

_WORDS = re.compile(
    r"T1 ([0-9a-f]{4}) ([0-9a-f]{4}) ([0-9a-f]{4}) (\d{1,10})((?: [+-]\d{1,2}:\d{1,4})*)"
)
_OTHER = re.compile(r"T(\d{1,4})(?: |$)")
ASK: Final = b"?\n"  # to a box that listens: say it all now


class Change(NamedTuple):
    """A button that went down or up, so many milliseconds before the line was said."""

    button: int
    down: bool
    age: int


class Said(NamedTuple):
    """A line: of which start of the box, its newest change, all levels, its clock, its changes."""

    start: str  # four hex digits, others after every start
    seq: int  # the number of the newest change, modulo 65536
    levels: int  # bit by bit; 1 is down
    clock: int  # milliseconds, modulo 2**32
    changes: tuple[Change, ...] = ()  # the newest first


class Other(NamedTuple):
    """A line of a box that speaks another version."""

    version: int


class Move(NamedTuple):
    """A button that changed at a time in our seconds."""

    time: float
    button: int
    down: bool


def line_of(said: Said) -> bytes:
    """The line that says this, with its end."""
    changes = "".join(f" {'-+'[c.down]}{c.button}:{c.age}" for c in said.changes)
    head = f"T{VERSION} {said.start} {said.seq:04x} {said.levels:04x} {said.clock}"
    return sealed(head + changes)


def read(line: bytes) -> Said | Other | None:
    """What a line says; None for noise, and for what contradicts itself."""
    words = unsealed(line)
    if words is None:
        return None
    found = _WORDS.fullmatch(words)
    if found is None:
        other = _OTHER.match(words)
        return Other(int(other[1])) if other and int(other[1]) != VERSION else None
    changes = tuple(_change(word) for word in found[5].split())
    said = Said(found[1], int(found[2], 16), int(found[3], 16), int(found[4]), changes)
    return said if _is_sound(said) else None


def _change(word: str) -> Change:
    button, _, age = word[1:].partition(":")
    return Change(int(button), word[0] == "+", int(age))


def _is_sound(said: Said) -> bool:
    """Do levels and changes agree, walked back from now?"""
    levels, age = said.levels, 0
    for change in said.changes:
        bit = 1 << change.button
        if change.button >= BUTTONS or change.age < age or bool(levels & bit) is not change.down:
            return False
        levels, age = levels ^ bit, change.age
    return len(said.changes) <= MOST_CHANGES and said.clock < _CLOCK


class Begun(NamedTuple):
    """The levels from which all that follows is told: buttons that are down here just are."""

    levels: int


class Follower:
    """What is known of a box. Give it what arrives and when; it gives back what changed.

    It remembers across a loss of the line: a box that was running all the time tells what was
    pressed meanwhile.
    """

    def __init__(self) -> None:
        self.levels = 0
        self._last: Said | None = None
        self._clock = _Clock()
        self._copies = 0
        self._heard_at = self._moved_at = self._said_at = float("-inf")
        self._moved_clock = float("-inf")

    def heard(
        self, lines: Sequence[Said], at: float, since: float = float("inf")
    ) -> Iterator[Begun | Move]:
        """What these lines tell, read together at ``at``, in its order and with its own times.

        ``Begun`` comes first where a box is heard for the first time, or has started anew. Of what
        it tells the first time only that counts which happened after ``since``.
        """
        self._clock.meet(lines, at)
        for said in lines:
            self._heard_at = at
            yield from self._one(said, at, since)

    @property
    def told_again(self) -> float | None:
        """When the newest line was said, if it told that a button is down still; else None."""
        return self._said_at if self._is_held and self._said_at > self._moved_at else None

    @property
    def _is_held(self) -> bool:
        """Is a button down that may be a hold?"""
        return bool(self.levels) and self._heard_at - self._moved_at < _CERTAINLY_HELD

    def patience(self, now: float) -> float:
        """Seconds from ``now`` after which a box that says nothing is lost; 0: it is."""
        until = self._heard_at + (_HELD_SILENCE if self._is_held else _SILENCE)
        return max(0.0, until - now)

    def _one(self, said: Said, at: float, since: float) -> Iterator[Begun | Move]:
        new = self._news(said)
        if new is None:
            return
        last, self._last = self._last, said
        self._said_at = time = min(at, self._clock.time_of(said))
        since = since if last is None else at - _FORGOTTEN
        news = (change for change in said.changes[:new] if time - change.age / 1000 > since)
        changes = tuple(news)[::-1]
        levels = _undone(said.levels, changes)
        if last is None or last.start != said.start:
            # A finger that was down before anybody listened did not press for us.
            self.levels = levels
            yield Begun(levels)
        # More was lost than is told again: what is down now went down unseen.
        first = changes[0].age / 1000 if changes else 0.0
        for button, down in _differing(self.levels, levels):
            yield self._move(button, down, first)
        for change in changes:
            yield self._move(change.button, change.down, change.age / 1000)

    def _news(self, said: Said) -> int | None:
        """How many of its changes are new; None for a line that tells nothing but the past."""
        last = self._last
        if last is None:
            return len(said.changes)
        ahead = (said.seq - last.seq) % _SEQ
        if last.start == said.start and ahead >= _SEQ // 2:
            self._copies += 1
            if self._copies <= _COPIES:
                return None
            # No copies, then: a box that cannot find itself a new number for every start.
            self._last, self._copies = None, 0
            return len(said.changes)
        self._copies = 0
        return min(ahead, len(said.changes)) if last.start == said.start else len(said.changes)

    def _move(self, button: int, down: bool, age: float) -> Move:
        """A change so many seconds before the newest line."""
        clock = self._clock.of_line - age
        # What is known of the difference of the clocks grows better with every line. What came
        # first stays first all the same, and a press never gets shorter than a bounce.
        apart = min(max(0.0, clock - self._moved_clock), _KEPT_APART)
        self._moved_at = max(self._said_at - age, self._moved_at + apart)
        self._moved_clock = clock
        self.levels = self.levels & ~(1 << button) | down << button
        return Move(self._moved_at, button, down)


class _Clock:
    """From a box's milliseconds to our seconds. The line that took least tells how they differ.

    Lines that waited to be read come all at once: told by their arrival, a press would have no
    length, and what has no length is a bounce.
    """

    def __init__(self) -> None:
        self._start, self._raw, self._clock = "", 0, 0
        self._offset: float | None = None
        self._dates_by = 0.0
        self.of_line = 0.0  # seconds of the box's own clock, of the line that was dated last

    def meet(self, lines: Sequence[Said], at: float) -> None:
        """Lines that were read together at ``at``."""
        before = self._offset
        for said in lines:
            self._meet(said, at)
        after = self._offset or 0.0
        # Rather too early by the drift of a silence than too late by a delay after it: a press may
        # seem longer than it was, and never shorter.
        has_jumped = before is None or self._offset is None or after - before > _LATE
        self._dates_by = after if before is None or has_jumped else min(before, after)

    def _meet(self, said: Said, at: float) -> None:
        if said.start != self._start:
            self._start, self._raw, self._offset = said.start, said.clock, None
        step = self._since(said)
        self._raw, self._clock = said.clock, self._clock + step
        here = at - self._clock / 1000
        before = self._offset
        slow = here if before is None else before + _DRIFT * max(step, 0) / 1000
        self._offset = here if here - slow > _LATE else min(here, slow)

    def time_of(self, said: Said) -> float:
        """When a line that was met was said, in our seconds."""
        self.of_line = (self._clock + self._since(said)) / 1000
        return self.of_line + self._dates_by

    def _since(self, said: Said) -> int:
        """Milliseconds from the newest line to this one; less than none for one before it."""
        return (said.clock - self._raw + _CLOCK // 2) % _CLOCK - _CLOCK // 2


def _undone(levels: int, changes: Sequence[Change]) -> int:
    for change in changes:
        levels ^= 1 << change.button
    return levels


def _differing(before: int, after: int) -> list[tuple[int, bool]]:
    bits = ((button, 1 << button) for button in range(BUTTONS))
    return [(button, bool(after & bit)) for button, bit in bits if (before ^ after) & bit]
