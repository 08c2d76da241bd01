"""The games of a store as a score sheet, and a score sheet as games of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scorer.records import replay
from scorer.rules import Header, SheetError, header_text, read_sheet, step_text
from scorer.rules.sheet import tags_to_store
from scorer.session.values.record import JournalLine, replay_lines
from scorer.store.journal import Journal, Stamp

SOURCE = "sheet"  # of the rows (socket.md#source)


class _SheetGame(NamedTuple):
    header: Header
    lines: list[str]


def read_games(journal: Journal, numbers: Iterable[int]) -> str:
    """These games as one score sheet, in order."""
    sheets = (
        replay.sheet_text(journal.header(number), (row.line for row in journal.rows(number)))
        for number in numbers
    )
    return "\n".join(sheets)


def store_games(journal: Journal, sheet: bytes, stamp: Stamp) -> str:
    """Store the games of ``sheet`` after those of the journal.

    The last one is the game that a table resumes. Returns why they cannot be read, and stores
    nothing then, or "".
    """
    try:
        games = list(_games(sheet.splitlines(keepends=True)))
        for game in games:
            lines = [JournalLine(at, line) for at, line in enumerate(game.lines, 1)]
            replay_lines(game.header.game(), lines)
    except (SheetError, ValueError) as error:
        return str(error)
    for game in games:
        number = journal.newest_game() + 1
        opens: str | None = header_text(tags_to_store(game.header))
        if not game.lines:
            journal.append(game=number, lines=(), source=SOURCE, stamp=stamp, opens=opens)
        for line in game.lines:
            journal.append(game=number, lines=[line], source=SOURCE, stamp=stamp, opens=opens)
            opens = None
    return ""


def _games(lines: Iterable[bytes]) -> Iterator[_SheetGame]:
    game: _SheetGame | None = None
    for read in read_sheet(lines):
        if isinstance(read, Header):
            if game is not None:
                yield game
            game = _SheetGame(read, [])
        elif game is not None:
            comment = f"  # {read.comment}" if read.comment else ""
            game.lines.append(step_text(read.step) + comment)
    if game is not None:
        yield game
