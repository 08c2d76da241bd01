"""Print requests on a real socket: each is answered, one after another."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.api.print_protocol import PrintResult
from scorer.api.server import listen
from scorer.receipts.escpos_encoder import EncodeError
from scorer.receipts.print_server import PrintRequest, serve
from scorer.receipts.printer_connection import PrinterError
from scorer.receipts.table_client import NoGame, NoTable
from scorer.table.print_client import send_request

PATIENCE = 30.0  # seconds


class Worker:
    """Prints nothing, and records the requests; raises ``fails`` if set."""

    def __init__(self) -> None:
        self.wishes: list[PrintRequest] = []
        self.fails: Exception | None = None

    def __call__(self, wish: PrintRequest) -> str:
        self.wishes.append(wish)
        if self.fails is not None:
            raise self.fails
        return ""


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
def path(tmp_path: Path, worker: Worker) -> Iterator[Path]:
    """Socket of a print server that ends when idle."""
    with listen(tmp_path / "print.sock") as listening:
        thread = threading.Thread(target=serve, args=(listening, worker, 0.5), daemon=True)
        thread.start()
        yield tmp_path / "print.sock"
        thread.join(PATIENCE)
        assert not thread.is_alive(), "systemd would have to kill it"


def said(path: Path, line: bytes) -> dict[str, object]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as to:
        to.settimeout(PATIENCE)
        to.connect(str(path))
        to.sendall(line)
        to.shutdown(socket.SHUT_WR)
        answer: dict[str, object] = json.loads(to.makefile("rb").readline())
    return answer


def test_a_wish_is_answered_when_it_is_printed(path: Path, worker: Worker) -> None:
    assert send_request(path, b'{"game": 12, "language": "ca"}\n') == "slip_printed"
    assert worker.wishes == [PrintRequest(12, "ca")]


def test_who_names_no_game_means_the_running_one(path: Path, worker: Worker) -> None:
    assert send_request(path, b"{}\n") == "slip_printed"
    assert worker.wishes == [PrintRequest(None, "")]


@pytest.mark.parametrize(
    ("fails", "key"),
    [
        (PrinterError(PrintResult.NO_PAPER, "no paper"), "slip_no_paper"),
        (PrinterError(PrintResult.COVER, "open"), "slip_cover"),
        (NoTable("the table went away"),            "slip_failed"),
        (EncodeError("no library"),                 "slip_failed"),
        (ValueError("of a newer table"),            "slip_failed"),
        (NoGame("no game 9"),                       "slip_nothing"),
    ],
)  # fmt: skip
def test_what_keeps_it_from_printing_is_the_answer_and_stands_in_the_log(
    path: Path, worker: Worker, fails: Exception, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    worker.fails = fails
    assert send_request(path, b'{"game": 1}\n') == key
    assert capsys.readouterr().err == f"scorer print: {fails}\n"
    worker.fails = None
    assert send_request(path, b'{"game": 1}\n') == "slip_printed", "and the next one is printed"


NONSENSE = (
    b"\n",
    b"paper!\n",
    b"[]\n",
    b'{"game": "12"}\n',
    b'{"game": true}\n',
    b'{"language": 3}\n',
    b"\xff\xfe\n",
    b"[" * 4000 + b"\n",
    b"x" * 9000,
    b"",
)


def test_an_invalid_request_gets_an_error_and_prints_nothing(path: Path, worker: Worker) -> None:
    for line in NONSENSE:
        assert said(path, line)["ok"] is False, line
    assert worker.wishes == []


def test_who_hangs_up_at_once_does_no_harm(path: Path, worker: Worker) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as to:
        to.connect(str(path))
    assert send_request(path, b"{}\n") == "slip_printed"
