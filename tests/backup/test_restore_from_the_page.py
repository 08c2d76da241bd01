"""An owner's page lists the copies on a stick and puts one back.

A real table, a real service and a real stick.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scorer.api.backup_protocol import BackupResult
from scorer.api.paired_phones import OWNERS_KEY, PhoneRegistry
from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.store import file
from scorer.store.journal import Journal
from scorer.table.handlers import answer_request
from scorer.table.owner_settings import WAITING_KEY
from tests.backup import loop_stick
from tests.backup.games import UNFINISHED, WON, games_in, store_of
from tests.backup.loop_stick import Stick, plugged, put_on
from tests.backup.test_commands import backup
from tests.backup.test_evening import said
from tests.backup.test_restore_at_the_box import games_waiting, table_with
from tests.support.in_process_table import InProcessTable, stamp

pytestmark = pytest.mark.skipif(bool(loop_stick.why_not()), reason=loop_stick.why_not())
COPY = "truco-2026-05-01.sqlite3"


class Page:
    """The requests of one owner's page."""

    def __init__(self, table: InProcessTable, key: dict[str, str]) -> None:
        self.table, self.key = table, key

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        request = Request(1, {"do": do, **self.key, **fields}, Right.OWNER, "scorer-web")
        answer = answer_request(self.table.table, request, self.table.now)
        self.table.wait(0.01)
        return answer

    @property
    def copies(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("owner")["copies"]
        return found

    def list_copies(self) -> list[str]:
        assert self.ask("owner_copies")["copies"]["result"] == BackupResult.LOOKING
        self.table.wait_backup()
        return [each["name"] for each in self.copies["listed"]]


def add_owner(store: Path, name: str) -> dict[str, str]:
    with Journal.open(store) as journal:
        owner, key = PhoneRegistry(journal, OWNERS_KEY, "owner ").add(name, "test", stamp(0.0))
    return {"owner": owner.id, "key": key}


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Stick]:
    """A stick with a copy of five games, of a box with an owner of its own."""
    with plugged(tmp_path, 4096) as found:
        with put_on(found, tmp_path / "pc") as folder:
            store = store_of(tmp_path / "old", *[WON] * 4, UNFINISHED)
            old = add_owner(store, "Old")
            waiting = [{"path": ["light", "dim"], "value": 7}]
            with Journal.open(store) as journal:
                journal.set_setting(WAITING_KEY, json.dumps(waiting))
            assert backup(store, folder / COPY) == 0
        (tmp_path / "old.json").write_text(json.dumps(old))
        yield found


@contextmanager
def page_with(folder: Path, stick: Stick, key: dict[str, str]) -> Iterator[Page]:
    with table_with(folder, stick) as table:
        yield Page(table, key)


@pytest.fixture
def key(tmp_path: Path) -> dict[str, str]:
    return add_owner(store_of(tmp_path / "store", WON), "Ana")


def begin_game(table: InProcessTable) -> None:
    table.press("A.quiero", "B.quiero", "A.tantos")
    assert not table.table.session.is_between_games


def waits(folder: Path) -> bool:
    return any((folder / "store").glob("restored-*"))


