"""The journal as games: rows of text to the records of a session, a new game to its header.

It knows the journal's rows and the session's records; no device, no panel, no loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple, Protocol

from scorer.rules import Game, Side, Step, header_text, read_header, step_text, tags_of
from scorer.session.record import JournalLine, Record, replay_lines

_UNDO_REDO = ("- undo", "- redo")
_NAMED_GAMES = 30  # that are looked through for names: more would be felt on a small board


class JournalRow(Protocol):
    """What is needed of a row of the journal."""

    @property
    def seq(self) -> int: ...
    @property
    def press(self) -> int: ...
    @property
    def line(self) -> str: ...
    @property
    def boot(self) -> str: ...
    @property
    def monotonic_ms(self) -> int: ...
    @property
    def wall(self) -> str: ...
    @property
    def trusted(self) -> bool: ...


class GameReader(Protocol):
    """What is needed of the journal."""

    def games(self) -> Iterator[int]: ...
    def header(self, game: int) -> str: ...
    def rows(self, game: int) -> Sequence[JournalRow]: ...


class CurrentGame(NamedTuple):
    """The game that goes on. ``later``: the game that one more redo would bring back."""

    number: int
    record: Record
    names: tuple[str, ...]  # of its sides; "" where the people chose none
    has_earlier: bool
    redo_game: int | None


def find_current_game(reader: GameReader) -> CurrentGame | None:
    """The game to go on with, or None on a first evening: the newest that was not taken back whole.

    Reads from the newest game backwards and stops as soon as it knows, so that its cost does not
    grow with the nights before. Raises ValueError where the journal holds what no table wrote.
    """
    numbers = reader.games()
    later: tuple[int, int] | None = None  # seq of its last row, number
    openings: list[int] = []
    for number in numbers:
        header = read_header(reader.header(number))
        rows = reader.rows(number)
        lines = [JournalLine(row.press, row.line, local_time(row)) for row in rows]
        record = replay_lines(header.game(), lines, openings)
        if record.taken_back:
            openings.append(rows[0].press)
            # Of several games taken back the one taken back last comes again first.
            later = max(later or (0, 0), (rows[-1].seq, number))
            continue
        names = tuple(header.names.get(side, "") for side in header.rules.scoring_sides)
        again = later[1] if later is not None and not _has_new_lines(rows, later[0]) else None
        return CurrentGame(number, record, names, next(numbers, None) is not None, again)
    return None


def count_valid_rows(header: str, rows: Sequence[JournalRow]) -> int:
    """How many of a game's first rows can be played, up to the end of a press.

    All of them, as long as nothing but what a table has written is in the journal.
    """
    try:
        game = read_header(header).game()
    except ValueError:
        return 0
    lines = [JournalLine(row.press, row.line) for row in rows]
    ends = [*[at for at, row in enumerate(rows) if row.press == row.seq][1:], len(rows)]
    good = 0
    # The first press that is refused lies between them.
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if _can_replay(game, lines[: ends[middle - 1]]):
            low, good = middle, ends[middle - 1]
        else:
            high = middle - 1
    return good


def _can_replay(game: Game, lines: Sequence[JournalLine]) -> bool:
    try:
        replay_lines(game, lines)
    except ValueError:
        return False
    return True


def known_names(reader: GameReader) -> tuple[str, ...]:
    """The names that people played under in the newest games, the newest first, each once."""
    newest = islice(reader.games(), _NAMED_GAMES)
    named = (read_header(reader.header(number)).names.values() for number in newest)
    return tuple(dict.fromkeys(name for names in named for name in names if name))


def _has_new_lines(rows: Sequence[JournalRow], seq: int) -> bool:
    """Was anything new said in this game after ``seq``? Then what was taken back stays so."""
    return any(row.seq > seq and row.line not in _UNDO_REDO for row in rows)


def build_header(game: Game, names: Mapping[Side, str]) -> str:
    """The header under which ``game`` is opened in the journal."""
    return header_text(tags_of(game, names))


def journal_lines(steps: Sequence[Step], reason: str = "") -> list[str]:
    """The steps as rows of the journal, the last of them with the reason it was given."""
    lines = [step_text(step) for step in steps]
    # A row is one line; a comment of many would be many.
    comment = " ".join(reason.split())
    return [*lines[:-1], f"{lines[-1]}  # {comment}"] if lines and comment else lines


def local_time(row: JournalRow) -> str:
    """``21:07`` where the table stands; nothing where the clock could not be trusted."""
    if not row.trusted:
        return ""
    try:
        return datetime.fromisoformat(row.wall).astimezone().strftime("%H:%M")
    except (ValueError, OverflowError):
        # The hour is an ornament: the score counts without it.
        return ""
