"""A page of the table's journal, as its socket sends it (socket.md#journal)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorer.hall.rows import Opening, Row, digest_in


class Epoch(NamedTuple):
    """``first``: the first row of the stream."""

    id: str
    first: int


class TableDecision(NamedTuple):
    """The newest decision that the table has; 0 and "" without one."""

    rev: int = 0
    digest: str = ""


NO_DECISION: Final = TableDecision()


class Page(NamedTuple):
    """Consecutive rows, and the games opened in their range."""

    epoch: Epoch
    rows: tuple[Row, ...]
    openings: tuple[Opening, ...]
    decision: TableDecision = NO_DECISION

    def digest_of_last(self) -> str:
        """The digest of the last row."""
        return digest_in(self.rows[-1], self.openings)


def parse_page(answer: Mapping[str, Any], hall: str) -> Page:
    """``hall``: the one whose decisions count.

    Raises KeyError, TypeError or ValueError for an answer of another kind.
    """
    epoch, stored = answer["epoch"], answer.get("decision")
    decision = NO_DECISION
    # An older version of the table has stored no hall.
    if stored is not None and stored["hall"] in ("", hall):
        decision = TableDecision(int(stored["rev"]), str(stored["digest"]))
    return Page(
        Epoch(str(epoch["id"]), int(epoch["from"])),
        tuple(Row(**row) for row in answer["rows"]),
        tuple(Opening(**game) for game in answer["games"]),
        decision,
    )
