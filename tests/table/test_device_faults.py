"""A lost device is in the log, in the marks and in the status until it is back."""

from __future__ import annotations

import errno
import json
import queue
from pathlib import Path

import pytest

from scorer.api.marks import Marks
from scorer.hw.displays import luma_oled
from scorer.hw.hotplug import HotplugInput
from scorer.hw.inputs import keypad
from scorer.hw.ports import Edge, InputPresence
from scorer.i18n import languages, translator
from scorer.table.device_faults import (
    STATUS_BUTTONS_MISSING,
    STATUS_FINE,
    TELLINGS,
    DeviceFaults,
    DeviceKind,
    DeviceStatus,
)
from scorer.table.main_loop import _console_status
from scorer.table.panels import Panel
from tests.hw.fake_evdev import FakeEvdev, Keypad
from tests.hw.serial.ptys import Cable
from tests.makers.test_wiring import FAULTS, broken
from tests.support.service_process import Service, configuration, running_service
from tests.support.table_client import TableClient
from tests.table.test_late_buttons import LateBox, box  # noqa: F401

READY = "READY=1"
LOST = {
    DeviceKind.BUTTONS: ("", "buttons"),
    DeviceKind.BUTTON: ("B.truco", "stuck B.truco"),
    DeviceKind.CONSOLE: ("B", "console_taken B"),
    DeviceKind.BATTERY: ("B", "console_battery B"),
    DeviceKind.PANEL: ("B (I2C 1, 0x3d)", "panel_lost B"),
    DeviceKind.SCOREBOARD: ("/dev/ttyUSB0", "board"),
    DeviceKind.TEAM_LIGHT: ("", "light"),
    DeviceKind.BUTTON_LIGHTS: ("AB", "button_lights AB"),
    DeviceKind.WORDS: ("", "words"),
    DeviceKind.LAMP: ("B", "lamp_lost B"),
    DeviceKind.BUZZER: ("", "buzzer"),
}


@pytest.mark.parametrize("kind", DeviceKind)
def test_every_kind_of_device_has_a_line_a_mark_and_a_status(
    kind: DeviceKind, capsys: pytest.CaptureFixture[str]
) -> None:
    name, mark = LOST[kind]
    marks = Marks()
    faults = DeviceFaults(marks)
    status = DeviceStatus(kind, name, "it is broken: mend it", "taken", "B")
    title = f"{kind.value} {name}".strip()
    assert not faults.report(status)
    assert faults.report(status), "told once"
    assert marks.words() == [mark]
    head = STATUS_BUTTONS_MISSING + ":" if TELLINGS[kind].takes_presses else STATUS_FINE + ";"
    assert faults.status == f"{head} {title}: it is broken: mend it"
    assert faults.report(DeviceStatus(kind, name))
    assert not faults.report(DeviceStatus(kind, name))
    assert (marks.words(), faults.status) == ([], STATUS_FINE)
    assert capsys.readouterr().err.splitlines() == [
        f"scorer run: {title}: it is broken: mend it",
        f"scorer run: {title}: {TELLINGS[kind].back}",
    ]
    key, _, part = mark.partition(" ")
    for language in languages():
        assert part in translator(language)(f"mark.{key}", name=part)


