"""Rows of a table's journal as they travel: digests and batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from scorer.hall.fields import (
    Unreadable,
    as_boolean,
    as_integer,
    as_items,
    as_object,
    as_text,
    canonical,
    integer,
    text,
)

DIGEST_DIGITS = 16
BATCH_ROWS = 50
BATCH_BYTES = 48 * 1024
MAX_LINE_CHARS = 2000
MAX_HEADER_CHARS = 60_000  # of an owner's variant, whose whole definition is in the header
_MAX_SOURCE_CHARS = 200
_MAX_STAMP_CHARS = 64
_MAX_OPENINGS = 1000  # games without a row, which a bored player opens


class Row(NamedTuple):
    """One row of the journal, in the order of its fields on the wire."""

    seq: int  # from 1
    game: int
    press: int  # seq of the first row of its press
    line: str
    source: str
    boot: str
    monotonic_ms: int
    wall: str  # ISO, UTC
    trusted: bool


class Opening(NamedTuple):
    """A game: ``opened`` is the seq of the row that was next when it was opened."""

    game: int
    opened: int
    header: str


class Batch(NamedTuple):
    """Consecutive rows from ``first`` on, and the games opened among them.

    A game that was opened after the last of the rows is included, also if there are no rows.
    """

    first: int
    rows: tuple[Row, ...]
    openings: tuple[Opening, ...]


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


def read_row(value: object) -> Row:
    """Raises Unreadable."""
    values = as_items(value, "a row", len(Row._fields))
    if len(values) != len(Row._fields):
        raise Unreadable(f"a row has {len(Row._fields)} values, not {len(values)}")
    seq, game, press, line, source, boot, monotonic_ms, wall, trusted = values
    return Row(
        seq=as_integer(seq, "seq", 1),
        game=as_integer(game, "game", 1),
        press=as_integer(press, "press", 1),
        line=as_text(line, "line", MAX_LINE_CHARS),
        source=as_text(source, "source", _MAX_SOURCE_CHARS, may_be_empty=True),
        boot=as_text(boot, "boot", _MAX_STAMP_CHARS, may_be_empty=True),
        monotonic_ms=as_integer(monotonic_ms, "monotonic_ms"),
        wall=as_text(wall, "wall", _MAX_STAMP_CHARS, may_be_empty=True),
        trusted=as_boolean(trusted, "trusted"),
    )


def read_opening(value: object) -> Opening:
    """Raises Unreadable."""
    message = as_object(value, "a game")
    return Opening(
        integer(message, "game", 1),
        integer(message, "opened", 1),
        text(message, "header", MAX_HEADER_CHARS),
    )


def read_batch(first: int, rows: object, openings: object) -> Batch:
    """A batch without gaps. Raises Unreadable."""
    found = tuple(map(read_row, as_items(rows, "rows", BATCH_ROWS)))
    games = tuple(map(read_opening, as_items(openings, "games", _MAX_OPENINGS)))
    for wanted, row in enumerate(found, first):
        if row.seq != wanted:
            raise Unreadable(f"rows are consecutive: {row.seq} stands in place of {wanted}")
    end = first + len(found)
    for opening in games:
        if not first <= opening.opened <= end:
            raise Unreadable(f"game {opening.game} was opened at {opening.opened}, not here")
    if len({opening.game for opening in games}) < len(games):
        raise Unreadable("a game is opened once")
    return Batch(first, found, games)
