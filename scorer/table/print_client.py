"""The table's way to a slip: a word to whoever prints, and what came of it, without ever waiting.

The printing is another process (``scorer print``), which systemd starts when this connects to its
socket. Each slip is a thread for as long as it takes: it says which game, waits for the answer and
hands it on. Nothing here knows a printer.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from scorer.api.print_protocol import MAX_LINE_BYTES, PrintResult

ANSWER_TIMEOUT_S = 150.0  # seconds for an answer: a long game at 9600 baud takes half a minute
# Seconds after a game was won until its slip is printed by itself: UNDO in that time saves paper.
AUTO_PRINT_DELAY_S = 10.0


class PrintClient:
    """One slip at a time. All but the waiting is done in the table's thread."""

    def __init__(
        self, path: Path, on_result: Callable[[PrintResult], object], *, auto_print: bool
    ) -> None:
        """``tell`` is called from another thread; ``by_itself``: for every game that is won."""
        self._path, self._on_result, self._auto_print = path, on_result, auto_print
        self._thread: threading.Thread | None = None
        self._last_game: tuple[int, bool] | None = None  # game, was it won?
        self._pending_print: tuple[float, int] | None = None

    def request_slip(self, game: int, language: str) -> PrintResult:
        """Wants the slip of ``game``; what is to be said at once."""
        if self._thread is not None and self._thread.is_alive():
            return PrintResult.WAIT
        wish = json.dumps({"game": game, "language": language}).encode() + b"\n"
        self._thread = threading.Thread(target=self._print, args=(wish,), name="slip", daemon=True)
        self._thread.start()
        return PrintResult.SENT

    def auto_print_due(self, game: int, now: float, *, won: bool) -> int | None:
        """How the game stands; gives back the number of one whose slip is due by itself."""
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
        # Who goes back to the game before takes this one back; who goes on leaves it as it was won.
        return due if game >= due else None

    def deadline(self) -> float | None:
        """When ``follow`` wants to be called."""
        return None if self._pending_print is None else self._pending_print[0]

    def _print(self, request: bytes) -> None:
        self._on_result(send_request(self._path, request))


def send_request(path: Path, request: bytes) -> PrintResult:
    """One wish said at ``path`` and what came of it: printed, or how it failed."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as to:
            to.settimeout(ANSWER_TIMEOUT_S)
            to.connect(str(path))
            to.sendall(request)
            with to.makefile("rb") as answers:
                return _parse_answer(answers.readline(MAX_LINE_BYTES))
    except TimeoutError:
        _log(f"whoever prints at {path} has not answered for {ANSWER_TIMEOUT_S:.0f} s")
        return PrintResult.FAILED
    except OSError as error:
        _log(f"nobody prints at {path}: {error.strerror}; is scorer-print.socket enabled?")
        return PrintResult.OFF


def _log(sentence: str) -> None:
    """To the journal of the system; the rest of what can go wrong is said there by who prints."""
    sys.stderr.write(f"scorer run: {sentence}\n")


def _parse_answer(line: bytes) -> PrintResult:
    """What an answer says; whatever cannot be understood is a failure."""
    told: object = None
    with contextlib.suppress(ValueError, RecursionError):
        told = json.loads(line)
    if not isinstance(told, dict):
        return PrintResult.FAILED
    if told.get("ok") is True:
        return PrintResult.PRINTED
    errors = (each for each in PrintResult if each.is_failure or each is PrintResult.NOTHING)
    return next((each for each in errors if each == told.get("error")), PrintResult.FAILED)
