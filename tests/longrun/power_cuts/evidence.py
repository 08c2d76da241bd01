"""What was shown while a disk was logged, and from which write on it is owed.

A score that somebody saw when the log was so long is owed by every disk of a longer log: what makes
it last had been logged before it was shown. It knows documents, pictures and lengths of a log; how
they were made it must not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Document = Mapping[str, Any]
Documents = Mapping[int, Sequence[Document]]  # what was told, by the newest row then


class Shown(NamedTuple):
    """Somebody saw what stands after row ``seq`` of the journal."""

    log: int  # bytes of the log when it had been seen
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
        """The newest row that a disk owes once its log has been ``end`` bytes long."""
        return self.newest(end).seq

    def newest(self, end: int) -> Shown:
        """What was shown of it, and where."""
        seen = (each for each in self.shown if each.log <= end)
        return max(seen, key=lambda each: each.seq, default=Shown(0, 0, "nothing"))


class Watcher:
    """Collects what is shown, in the order in which it is seen."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.documents: dict[int, list[Document]] = {}
        self._pictures: set[tuple[bytes, ...]] = set()

    def document(self, document: Document, log: int) -> None:
        """The socket, or whoever speaks for the table, told this."""
        seq = int(document["seq"])
        told = self.documents.setdefault(seq, [])
        if document not in told:
            told.append(document)
        self.shown.append(Shown(log, seq, "socket"))

    def pictures(self, seen: Sequence[tuple[tuple[bytes, ...], int]], seq: int | None) -> None:
        """The pictures of the panels in the time of one press that led to row ``seq``.

        The last of them is what that row looks like, if it was never on the panels before; it is
        owed from the first time on that it was there. ``seq`` None: whose they are is not known.
        """
        if not seen:
            return
        last = seen[-1][0]
        if seq is not None and last not in self._pictures:
            first = next(log for pictures, log in seen if pictures == last)
            self.shown.append(Shown(first, seq, "panel"))
        self._pictures.update(pictures for pictures, _ in seen)


def same(document: Document) -> Document:
    """A document as it looks after a journey through JSON."""
    return dict(json.loads(json.dumps(document)))


def counted(shown: Iterable[Shown]) -> str:
    """How many things were seen, for the figures."""
    places = [each.where for each in shown]
    return ", ".join(f"{places.count(each)} on the {each}" for each in sorted(set(places)))
