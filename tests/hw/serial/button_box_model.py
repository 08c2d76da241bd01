"""A button box as a program: fingers, a clock that is told the time, and the lines it says.

It follows docs/makers/button-box.md as the firmware does; compare the two.
"""

from __future__ import annotations

from collections.abc import Callable

from scorer.hw.serial.box_lines import (
    BEAT,
    HELD,
    MAX_CHANGES,
    MEMORY,
    REPEAT,
    BoxMessage,
    Change,
    encode_message,
)

REPEAT_AFTER = 3 * REPEAT  # seconds for which a box repeats itself when everything is up again


class FakeBox:
    """Buttons and what is said of them; ``say`` takes each line."""

    def __init__(
        self, send: Callable[[bytes], object], boot_id: str = "0001", at: float = 0.0
    ) -> None:
        self.send, self._boot_id, self._began = send, boot_id, at
        self.now = at
        self.levels = self.seq = 0
        self._changes: list[tuple[float, int, bool]] = []
        self._sent_at = at

    def press(self, button: int, *, down: bool) -> None:
        """A finger; the box says so at once."""
        if bool(self.levels >> button & 1) is down:
            return
        self.levels ^= 1 << button
        self.seq += 1
        self._changes.insert(0, (self.now, button, down))
        self.send_line()

    def run_until(self, until: float) -> None:
        """Time passes, and what is due is said."""
        while (due := self._due()) <= until:
            self.now = max(self.now, due)
            self.send_line()
        self.now = max(self.now, until)

    def send_line(self) -> None:
        self._sent_at = self.now
        self.send(self.line())

    def line(self) -> bytes:
        """What it says now."""
        aged = (
            Change(button, down, round((self.now - time) * 1000))
            for time, button, down in self._changes
        )
        recent = [change for change in aged if change.age_ms <= MEMORY]
        clock = round((self.now - self._began) * 1000)
        changes = tuple(recent[:MAX_CHANGES])
        return encode_message(
            BoxMessage(self._boot_id, self.seq & 0xFFFF, self.levels, clock, changes)
        )

    @property
    def is_repeating(self) -> bool:
        """Whether it repeats itself soon."""
        changed = self._changes[0][0] if self._changes else float("-inf")
        return self._sent_at + REPEAT <= changed + (HELD if self.levels else REPEAT_AFTER) + 1e-9

    def _due(self) -> float:
        return self._sent_at + (REPEAT if self.is_repeating else BEAT)
