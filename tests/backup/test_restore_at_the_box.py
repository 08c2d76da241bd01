"""Set-up lists the copies on a stick and puts one back.

A real table, a real service and a real stick.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from scorer.api.backup_protocol import BackupResult
from scorer.api.server import listen
from scorer.backup.stick import FETCHED, StickCopies
from scorer.store import epoch, file
from scorer.store.journal import Journal
from scorer.table.inbox import OrderedInbox
from scorer.table.loop_commands import LoopCommand
from scorer.table.service import Platform, serve
from tests.backup import loop_stick
from tests.backup.games import UNFINISHED, WON, games_in, store_of
from tests.backup.loop_stick import LABEL, Stick, plugged, put_on
from tests.backup.test_commands import backup
from tests.backup.test_evening import evening, said, started
from tests.paths import ROOT
from tests.support.in_process_table import InProcessTable
from tests.support.simulated_service import SimulatedPower, simulated_seams

pytestmark = pytest.mark.skipif(bool(loop_stick.why_not()), reason=loop_stick.why_not())

SERVE = """
import socket, sys
from pathlib import Path
from scorer.backup.stick import StickCopies, serve
store, label, links, fetched = sys.argv[1:]
serve(socket.socket(fileno=3), StickCopies(Path(store), label, Path(links), Path(fetched)))
"""


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Stick]:
    """A stick with copies of five games and of one, and files that are none."""
    with plugged(tmp_path, 4096) as found:
        with put_on(found, tmp_path / "pc") as folder:
            for day, count in (("2026-05-01", 5), ("2026-05-02", 1)):
                store = store_of(tmp_path / day, *[WON] * (count - 1), UNFINISHED)
                assert backup(store, folder / f"truco-{day}.sqlite3") == 0
            (folder / "photo.sqlite3").write_bytes(b"no database")
            (folder / "notes.txt").write_text("bread")
            with closing(sqlite3.connect(folder / "bank.sqlite3")) as foreign:
                foreign.execute("CREATE TABLE money (amount)")
        yield found


@contextmanager
def table_with(folder: Path, stick: Stick) -> Iterator[InProcessTable]:
    fetched = folder / "fetched"
    fetched.mkdir(exist_ok=True)
    words = [str(folder / "store"), LABEL, str(stick.links), str(fetched)]
    with (
        evening(folder) as table,
        listen(folder / "backup.sock") as listening,
        started(["-c", SERVE, *words], listening),
    ):
        yield table


def copies_of(folder: Path, stick: Stick) -> StickCopies:
    fetched = folder / "fetched"
    fetched.mkdir(exist_ok=True)
    return StickCopies(folder / "store", LABEL, stick.links, fetched)


def epoch_of(store: Path) -> str | None:
    with Journal.open(store) as journal:
        return journal.settings().get(epoch.KEY)


@pytest.mark.sampled(0)
def test_a_copy_is_listed_put_back_after_every_teams_yes_and_told(
    tmp_path: Path, stick: Stick
) -> None:
    with table_with(tmp_path, stick) as table:
        table.press("A.tantos")
        table.choose("restore")
        assert "lendo o pendrive" in said(table)
        assert table.wait_backup().result is BackupResult.LISTED
        text = said(table)
        assert "2026-05-01" in text and "5 partidas" in text
        assert "2026-05-02" in text and "1 partida" in text
        table.press("B.tantos")
        table.press("A.quiero", "A.quiero")
        assert "2026-05-01" in said(table), "all teams have to say yes"
        table.press("B.quiero", then=1.0)
        assert table.wait_backup().result is BackupResult.RESTORED
        assert "repostas: 5 partidas" in said(table)
        assert games_waiting(tmp_path / "store") == 5
        assert not (tmp_path / "store" / "restoring").exists()
    with table_with(tmp_path, stick) as table:
        assert "repostas: 5 partidas" in said(table), "the next process says it"
        assert table.score == {"A": 2, "B": 0}, "the unfinished game of the copy"
    ((kept,),) = [list((tmp_path / "store").glob("replaced-*.sqlite3"))]
    (tmp_path / "kept").mkdir()
    kept.rename(tmp_path / "kept" / file.FILE_NAME)
    assert games_in(tmp_path / "kept") == 1, "what was pressed before it was put back"
    with table_with(tmp_path, stick) as table:
        assert "repostas" not in said(table), "once"


def games_waiting(store: Path) -> int:
    """The games of the copy that waits beside the store; the table has not opened it."""
    (waiting,) = store.glob("restored-*.sqlite3")
    with closing(sqlite3.connect(f"{waiting.as_uri()}?immutable=1", uri=True)) as copy:
        (count,) = copy.execute("SELECT count(*) FROM game").fetchone()
    return int(count)


def test_no_team_alone_puts_back_a_copy(tmp_path: Path, stick: Stick) -> None:
    store_of(tmp_path / "store", WON)
    with table_with(tmp_path, stick) as table:
        table.choose("restore")
        table.wait_backup()
        table.press("A.quiero", "A.quiero", "B.no_quiero")
        table.wait(60.0)
    assert list((tmp_path / "store").glob("restored-*")) == []
    assert games_in(tmp_path / "store") >= 1


def test_a_list_that_comes_late_opens_nothing(tmp_path: Path, stick: Stick) -> None:
    with table_with(tmp_path, stick) as table:
        table.choose("restore")
        table.press("undo")
        table.wait_backup()
        assert "2026-05-01" not in said(table)


def test_a_stick_without_a_copy_is_said(tmp_path: Path) -> None:
    with plugged(tmp_path) as found, table_with(tmp_path, found) as table:
        table.choose("restore")
        assert table.wait_backup().result is BackupResult.NONE
        assert "pendrive sem cópias" in said(table)


def test_copies_are_listed_newest_first_and_nothing_else(tmp_path: Path, stick: Stick) -> None:
    told = copies_of(tmp_path, stick).answer(b'{"do": "list"}\n')
    assert told["ok"] is True
    assert [(each["name"], each["games"]) for each in told["copies"]] == [
        ("truco-2026-05-02.sqlite3", 1),
        ("truco-2026-05-01.sqlite3", 5),
    ]
    assert not loop_stick.is_mounted(stick.device)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("truco-2026-06-01.sqlite3", BackupResult.DAMAGED),
        ("photo.sqlite3", BackupResult.DAMAGED),
        ("bank.sqlite3", BackupResult.DAMAGED),
        ("cut.sqlite3", BackupResult.DAMAGED),
        ("future.sqlite3", BackupResult.NEWER),
        ("logged.sqlite3", BackupResult.DAMAGED),
        ("notes.txt", BackupResult.FAILED),
        ("../../etc/passwd", BackupResult.FAILED),
        ("../store/scorer.sqlite3", BackupResult.FAILED),
        ("", BackupResult.FAILED),
    ],
)
def test_what_is_no_copy_is_refused_and_nothing_is_left(
    tmp_path: Path, stick: Stick, name: str, error: BackupResult
) -> None:
    store = store_of(tmp_path / "store", WON)
    with put_on(stick, tmp_path / "pc") as folder:
        right = folder / "truco-2026-05-01.sqlite3"
        (folder / "cut.sqlite3").write_bytes(right.read_bytes()[:-4096])
        shutil.copy(right, folder / "logged.sqlite3")
        (folder / "logged.sqlite3-wal").write_bytes(b"presses that are only here")
        shutil.copy(right, folder / "future.sqlite3")
        with closing(sqlite3.connect(folder / "future.sqlite3")) as newer:
            newer.execute("CREATE TABLE of_tomorrow (value)")
            newer.execute("PRAGMA user_version = 99")
    before = (store / file.FILE_NAME).read_bytes()
    copies = copies_of(tmp_path, stick)
    told = copies.fetch(name)
    assert (told["ok"], told["error"]) == (False, error), told
    assert list((tmp_path / "fetched").iterdir()) == []
    assert (store / file.FILE_NAME).read_bytes() == before
    assert not loop_stick.is_mounted(stick.device)


def test_a_copy_that_no_table_took_is_forgotten(tmp_path: Path, stick: Stick) -> None:
    copies = copies_of(tmp_path, stick)
    assert copies.fetch("truco-2026-05-01.sqlite3")["ok"]
    assert [path.name for path in (tmp_path / "fetched").iterdir()] == [FETCHED]
    copies.forget_fetched()
    assert list((tmp_path / "fetched").iterdir()) == []


def test_unknown_and_broken_requests_copy_nothing(tmp_path: Path, stick: Stick) -> None:
    store_of(tmp_path / "store", WON)
    copies = copies_of(tmp_path, stick)
    for line in (b'{"do": "erase"}\n', b'{"do": ["list"]}\n'):
        assert copies.answer(line)["error"] == BackupResult.FAILED
    assert len(loop_stick.files_on(stick, tmp_path / "mnt")) == 5


@pytest.mark.sampled(0)
def test_another_epoch_begins_so_that_no_hub_holds_the_box(tmp_path: Path, stick: Stick) -> None:
    store = store_of(tmp_path / "store", WON)
    with Journal.open(store) as journal:
        journal.set_setting(epoch.KEY, '"old"')
    with table_with(tmp_path, stick) as table:
        table.choose("restore")
        table.wait_backup()
        table.press("A.quiero", "A.quiero", "B.quiero", then=1.0)
        assert table.wait_backup().result is BackupResult.RESTORED
    assert epoch_of(store) is None
    assert re.fullmatch(r"replaced-\d{4}-\d\d-\d\d-1.sqlite3", next(store.glob("repl*")).name)


def test_the_process_ends_for_the_store_that_waits(tmp_path: Path) -> None:
    """systemd starts the next one, which opens it (Restart=on-failure)."""
    owner_file = tmp_path / "scorer.toml"
    owner_file.write_text(
        f"[store]\ndirectory = '{tmp_path}/store'\n[socket]\npath = '{tmp_path}/table.sock'\n"
    )
    inbox = OrderedInbox()
    inbox.put(LoopCommand.STORE_RESTORED)
    platform = Platform(simulated_seams, lambda *_: SimulatedPower(inbox.put))
    ended = serve(owner_file, None, inbox, platform=platform)
    assert ended is LoopCommand.STORE_RESTORED
    assert "Restart=on-failure" in (ROOT / "systemd" / "scorer.service").read_text()
