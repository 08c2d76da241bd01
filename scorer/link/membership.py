"""The hall that this box belongs to, in a file of the service's folder."""

import json
import os
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from scorer.config.link_section import parse_hub
from scorer.hall.fields import hexadecimal
from scorer.hall.joining import HASH_DIGITS
from scorer.hall.wire import TOKEN_DIGITS
from scorer.plain_values import SECRET, json_object, read
from scorer.system.replace_text import replace_text

FILE_NAME = "hall.json"
PENDING_NAME = "joining.json"  # of an attempt by a card
ATTEMPT_NAME = "attempt"  # of the wish whose attempt by digits was made
MAX_BYTES = 4096  # of the file


class Membership(NamedTuple):
    """``pin``: SHA-256 of the hub's certificate; ``token``: names this box at the hub.

    ``card``: names the card by which it has joined, "" without one.
    """

    hub: str  # "192.168.1.20:8443"
    pin: Annotated[str, hexadecimal(HASH_DIGITS)]
    token: Annotated[str, hexadecimal(TOKEN_DIGITS), SECRET]
    hall: str = ""  # its name
    table: int = 0  # its number in the hall; 0: unknown
    card: str = ""

    def __repr__(self) -> str:
        return f"Membership({self.hub!r}, {self.hall!r}, {self.table})"


class MembershipFile:
    """The file in ``folder``; without a folder it lasts as long as the process."""

    def __init__(self, folder: Path | None, name: str = FILE_NAME) -> None:
        self._path = None if folder is None else folder / name
        self.newest = self._read()

    def save(self, membership: Membership | None) -> None:
        """Store it, readable by this user alone; None: in no hall. Raises OSError."""
        if self._path is not None:
            values: dict[str, Any] = {} if membership is None else membership._asdict()
            before = os.umask(0o077)
            try:
                replace_text(self._path, json.dumps(values))
            finally:
                os.umask(before)
        self.newest = membership

    def _read(self) -> Membership | None:
        """What is stored; a file that is not ours counts as none."""
        if self._path is None:
            return None
        try:
            with self._path.open(encoding="utf-8") as file:
                found = read(Membership, json_object(file.read(MAX_BYTES)))
            parse_hub(found.hub)
            return found
        except (OSError, ValueError):
            return None


class AttemptFile:
    """The wish whose attempt was made last: a restart does not repeat it.

    Without a folder it lasts as long as the process.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / ATTEMPT_NAME
        self.newest = self._read()

    def save(self, wish: str) -> None:
        """Store the id of a wish. Raises OSError."""
        if self._path is not None:
            replace_text(self._path, wish)
        self.newest = wish

    def _read(self) -> str:
        if self._path is None:
            return ""
        try:
            with self._path.open(encoding="utf-8") as file:
                return file.read(MAX_BYTES)
        except (OSError, ValueError):
            return ""