def test_a_copy_is_listed_put_back_and_told_by_the_next_table(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        assert page.copies == {"result": "", "games": 0, "label": "", "listed": []}
        assert page.list_copies() == [COPY]
        assert "2026-05-01" not in said(page.table), "set-up is not opened by the page"
        assert page.ask("owner_restore", name=COPY)["copies"]["result"] == BackupResult.LOOKING
        assert page.table.wait_backup().result is BackupResult.RESTORED
        assert games_waiting(tmp_path / "store") == 5
    with page_with(tmp_path, stick, key) as page:
        assert "repostas: 5 partidas" in said(page.table)
        assert page.copies["result"] == BackupResult.RESTORED
        assert page.copies["games"] == 5
        assert page.table.score == {"A": 2, "B": 0}, "the unfinished game of the copy"
    ((kept,),) = [list((tmp_path / "store").glob("replaced-*.sqlite3"))]
    (tmp_path / "kept").mkdir()
    kept.rename(tmp_path / "kept" / file.FILE_NAME)
    assert games_in(tmp_path / "kept") >= 1, "the games before it was put back"


def test_the_right_to_the_settings_stays_with_the_owners_of_now(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    old = json.loads((tmp_path / "old.json").read_text())
    with page_with(tmp_path, stick, key) as page:
        page.list_copies()
        page.ask("owner_restore", name=COPY)
        page.table.wait_backup()
    with page_with(tmp_path, stick, key) as page:
        assert page.ask("owner")["name"] == "Ana"
        assert page.ask("owner")["waiting"] == {}, "what waited in the copy is not applied"
        assert Page(page.table, old).ask("owner")["error"] == "UNPAIRED"


def test_during_a_game_no_copy_is_put_back(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        page.list_copies()
        begin_game(page.table)
        assert page.ask("owner_restore", name=COPY)["error"] == "GAME"
    assert not waits(tmp_path)


def test_a_game_that_begins_meanwhile_goes_on(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        page.list_copies()
        page.ask("owner_restore", name=COPY)
        begin_game(page.table)
        score = page.table.score
        page.table.wait_backup()
        assert page.copies["result"] == BackupResult.GAME
        assert not waits(tmp_path)
        assert page.table.score == score
    with page_with(tmp_path, stick, key) as page:
        assert page.table.score == score
        assert "repostas" not in said(page.table)


def test_a_right_that_was_taken_meanwhile_does_not_come_back(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        page.list_copies()
        page.ask("owner_restore", name=COPY)
        page.table.table.owners.remove((key["owner"],), "menu", page.table.now)
        page.table.wait_backup()
        assert page.ask("owner")["error"] == "UNPAIRED"
        assert not waits(tmp_path)
        assert page.table.simulated.commands == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["truco-2026-06-01.sqlite3", "../old/scorer.sqlite3"])
def test_only_a_copy_of_the_list_is_put_back(
    tmp_path: Path, stick: Stick, key: dict[str, str], name: str
) -> None:
    with page_with(tmp_path, stick, key) as page:
        assert page.ask("owner_restore", name=COPY)["error"] == "STALE", "nothing was listed"
        page.list_copies()
        assert page.ask("owner_restore", name=name)["error"] == "STALE"
        for wrong in ("", 3, None, [COPY], "x" * 61):
            assert page.ask("owner_restore", name=wrong)["error"] == "UNREADABLE"


def test_a_second_owner_waits_while_the_stick_is_in_use(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        page.list_copies()
        assert page.ask("owner_restore", name=COPY)["ok"]
        second = [page.ask("owner_copies"), page.ask("owner_restore", name=COPY)]
        assert {each["error"] for each in second} <= {"BUSY", "STALE"}
        assert page.table.wait_backup().result is BackupResult.RESTORED


def test_a_stick_that_was_pulled_or_changed_meanwhile_is_reported_and_changes_nothing(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        page.list_copies()
        with put_on(stick, tmp_path / "pc") as folder:
            (folder / COPY).write_bytes(b"something else")
        page.ask("owner_restore", name=COPY)
        page.table.wait_backup()
        assert page.copies["result"] == BackupResult.DAMAGED
        assert not waits(tmp_path)
        (stick.links / loop_stick.LABEL).unlink()
        page.ask("owner_copies")
        page.table.wait_backup()
        assert (page.copies["result"], page.copies["label"]) == (BackupResult.ABSENT, "TRUCO")


def test_without_the_service_it_is_reported(
    tmp_path: Path, stick: Stick, key: dict[str, str]
) -> None:
    with page_with(tmp_path, stick, key) as page:
        (tmp_path / "backup.sock").unlink()
        page.ask("owner_copies")
        page.table.wait_backup()
        assert page.copies["result"] == BackupResult.OFF
