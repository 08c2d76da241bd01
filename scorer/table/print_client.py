"""Non-blocking client of the print service.

Printing is another process (``scorer print``), which systemd starts when this client connects to
its socket. Each slip has a thread that sends the game's number, waits for the answer and passes it
on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from scorer.api.print_protocol import MAX_LINE_BYTES, PrintResult
from scorer.table.service_request import OneAtATime, ServiceError, request_line

ANSWER_TIMEOUT_S = 150.0  # seconds for an answer: a long game at 9600 baud takes half a minute
# Seconds from a win to the automatic slip: an undo in that time saves paper.
AUTO_PRINT_DELAY_S = 10.0


class PrintClient:
    """Prints one slip at a time. Called in the table's thread, except for the waiting."""

    def __init__(
        self, path: Path, on_result: Callable[[PrintResult], object], *, auto_print: bool
    ) -> None:
        """``on_result`` is called in another thread; ``auto_print``: print every won game."""
        self._path, self._auto_print = path, auto_print
        self._waiting = OneAtATime("slip", on_result)
        self._last_game: tuple[int, bool] | None = None  # number of the game, and whether it is won
        self._pending_print: tuple[float, int] | None = None

    def request_slip(self, game: int, language: str) -> PrintResult:
        """Request the slip of ``game``; return what to show at once."""
        request = json.dumps({"game": game, "language": language}).encode() + b"\n"
        is_begun = self._waiting.begin(lambda: send_request(self._path, request))
        return PrintResult.SENT if is_begun else PrintResult.WAIT

    def auto_print_due(self, game: int, now: float, *, won: bool) -> int | None:
        """Update the game's state; return the number of a game whose slip is due."""
        before, self._last_game = self._last_game, (game, won)
        if not self._auto_print or before is None:
            return None
        if before == (game, False) and won:
            self._pending_print = (now + AUTO_PRINT_DELAY_S, game)
        elif before == (game, True) and not won:
            self._pending_print = None
        if self._pending_print is None or (
            now < self._pending_print[0] and game == self._pending_print[1]
        ):
            return None
        due, self._pending_print = self._pending_print[1], None
        # Returning to the game before cancels this slip; starting the next one does not.
        return due if game >= due else None

    def deadline(self) -> float | None:
        """When ``auto_print_due`` must be called next, or None."""
        return None if self._pending_print is None else self._pending_print[0]


def send_request(path: Path, request: bytes) -> PrintResult:
    """Send one request to the socket at ``path``; return the result."""
    try:
        answer = request_line(path, request, ANSWER_TIMEOUT_S, MAX_LINE_BYTES, "print")
    except ServiceError as error:
        return PrintResult.OFF if error.is_missing else PrintResult.FAILED
    if answer.get("ok") is True:
        return PrintResult.PRINTED
    errors = (each for each in PrintResult if each.is_failure or each is PrintResult.NOTHING)
    return next((each for each in errors if each == answer.get("error")), PrintResult.FAILED)
