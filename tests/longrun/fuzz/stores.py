"""Fuzz target: any content in a store.

The table must show what the rows give, or report the damage. A script, one JSON object per line,
fills a store through the journal and then changes its file with SQL. Other lines are ignored.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from scorer.api.marks import Mark
from scorer.rules import Game, attempt, parse_step, read_header, split_comment, state_document
from scorer.rules.actions import Action
from scorer.rules.model import Refusal
from scorer.session.values.shown import Screen
from scorer.store import file, health
from scorer.store.archive import Archive
from scorer.store.journal import Journal, StoreError
from scorer.table.table import Table
from tests.longrun.fuzz.configs import place
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.mutate import nearly_right
from tests.longrun.fuzz.tables import press, started
from tests.support.in_process_table import START, stamp

TARGET = "store"
# Statements may do anything to the file, but must not leave the folder.
_FORBIDDEN = (sqlite3.SQLITE_ATTACH,)
_MOST_STEPS = 100_000  # SQLite virtual-machine steps per statement

Ask = Mapping[str, Any]


class Rows(NamedTuple):
    """The readable rows of the journal, now and at any earlier time."""

    now: tuple[tuple[Any, ...], ...]
    ever: frozenset[tuple[Any, ...]]


class Shown(NamedTuple):
    """What a start has shown: a document, or the kind of failure."""

    document: Ask | None
    trouble: str
    is_salvaged: bool
    rows: tuple[tuple[Any, ...], ...]


@st.composite
def inputs(draw: DrawFn) -> bytes:
    """Scripts of the corpus with changes, or with further statements appended."""
    script = draw(nearly_right(TARGET))
    more = draw(st.lists(_statements(), max_size=3))
    return script + b"".join(b"\n" + json.dumps({"sql": each}).encode() for each in more)


_COLUMNS = (
    ("journal", "seq game press line source boot monotonic_ms wall trusted late sum".split()),
    ("game", "id header opened before sum tip".split()),
    ("setting", "key value sum".split()),
    ("newest", "game settings".split()),
)
_VALUES = (
    "NULL", "''", "0", "-1", "1", "2", "5", "1.5", "9223372036854775807", "-9223372036854775808",
    "4611686018427387904", "x'ff00'", "char(0)", "'A truco'", "'- undo'", "'A award 9'",
    "CAST(x'ff' AS TEXT)", "'[Variant \"mineiro\"]'", "'{\"table\": 3}'", "'9999-12-31T23:59:59Z'",
    "replace(hex(zeroblob(3000)), '0', '[')",
)  # fmt: skip


@st.composite
def _statements(draw: DrawFn) -> str:
    table, columns = draw(st.sampled_from(_COLUMNS))
    column, value = draw(st.sampled_from(columns)), draw(st.sampled_from(_VALUES))
    which = draw(st.sampled_from(("1", "rowid = 1", "rowid = 2", "rowid % 2", "rowid > 3")))
    if table == "setting":
        which = "1"
    forms = (
        f"UPDATE {table} SET {column} = {value} WHERE {which}",
        f"UPDATE {table} SET {column} = {column} + 1 WHERE {which}",
        f"DELETE FROM {table} WHERE {which}",
        f"INSERT INTO {table} SELECT * FROM {table} WHERE {which}",
        f"ALTER TABLE {table} DROP COLUMN {column}",
        f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
        f"CREATE TABLE copy AS SELECT * FROM {table}; DROP TABLE {table};"
        f" ALTER TABLE copy RENAME TO {table}; UPDATE {table} SET {column} = {value}",
        f"CREATE TABLE copy AS SELECT * FROM {table}; DROP TABLE {table};"
        f" CREATE VIEW {table} AS SELECT * FROM copy WHERE {which.replace('rowid', '1')}",
        f"CREATE TRIGGER t AFTER INSERT ON journal BEGIN DELETE FROM {table}; END",
        f"CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END",
        f"PRAGMA user_version = {draw(st.sampled_from((0, 1, 2, 3, 99, -1)))}",
    )
    return draw(st.sampled_from(forms))


def check(script: bytes) -> None:
    """Assert no crash, no wrong score, and the same result at a second start."""
    with place() as folder, bounded(), redirect_stderr(StringIO()):
        done = _carried_out(script, folder)
        _is_read_or_refused(folder)
        first = _started(folder, done)
        again = _started(folder, Rows(first.rows, done.ever))
        assert (again.document, again.trouble) == (first.document, first.trouble)
        _is_played(folder)


def _carried_out(script: bytes, folder: Path) -> Rows:
    """Run the script; return the rows then in the store."""
    asks = [ask for line in script.split(b"\n") if (ask := _ask(line)) is not None]
    with contextlib.suppress(StoreError), Journal.open(folder) as journal:
        for ask in asks:
            # A rejected call is the script's mistake; what is stored must be readable anyway.
            with contextlib.suppress(StoreError, ValueError, TypeError, OverflowError):
                _append(journal, ask)
    ever: set[tuple[Any, ...]] = set()
    with _opened(folder) as database:
        # Corruption on a card takes no time, so endless statements are out of scope.
        database.set_progress_handler(lambda: 1, _MOST_STEPS)
        for sql in (str(ask.get("sql", "")) for ask in asks):
            # A renamed column hides rows from this test that a salvage finds.
            if "RENAME" in sql.upper():
                ever.update(_rows(folder))
            with contextlib.suppress(sqlite3.Error, sqlite3.Warning, ValueError):
                database.executescript(sql)
            with contextlib.suppress(sqlite3.Error):
                database.rollback()
    now = _rows(folder)
    return Rows(now, frozenset(ever.union(now)))


def _ask(line: bytes) -> Ask | None:
    try:
        ask = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return ask if isinstance(ask, dict) else None


def _append(journal: Journal, ask: Ask) -> None:
    if "setting" in ask:
        key, value = ask["setting"]
        journal.set_setting(key, value)
    if "lines" in ask:
        made = stamp(START)._replace(**ask.get("stamp", {}))
        journal.append(
            game=ask.get("game", 1),
            lines=ask["lines"],
            source=ask.get("source", "A"),
            stamp=made,
            opens=ask.get("opens"),
        )


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    database = sqlite3.connect(folder / file.FILE_NAME, isolation_level=None)
    database.set_authorizer(
        lambda act, *_: sqlite3.SQLITE_DENY if act in _FORBIDDEN else sqlite3.SQLITE_OK
    )
    try:
        yield database
    finally:
        database.close()


def _rows(folder: Path) -> tuple[tuple[Any, ...], ...]:
    """The rows of the journal, as far as they can be read."""
    query = "SELECT seq, game, press, line FROM journal ORDER BY seq"
    with _opened(folder) as database, contextlib.suppress(sqlite3.Error):
        database.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        return tuple(database.execute(query))
    return ()


def _is_read_or_refused(folder: Path) -> None:
    """Independent readers must get the content or a StoreError."""
    with contextlib.suppress(StoreError):
        health.check_integrity(folder)
    with contextlib.suppress(StoreError):
        health.read_settings(folder)
    with contextlib.suppress(StoreError), Archive.open(folder) as archive:
        for entered in archive.games():
            assert all(row.game == entered.game for row in entered.rows)


def _started(folder: Path, before: Rows) -> Shown:
    """Start a table on the store and recompute what it shows."""
    with started(folder) as (table, journal):
        if table.has_failed:
            return Shown(None, _is_refused(table), False, _rows(folder))
        assert isinstance(journal, Journal)
        is_salvaged = Mark.SALVAGED in table.marks
        rows = _rows(folder)
        assert set(rows) <= before.ever, "rows that nobody wrote"
        if not is_salvaged:
            assert rows == before.now, "rows have gone without a word"
        if rows:
            _is_true(table)
        document = {**table.document(), "seq": 0}
        return Shown(document, "", is_salvaged, rows)


def _is_refused(table: Table) -> str:
    """Assert that no score is shown and presses are refused; return the marks."""
    press(table, "A.truco", START + 10)
    assert table.view.screen is Screen.STORE_FAILURE
    assert all(str(seen.verdict) == "refused" for seen in table.press_log)
    return str(table.view.marks)


def _is_true(table: Table) -> None:
    """Assert that the score follows from the rows of its game, step by step."""
    header, rows = table.game_log.game(table.game_log.current_game, 0, 1 << 20)
    line, taken_back = [read_header(header).game()], list[Game]()
    for row in rows:
        _step(line, taken_back, split_comment(row.line)[0])
    assert state_document(line[-1]) == state_document(table.session.game)


def _step(line: list[Game], taken_back: list[Game], text: str) -> None:
    step = parse_step(text, line[0].rules)
    if step.action is Action.UNDO:
        # A game that was undone completely and then redone continues from its start.
        if len(line) > 1:
            taken_back.append(line.pop())
    elif step.action is Action.REDO:
        if taken_back:
            line.append(taken_back.pop())
    else:
        after = attempt(line[-1], step)
        assert not isinstance(after, Refusal)
        line.append(after)
        taken_back.clear()


def _is_played(folder: Path) -> None:
    """Press buttons, and start again: no crash."""
    with started(folder) as (table, _):
        at = START
        for button in ("menu", "menu", "menu", "A.truco", "B.tantos", "undo", "undo", "undo"):
            at += 10.0
            press(table, button, at)
        if table.has_failed:
            return
        shown, seq = state_document(table.session.game), table.game_log.seq
    with started(folder) as (table, _):
        assert not table.has_failed
        assert (state_document(table.session.game), table.game_log.seq) == (shown, seq)
