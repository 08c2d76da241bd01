"""The doctor and a television: a picture on it, and what is missing where there is none."""

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
from tests.hw.rigs import FramebufferRig

ENGLISH = translator("en")
TELEVISION = loader.parse_config(
    '[[panel]]\ndriver = "framebuffer"\n[sound]\non = false\n[lamps]\n'
)


@pytest.fixture
def hands() -> tuple[FramebufferRig, DeviceIo]:
    rig = FramebufferRig(32, size=(1280, 720))
    return rig, DeviceIo(sleep=lambda seconds: None, seams=lambda panel: {"root": rig.root})


def test_a_television_gets_a_picture_with_a_frame_as_large_as_it_goes(
    hands: tuple[FramebufferRig, DeviceIo],
) -> None:
    rig, with_it = hands
    pictures = []
    told = []
    for finding in devices.check_outputs(TELEVISION, with_it):
        pictures.append(rig.visible_picture().getbbox())
        told.append(format_line(finding, ENGLISH))
    assert "HDMI, /dev/fb0" in told[0]
    assert told[0].startswith("ok")
    left, top, right, bottom = pictures[0] or (0, 0, 0, 0)
    assert right - left > 1280 * 0.9
    assert bottom - top > 720 * 0.9


def test_a_television_that_is_not_there_is_bad_and_says_so(
    hands: tuple[FramebufferRig, DeviceIo],
) -> None:
    rig, with_it = hands
    rig.set_fault(Fault.NO_BUS)
    finding, *_ = devices.check_outputs(TELEVISION, with_it)
    told = format_line(finding, ENGLISH)
    assert told.startswith("bad")
    assert "plug it into HDMI" in told


def test_rights_are_looked_at_on_the_screens_own_device_file(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    told = [
        format_line(each, ENGLISH)
        for each in machine.check_rights(HostMachine(tmp_path), TELEVISION.panels)
    ]
    (wanted,) = (each for each in told if each.startswith("bad"))
    assert wanted.startswith("bad   panel")
    assert f"there is no {tmp_path / 'fb0'}: plug the TV into HDMI" in wanted
    (tmp_path / "fb0").touch()
    told = [
        format_line(each, ENGLISH)
        for each in machine.check_rights(HostMachine(tmp_path), TELEVISION.panels)
    ]
    assert len(told) == 1
    assert told[0].startswith("ok")
    assert "fb0" in told[0]
