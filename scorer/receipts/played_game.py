"""A game as the table tells it: the header, the rows, and the sheet that a stranger can check.

It knows the words of the socket and of a score sheet; no connection, no language, no paper.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.rules import read_header
from scorer.session.record import JournalLine, Record, replay_lines


class SlipRow(NamedTuple):
    """One row of the journal, as far as a slip wants it."""

    seq: int
    press: int
    line: str
    boot: str
    monotonic_ms: int
    wall: str
    trusted: bool


def parse_row(document: Mapping[str, Any]) -> SlipRow:
    """A row as it came over the socket; what it has besides is left out. Raises KeyError."""
    return SlipRow(*(document[name] for name in SlipRow._fields))


class PlayedGame(NamedTuple):
    """One game: ``names`` as the panels show them, where they were chosen after it began."""

    number: int
    header: str
    rows: tuple[SlipRow, ...]
    language: str
    names: tuple[str, ...] = ()
    device: str = ""

    def record(self) -> Record:
        """The game as it stands. Raises ValueError where these rules cannot play it."""
        lines = [JournalLine(row.press, row.line) for row in self.rows]
        return replay_lines(read_header(self.header).game(), lines)

    @property
    def sheet(self) -> str:
        """The game as a score sheet: its header, an empty line, every row that was entered."""
        return "".join([f"{self.header.strip()}\n\n", *(f"{row.line}\n" for row in self.rows)])

    @property
    def digest(self) -> str:
        """SHA-256 of the sheet's UTF-8, in hexadecimal."""
        return hashlib.sha256(self.sheet.encode()).hexdigest()
