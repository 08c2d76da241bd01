"""The hall that this box belongs to, in a file of the service's folder."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from scorer.config.link_section import HUB_PORT, parse_host
from scorer.system.replace_text import replace_text

FILE_NAME = "hall.json"
PENDING_NAME = "joining.json"  # of an attempt by a card
MAX_BYTES = 4096  # of the file


class Membership(NamedTuple):
    """``pin``: SHA-256 of the hub's certificate; ``token``: names this box at the hub.

    ``card``: names the card by which it has joined, "" without one.
    """

    hub: str  # "192.168.1.20:8443"
    pin: str
    token: str
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
                values = json.loads(file.read(MAX_BYTES))
            found = Membership(**values)
            return found if _is_sound(found) else None
        except (OSError, ValueError, TypeError, RecursionError):
            return None


def _is_sound(membership: Membership) -> bool:
    """Whether every value is as it is stored. Raises ValueError for no address."""
    hub, pin, token, hall, table, card = membership
    return (
        all(isinstance(text, str) for text in (hub, pin, token, hall, card))
        and bool(parse_host(hub, HUB_PORT))
        and type(table) is int
        and re.fullmatch("[0-9a-f]{64}", pin) is not None
        and re.fullmatch("[0-9a-f]{32}", token) is not None
    )
