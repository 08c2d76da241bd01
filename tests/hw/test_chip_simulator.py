"""The chip models, compared with the data sheets and with what luma sends."""

from __future__ import annotations

import pytest
from PIL import Image, ImageOps

from scorer.hw.displays import luma_oled
from scorer.hw.displays.chip_simulator import CHIPS, SimulatedChip
from tests.hw.rigs import CONTROLLERS, LumaRig, black, noise, same

UPRIGHT = b"\x00\xa1\xc8\x8d\x14\xaf"
HORIZONTAL = b"\x00\x20\x00"


def lit(chip: SimulatedChip) -> set[tuple[int, int]]:
    picture = chip.picture()
    width, height = picture.size
    return {(x, y) for x in range(width) for y in range(height) if picture.getpixel((x, y))}


@pytest.mark.parametrize("controller", ["ssd1306", "ssd1309"])
@pytest.mark.parametrize(
    ("messages", "pixels"),
    [
        # a byte is a column of eight, lowest bit on top
        ((b"\x00\xb0\x00\x10", b"\x40\x01"), {(0, 0)}),
        ((b"\x00\xb0\x00\x10", b"\x40\x80"), {(0, 7)}),
        ((b"\x00\xb7\x0f\x17", b"\x40\x80"), {(127, 63)}),
        # page addressing wraps within the page
        ((b"\x00\xb1\x0f\x17", b"\x40\x01\x01"), {(127, 8), (0, 8)}),
        # horizontal addressing: columns, then the next page of the window, then its start
        (
            (HORIZONTAL, b"\x00\x21\x05\x06\x22\x02\x03", b"\x40\x01\x01\x01\x01\x02"),
            {(5, 17), (6, 16), (5, 24), (6, 24)},
        ),
        # vertical addressing: pages first
        (
            (b"\x00\x20\x01", b"\x00\x21\x05\x06\x22\x02\x03", b"\x40\x01\x01\x01"),
            {(5, 16), (5, 24), (6, 16)},
        ),
        # a command may be split between messages
        ((HORIZONTAL, b"\x00\x21", b"\x00\x05", b"\x00\x06\x22\x00\x07", b"\x40\x01"), {(5, 0)}),
        # commands and pixels in one message, each command with its own control byte
        ((HORIZONTAL, b"\x80\x21\x80\x05\x80\x06\x80\x22\x80\x00\x80\x07\x40\x01\x01"),
         {(5, 0), (6, 0)}),
        # pixel bytes with a control byte each
        ((b"\x00\xb0\x00\x10", b"\xc0\x01\xc0\x02"), {(0, 0), (1, 1)}),
        # the start line scrolls the glass over the memory
        ((b"\x00\xb1\x00\x10\x48", b"\x40\x01"), {(0, 0)}),
        # rotated and mirrored
        ((b"\x00\xb0\x00\x10\xa0", b"\x40\x01"), {(127, 0)}),
        ((b"\x00\xb0\x00\x10\xc0", b"\x40\x01"), {(0, 63)}),
        # asleep
        ((b"\x00\xb0\x00\x10\xae", b"\x40\x01"), set()),
        # power lost
        ((b"\x00\xb0\x00\x10", b"\x40\x01", b"", UPRIGHT), set()),
    ],
)  # fmt: skip
def test_bytes_become_pixels(
    controller: str, messages: tuple[bytes, ...], pixels: set[tuple[int, int]]
) -> None:
    chip = SimulatedChip(controller)
    # An SSD1309 has no charge pump: it ignores 8D, and 14 moves the column.
    chip.feed(UPRIGHT, *messages)
    assert lit(chip) == pixels


@pytest.mark.parametrize(
    ("messages", "pixels"),
    [
        # the memory is wider than the glass by two columns on each side
        ((b"\x00\xb0\x02\x10", b"\x40\x01"), {(0, 0)}),
        ((b"\x00\xb0\x01\x18", b"\x40\x01"), {(127, 0)}),
        ((b"\x00\xb0\x00\x10", b"\x40\x01\x01"), set()),
        # writes beyond the last column are ignored and change no other page
        ((b"\x00\xb0\x01\x18", b"\x40\x01\x01\x01\x01\x01"), {(127, 0)}),
        # no window commands: their arguments are other commands
        ((b"\x00\x21",), set()),
    ],
)
def test_bytes_become_pixels_on_an_sh1106(
    messages: tuple[bytes, ...], pixels: set[tuple[int, int]]
) -> None:
    chip = SimulatedChip("sh1106")
    chip.feed(b"\x00\xa1\xc8\xaf", *messages)
    assert lit(chip) == pixels
    assert chip.unknown == ([0x21] if messages == (b"\x00\x21",) else [])


