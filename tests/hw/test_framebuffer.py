"""The framebuffer driver on a file that is the screen's memory."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from scorer.hw import load
from scorer.hw.displays import framebuffer
from scorer.hw.displays.fake_bus import Fault
from scorer.hw.ports import DeviceError
from tests.hw.rigs import FramebufferRig, noise

TELEVISIONS = ((1280, 720), (1920, 1080))
Rigs = Callable[..., FramebufferRig]


@pytest.fixture
def rigs() -> Iterator[Rigs]:
    """Make rigs whose displays are closed after the test."""
    made: list[FramebufferRig] = []

    def make(depth: int, size: tuple[int, int] = (96, 50)) -> FramebufferRig:
        made.append(FramebufferRig(depth, size=size))
        return made[-1]

    yield make
    for rig in made:
        rig.display.close()


def gradient(size: tuple[int, int]) -> Image.Image:
    """A picture with all values of all colours, without repeats in a row of 256."""
    across = Image.linear_gradient("L").rotate(90).resize(size)
    down = Image.linear_gradient("L").resize(size)
    return Image.merge("RGB", (across, down, across.point([255 - value for value in range(256)])))


@pytest.mark.parametrize("size", TELEVISIONS)
def test_pixels_of_32_bits_are_blue_green_red_and_padding(
    rigs: Rigs, size: tuple[int, int]
) -> None:
    rig, picture = rigs(32, size=size), gradient(size)
    rig.display.open()
    rig.display.show(picture)
    memory = rig.device.read_bytes()
    assert len(memory) == 4 * size[0] * size[1]
    pixels = picture.tobytes()
    assert (memory[0::4], memory[1::4], memory[2::4]) == (pixels[2::3], pixels[1::3], pixels[0::3])


@pytest.mark.parametrize("size", TELEVISIONS)
def test_pixels_of_16_bits_are_rgb565(rigs: Rigs, size: tuple[int, int]) -> None:
    rig, picture = rigs(16, size=size), gradient(size)
    rig.display.open()
    rig.display.show(picture)
    memory = rig.device.read_bytes()
    assert len(memory) == 2 * size[0] * size[1]
    for x, y in ((0, 0), (size[0] - 1, 0), (123, 456), (size[0] - 1, size[1] - 1)):
        at = 2 * (y * size[0] + x)
        red, green, blue = pixel(picture, x, y)
        wanted = (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3
        assert int.from_bytes(memory[at : at + 2], "little") == wanted


def pixel(picture: Image.Image, x: int, y: int) -> tuple[int, int, int]:
    found = picture.getpixel((x, y))
    assert isinstance(found, tuple)
    red, green, blue = found
    return int(red), int(green), int(blue)


def test_unchanged_rows_are_not_written(rigs: Rigs) -> None:
    rig = rigs(32, size=(320, 240))
    picture = noise((320, 240), 1, "RGB")
    rig.display.open()
    rig.display.show(picture)
    rig.writes.clear()
    rig.display.show(picture.copy())
    assert rig.writes == []
    picture.putpixel((7, 100), (1, 2, 3))
    rig.display.show(picture)
    assert rig.writes == [(100 * 320 * 4, 320 * 4)]
    assert rig.visible_picture().tobytes() == picture.tobytes()


def test_a_check_of_the_device_writes_one_row(rigs: Rigs) -> None:
    rig = rigs(32, size=(320, 240))
    rig.display.open()
    rig.display.show(noise((320, 240), 1, "RGB"))
    rig.writes.clear()
    assert rig.display.has_memory() is True
    assert rig.writes == [(0, 320 * 4)]
    rig.set_fault(Fault.EIO)
    with pytest.raises(DeviceError, match=r"the screen on /dev/fb0 failed"):
        rig.display.has_memory()


def test_contrast_darkens_the_picture_and_dark_blackens_it(rigs: Rigs) -> None:
    rig = rigs(32, size=(64, 64))
    rig.display.open()
    rig.display.show(Image.new("RGB", (64, 64), (200, 100, 0)))
    red = []
    for level in (255, 0x9F, 0x50, 0x10, 0):
        rig.display.contrast(level)
        red.append(pixel(rig.visible_picture(), 5, 5)[0])
    assert red[0] == 200
    assert red == sorted(red, reverse=True)
    assert red[3] > 40, "a dimmed television is unreadable"
    assert red[4] == 0
    rig.display.contrast(255)
    rig.display.dark(True)
    assert rig.visible_picture().getbbox() is None
    rig.display.dark(False)
    assert pixel(rig.visible_picture(), 5, 5) == (200, 100, 0)


def test_the_last_contrast_survives_reopening(rigs: Rigs) -> None:
    rig = rigs(32, size=(64, 64))
    rig.display.open()
    rig.display.contrast(0x10)
    rig.display.open()
    rig.display.show(Image.new("RGB", (64, 64), (200, 100, 0)))
    assert 40 < pixel(rig.visible_picture(), 5, 5)[0] < 100


def test_the_size_is_known_before_opening_and_may_change_later(rigs: Rigs) -> None:
    rig = rigs(32, size=(1366, 768))
    assert rig.display.size == (1366, 768)
    rig.display.open()
    rig.picture_size, rig.stride = (640, 480), 640 * 4
    rig.set_fault(Fault.ABSENT)
    with pytest.raises(DeviceError):
        rig.display.has_memory()
    rig.set_fault(None)
    rig.display.open()
    assert rig.display.size == (640, 480)
    missing = framebuffer.create(framebuffer.Options(), root=Path("/nowhere"))
    assert missing.size == (1280, 720)


def test_short_writes_are_continued(rigs: Rigs) -> None:
    rig = rigs(32)

    def partial_write(descriptor: int, data: bytes, at: int) -> int:
        return os.pwrite(descriptor, data[:1000], at)

    display = framebuffer.create(framebuffer.Options(), root=rig.root, write=partial_write)
    picture = noise(display.size, 1, "RGB")
    display.open()
    display.show(picture)
    assert rig.visible_picture().tobytes() == picture.tobytes()
    display.close()


def test_a_write_of_zero_bytes_is_an_error_without_endless_loop(rigs: Rigs) -> None:
    rig = rigs(32)
    display = framebuffer.create(
        framebuffer.Options(), root=rig.root, write=lambda descriptor, data, at: 0
    )
    with pytest.raises(DeviceError, match="failed"):
        display.open()


@pytest.mark.sampled(0)
def test_reconnections_leak_no_descriptors(rigs: Rigs) -> None:
    rig = rigs(32)
    rig.display.open()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        rig.display.open()
        rig.display.close()
        rig.set_fault(Fault.NO_BUS)
        with pytest.raises(DeviceError):
            rig.display.open()
        rig.set_fault(None)
        rig.display.open()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_every_cause_of_a_missing_picture_has_its_own_message(
    rigs: Rigs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = rigs(32)
    rig.set_fault(Fault.NO_BUS)
    with pytest.raises(DeviceError, match="no screen on /dev/fb0: plug it into HDMI"):
        rig.display.open()
    rig.set_fault(None)

    def forbidden(descriptor: int, data: bytes, at: int) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    display = framebuffer.create(framebuffer.Options(), root=rig.root, write=forbidden)
    with pytest.raises(DeviceError, match="must be in the group video"):
        display.open()
    (rig.root / "sys/class/graphics/fb0/bits_per_pixel").write_text("8\n", encoding="ascii")
    with pytest.raises(DeviceError, match="a depth that is not known here"):
        rig.display.open()
    monkeypatch.setitem(sys.modules, "luma.core.device", None)
    with pytest.raises(DeviceError, match=r"install python3-luma\.core"):
        rig.display.open()


@pytest.mark.parametrize("device", ["/dev/sda", "fb0", "/dev/fb", "/dev/fb0/x"])
def test_a_device_that_is_no_framebuffer_is_refused(device: str) -> None:
    (problem,) = load.problems("displays", "framebuffer", {"device": device})
    assert str(problem) == f"device: /dev/fb0 or another number, not {device!r}"


def test_the_device_is_an_exclusive_resource() -> None:
    assert load.resource_id("displays", "framebuffer", {}) == "/dev/fb0"
