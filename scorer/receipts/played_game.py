"""A game from the table: header, rows, and the score sheet as proof."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.records.replay import replay_sheet, sheet_text
from scorer.session.values.record import Record
from scorer.session.values.settings import LAMPS


class SlipRow(NamedTuple):
    """The part of a journal row that a slip needs."""

    seq: int
    press: int
    line: str
    boot: str
    monotonic_ms: int
    wall: str
    trusted: bool


def parse_row(document: Mapping[str, Any]) -> SlipRow:
    """Parse a row from the socket; ignores unknown keys. Raises KeyError."""
    return SlipRow(*(document[name] for name in SlipRow._fields))


class PlayedGame(NamedTuple):
    """One game; ``names`` as on the panels, which may be newer than its header."""

    number: int
    header: str
    rows: tuple[SlipRow, ...]
    language: str
    names: tuple[str, ...] = ()
    lamps: tuple[str, ...] = LAMPS
    device: str = ""
    pages: tuple[str, ...] = ()  # of the evening of each team, on the site of its hall

    def record(self) -> Record:
        """The current state. Raises ValueError if the rules refuse a row."""
        return replay_sheet(self.header, self.rows)

    @property
    def sheet(self) -> str:
        """The game as a score sheet: its header, an empty line, every entered row."""
        return sheet_text(self.header, (row.line for row in self.rows))

    @property
    def digest(self) -> str:
        """SHA-256 of the sheet's UTF-8, in hexadecimal."""
        return hashlib.sha256(self.sheet.encode()).hexdigest()
