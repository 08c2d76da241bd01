"""Shared games are replayed by another process, started when it is needed."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from scorer.web.audience import Audience
from scorer.web.replay_process import ReplayFault, ReplayProcess, code_task, game_task, sheet_task
from scorer.web.shared_game import (
    MAX_ROWS,
    SheetFault,
    read_shared_game,
    shared_document,
    shared_sheet,
    side_names,
)
from tests.web.test_timeline import story

VIEWERS = Audience("pt-BR", "B")
NAMES = {"A": "Ñandú", "B": "<b>"}
LINES = ("A truco", "B quiero", "A hand_won", "- new_hand", "B envido", "- undo")


@pytest.fixture(scope="module")
def replays() -> Iterator[ReplayProcess]:
    with closing(ReplayProcess()) as found:
        yield found


def test_a_game_of_the_table_has_the_same_document_as_here(replays: ReplayProcess) -> None:
    told = story(*LINES)
    found = replays.ask(game_task(told, NAMES, VIEWERS))
    assert isinstance(found, bytes)
    assert json.loads(found) == json.loads(json.dumps(shared_document(told, NAMES, VIEWERS)))


def test_a_sheet_that_is_brought_has_the_same_document_as_here(replays: ReplayProcess) -> None:
    sheet = shared_sheet(story(*LINES), NAMES).text.encode()
    read = read_shared_game(sheet)
    assert not isinstance(read, SheetFault)
    found = replays.ask(sheet_task(sheet, VIEWERS))
    assert isinstance(found, bytes)
    shown = shared_document(read, side_names(read), VIEWERS)
    assert json.loads(found) == json.loads(json.dumps(shown))


def test_the_code_of_a_game_is_a_picture(replays: ReplayProcess) -> None:
    found = replays.ask(code_task(story(*LINES), NAMES, "http://192.168.1.7:8080/"))
    assert isinstance(found, bytes) and found.startswith(b"<?xml")


def test_what_is_no_game_is_a_fault_and_any_bytes_are_answered(replays: ReplayProcess) -> None:
    for sheet in (b"", b"\xff\x00\n", b"x" * 20_000, "ñ\n".encode()):
        assert isinstance(replays.ask(sheet_task(sheet, VIEWERS)), SheetFault), sheet
    assert isinstance(replays.ask(game_task(story(*LINES), NAMES, VIEWERS)), bytes)


def test_a_sheet_has_some_hundreds_of_rows(replays: ReplayProcess) -> None:
    """docs/operators/web.md: a score sheet of more than 1,000 rows is not read."""
    assert MAX_ROWS == 1000
    head = '[Variant "argentine"]\n\n'
    longest = (head + "A truco\n- undo\n" * (MAX_ROWS // 2)).encode()
    assert isinstance(replays.ask(sheet_task(longest, VIEWERS)), bytes)
    assert replays.ask(sheet_task(longest + b"A truco\n", VIEWERS)) is SheetFault.TOO_LARGE


def test_a_process_that_has_ended_is_started_again(replays: ReplayProcess) -> None:
    task = game_task(story(*LINES), NAMES, VIEWERS)
    before = replays.ask(task)
    assert replays._process is not None
    os.kill(replays._process.pid, signal.SIGALRM)  # as its own limits do
    replays._process.wait()
    assert replays.ask(task) == before


@pytest.mark.parametrize("program", ["pass", "print('x' * 9)", "import os; os.abort()"])
def test_a_process_without_an_answer_is_a_fault_and_is_gone(program: str) -> None:
    with closing(ReplayProcess((sys.executable, "-c", program))) as replays:
        with pytest.raises(ReplayFault):
            replays.ask(game_task(story(*LINES), NAMES, VIEWERS))
        assert replays._process is None
    with closing(ReplayProcess(("/no/such/program",))) as missing, pytest.raises(ReplayFault):
        missing.ask(game_task(story(*LINES), NAMES, VIEWERS))
