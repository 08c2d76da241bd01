"""``scorer hub passwords``: new passwords of the desk, for the table.

systemd starts it by its socket, which the user of the table of this machine alone may open. Only
the answer has a password in plain text; the database has it as ``hash_password`` gives it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from scorer.hall.desk_protocol import MAX_LINE_BYTES
from scorer.hub.hub_log import write_log
from scorer.system import line_server
from scorer.system.sd_notify import passed_sockets

PERSON: Final = "truco"  # who logs in with it, as an administrator
FAILED: Final[dict[str, Any]] = {"ok": False}


def serve(make: Callable[[], dict[str, Any]], idle: float = line_server.IDLE) -> int:
    """Answer each request with what ``make`` returns.

    0: ``idle`` seconds have passed without a request; 2: systemd has passed no socket.
    """
    if not (passed := passed_sockets()):
        write_log("passwords is started by scorer-desk.socket, not by hand")
        return 2
    line_server.serve(passed[0][1], lambda _: make(), MAX_LINE_BYTES, idle)
    return 0
