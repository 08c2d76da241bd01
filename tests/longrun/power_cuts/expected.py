"""The final journal of an evening, and the expected state for each prefix of it.

Stores are read through the table's own code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from scorer.records import replay
from scorer.rules import state_document
from scorer.store.journal import Journal, Stamp, StoredRow
from tests.longrun.power_cuts.evidence import Document, Documents, Recording, same

EVERYTHING = 10**9
UNKNOWN = Stamp("", 0, "2026-01-01T00:00:00+00:00", trusted=False)
Headers = tuple[tuple[int, str], ...]


class Content(NamedTuple):
    """All rows of a journal and the header of every game, oldest first."""

    rows: tuple[StoredRow, ...]
    headers: Headers


class Truth(NamedTuple):
    """An evening as its final journal holds it, and the states published during it."""

    content: Content
    documents: Documents  # published

    def problem(self, found: Content) -> str:
        """Why ``found`` is not a prefix of the evening in whole presses, or ""."""
        if found.headers != self.content.headers[: len(found.headers)]:
            return "the headers of its games are not those of the evening"
        known = {number for number, _ in found.headers}
        missing = sorted({row.game for row in found.rows} - known)
        return f"games {missing} have no header" if missing else self.odd_rows(found.rows)

    def odd_rows(self, found: Sequence[StoredRow]) -> str:
        """Why these are not the rows of its first presses, or ""."""
        rows, count = self.content.rows, len(found)
        if tuple(found) != rows[:count]:
            return f"its {count} rows are not the first {count} of the evening"
        if count < len(rows) and count and rows[count].press == rows[count - 1].press:
            return f"row {count} is half a press"
        return ""

    def untold(self, found: Content, told: object) -> str:
        """Why ``told`` is not what was shown when the journal held ``found``, or ""."""
        published = self.documents.get(len(found.rows), ())
        # A game without rows may have been published before it was opened.
        if not published or (told is None and not found.rows) or told in published:
            return ""
        return f"it tells {told}, and {published[-1]} had been shown"


def truth_of(recording: Recording) -> Truth:
    """The content of an evening. Opens, and so changes, the copy of its store."""
    with Journal.open(recording.store) as journal:
        return Truth(content_of(journal), recording.documents)


def content_of(journal: Journal) -> Content:
    games = sorted(journal.games())
    return Content(
        journal.since(1, EVERYTHING), tuple((game, journal.header(game)) for game in games)
    )


def document_of(journal: Journal) -> Document | None:
    """The state of a table that starts on this journal; None if there is no game yet."""
    opened = replay.find_current_game(journal)
    if opened is None:
        return None
    game = opened.record.game
    names = dict(zip(game.rules.scoring_sides, opened.names, strict=True))
    return same({**state_document(game), "seq": journal.last_seq(), "names": names})


def presses_of(rows: Sequence[StoredRow]) -> Iterator[tuple[StoredRow, ...]]:
    """The rows, grouped by press."""
    for _, rows_of_press in groupby(rows, key=lambda row: row.press):
        yield tuple(rows_of_press)


def rebuild(folder: Path, content: Content, settings: Mapping[str, str]) -> None:
    """Write a store with exactly this content, without any cut."""
    closed = dict(content.headers)  # the games that are still to be opened
    with Journal.open(folder) as journal:
        for rows in presses_of(content.rows):
            first = rows[0]
            stamp = Stamp(first.boot, first.monotonic_ms, first.wall, first.trusted)
            journal.append(
                game=first.game,
                lines=[row.line for row in rows],
                source=first.source,
                stamp=stamp,
                opens=closed.pop(first.game, None),
            )
        for game, header in closed.items():
            journal.append(game=game, lines=(), source="A", stamp=UNKNOWN, opens=header)
        for key, value in settings.items():
            journal.set_setting(key, value)
