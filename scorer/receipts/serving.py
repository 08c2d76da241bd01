"""Slips for a table: systemd hands over a listening socket, each connection wants one slip.

One after another, so that two never mix on one paper; when nobody has wanted one for a while the
process ends, and systemd starts it again for the next. The answer goes back on the connection.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from scorer.receipts.device import PrinterError
from scorer.receipts.escpos_encoder import CannotWrite
from scorer.receipts.table_client import NoGame, NoTable
from scorer.table.print_client import FAILED, LONGEST_ANSWER, NOTHING

IDLE = 30.0  # seconds without a wish after which the process ends
HEARING = 5.0  # seconds for a wish, once somebody is there

Message = dict[str, Any]


class Wish(NamedTuple):
    """What is wanted: the running game where none is named, the table's language likewise."""

    game: int | None
    language: str


Print = Callable[[Wish], str]  # a remark, or ""


def serve(listening: socket.socket, work: Print, idle: float = IDLE) -> None:
    """Answers wishes until ``idle`` seconds pass without one."""
    while True:
        # Each time anew: what is accepted from a socket with a patience has none of its own.
        listening.settimeout(idle)
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            return
        with connection, contextlib.suppress(OSError):
            connection.settimeout(HEARING)
            _answer(connection, work)


def _answer(connection: socket.socket, work: Print) -> None:
    with connection.makefile("rb") as lines:
        wish = _wish(lines.readline(LONGEST_ANSWER))
    if wish is None:
        told: Message = {"ok": False, "error": FAILED, "text": "one JSON object a line"}
    else:
        told = done(lambda: work(wish))
    connection.sendall(json.dumps(told, ensure_ascii=False).encode() + b"\n")


def _wish(line: bytes) -> Wish | None:
    """None for what is no wish."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    game, language = told.get("game"), told.get("language", "")
    is_game = game is None or type(game) is int
    return Wish(game, language) if is_game and isinstance(language, str) else None


def done(work: Callable[[], str]) -> Message:
    """Prints, and says what came of it: to whoever asked, and to the journal of the system."""
    try:
        remark = work()
    except NoGame as error:
        return _failed(NOTHING, error)
    except PrinterError as error:
        return _failed(error.key, error)
    except (CannotWrite, NoTable, ValueError) as error:
        return _failed(FAILED, error)
    if remark:
        sys.stderr.write(f"scorer print: {remark}\n")
    return {"ok": True, "text": remark}


def _failed(key: str, error: Exception) -> Message:
    sys.stderr.write(f"scorer print: {error}\n")
    return {"ok": False, "error": key, "text": str(error)}
