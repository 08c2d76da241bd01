"""Button boxes end to end: firmware, pseudo-terminal, ``scorer run``.

Also the messages for boxes that are absent, in use, or of another version.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest

from scorer.hw.serial.lines import seal
from tests.hw.serial.firmware_process import Pico, micropython
from tests.hw.serial.ptys import Cable
from tests.support.service_process import TIMEOUT_S, Service, configuration, running_service
from tests.support.table_client import TableClient


def boxes(**ports: Path) -> str:
    """A [[box]] for each console."""
    return "".join(
        f'[[box]]\nconsole = "{console}"\nport = {json.dumps(str(port))}\n'
        for console, port in ports.items()
    )


@pytest.mark.sampled(0)
def test_presses_on_two_boxes_play_a_hand(tmp_path: Path) -> None:
    wires = {console: Cable(tmp_path / f"port{console}") for console in "AB"}
    for wire in wires.values():
        wire.plug()
    other = "python" if micropython() is None else "micropython"
    picos = {
        "A": Pico(wires["A"].descriptor, real=True),
        "B": Pico(wires["B"].descriptor, "uart", on=other, real=True),
    }
    ports = boxes(A=wires["A"].path, B=wires["B"].path)
    config = configuration(tmp_path, f'table.variant = "argentine"\n{ports}')
    with running_service(tmp_path, config) as table:
        table.messages_until("READY=1")
        with TableClient(table.path) as client:
            wait_for_log(table, "console A: it is there")
            wait_for_log(table, "console B: it is there")
            seq = client.next_state()["seq"]
            picos["A"].tap("truco")
            assert client.state_at(seq + 1)["pending"]["call"] == "truco"
            picos["B"].tap("quiero")
            assert client.state_at(seq + 2)["stake"] == 2
            picos["A"].tap("tantos")
            assert client.state_at(seq + 3)["score"] == {"A": 2, "B": 0}
            # Unplugged in the middle of the next hand with a button down.
            picos["B"].press("menu", down=True)
            picos["B"].advance(100)
            picos["B"].unplug()
            wires["B"].pull()
            wait_for_log(table, f"console B: {wires['B'].path}: it was unplugged")
            picos["A"].tap("undo")
            assert client.state_at(seq + 4)["score"] == {"A": 0, "B": 0}
            wires["B"].plug()
            picos["B"] = Pico(wires["B"].descriptor, real=True)
            wait_for_log(table, "console B: it is there", times=2)
            picos["B"].tap("truco")
            assert client.state_at(seq + 5)["pending"]["call"] == "retruco"
        assert table.stop() == 0
        assert "Traceback" not in table.stderr_text
    for pico in picos.values():
        pico.unplug()


def test_unavailable_boxes_are_logged_once_and_the_game_continues(tmp_path: Path) -> None:
    wires = {console: Cable(tmp_path / f"port{console}") for console in "AC"}
    for wire in wires.values():
        wire.plug()
    ports = boxes(A=wires["A"].path, B=tmp_path / "nowhere", C=wires["C"].path)
    rules = 'table.variant = "destantado"\nconsoles.count = 3\n'
    owned = os.open(wires["C"].path, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(owned, fcntl.LOCK_EX)
    with running_service(tmp_path, configuration(tmp_path, rules + ports)) as table:
        table.messages_until("READY=1")
        wait_for_log(table, f"console B: {tmp_path}/nowhere: it is not there; is it plugged in?")
        wait_for_log(table, f"console C: {wires['C'].path}: it is in use, by another program")
        while not wires["A"].read_from_table():
            table.messages_until("WATCHDOG=1")
        wires["A"].send_to_table(seal("T2 something new"))
        wait_for_log(table, "console A: ")
        wait_for_log(table, "the box speaks version 2, this table version 1; bring both up to date")
        with TableClient(table.path) as client:
            seq = client.next_state()["seq"]
            found = client.ask(do="selftest")
            marks = [mark for mark in found["marks"] if mark.startswith("console_")]
            assert marks == ["console_absent B", "console_taken C", "console_version A"]
            assert client.ask(do="step", line="A truco", seq=seq, who="test")["ok"]
        table.messages_until("WATCHDOG=1")
        assert table.stderr_text.count("nowhere") == 1, "logged again with every attempt"
    os.close(owned)


def wait_for_log(table: Service, words: str, times: int = 1) -> None:
    """Wait until the log contains these words this many times."""
    for _ in range(10 * TIMEOUT_S):
        if table.stderr_text.count(words) >= times:
            return
        table.messages_until("WATCHDOG=1")
    raise AssertionError(table.stderr_text)
