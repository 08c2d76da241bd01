"""What the journal of an evening held in the end, and what each of its beginnings looks like.

It reads stores through the table's own code; disks and crash points it must not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from scorer.records import replay
from scorer.rules import state_document
from scorer.store.journal import Journal, Row, Stamp
from tests.longrun.power_cuts.evidence import Document, Documents, Recording, same

EVERYTHING = 10**9
UNKNOWN = Stamp("", 0, "2026-01-01T00:00:00+00:00", trusted=False)
Headers = tuple[tuple[int, str], ...]


class Content(NamedTuple):
    """All rows of a journal and the header of every game, oldest first."""

    rows: tuple[Row, ...]
    headers: Headers


class Truth(NamedTuple):
    """An evening as its journal told it in the end, and as it was told while it went on."""

    content: Content
    documents: Documents  # what was told

    def problem(self, found: Content) -> str:
        """Why ``found`` is no beginning of the evening in whole presses, or nothing."""
        if found.headers != self.content.headers[: len(found.headers)]:
            return "the headers of its games are not those of the evening"
        known = {number for number, _ in found.headers}
        missing = sorted({row.game for row in found.rows} - known)
        return f"games {missing} have no header" if missing else self.odd_rows(found.rows)

    def odd_rows(self, found: Sequence[Row]) -> str:
        """Why these are not the rows of its first presses, or nothing."""
        rows, count = self.content.rows, len(found)
        if tuple(found) != rows[:count]:
            return f"its {count} rows are not the first {count} of the evening"
        if count < len(rows) and count and rows[count].press == rows[count - 1].press:
            return f"row {count} is half a press"
        return ""

    def untold(self, found: Content, told: object) -> str:
        """Why ``told`` is not what was shown when the journal held this, or nothing."""
        heard = self.documents.get(len(found.rows), ())
        # A game that has no row yet may have been told before it was opened.
        if not heard or (told is None and not found.rows) or told in heard:
            return ""
        return f"it tells {told}, and {heard[-1]} had been shown"


def truth_of(recording: Recording) -> Truth:
    """What an evening came to. The copy of its store is opened, and so changed."""
    with Journal.open(recording.store) as journal:
        return Truth(content_of(journal), recording.documents)


def content_of(journal: Journal) -> Content:
    """All that a journal holds."""
    games = sorted(journal.games())
    return Content(
        journal.since(1, EVERYTHING), tuple((game, journal.header(game)) for game in games)
    )


def document_of(journal: Journal) -> Document | None:
    """The document a table tells that starts on this journal; None where there is no game yet."""
    opened = replay.find_current_game(journal)
    if opened is None:
        return None
    game = opened.record.game
    names = dict(zip(game.rules.scoring_sides, opened.names, strict=True))
    return same({**state_document(game), "seq": journal.last_seq(), "names": names})


def presses_of(rows: Sequence[Row]) -> Iterator[tuple[Row, ...]]:
    """The rows, press by press."""
    for _, rows_of_press in groupby(rows, key=lambda row: row.press):
        yield tuple(rows_of_press)


def rebuild(folder: Path, content: Content, settings: Mapping[str, str]) -> None:
    """A store that holds exactly this, made in one go and without any cut."""
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
