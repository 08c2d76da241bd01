"""A page of the table's journal, as its socket sends it (socket.md#journal)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.hall.rows import Opening, Row, digest_in


class Epoch(NamedTuple):
    """``first``: the first row of the stream."""

    id: str
    first: int


class Page(NamedTuple):
    """Consecutive rows, and the games opened in their range."""

    epoch: Epoch
    rows: tuple[Row, ...]
    openings: tuple[Opening, ...]

    def digest_of_last(self) -> str:
        """The digest of the last row."""
        return digest_in(self.rows[-1], self.openings)


def parse_page(answer: Mapping[str, Any]) -> Page:
    """Raises KeyError, TypeError or ValueError for an answer of another kind."""
    epoch = answer["epoch"]
    return Page(
        Epoch(str(epoch["id"]), int(epoch["from"])),
        tuple(Row(**row) for row in answer["rows"]),
        tuple(Opening(**game) for game in answer["games"]),
    )
