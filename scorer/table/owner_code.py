"""The owner's code, entered at the box: wrong ones close the way for a while."""

from __future__ import annotations

from scorer.session.values.keys import NoticeKey

MAX_TRIES = 3  # wrong codes in a row
CLOSED_S = 600.0  # seconds for which no code counts after them


class OwnerCode:
    """Counts all tries. ``code``: "" if the box has none."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._wrong, self._closed_until = 0, 0.0

    def why_not(self, code: str, now: float) -> NoticeKey | None:
        """Why this code does not count now; None if it is the owner's."""
        if not self._code:
            return NoticeKey.RESET_NO_CODE
        if now < self._closed_until:
            return NoticeKey.RESET_LOCKED
        if code == self._code:
            self._wrong = 0
            return None
        self._wrong += 1
        if self._wrong >= MAX_TRIES:
            self._wrong, self._closed_until = 0, now + CLOSED_S
        return NoticeKey.RESET_WRONG_CODE
