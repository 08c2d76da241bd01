"""New keys asked for in set-up: table, board on its cable, ``scorer radio``."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.api.radio_protocol import RadioReport, RadioResult
from scorer.hw.serial.board_settings import plugged_boards
from scorer.session.values.effects import BoxKeyEffect, ForgetBoxKey, NewBoxKey
from scorer.table.radio_client import RadioClient
from tests.hw.serial.firmware_process import RESET_CODE, Pico
from tests.hw.serial.ptys import Cable
from tests.radio.radio_box import boxes
from tests.radio.radio_process import RadioProcess, running_radio
from tests.support.in_process_table import running_table
from tests.support.programs import PATIENCE
from tests.support.service_process import configuration

STORED = {"box": "old", "key": "00" * 32, "network": "Bar", "password": "contraseña"}


@pytest.fixture
def radio(tmp_path: Path) -> Iterator[RadioProcess]:
    with running_radio(tmp_path) as running:
        yield running


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    cable = Cable(tmp_path / "port")
    cable.plug()
    yield cable
    cable.pull()


def change(radio_path: Path, asked: BoxKeyEffect, boards: list[str]) -> RadioResult:
    """The result of a change, after what is shown at once."""
    reports: queue.SimpleQueue[RadioReport] = queue.SimpleQueue()
    client = RadioClient(reports.put, (), radio_path, boards=lambda taken: boards)
    assert client.request(asked) == RadioReport(RadioResult.SENT, "norte")
    report = reports.get(timeout=PATIENCE)
    assert report.box == "norte"
    return report.result


def test_a_new_key_is_on_both_sides_and_the_board_keeps_its_network(
    tmp_path: Path, radio: RadioProcess, cable: Cable
) -> None:
    (tmp_path / "radio.json").write_text(json.dumps(STORED, ensure_ascii=False), "utf-8")
    pico = Pico(cable.descriptor, real=True, folder=tmp_path)
    assert change(radio.path, NewBoxKey("norte"), [str(cable.path)]) is RadioResult.STORED
    assert pico.process.wait(PATIENCE) == RESET_CODE
    pico.unplug()
    stored = json.loads((tmp_path / "radio.json").read_text("utf-8"))
    (key,) = json.loads((tmp_path / "keys.json").read_text("utf-8")).values()
    assert stored == {**STORED, "box": "norte", "key": key}
    assert change(radio.path, ForgetBoxKey("norte"), []) is RadioResult.FORGOTTEN
    assert json.loads((tmp_path / "keys.json").read_text("utf-8")) == {}
    assert change(radio.path, ForgetBoxKey("norte"), []) is RadioResult.FAILED


def test_a_board_without_a_network_changes_nothing(
    tmp_path: Path, radio: RadioProcess, cable: Cable
) -> None:
    pico = Pico(cable.descriptor, real=True, folder=tmp_path)
    assert change(radio.path, NewBoxKey("norte"), [str(cable.path)]) is RadioResult.NO_NETWORK
    pico.unplug()
    assert not (tmp_path / "radio.json").exists()
    assert not (tmp_path / "keys.json").exists()


@pytest.mark.parametrize("boards", [[], ["/dev/ttyACM0", "/dev/ttyACM1"]])
def test_exactly_one_board_must_be_plugged_in(radio: RadioProcess, boards: list[str]) -> None:
    assert change(radio.path, NewBoxKey("norte"), boards) is RadioResult.NO_BOARD


def test_without_the_service_no_board_is_written(tmp_path: Path, cable: Cable) -> None:
    nowhere = tmp_path / "none.sock"
    assert change(nowhere, NewBoxKey("norte"), [str(cable.path)]) is RadioResult.OFF


def test_ports_of_other_devices_are_no_boards(tmp_path: Path) -> None:
    names = ["usb-MicroPython_Board-if00", "usb-1a86_USB-if00", "usb-Printer-if00"]
    for at, name in enumerate(names):
        (tmp_path / f"ttyACM{at}").touch()
        (tmp_path / name).symlink_to(tmp_path / f"ttyACM{at}")
    both = [str(tmp_path / name) for name in sorted(names[:2])]
    assert plugged_boards((), tmp_path) == both
    assert plugged_boards(("", str(tmp_path / "ttyACM1")), tmp_path) == both[1:]


def test_a_box_is_forgotten_in_set_up(tmp_path: Path, radio: RadioProcess) -> None:
    assert radio.ask(do="key", box="norte", key="ab" * 32) == {"ok": True}
    config = configuration(tmp_path, f'table.variant = "argentine"\n{boxes(radio, B="norte")}')
    (tmp_path / "scorer.toml").write_text(config, encoding="utf-8")
    with running_table(tmp_path, config) as table:
        table.choose("radio_boxes")
        table.press("A.quiero", "B.tantos", "A.quiero", then=1.0)
        report = table.wait_box_key()
        assert report == RadioReport(RadioResult.FORGOTTEN, "norte")
        notice = table.table.view.notice
        assert notice is not None and notice.word == "norte"
    assert radio.ask(do="list")["boxes"] == []
