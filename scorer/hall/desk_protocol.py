"""The protocol between table and ``scorer hub passwords``: one line each way.

The answer has the new password in plain text, for the panels: it is never stored or logged.
"""

from enum import StrEnum
from typing import Annotated, NamedTuple

from scorer.plain_values import SECRET

MAX_LINE_BYTES = 1024


class DeskResult(StrEnum):
    """What became of a request, as keys of the catalogue."""

    SENT = "desk_sent"
    WAIT = "desk_wait"  # another one is being made
    DONE = "desk_done"
    OFF = "desk_off"  # no process serves the socket
    FAILED = "desk_failed"


class DeskReport(NamedTuple):
    """The result; with DONE the name and password, and the port of the desk."""

    result: DeskResult
    name: str = ""
    password: Annotated[str, SECRET] = ""
    port: int = 0

    def __repr__(self) -> str:
        return f"DeskReport({self.result!r}, {self.name!r}, {self.port})"
