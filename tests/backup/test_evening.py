"""Set-up copies the games on a stick: a real table and a real service."""

from __future__ import annotations

import queue
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.api.backup_protocol import BackupReport, BackupRequest, BackupResult, Do
from scorer.api.server import listen
from scorer.session.values.box_settings import StickCopy
from scorer.store import file
from scorer.table.backup_client import BackupClient, send_request
from tests.backup.games import store_of
from tests.backup.loop_stick import LABEL
from tests.receipts.test_print_client import answering
from tests.support.in_process_table import PATIENCE, InProcessTable, running_table
from tests.support.programs import killed, start_with_sockets

CONFIG = """
[table]
variant = "paulista"
language = "pt-BR"
[socket]
path = "{folder}/table.sock"
[store]
directory = "{folder}/store"
[backup]
label = "{label}"
"""


@contextmanager
def started(words: list[str], listening: socket.socket) -> Iterator[None]:
    for _ in killed(start_with_sockets({"": listening}, words)):
        yield


@contextmanager
def evening(folder: Path, label: str = LABEL) -> Iterator[InProcessTable]:
    config = CONFIG.format(folder=folder, label=label)
    (folder / "scorer.toml").write_text(config, encoding="utf-8")
    with running_table(folder, config) as table:
        yield table


def said(table: InProcessTable) -> str:
    return " ".join(table.text)


def test_the_command_of_the_service_says_which_stick_is_missing(tmp_path: Path) -> None:
    with evening(tmp_path, "SEM-NADA") as table, listen(tmp_path / "backup.sock") as listening:
        table.press("A.tantos")
        command = ["-m", "scorer", "backup", "--stick", "--config", str(tmp_path / "scorer.toml")]
        with started([*command, "--card", "/none"], listening):
            table.choose("backup")
            assert table.wait_backup() == BackupReport(BackupResult.ABSENT, 0, "SEM-NADA")
            assert "sem pendrive SEM-NADA" in said(table)


def test_without_a_service_it_is_said_and_nothing_else_happens(tmp_path: Path) -> None:
    with evening(tmp_path) as table:
        table.press("A.tantos")
        table.choose("backup")
        assert table.wait_backup() == BackupReport(BackupResult.OFF)
        assert "falta scorer-backup" in said(table)
        assert table.table.document()["score"] == {"A": 1, "B": 0}


def test_one_copy_at_a_time_without_waiting(tmp_path: Path) -> None:
    reports: queue.SimpleQueue[BackupReport] = queue.SimpleQueue()
    client = BackupClient(tmp_path / "backup.sock", tmp_path, reports.put)
    with answering(tmp_path / "backup.sock", b'{"ok": true, "games": 7}\n') as goes_on:
        assert client.request(BackupRequest()) == BackupReport(BackupResult.SENT)
        assert client.request(BackupRequest(Do.LIST)) == BackupReport(BackupResult.WAIT)
        goes_on.set()
        assert reports.get(timeout=PATIENCE) == BackupReport(BackupResult.DONE, 7)


@pytest.mark.parametrize(
    ("answer", "report"),
    [
        (b'{"ok": true, "games": 12}\n',               BackupReport(BackupResult.DONE, 12)),
        (b'{"ok": true, "games": "12"}\n',             BackupReport(BackupResult.DONE, 0)),
        (b'{"ok": false, "error": "backup_full", "label": "TRUCO"}\n',
         BackupReport(BackupResult.FULL, 0, "TRUCO")),
        (b'{"ok": false, "error": "backup_done"}\n',   BackupReport(BackupResult.FAILED)),
        (b'{"ok": false, "error": ["backup_full"]}\n', BackupReport(BackupResult.FAILED)),
        (b'{"ok": 1, "label": 7}\n',                   BackupReport(BackupResult.FAILED)),
        (b"[]\n",                                      BackupReport(BackupResult.FAILED)),
        (b"[" * 4090 + b"\n",                          BackupReport(BackupResult.FAILED)),
        (b"",                                          BackupReport(BackupResult.FAILED)),
    ],
)  # fmt: skip
def test_whatever_is_answered_has_a_word_for_the_panel(
    tmp_path: Path, answer: bytes, report: BackupReport
) -> None:
    with answering(tmp_path / "backup.sock", answer) as goes_on:
        goes_on.set()
        found = send_request(tmp_path / "backup.sock", tmp_path, BackupRequest(), PATIENCE)
        assert found == report


@pytest.mark.parametrize(
    ("do", "answer", "report"),
    [
        (Do.LIST, b'{"ok": true, "copies": [{"name": "a", "games": 2}, {"name": 3}, 4]}\n',
         BackupReport(BackupResult.LISTED, copies=(StickCopy("a", 2),))),
        (Do.LIST, b'{"ok": true, "copies": 7}\n',     BackupReport(BackupResult.LISTED)),
        (Do.LIST, b'{"ok": false, "error": "backup_none"}\n', BackupReport(BackupResult.NONE)),
        (Do.FETCH, b'{"ok": true, "games": 3}\n',     BackupReport(BackupResult.FAILED, 3)),
        (Do.FETCH, b'{"ok": true, "file": "/none"}\n', BackupReport(BackupResult.FAILED)),
        (Do.FETCH, b'{"ok": false, "error": "backup_newer"}\n', BackupReport(BackupResult.NEWER)),
    ],
)  # fmt: skip
def test_no_answer_about_copies_puts_anything_in_the_place_of_the_games(
    tmp_path: Path, do: Do, answer: bytes, report: BackupReport
) -> None:
    store = store_of(tmp_path / "store", ("A award 18",))
    with answering(tmp_path / "backup.sock", answer) as goes_on:
        goes_on.set()
        asked = BackupRequest(do, "a")
        assert send_request(tmp_path / "backup.sock", store, asked, PATIENCE) == report
    assert [path.name for path in store.iterdir()] == [file.FILE_NAME]
