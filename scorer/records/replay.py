"""Replay the journal: rows to the records of a session, a new game to its header."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

from scorer.records.clock import local_moment
from scorer.rules import (
    Game,
    Header,
    SheetError,
    Side,
    Step,
    header_text,
    parse_step,
    read_header,
    split_comment,
    step_text,
    tags_of,
    words,
)
from scorer.rules.model import Match
from scorer.rules.stored_header import with_rules_of_then
from scorer.session.values.record import JournalLine, Record, RefusedPress, replay_lines
from scorer.store.errors import StoreError
from scorer.store.file import NeededProgram

_UNDO_REDO = ("- undo", "- redo")
_NAMED_GAMES = 30  # games that are searched for names: more would be slow on a small board


class JournalRow(Protocol):
    """The part of a journal row that replay needs."""

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
    """The part of the journal that replay needs."""

    def games(self) -> Iterator[int]: ...
    def header(self, game: int) -> str: ...
    def rows(self, game: int) -> Sequence[JournalRow]: ...


class StoreReader(GameReader, Protocol):
    """A store with its games."""

    @property
    def directory(self) -> Path: ...
    def program(self) -> NeededProgram: ...


class CurrentGame(NamedTuple):
    """The current game. ``redo_game``: the game that one more redo would restore."""

    number: int
    record: Record
    names: tuple[str, ...]  # names of its sides; "" if none was chosen
    has_earlier: bool
    redo_game: int | None
    first_row: JournalRow | None = None


def read_stored_header(header: str) -> Header:
    """The header of a stored game, by the rules it began with, or ValueError."""
    return read_header(with_rules_of_then(header))


def require_known_words(store: StoreReader) -> None:
    """Raise StoreError ("future") if the running game has words of a newer program.

    Its check values are right, so a newer program has written them; of a tag, or of a word with
    another meaning, the store says so itself. A game of known words that the rules refuse is no
    reason: a new one can be played beside it.
    """
    needed = store.program()
    if needed.needs > words.NEWEST:
        raise StoreError("future", store.directory, needed.written_by)
    try:
        find_current_game(store)
    except RefusedPress:
        return
    except ValueError as error:
        raise StoreError("future", store.directory, str(error)) from error


def first_row_of_legs(reader: GameReader, number: int, match: Match | None) -> JournalRow | None:
    """The first row of the legs of ``match`` before game ``number``."""
    found: JournalRow | None = None
    if match is None or match.leg == 1:
        return found
    for earlier in (each for each in reader.games() if each < number):
        try:
            before = read_stored_header(reader.header(earlier)).start.match
        except SheetError:  # of a newer program
            break
        if before is None or (before.id, before.hall) != (match.id, match.hall):
            break
        found = next(iter(reader.rows(earlier)), found)
        if before.leg == 1:
            break
    return found


def find_current_game(reader: GameReader) -> CurrentGame | None:
    """The game to resume: the newest not undone as a whole; None on a first evening.

    Reads backwards from the newest game and stops as soon as possible, so that the cost does not
    grow with the journal. Raises SheetError for a game with words that this program lacks, and
    RefusedPress for one that its rules refuse.
    """
    numbers = reader.games()
    later: tuple[int, int] | None = None  # seq of its last row, number
    openings: list[int] = []
    for number in numbers:
        header = read_stored_header(reader.header(number))
        rows = reader.rows(number)
        lines = [JournalLine(row.press, row.line, local_time(row)) for row in rows]
        record = replay_lines(header.game(), lines, openings)
        if record.taken_back:
            openings.append(rows[0].press)
            # Of several undone games, redo restores the one undone last first.
            later = max(later or (0, 0), (rows[-1].seq, number))
            continue
        names = tuple(header.names.get(side, "") for side in header.rules.scoring_sides)
        again = None
        if later is not None:
            # A step that was entered in this game after the later one discards redo.
            after = (row for row in rows if row.seq > later[0])
            again = later[1] if all(row.line in _UNDO_REDO for row in after) else None
        has_earlier = next(numbers, None) is not None
        first = rows[0] if rows else None
        return CurrentGame(number, record, names, has_earlier, again, first)
    return None


def replay_sheet(header: str, rows: Iterable[JournalRow]) -> Record:
    """One game replayed on its own. Raises ValueError if the rules refuse a row."""
    lines = [JournalLine(row.press, row.line) for row in rows]
    return replay_lines(read_stored_header(header).game(), lines)


def sheet_text(header: str, lines: Iterable[str]) -> str:
    """A stored game as a score sheet: its header, an empty line, every entered row."""
    return "".join([f"{with_rules_of_then(header).strip()}\n\n", *(f"{line}\n" for line in lines)])


def count_valid_rows(header: str, rows: Sequence[JournalRow]) -> int:
    """How many rows of an incomplete game can be replayed, up to the end of a press.

    All of them if it has words that this program lacks: each row has its own check value.
    """
    try:
        game = read_stored_header(header).game()
        for row in rows:
            parse_step(split_comment(row.line)[0], game.rules)
    except ValueError:
        return len(rows)
    lines = [JournalLine(row.press, row.line) for row in rows]
    ends = [*[at for at, row in enumerate(rows) if row.press == row.seq][1:], len(rows)]
    good = 0
    # The first refused press lies between them.
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


class KnownNames(NamedTuple):
    """The names used in the newest games, the newest first, without duplicates."""

    names: tuple[str, ...]
    pairs: tuple[tuple[str, ...], ...]  # of all sides of a game


def known_names(reader: GameReader) -> KnownNames:
    headers = []
    for number in islice(reader.games(), _NAMED_GAMES):
        with suppress(SheetError):  # of a newer program
            headers.append(read_stored_header(reader.header(number)))
    games = [
        tuple(header.names.get(side, "") for side in header.rules.scoring_sides)
        for header in headers
    ]
    names = dict.fromkeys(name for names in games for name in names if name)
    return KnownNames(tuple(names), tuple(dict.fromkeys(names for names in games if all(names))))


def build_header(game: Game, names: Mapping[Side, str]) -> str:
    """The header under which ``game`` is opened in the journal."""
    return header_text(tags_of(game, names))


def journal_lines(steps: Sequence[Step], reason: str = "") -> list[str]:
    """The steps as rows of the journal, the last of them with its reason."""
    lines = [step_text(step) for step in steps]
    # A row is one line: collapse the lines of a comment.
    comment = " ".join(reason.split())
    return [*lines[:-1], f"{lines[-1]}  # {comment}"] if lines and comment else lines


def local_time(row: JournalRow) -> str:
    """``21:07`` in local time; "" without a synchronised clock or a known time zone."""
    moment = local_moment(row.wall) if row.trusted else None
    return f"{moment:%H:%M}" if moment else ""