def test_inverse_and_all_on_do_not_touch_the_memory() -> None:
    rig = LumaRig("ssd1306", "i2c")
    picture = noise((128, 64))
    rig.display.open()
    rig.display.show(picture)
    rig.ram.feed(b"\x00\xa7")
    assert same(rig.visible_picture(), ImageOps.invert(picture.convert("L")).convert("1"))
    rig.ram.feed(b"\x00\xa6\xa5")
    assert same(rig.visible_picture(), Image.new("1", (128, 64), 1))
    rig.ram.feed(b"\x00\xa4")
    assert same(rig.visible_picture(), picture)


def test_an_ssd1306_whose_charge_pump_is_off_is_black() -> None:
    chip = SimulatedChip("ssd1306")
    chip.feed(b"\x00\xa1\xc8\xaf\xb0\x00\x10", b"\x40\xff")
    assert same(chip.picture(), black((128, 64)))
    chip.feed(b"\x00\x8d\x14")
    assert not same(chip.picture(), black((128, 64)))


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("interface", ["i2c", "spi"])
@pytest.mark.parametrize("turns", [0, 2])
def test_lumas_pictures_are_visible_in_the_model(
    controller: str, interface: str, turns: int
) -> None:
    rig = LumaRig(controller, interface, turns)
    rig.display.open()
    for seed in range(10):
        picture = noise(rig.display.size, seed)
        rig.display.show(picture)
        assert same(rig.visible_picture(), picture)


@pytest.mark.parametrize("size", [(128, 32), (96, 16), (64, 48), (64, 32)])
@pytest.mark.parametrize("rotate", [0, 2])
def test_smaller_panels_of_an_ssd1306_show_the_picture(size: tuple[int, int], rotate: int) -> None:
    rig = LumaRig("ssd1306", "i2c", rotate, size)
    picture = noise(rig.display.size)
    rig.display.open()
    rig.display.show(picture)
    assert same(rig.visible_picture(), picture)


def test_the_wrong_controller_shows_a_garbled_picture() -> None:
    sender = LumaRig("ssd1306", "i2c")
    picture = noise((128, 64))
    sender.display.open()
    sender.display.show(picture)
    wrong = SimulatedChip("sh1106")
    wrong.feed(*sender.arrived)
    assert not same(wrong.picture(), picture)


@pytest.mark.parametrize(
    ("controller", "unknown"),
    [
        ("ssd1306", []),
        ("ssd1309", [0x8D]),
        ("ssd1315", []),
        ("sh1106", [0x20, 0x8D]),
        ("sh1107", []),
    ],
)
def test_luma_sends_only_the_listed_unknown_commands(controller: str, unknown: list[int]) -> None:
    rig = LumaRig(controller, "i2c")
    rig.display.open()
    rig.display.show(noise((128, 64)))
    assert rig.ram.unknown == unknown
    assert set(CHIPS) == set(CONTROLLERS) == set(luma_oled.CONTROLLERS)


@pytest.mark.parametrize(
    ("controller", "interface", "payload"),
    [
        # payload bytes: one message of commands, one of pixels; or eight such pairs
        ("ssd1306", "i2c", (7, 1025)),
        ("ssd1309", "i2c", (7, 1025)),
        ("sh1106", "i2c", (4, 129) * 8),
        ("ssd1306", "spi", (7, 1025)),
        ("sh1106", "spi", (4, 129) * 8),
    ],
)
def test_a_frame_takes_the_fewest_messages(
    controller: str, interface: str, payload: tuple[int, ...]
) -> None:
    rig = LumaRig(controller, interface)
    rig.display.open()
    rig.arrived.clear()
    rig.display.show(noise((128, 64)))
    assert tuple(map(len, rig.arrived)) == payload
