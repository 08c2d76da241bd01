"""The doctor on a television: a test picture, or the missing device."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.config import loader
from scorer.doctor import devices, machine
from scorer.doctor.devices import DeviceIo
from scorer.doctor.findings import format_line
from scorer.doctor.machine import HostMachine
from scorer.hw.displays.fake_bus import Fault
from scorer.i18n import translator
from scorer.system.kernel_console import quiet
from tests.hw.rigs import FramebufferRig

ENGLISH = translator("en")
TELEVISION = loader.parse_config(
    '[[panel]]\ndriver = "framebuffer"\n[sound]\non = false\n[lamps]\n'
)


@pytest.fixture
def rig_and_io() -> tuple[FramebufferRig, DeviceIo]:
    rig = FramebufferRig(32, size=(1280, 720))
    return rig, DeviceIo(sleep=lambda seconds: None, seams=lambda panel: {"root": rig.root})


def test_a_television_shows_the_enlarged_test_picture(
    rig_and_io: tuple[FramebufferRig, DeviceIo],
) -> None:
    rig, io = rig_and_io
    pictures = []
    lines = []
    for finding in devices.check_outputs(TELEVISION, io):
        pictures.append(rig.visible_picture().getbbox())
        lines.append(format_line(finding, ENGLISH))
    assert "HDMI, /dev/fb0" in lines[0]
    assert lines[0].startswith("ok")
    left, top, right, bottom = pictures[0] or (0, 0, 0, 0)
    assert right - left > 1280 * 0.9
    assert bottom - top > 720 * 0.9


def test_a_missing_television_is_reported(
    rig_and_io: tuple[FramebufferRig, DeviceIo],
) -> None:
    rig, io = rig_and_io
    rig.set_fault(Fault.NO_BUS)
    finding, *_ = devices.check_outputs(TELEVISION, io)
    line = format_line(finding, ENGLISH)
    assert line.startswith("bad")
    assert "plug it into HDMI" in line


def test_rights_of_the_framebuffer_are_checked(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    host = HostMachine(tmp_path, chip_label=lambda chip: "pinctrl-rp1")
    lines = [format_line(each, ENGLISH) for each in machine.check_rights(host, TELEVISION.panels)]
    (wanted,) = (each for each in lines if each.startswith("bad"))
    assert wanted.startswith("bad   panel")
    assert f"there is no {tmp_path / 'fb0'}: plug the TV into HDMI" in wanted
    (tmp_path / "fb0").touch()
    lines = [format_line(each, ENGLISH) for each in machine.check_rights(host, TELEVISION.panels)]
    assert len(lines) == 1
    assert lines[0].startswith("ok")
    assert "fb0" in lines[0]


@pytest.mark.parametrize(
    ("cmdline", "login", "wanted"),
    [
        ("console=tty1 quiet", "active", ["the kernel writes", "a login (getty@tty1.service)"]),
        (quiet("console=tty1 quiet"), "active", ["a login"]),
        ("console=tty1 quiet", "inactive", ["the kernel"]),
        (quiet("console=tty1 quiet"), "inactive", []),
    ],
)
def test_text_on_the_screen_of_the_table_is_a_finding(
    tmp_path: Path, cmdline: str, login: str, wanted: list[str]
) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cmdline").write_text(cmdline)
    state = f"LoadState=loaded\nActiveState={login}\n"
    host = HostMachine(root=tmp_path, output=lambda command: state)
    lines = [
        format_line(finding, ENGLISH)
        for finding in machine.check_television(host, TELEVISION.panels)
    ]
    assert len(lines) == len(wanted)
    for line, start in zip(lines, wanted, strict=True):
        assert line.startswith(f"look  panel          {start}") and "sudo scorer setup" in line
    assert [*machine.check_television(host, loader.default_config().panels)] == []
