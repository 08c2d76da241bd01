"""What a client of the table may request: one socket per right.

The rights of the files decide who may open a socket; the table knows a client's right from the
socket that it came through.
"""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path


class Right(Enum):
    """The name in lower case is that of its socket."""

    READ = 1  # the state and the games
    PHONE = 2  # also paired phones, their pairing, and the address for phones
    HALL = 3  # also the hall, and the matches that it assigns
    OWNER = 4  # also the settings, for phones that have the right to them from the box
    TABLE = 5  # everything

    def includes(self, needed: Right) -> bool:
        """Whether a client with this right may do what ``needed`` allows."""
        return self is Right.TABLE or needed in (self, Right.READ)


def socket_path(table: Path, right: Right) -> Path:
    """The socket of ``right`` beside that of the table: table.sock, table-phone.sock."""
    if right is Right.TABLE:
        return table
    # Not with_name(), which refuses "/".
    return table.parent / f"{table.stem}-{right.name.lower()}{table.suffix}"


def report_absent_table(command: str, socket: Path) -> None:
    """Print which socket the program waits for, if it is not there."""
    try:
        socket.stat()
    except FileNotFoundError:
        example = "scorer demo --socket PATH"
        sys.stderr.write(
            f"{command}: no table at {socket} yet, waiting; a demo has one with {example}\n"
        )
    except OSError:
        pass  # it may be there: connecting says why it cannot be used