def test_sentences_that_alternate_are_logged_once_each_until_it_is_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    faults = DeviceFaults(Marks())
    for fault in ("a", "b", "a", "b", "", "a"):
        faults.report(DeviceStatus(DeviceKind.BUZZER, fault=fault))
    said = [line.rpartition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == ["a", "b", "it is there", "a"]


# ---- the whole service -------------------------------------------------------------------------


def told(table: Service, sentence: str) -> None:
    """Wait until the status has this sentence."""
    while sentence not in table.messages_until("STATUS=")[-1]:
        pass


PANELS = """
[[panel]]
driver = "faulty"
name = "left"
[[panel]]
driver = "faulty"
name = "right"
side = "B"
"""


def test_a_lost_panel_is_reported_and_so_is_its_return(tmp_path: Path) -> None:
    (tmp_path / "right").touch()
    with running_service(tmp_path, configuration(tmp_path, PANELS)) as table:
        table.messages_until(READY)
        told(table, f"{STATUS_FINE}; panel B (I2C 1, 0x3c): right is unplugged: look at its wires")
        with TableClient(table.path) as calling:
            assert "panel_lost B" in calling.ask(do="selftest")["marks"]
            assert calling.state["faults"] == ["panel_lost B"]
        (tmp_path / "left").touch()
        told(table, "panel A (I2C 1, 0x3c): left is unplugged")
        (tmp_path / "right").unlink()
        (tmp_path / "left").unlink()
        table.messages_until(f"STATUS={STATUS_FINE}")
        while table.messages_until("STATUS=")[-1] != f"STATUS={STATUS_FINE}":
            pass
        lines = [line for line in table.stderr_text.splitlines() if "panel" in line]
        with TableClient(table.path) as calling:
            assert "faults" not in calling.next_state()
        right = "scorer run: panel B (I2C 1, 0x3c): "
        assert [line for line in lines if line.startswith(right)] == [
            f"{right}right is unplugged: look at its wires",
            f"{right}it is there",
        ]
        assert len(lines) == 4


def test_a_lost_scoreboard_is_part_of_the_status(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "port")
    board = f"[[scoreboard]]\nport = {json.dumps(str(cable.path))}\n"
    with running_service(tmp_path, configuration(tmp_path, board)) as table:
        told(table, f"{STATUS_FINE}; scoreboard {cable.path}: ")
        cable.plug()
        table.messages_until(f"STATUS={STATUS_FINE}")
        lines = [line for line in table.stderr_text.splitlines() if "scoreboard" in line]
        assert len(lines) == 2 and lines[1].endswith(f"scoreboard {cable.path}: it is there")
    cable.pull()


def test_keypads_that_are_pulled_and_come_back_are_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pads = {side: Keypad(f"/dev/input/by-id/{side}", f"Pad {side}") for side in "AB"}
    marks = Marks()
    faults = DeviceFaults(marks)
    heard = queue.SimpleQueue[Edge]()
    presences = queue.SimpleQueue[InputPresence]()

    def plugged(side: str) -> HotplugInput:
        options = keypad.Options((f"{side}.truco",), pads[side].path)
        return HotplugInput(
            side,
            options.lines,
            lambda gone: keypad.create(options, gone=gone, library=FakeEvdev(pads[side])),
            pauses=(0.01,),
        )

    def report_next(count: int) -> None:
        for _ in range(count):
            faults.report(_console_status(presences.get(timeout=20.0)))

    inputs = [plugged(side) for side in pads]
    for each in inputs:
        each.open(heard.put, presences.put)
    report_next(2)
    assert (marks.words(), faults.status) == ([], STATUS_FINE)
    for pad in pads.values():
        pad.pull_out()
    report_next(2)
    assert marks.words() == ["console_absent A", "console_absent B"]
    assert faults.status.startswith(STATUS_BUTTONS_MISSING)
    for side in pads:
        assert f"console {side}: /dev/input/by-id/{side} is not plugged in" in faults.status
    for pad in pads.values():
        pad.plug_in()
    report_next(2)
    assert (marks.words(), faults.status) == ([], STATUS_FINE)
    for each in inputs:
        each.close()
    said = capsys.readouterr().err.splitlines()
    for side in pads:
        assert [line for line in said if f"console {side}:" in line] == [
            f"scorer run: console {side}: it is there",
            f"scorer run: console {side}: /dev/input/by-id/{side} is not plugged in",
            f"scorer run: console {side}: it is there",
        ]


# ---- lamps, buzzer -----------------------------------------------------------------------------


def test_a_lamp_and_a_buzzer_that_cannot_be_switched_are_named(
    box: LateBox,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    box.inputs.set_absent(False)
    seen: list[list[str]] = []
    box.inbox.at(0.1, lambda: seen.append(box.table.marks.words()))
    box.inbox.at(1.0, box.load_driver)
    box.inbox.at(9.0, lambda: seen.append(box.table.marks.words()))
    box.run(10.0)
    assert seen == [["buzzer", "lamp_lost A", "lamp_lost B"], []]
    said = capsys.readouterr().err.splitlines()
    for title in ("buzzer", "lamp A", "lamp B"):
        assert said.count(f"scorer run: {title}: the remembered output is not there") == 1
        assert said.count(f"scorer run: {title}: it is there") == 1


# ---- what the pages quote ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    [errno.EREMOTEIO, errno.ENOENT, errno.EACCES, errno.ETIMEDOUT],
    ids=errno.errorcode.get,
)
def test_the_log_has_the_sentences_of_panels_that_the_page_of_faults_quotes(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = DeviceFaults(Marks())
    panel = Panel(
        "0",
        luma_oled.create(luma_oled.Options(address=0x3D), bus=broken(number)),
        on_fault=lambda fault: faults.report(DeviceStatus(DeviceKind.PANEL, "B", fault)),
    )
    panel.update(0.0)
    _, _, sentence = capsys.readouterr().err.strip().partition("panel B: ")
    assert f'"{sentence}"' in FAULTS
