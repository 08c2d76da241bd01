"""A printer on a real line and a real port: answers, silence and disconnects."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from scorer.config.printer import PrinterAddress
from scorer.receipts import printer_connection
from scorer.receipts.printer_connection import PrinterError, PrinterTimeouts, send
from tests.receipts.fake_printers import (
    FINE,
    LID_OPEN,
    NO_PAPER,
    NONSENSE,
    SILENT,
    Behaviour,
    Printer,
    on_a_line,
    on_the_network,
)

At = Callable[[Behaviour], AbstractContextManager[tuple[Printer, PrinterAddress]]]
WAYS = pytest.mark.parametrize("at", [on_a_line, on_the_network], ids=["line", "network"])
# No long waits for a silent printer; one that answers has time enough.
SHORT = PrinterTimeouts(connecting=5, stuck=0.3, longest=20, answering=5, ending=0.3)
DULL = SHORT._replace(answering=0.05)
HELLO = b"hello\n" * 20
MUCH = b"truco! " * 500_000  # more than all the buffers on the way hold


def failed(
    place: PrinterAddress, data: bytes = HELLO, patience: PrinterTimeouts = SHORT
) -> tuple[str, str]:
    """The key and the sentence of a failure."""
    with pytest.raises(PrinterError) as caught:
        send(data, place, timeouts=patience)
    return caught.value.key, str(caught.value)


@WAYS
def test_what_is_sent_is_printed(at: At) -> None:
    with at(FINE) as (printer, place):
        assert send(HELLO, place, timeouts=SHORT) == ""
    assert printer.paper.lines == ["hello"] * 20


@WAYS
def test_without_paper_nothing_is_sent_and_it_is_said(at: At) -> None:
    with at(NO_PAPER) as (printer, place):
        key, sentence = failed(place)
    assert key == "slip_no_paper"
    assert sentence == f"{place}: the printer is out of paper; put a roll in"
    assert printer.paper.lines == []


@WAYS
def test_with_its_lid_open_nothing_is_sent_and_it_is_said(at: At) -> None:
    with at(LID_OPEN) as (printer, place):
        assert failed(place)[0] == "slip_cover"
    assert printer.paper.lines == []


@WAYS
def test_paper_that_ends_in_the_middle_is_said(at: At) -> None:
    with at(Behaviour(paper_for=60)) as (printer, place):
        assert failed(place)[0] == "slip_no_paper"
    assert printer.paper.lines == ["hello"] * 20


@WAYS
def test_a_printer_that_answers_nothing_prints_all_the_same(at: At) -> None:
    with at(SILENT) as (printer, place):
        assert "does not tell" in send(HELLO, place, timeouts=DULL)
    assert printer.paper.lines == ["hello"] * 20


@WAYS
@pytest.mark.parametrize("mad", NONSENSE)
def test_nonsense_is_no_answer_and_the_slip_is_printed(at: At, mad: Behaviour) -> None:
    with at(mad) as (printer, place):
        assert "does not tell" in send(HELLO, place, timeouts=DULL)
    assert printer.paper.lines == ["hello"] * 20


@WAYS
def test_a_printer_that_takes_nothing_more_is_not_waited_for(at: At) -> None:
    with at(SILENT._replace(takes=500)) as (_, place):
        key, sentence = failed(place, MUCH, DULL)
    assert key == "slip_silent"
    assert "is it switched on, and has it paper?" in sentence


@WAYS
@pytest.mark.parametrize("lives", [1, 3, 500])
def test_a_printer_that_disconnects_while_printing_is_reported(at: At, lives: int) -> None:
    with at(SILENT._replace(lives=lives)) as (_, place):
        key, sentence = failed(place, MUCH, DULL)
    assert key == "slip_absent"
    assert "went away in the middle" in sentence


def test_where_nothing_is_there_is_no_printer(tmp_path: Path) -> None:
    key, sentence = failed(PrinterAddress(path="/dev/usb/lp77"))
    assert (key, sentence) == (
        "slip_absent",
        "/dev/usb/lp77: there is no printer there: plug it in and switch it on",
    )
    assert not Path("/dev/usb/lp77").exists()


def test_a_port_without_a_listener_is_an_absent_printer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    key, sentence = failed(PrinterAddress(host="127.0.0.1", port=port))
    assert key == "slip_absent"
    assert sentence.startswith(f"tcp:127.0.0.1:{port}: no printer answers there")


def test_a_line_locked_by_another_program_is_left_alone() -> None:
    with on_a_line() as (printer, place):
        theirs = os.open(place.path, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(theirs, fcntl.LOCK_EX)
        key, sentence = failed(place)
        os.close(theirs)
    assert key == "slip_busy"
    assert "another program uses it" in sentence
    assert printer.read == 0


@pytest.mark.parametrize(
    ("number", "key"),
    [
        (errno.EACCES, "slip_forbidden"),
        (errno.EPERM,  "slip_forbidden"),
        (errno.EBUSY,  "slip_busy"),
        (errno.ENXIO,  "slip_absent"),
        (errno.EIO,    "slip_absent"),
        (errno.EISDIR, "slip_failed"),
    ],
)  # fmt: skip
def test_every_no_of_the_kernel_has_its_sentence(number: int, key: str) -> None:
    told = printer_connection._open_error(
        OSError(number, os.strerror(number)), PrinterAddress(path="/dev/x")
    )
    assert told.key == key
    assert str(told).startswith("/dev/x: ")


def test_a_folder_is_no_printer(tmp_path: Path) -> None:
    assert failed(PrinterAddress(path=str(tmp_path)))[0] == "slip_failed"


def test_a_file_is_made_where_that_is_wanted_and_never_among_devices(tmp_path: Path) -> None:
    file = tmp_path / "slip.bin"
    assert failed(PrinterAddress(path=str(file)))[0] == "slip_absent"
    assert send(HELLO, PrinterAddress(path=str(file)), may_create=True) == ""
    assert file.read_bytes() == HELLO
    with pytest.raises(PrinterError):
        send(HELLO, PrinterAddress(path="/dev/usb/lp77"), may_create=True)


def test_another_slip_on_the_same_line_follows_the_first() -> None:
    with on_a_line() as (printer, place):
        for _ in range(3):
            send(HELLO, place, timeouts=SHORT)
    assert printer.paper.lines == ["hello"] * 60


def test_a_driver_that_says_there_is_no_room_means_paper() -> None:
    assert failed(PrinterAddress(path="/dev/full"))[0] == "slip_no_paper"
