"""Serve print requests of a table: one slip per connection; answer its result."""

import socket
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from scorer.api.print_protocol import MAX_LINE_BYTES, PrintResult
from scorer.plain_values import WrongValues, json_object, read
from scorer.receipts.escpos_encoder import EncodeError
from scorer.receipts.printer_connection import PrinterError
from scorer.receipts.table_client import NoGame, NoTable
from scorer.system import line_server
from scorer.system.line_server import IDLE

Message = dict[str, Any]


class PrintRequest(NamedTuple):
    """The requested slip; defaults are the running game and the table's language."""

    game: int | None = None
    language: str = ""


PrintSlip = Callable[[PrintRequest], str]  # a remark, or ""


def serve(listener: socket.socket, work: PrintSlip, idle: float = IDLE) -> None:
    """Serve requests until ``idle`` seconds pass without one."""
    line_server.serve(listener, lambda line: _answer(line, work), MAX_LINE_BYTES, idle)


def _answer(line: bytes, work: PrintSlip) -> Message:
    try:
        wish = read(PrintRequest, json_object(line), skips_unknown=True)
    except WrongValues:
        return {"ok": False, "error": PrintResult.FAILED, "text": "one JSON object a line"}
    return run_job(lambda: work(wish))


def run_job(work: Callable[[], str]) -> Message:
    """Print, and report the result to the client and to the journal of the system."""
    try:
        remark = work()
    except NoGame as error:
        return _failure(PrintResult.NOTHING, error)
    except PrinterError as error:
        return _failure(error.key, error)
    except (EncodeError, NoTable, ValueError) as error:
        return _failure(PrintResult.FAILED, error)
    if remark:
        sys.stderr.write(f"scorer print: {remark}\n")
    return {"ok": True, "text": remark}


def _failure(key: PrintResult, error: Exception) -> Message:
    sys.stderr.write(f"scorer print: {error}\n")
    return {"ok": False, "error": key, "text": str(error)}
