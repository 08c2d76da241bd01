"""A television on a file of exactly its memory: the bytes are the picture, where it changed."""

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
    """Makes rigs, whose displays are closed when the test is over."""
    made: list[FramebufferRig] = []

    def make(depth: int, size: tuple[int, int] = (96, 50)) -> FramebufferRig:
        made.append(FramebufferRig(depth, size=size))
        return made[-1]

    yield make
    for rig in made:
        rig.display.close()


def gradient(size: tuple[int, int]) -> Image.Image:
    """Every value of every colour, nowhere the same pixel in a row of 256."""
    across = Image.linear_gradient("L").rotate(90).resize(size)
    down = Image.linear_gradient("L").resize(size)
    return Image.merge("RGB", (across, down, across.point([255 - value for value in range(256)])))


@pytest.mark.parametrize("size", TELEVISIONS)
def test_32_bits_lie_in_memory_as_blue_green_red_and_nothing(
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
def test_16_bits_lie_in_memory_as_five_six_and_five(rigs: Rigs, size: tuple[int, int]) -> None:
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


def test_what_did_not_change_is_not_written(rigs: Rigs) -> None:
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


def test_asking_whether_it_is_there_costs_one_row(rigs: Rigs) -> None:
    rig = rigs(32, size=(320, 240))
    rig.display.open()
    rig.display.show(noise((320, 240), 1, "RGB"))
    rig.writes.clear()
    rig.display.contrast(255)
    assert rig.writes == [(0, 320 * 4)]
    rig.set_fault(Fault.EIO)
    with pytest.raises(DeviceError, match=r"the screen on /dev/fb0 failed"):
        rig.display.contrast(255)


def test_it_is_dimmed_by_a_darker_picture_and_black_when_dark(rigs: Rigs) -> None:
    rig = rigs(32, size=(64, 64))
    rig.display.open()
    rig.display.show(Image.new("RGB", (64, 64), (200, 100, 0)))
    red = []
    for level in (255, 0x9F, 0x50, 0x10, 0):
        rig.display.contrast(level)
        red.append(pixel(rig.visible_picture(), 5, 5)[0])
    assert red[0] == 200
    assert red == sorted(red, reverse=True)
    assert red[3] > 40, "a dim television can still be read"
    assert red[4] == 0
    rig.display.contrast(255)
    rig.display.dark(True)
    assert rig.visible_picture().getbbox() is None
    rig.display.dark(False)
    assert pixel(rig.visible_picture(), 5, 5) == (200, 100, 0)


def test_the_light_last_asked_for_survives_being_opened_again(rigs: Rigs) -> None:
    rig = rigs(32, size=(64, 64))
    rig.display.open()
    rig.display.contrast(0x10)
    rig.display.open()
    rig.display.show(Image.new("RGB", (64, 64), (200, 100, 0)))
    assert 40 < pixel(rig.visible_picture(), 5, 5)[0] < 100


def test_the_kernel_tells_its_size_before_it_is_opened_and_another_one_later(rigs: Rigs) -> None:
    rig = rigs(32, size=(1366, 768))
    assert rig.display.size == (1366, 768)
    rig.display.open()
    rig.picture_size, rig.stride = (640, 480), 640 * 4
    rig.set_fault(Fault.ABSENT)
    with pytest.raises(DeviceError):
        rig.display.contrast(255)
    rig.set_fault(None)
    rig.display.open()
    assert rig.display.size == (640, 480)
    nowhere = framebuffer.create(framebuffer.Options(), root=Path("/nowhere"))
    assert nowhere.size == (1280, 720)


def test_a_kernel_that_writes_a_little_at_a_time_gets_all_of_it(rigs: Rigs) -> None:
    rig = rigs(32)

    def a_little(descriptor: int, data: bytes, at: int) -> int:
        return os.pwrite(descriptor, data[:1000], at)

    display = framebuffer.create(framebuffer.Options(), root=rig.root, write=a_little)
    picture = noise(display.size, 1, "RGB")
    display.open()
    display.show(picture)
    assert rig.visible_picture().tobytes() == picture.tobytes()
    display.close()


def test_a_kernel_that_writes_nothing_is_an_error_and_no_endless_loop(rigs: Rigs) -> None:
    rig = rigs(32)
    display = framebuffer.create(
        framebuffer.Options(), root=rig.root, write=lambda descriptor, data, at: 0
    )
    with pytest.raises(DeviceError, match="failed"):
        display.open()


def test_coming_and_going_all_night_leaves_nothing_behind(rigs: Rigs) -> None:
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


def test_every_reason_why_there_is_no_picture_is_a_sentence_of_its_own(
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
def test_only_a_framebuffer_is_one(device: str) -> None:
    (problem,) = load.problems("displays", "framebuffer", {"device": device})
    assert problem == f"device: /dev/fb0 or another number, not {device!r}"


def test_two_panels_cannot_be_one_television() -> None:
    assert load.resource_id("displays", "framebuffer", {}) == "/dev/fb0"
