"""A model of the button box: presses, a simulated clock, and the lines it sends.

It follows docs/makers/button-box.md independently of the firmware, for comparison.
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

REPEAT_AFTER = 3 * REPEAT  # seconds of repeats after all buttons are up


class FakeBox:
    """Buttons and their protocol; ``send`` takes each line."""

    def __init__(
        self, send: Callable[[bytes], object], boot_id: str = "0001", at: float = 0.0
    ) -> None:
        self.send, self._boot_id, self._began = send, boot_id, at
        self.now = at
        self.levels = self.seq = 0
        self.battery: int | None = None
        self._changes: list[tuple[float, int, bool]] = []
        self._sent_at = at

    def press(self, button: int, *, down: bool) -> None:
        """Change a button; the box sends a line at once."""
        if bool(self.levels >> button & 1) is down:
            return
        self.levels ^= 1 << button
        self.seq += 1
        self._changes.insert(0, (self.now, button, down))
        self.send_line()

    def run_until(self, until: float) -> None:
        """Advance the clock and send the lines that are due."""
        while (due := self._due()) <= until:
            self.now = max(self.now, due)
            self.send_line()
        self.now = max(self.now, until)

    def send_line(self) -> None:
        self._sent_at = self.now
        self.send(self.line())

    def line(self) -> bytes:
        """The line of the current state."""
        aged = (
            Change(button, down, round((self.now - time) * 1000))
            for time, button, down in self._changes
        )
        recent = [change for change in aged if change.age_ms <= MEMORY]
        clock = round((self.now - self._began) * 1000)
        changes = tuple(recent[:MAX_CHANGES])
        return encode_message(
            BoxMessage(self._boot_id, self.seq & 0xFFFF, self.levels, clock, changes, self.battery)
        )

    @property
    def is_repeating(self) -> bool:
        """Whether a repeat is due soon."""
        changed = self._changes[0][0] if self._changes else float("-inf")
        return self._sent_at + REPEAT <= changed + (HELD if self.levels else REPEAT_AFTER) + 1e-9

    def _due(self) -> float:
        return self._sent_at + (REPEAT if self.is_repeating else BEAT)
