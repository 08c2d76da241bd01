"""A deterministic sequence of presses: press ``k`` is always the same.

It covers all cases of a journal: games opened with and without a line, several lines in one press,
and presses of a game that is not the newest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scorer.store.journal import Journal, Stamp, StoredRow

BOOT = "3b241101-e2bb-4255-8caf-4136c566a962"
PRESSES_PER_GAME = 7  # presses from one opening to the next
HEADER = '[Variant "argentine"]\n[NameA "Los Pibes {game}"]\n'


class Press(NamedTuple):
    """The arguments of one ``append``."""

    game: int
    lines: tuple[str, ...]
    source: str
    stamp: Stamp
    opens: str | None


@cache
def press(k: int) -> Press:
    """Press ``k`` of the sequence, from 1."""
    newest = 1 + (k - 1) // PRESSES_PER_GAME
    opens = HEADER.format(game=newest) if k % PRESSES_PER_GAME == 1 else None
    # Every fifth press resumes the game before the newest one, if there is one.
    game = newest - 1 if k % 5 == 0 and newest > 1 and opens is None else newest
    lines = tuple(f"A say_{k}_{each}" for each in range(k % 3 or 1))
    if opens is not None and newest % 2:
        lines = ()
    source = ("A", "B", "menu", "phone Ana")[k % 4]
    stamp = Stamp(BOOT, 1000 * k, f"2026-05-01T21:{k // 60 % 60:02}:{k % 60:02}+00:00", k % 2 == 0)
    return Press(game, lines, source, stamp, opens)


def append(journal: Journal, k: int) -> tuple[StoredRow, ...]:
    """Store press ``k``."""
    game, lines, source, stamp, opens = press(k)
    return journal.append(game=game, lines=lines, source=source, stamp=stamp, opens=opens)


@cache
def expected_rows(count: int) -> tuple[StoredRow, ...]:
    """All rows of the first ``count`` presses."""
    rows: list[StoredRow] = []
    for each in (press(k) for k in range(1, count + 1)):
        first = len(rows) + 1
        rows += [
            StoredRow(seq, each.game, first, line, each.source, *each.stamp)
            for seq, line in enumerate(each.lines, first)
        ]
    return tuple(rows)


@cache
def row_count(count: int) -> int:
    """The number of rows of the first ``count`` presses."""
    return sum(len(press(k).lines) for k in range(1, count + 1))


@cache
def headers(count: int) -> Mapping[int, str]:
    """The header of each game that the first ``count`` presses open."""
    each = (press(k) for k in range(1, count + 1))
    return {one.game: one.opens for one in each if one.opens is not None}


def content(journal: Journal) -> tuple[tuple[StoredRow, ...], dict[int, str]]:
    """All rows of a journal and the headers of its games."""
    found = {game: journal.header(game) for game in journal.games()}
    return journal.since(1, 10**9), dict(sorted(found.items()))


def count_presses(journal: Journal, max_count: int) -> int:
    """The number of presses in a journal that contains nothing else.

    ``max_count``: the largest possible number. Fails if the journal is not a prefix of the sequence
    in whole presses: half a press, a missing one, or a changed one.
    """
    found = content(journal)
    for count in range(max_count, -1, -1):
        if row_count(count) != len(found[0]):
            continue
        if found == (expected_rows(count), headers(count)):
            _check_by_game(journal, found[0])
            return count
    raise AssertionError(f"no prefix of the presses: {found}")


def _check_by_game(journal: Journal, rows: Sequence[StoredRow]) -> None:
    for game in journal.games():
        assert journal.rows(game) == tuple(row for row in rows if row.game == game)
