"""The journal without failures: laws over sequences of presses."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.store import file, header
from scorer.store.journal import Journal, Stamp, StoredRow, StoreError
from tests.store import presses

STAMP = Stamp("boot", 1, "2026-05-01T21:00:00+00:00", trusted=True)
PRESSES = 40


def test_a_new_store_is_empty(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert (journal.latest_game(), journal.last_seq(), journal.newest_game()) == (None, 0, 0)
        assert (journal.rows(1), journal.since(1, 9), [*journal.games()]) == ((), (), [])
        assert journal.settings() == {}


def test_a_store_is_created_with_its_parent_folders(tmp_path: Path) -> None:
    deep = tmp_path / "var" / "lib" / "scorer"
    Journal.open(deep).close()
    assert (deep / file.FILE_NAME).is_file()


def test_appended_presses_are_read_back_after_reopening(tmp_path: Path) -> None:
    for k in range(1, PRESSES + 1):
        with Journal.open(tmp_path) as journal:
            presses.append(journal, k)
        with Journal.open(tmp_path) as journal:
            assert presses.count_presses(journal, k) == k


def test_append_returns_the_stored_rows(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        returned = [row for k in range(1, PRESSES + 1) for row in presses.append(journal, k)]
        assert tuple(returned) == journal.since(1, 1000) == presses.expected_rows(PRESSES)


def test_rows_of_one_press_share_a_unique_number(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        stored = [presses.append(journal, k) for k in range(1, PRESSES + 1)]
    numbers = [{row.press for row in rows} for rows in stored if rows]
    assert all(len(each) == 1 for each in numbers)
    assert len(set[int]().union(*numbers)) == len(numbers)


def test_trusted_is_read_back_as_a_bool(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for trusted in (True, False):
            stamp = STAMP._replace(trusted=trusted)
            opens = "one" if trusted else None
            journal.append(game=1, lines=["- undo"], source="A", stamp=stamp, opens=opens)
        assert [row.trusted for row in journal.rows(1)] == [True, False]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("open"), TEXTS, st.lists(TEXTS, max_size=3)),
        st.tuples(st.just("press"), st.integers(0, 9), st.lists(TEXTS, min_size=1)),
        st.tuples(st.just("set"), TEXTS, TEXTS),
        st.tuples(st.just("reopen"), st.none(), st.none()),
    ),
    max_size=12,
)


@given(ACTS)
def test_a_journal_equals_its_model_after_any_actions(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, object, object]]
) -> None:
    folder = tmp_path_factory.mktemp("store")
    journal = Journal.open(folder)
    rows: list[StoredRow] = []
    opened: dict[int, str] = {}
    chosen: dict[str, str] = {}
    for act, one, two in acts:
        if act == "reopen":
            journal.close()
            journal = Journal.open(folder)
        elif act == "set":
            journal.set_setting(str(one), str(two))
            chosen[str(one)] = str(two)
        elif act == "open" or opened:
            game = len(opened) + 1 if act == "open" else 1 + int(str(one)) % len(opened)
            opens = str(one) if act == "open" else None
            lines = [str(line) for line in two] if isinstance(two, list) else []
            rows += journal.append(game=game, lines=lines, source="A", stamp=STAMP, opens=opens)
            opened |= {} if opens is None else {game: opens}
            _check_newest(journal, act, game, rows)
        assert presses.content(journal) == (tuple(rows), opened)
        assert journal.settings() == chosen
    for game in opened:
        assert journal.rows(game) == tuple(row for row in rows if row.game == game)
    journal.close()


def _check_newest(journal: Journal, act: str, game: int, rows: list[StoredRow]) -> None:
    assert journal.latest_game() == game
    assert journal.last_seq() == len(rows)
    assert [row.seq for row in rows] == [*range(1, len(rows) + 1)], act


def test_games_are_iterated_lazily_newest_first(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for game in (1, 2, 5):
            journal.append(game=game, lines=[], source="menu", stamp=STAMP, opens=f"game {game}")
        walk = journal.games()
        assert next(walk) == 5
        journal.append(game=6, lines=["A truco"], source="A", stamp=STAMP, opens="game 6")
        assert [*walk] == [2, 1]
        assert journal.newest_game() == 6


def test_the_latest_game_is_that_of_the_newest_press(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.append(game=1, lines=["A truco"], source="A", stamp=STAMP, opens="one")
        journal.append(game=2, lines=[], source="A", stamp=STAMP, opens="two")
        assert journal.latest_game() == 2
        journal.append(game=1, lines=["- undo"], source="A", stamp=STAMP)
        assert journal.latest_game() == 1
    with Journal.open(tmp_path) as journal:
        assert journal.latest_game() == 1


def test_an_unknown_game_has_no_header(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal, pytest.raises(KeyError):
        journal.header(1)


def test_since_is_inclusive_and_stops_at_the_limit(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for k in range(1, PRESSES + 1):
            presses.append(journal, k)
        rows = presses.expected_rows(PRESSES)
        assert journal.since(3, 4) == rows[2:6]
        assert journal.since(len(rows) + 1, 4) == ()
        assert journal.since(-(10**30), 10**30) == rows
        assert journal.since(10**30, 4) == journal.since(1, -1) == ()


def test_a_setting_is_replaced_and_persistent(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.set_setting("language", '"pt-BR"')
        journal.set_setting("language", '"es-AR"')
    with Journal.open(tmp_path) as journal:
        assert journal.settings() == {"language": '"es-AR"'}


@pytest.mark.parametrize(
    ("game", "lines", "opens"),
    [
        (2, ["A truco"], None),  # never opened
        (0, ["A truco"], None),  # never opened, and lower than the opened ones
        (1, [], None),  # no line and no new game: no press
        (1, ["A truco"], "again"),  # opened before
        (0, ["A truco"], "below"),  # older than the newest
        (1, ["A \ud800"], None),  # invalid text: half a character
        (1, ["A truco", None], None),  # not a text
    ],
)
def test_an_invalid_append_raises_and_stores_nothing(
    tmp_path: Path, game: int, lines: list[str], opens: str | None
) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
        presses.append(journal, 2)
        with pytest.raises(ValueError):
            journal.append(game=game, lines=lines, source="A", stamp=STAMP, opens=opens)
        assert presses.count_presses(journal, 9) == 2
        presses.append(journal, 3)
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, 9) == 3


def test_close_is_idempotent_and_a_closed_journal_raises(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.settings()


def test_two_tables_on_one_store_are_detected(tmp_path: Path) -> None:
    """The second one to press is refused: its score differs from the one in the store."""
    with Journal.open(tmp_path) as first, Journal.open(tmp_path) as second:
        presses.append(first, 1)
        with pytest.raises(StoreError) as refused:
            presses.append(second, 1)
        assert refused.value.kind == "busy"
        presses.append(first, 2)
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, 9) == 2


def test_the_file_has_our_id_and_durable_settings(tmp_path: Path) -> None:
    connections: list[sqlite3.Connection] = []

    def connector(path: Path) -> sqlite3.Connection:
        connections.append(file.connect(path))
        return connections[-1]

    with Journal.open(tmp_path, connector=connector):
        pragmas = ("application_id", "user_version", "journal_mode", "synchronous", "foreign_keys")
        found = [connections[0].execute(f"PRAGMA {each}").fetchone()[0] for each in pragmas]
    assert found == [header.APPLICATION_ID, header.VERSION, "wal", 2, 1]
