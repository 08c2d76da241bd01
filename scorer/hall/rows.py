"""Rows of a table's journal as they travel: digests and batches."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Annotated, NamedTuple

from scorer.hall.fields import Number, Positive, canonical, optional_hexadecimal
from scorer.plain_values import LISTED, Count, Found, Key, Text

DIGEST_DIGITS = 16
BATCH_ROWS = 50
BATCH_BYTES = 48 * 1024
MAX_LINE_CHARS = 2000
MAX_HEADER_CHARS = 60_000  # of an owner's variant, whose whole definition is in the header
_MAX_SOURCE_CHARS = 200
_MAX_OPENINGS = 1000  # games without a row, which a bored player opens
_Stamp = Annotated[str, Text(64, 0)]
RowDigest = Annotated[str, optional_hexadecimal(DIGEST_DIGITS)]  # "" for no row
Header = Annotated[str, Text(MAX_HEADER_CHARS)]


class Row(NamedTuple):
    """One row of the journal, in the order of its fields on the wire."""

    seq: Positive
    game: Positive
    press: Positive  # seq of the first row of its press
    line: Annotated[str, Text(MAX_LINE_CHARS)]
    source: Annotated[str, Text(_MAX_SOURCE_CHARS, 0)]
    boot: _Stamp
    monotonic_ms: Number
    wall: _Stamp  # ISO, UTC
    trusted: bool


class Opening(NamedTuple):
    """A game: ``opened`` is the seq of the row that was next when it was opened."""

    game: Positive
    opened: Positive
    header: Header


class Batch(NamedTuple):
    """Consecutive rows from ``first`` on, and the games opened among them.

    A game that was opened after the last of the rows is included, also if there are no rows.
    """

    first: Positive
    rows: Annotated[tuple[Annotated[Row, LISTED], ...], Count(0, BATCH_ROWS)]
    openings: Annotated[tuple[Opening, ...], Key("games"), Count(0, _MAX_OPENINGS)]

    def find_problems(self) -> Iterator[Found]:
        """What makes gaps in the journal."""
        for wanted, row in enumerate(self.rows, self.first):
            if row.seq != wanted:
                yield "rows", f"{row.seq} stands in place of {wanted}; rows are consecutive"
                return
        end = self.first + len(self.rows)
        for opening in self.openings:
            if not self.first <= opening.opened <= end:
                yield "games", f"game {opening.game} was opened at {opening.opened}, not here"
                return
        if len({opening.game for opening in self.openings}) < len(self.openings):
            yield "games", "a game is opened once"


def digest(row: Row, header: str = "") -> str:
    """Identify a row.

    ``header``: of its game, if the game was opened at this row; else "".
    """
    values = [*row, header] if header else [*row]
    return sha256(canonical(values)).hexdigest()[:DIGEST_DIGITS]


def digest_in(row: Row, openings: Iterable[Opening]) -> str:
    """The digest of ``row``, whose header is among ``openings`` if it is a first row."""
    headers = (each.header for each in openings if (each.game, each.opened) == (row.game, row.seq))
    return digest(row, next(headers, ""))


def take_batch(first: int, rows: Sequence[Row], openings: Sequence[Opening]) -> Batch:
    """As much from row ``first`` on as one message holds.

    At least one row, if there is any. ``rows``: consecutive, the first of them has seq ``first``.
    ``openings``: of the games opened from ``first`` on.
    """
    taken: list[Row] = []
    carried: list[Opening] = []
    room = BATCH_BYTES
    waiting = sorted(openings, key=lambda each: (each.opened, each.game))
    for row in rows[:BATCH_ROWS]:
        headers = [each for each in waiting if each.opened <= row.seq]
        room -= _size(row) + sum(map(_size, headers))
        if taken and room < 0:
            return Batch(first, tuple(taken), tuple(carried))
        taken.append(row)
        carried += headers
        waiting = waiting[len(headers) :]
    if len(taken) == len(rows):
        for opening in waiting:
            room -= _size(opening)
            if room < 0 and (taken or carried):
                break
            carried.append(opening)
    return Batch(first, tuple(taken), tuple(carried))


def _size(value: tuple[object, ...]) -> int:
    return len(canonical(value)) + 1
