"""What was shown while a disk was logged, and from which write on it must persist.

A state shown when the log had a certain length must be on every disk of a longer log: the writes
that persist it were logged before it was shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Document = Mapping[str, Any]
Documents = Mapping[int, Sequence[Document]]  # published states, by the newest row then


class Shown(NamedTuple):
    """The state after row ``seq`` of the journal was shown."""

    log: int  # bytes of the log when it had been shown
    seq: int
    where: str  # "socket", "panel"


class Recording(NamedTuple):
    """One evening on a logged disk."""

    base: Path  # the disk before it
    log: Path
    up: int  # bytes of the log when the table was up
    length: int  # bytes of the log that count
    shown: tuple[Shown, ...]
    documents: Documents
    presses: int
    store: Path  # a copy of the store's files as the table saw them in the end

    def owed(self, end: int) -> int:
        """The newest row that must be stored once the log has been ``end`` bytes long."""
        return self.newest(end).seq

    def newest(self, end: int) -> Shown:
        """The newest state shown by then, and where."""
        shown = (each for each in self.shown if each.log <= end)
        return max(shown, key=lambda each: each.seq, default=Shown(0, 0, "nothing"))


class Watcher:
    """Collects what is shown, in order."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.documents: dict[int, list[Document]] = {}
        self._pictures: set[tuple[bytes, ...]] = set()

    def document(self, document: Document, log: int) -> None:
        """Record a published state."""
        seq = int(document["seq"])
        known = self.documents.setdefault(seq, [])
        if document not in known:
            known.append(document)
        self.shown.append(Shown(log, seq, "socket"))

    def pictures(self, shown: Sequence[tuple[tuple[bytes, ...], int]], seq: int | None) -> None:
        """Record the pictures of the panels during one press that led to row ``seq``.

        The last of them is the picture of that row, unless it was shown before; the row must
        persist from the first time it was shown. ``seq`` None: the row is unknown.
        """
        if not shown:
            return
        last = shown[-1][0]
        if seq is not None and last not in self._pictures:
            first = next(log for pictures, log in shown if pictures == last)
            self.shown.append(Shown(first, seq, "panel"))
        self._pictures.update(pictures for pictures, _ in shown)


def same(document: Document) -> Document:
    """A document after a round trip through JSON."""
    return dict(json.loads(json.dumps(document)))


def counted(shown: Iterable[Shown]) -> str:
    """Count the shown states by place, for the report."""
    places = [each.where for each in shown]
    return ", ".join(f"{places.count(each)} on the {each}" for each in sorted(set(places)))
