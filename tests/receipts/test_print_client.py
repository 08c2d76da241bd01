"""The print client: when a slip is requested, and all answers of the service."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.api.print_protocol import PrintResult, print_socket_path
from scorer.api.server import listen
from scorer.table.print_client import AUTO_PRINT_DELAY_S, PrintClient, send_request

PATIENCE = 30.0  # seconds


@contextmanager
def answering(path: Path, answer: bytes) -> Iterator[threading.Event]:
    """A print service that sends ``answer`` to one request, once the event is set."""
    goes_on = threading.Event()

    def answers(listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                goes_on.wait(PATIENCE)
                connection.sendall(answer)

    with listen(path) as listening:
        thread = threading.Thread(target=answers, args=(listening,), daemon=True)
        thread.start()
        yield goes_on
        goes_on.set()
        thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (b'{"ok": true}\n',                               PrintResult.PRINTED),
        (b'{"ok": false, "error": "slip_no_paper"}\n',    PrintResult.NO_PAPER),
        (b'{"ok": false, "error": "slip_nothing"}\n',     PrintResult.NOTHING),
        (b'{"ok": false, "error": "notice.night"}\n',     PrintResult.FAILED),
        (b'{"ok": false, "error": ["slip_cover"]}\n',     PrintResult.FAILED),
        (b'{"ok": 1}\n',                                  PrintResult.FAILED),
        (b"[]\n",                                         PrintResult.FAILED),
        (b"ok\n",                                         PrintResult.FAILED),
        (b"[" * 4090 + b"\n",                             PrintResult.FAILED),
        (b"{" + b" " * 100_000,                           PrintResult.FAILED),
        (b"",                                             PrintResult.FAILED),
    ],
)  # fmt: skip
def test_whatever_is_answered_has_a_word_for_the_panel(
    tmp_path: Path, answer: bytes, key: PrintResult
) -> None:
    with answering(tmp_path / "print.sock", answer) as goes_on:
        goes_on.set()
        assert send_request(tmp_path / "print.sock", b"{}\n") is key


def test_without_a_print_service_it_is_shown(tmp_path: Path) -> None:
    assert send_request(tmp_path / "print.sock", b"{}\n") == PrintResult.OFF
    with listen(tmp_path / "print.sock"):
        pass
    assert send_request(tmp_path / "print.sock", b"{}\n") == PrintResult.OFF, (
        "a socket that nobody holds any more"
    )


def test_one_slip_at_a_time_without_waiting(tmp_path: Path) -> None:
    told: queue.SimpleQueue[PrintResult] = queue.SimpleQueue()
    slips = PrintClient(tmp_path / "print.sock", told.put, auto_print=False)
    with answering(tmp_path / "print.sock", b'{"ok": true}\n') as goes_on:
        assert slips.request_slip(12, "es-AR") == PrintResult.SENT
        assert slips.request_slip(12, "es-AR") == PrintResult.WAIT
        goes_on.set()
        assert told.get(timeout=PATIENCE) == PrintResult.PRINTED


def test_the_printer_listens_beside_the_table() -> None:
    assert print_socket_path(Path("/run/scorer/table.sock")) == Path("/run/scorer/print.sock")


# ---- by itself ----------------------------------------------------------------------------------


def follow(*moments: tuple[float, int, bool], by_itself: bool = True) -> list[int]:
    """The games whose slips are due after these moments: time, game, was it won?"""
    slips = PrintClient(Path("print.sock"), lambda printed: None, auto_print=by_itself)
    due = [slips.auto_print_due(game, now, won=won) for now, game, won in moments]
    return [game for game in due if game is not None]


END = (100.0, 7, True)
PLAYING = (99.0, 7, False)
LATER = (100.0 + AUTO_PRINT_DELAY_S, 7, True)


def test_a_game_that_was_won_gets_its_slip_after_a_while_and_once() -> None:
    assert follow(PLAYING, END) == []
    assert follow(PLAYING, END, (100.0 + AUTO_PRINT_DELAY_S - 0.1, 7, True)) == []
    assert follow(PLAYING, END, LATER) == [7]
    assert follow(PLAYING, END, LATER, (200.0, 7, True), (300.0, 8, False)) == [7]


def test_who_takes_the_last_point_back_costs_no_paper() -> None:
    assert follow(PLAYING, END, (103.0, 7, False), (*LATER[:2], False)) == []


def test_who_starts_the_next_game_at_once_gets_the_slip_of_the_one_before() -> None:
    assert follow(PLAYING, END, (101.0, 8, False)) == [7]


def test_who_goes_back_to_the_game_before_gets_none() -> None:
    assert follow(PLAYING, END, (101.0, 6, False)) == []


def test_a_game_that_was_won_before_the_box_was_switched_on_is_not_printed_again() -> None:
    assert follow(END, LATER, (500.0, 7, True)) == []


def test_where_slips_are_asked_for_none_comes_by_itself() -> None:
    assert follow(PLAYING, END, LATER, by_itself=False) == []


def test_the_loop_is_woken_for_it_and_for_nothing_else() -> None:
    slips = PrintClient(Path("print.sock"), lambda printed: None, auto_print=True)
    slips.auto_print_due(7, 99.0, won=False)
    assert slips.deadline() is None
    slips.auto_print_due(7, 100.0, won=True)
    assert slips.deadline() == 100.0 + AUTO_PRINT_DELAY_S
    slips.auto_print_due(7, 100.0 + AUTO_PRINT_DELAY_S, won=True)
    assert slips.deadline() is None
