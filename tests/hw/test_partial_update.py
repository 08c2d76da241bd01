"""Partial updates send only changed bytes, and the visible picture is right.

Every message goes through a model of the chip's RAM, whose picture must be the requested one, after
thousands of random and real frames and after an error at any message.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from scorer.display import render
from scorer.hw.displays.fake_bus import COMMANDS, Fault
from scorer.hw.displays.luma_oled import LumaDevice
from scorer.hw.displays.partial_update import to_pages, with_partial_update
from scorer.hw.ports import DeviceError
from scorer.samples import samples
from tests.hw.rigs import CONTROLLERS, LumaRig, black, noise, same
from tests.sampling import amount, sample

SIZE = (128, 64)
# All panel sizes that are offered for each command set.
GLASSES = [
    ("ssd1306", (128, 64)),
    ("ssd1306", (128, 32)),
    ("ssd1306", (96, 16)),
    ("ssd1306", (64, 48)),
    ("ssd1306", (64, 32)),
    ("ssd1309", (128, 64)),
    ("ssd1309", (128, 32)),
    ("sh1106", (128, 64)),
    ("sh1106", (128, 32)),
    ("sh1107", (64, 128)),
    ("sh1107", (128, 128)),
]
# Bytes of a frame by luma's own display() on I2C, with addresses and control bytes.
FULL_FRAME = {"ssd1306": 1034, "ssd1309": 1034, "ssd1315": 1034, "sh1106": 1080, "sh1107": 1136}


def opened(
    controller: str, interface: str = "i2c", turns: int = 0, size: tuple[int, int] | None = None
) -> LumaRig:
    rig = LumaRig(controller, interface, turns, size)
    rig.display.open()
    rig.arrived.clear()
    return rig


def show_and_measure(rig: LumaRig, picture: Image.Image) -> int:
    """Show a picture and check the visible one; return its bytes on an I2C wire."""
    rig.arrived.clear()
    rig.display.show(picture)
    assert same(rig.visible_picture(), picture)
    return on_wire(rig.arrived)


def on_wire(messages: Sequence[bytes]) -> int:
    """Bytes on an I2C wire: each message is preceded by the address."""
    return sum(1 + len(message) for message in messages)


def touched_up(picture: Image.Image, chance: Random) -> Image.Image:
    """The picture with a few rectangles drawn over it, as screens change."""
    changed = picture.copy()
    draw = ImageDraw.Draw(changed)
    for _ in range(chance.randrange(4)):
        left, top = (chance.randrange(side) for side in picture.size)
        right, bottom = left + chance.randrange(40), top + chance.randrange(24)
        draw.rectangle((left, top, right, bottom), fill=chance.randrange(2))
    return changed


@cache
def screens(language: str) -> tuple[Image.Image, ...]:
    return tuple(render(view, language, SIZE) for view in samples().values())


@pytest.mark.sampled(6)
@pytest.mark.parametrize("turns", [0, 2])
@pytest.mark.parametrize(("controller", "size"), GLASSES)
def test_a_hundred_random_changes_are_visible(
    controller: str, size: tuple[int, int], turns: int
) -> None:
    """For every panel size and rotation."""
    chance = Random(f"{controller} {size} {turns}")
    rig = opened(controller, turns=turns, size=size)
    picture = black(rig.display.size)
    for step in range(100):
        whole = step % 25 == 24
        picture = noise(picture.size, step) if whole else touched_up(picture, chance)
        show_and_measure(rig, picture)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("interface", ["i2c", "spi"])
@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("language", ["es-AR", "pt-BR"])
def test_every_screen_follows_every_other(controller: str, interface: str, language: str) -> None:
    """All screens in a random order, in all cases four times."""
    rig = opened(controller, interface)
    pictures = list(screens(language))
    chance = Random(controller + interface)
    for _ in range(amount(1, 4)):
        chance.shuffle(pictures)
        for picture in pictures:
            assert show_and_measure(rig, picture) <= FULL_FRAME[controller]


@pytest.mark.sampled
@settings(max_examples=amount(40, 150), deadline=None)
@given(
    controller=st.sampled_from(CONTROLLERS),
    first=st.binary(min_size=1024, max_size=1024),
    second=st.binary(min_size=1024, max_size=1024),
    kept=st.lists(st.integers(0, 1024), min_size=2, max_size=40).map(sorted),
)
def test_any_change_of_bytes_is_visible(
    controller: str, first: bytes, second: bytes, kept: list[int]
) -> None:
    """Pictures with equal stretches: windows may begin and end anywhere."""
    rig = opened(controller)
    mixed = bytearray(second)
    for begin, end in list(pairwise(kept))[::2]:
        mixed[begin:end] = first[begin:end]
    for each in (first, bytes(mixed), second):
        assert show_and_measure(rig, Image.frombytes("1", SIZE, each)) <= FULL_FRAME[controller]


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_the_same_picture_again_sends_nothing(controller: str) -> None:
    rig = opened(controller)
    for picture in (black(SIZE), noise(SIZE), *screens("es-AR")[:5]):
        show_and_measure(rig, picture)
        assert show_and_measure(rig, picture.copy()) == 0
    rig.display.dark(True)
    rig.display.dark(False)
    rig.display.contrast(30)
    assert show_and_measure(rig, picture) == 0


def test_one_pixel_costs_eleven_bytes_or_eight_on_an_sh1106() -> None:
    dot = black(SIZE)
    dot.putpixel((77, 33), 1)
    assert show_and_measure(opened("ssd1306"), dot) == 11
    assert show_and_measure(opened("sh1106"), dot) == 8


@pytest.mark.parametrize(
    ("controller", "messages"),
    [
        # columns 77 to 77, pages 4 to 4, the second pixel of its byte
        ("ssd1306", [b"\x00\x21\x4d\x4d\x22\x04\x04", b"\x40\x02"]),
        ("ssd1309", [b"\x00\x21\x4d\x4d\x22\x04\x04", b"\x40\x02"]),
        # page 4, column 77 + 2 in two halves
        ("sh1106", [b"\x00\xb4\x0f\x14", b"\x40\x02"]),
    ],
)
def test_the_messages_of_one_pixel(controller: str, messages: list[bytes]) -> None:
    rig = opened(controller)
    dot = black(SIZE)
    dot.putpixel((77, 33), 1)
    show_and_measure(rig, dot)
    assert rig.arrived == messages


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_no_update_costs_more_than_lumas_full_frame(controller: str) -> None:
    """Also for pictures without equal bytes, and chequered ones, which are all gaps."""
    rig = opened(controller)
    for cell, tall in product((1, 2, 7, 8, 9, 16), (8, 16)):
        chequered = black(SIZE)
        draw = ImageDraw.Draw(chequered)
        for x, y in product(range(0, 128, 2 * cell), range(0, 64, tall)):
            draw.rectangle((x, y, x + cell - 1, y + 7), fill=1)
        assert show_and_measure(rig, chequered) <= FULL_FRAME[controller]
        assert show_and_measure(rig, noise(SIZE, cell)) <= FULL_FRAME[controller]
        assert show_and_measure(rig, black(SIZE)) <= FULL_FRAME[controller]


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_luma_sends_a_full_frame_each_time(controller: str) -> None:
    """Measures the reference value instead of assuming it."""
    rig = LumaRig(controller, "i2c")
    luma = original(controller, rig)
    for picture in (noise(SIZE), noise(SIZE), *screens("es-AR")[:3]):
        rig.arrived.clear()
        luma.display(picture)
        assert on_wire(rig.arrived) == FULL_FRAME[controller]
        assert same(rig.visible_picture(), picture)


def original(controller: str, rig: LumaRig) -> LumaDevice:
    """luma's own device on the wire of a rig."""
    import luma.oled.device as chips

    made: LumaDevice = getattr(chips, controller)(Direct(rig), rotate=rig.rotate)
    return made


class Direct:
    """luma's interface that writes whole messages to the wire."""

    def __init__(self, rig: LumaRig) -> None:
        self._rig = rig

    def command(self, *values: int) -> None:
        self._rig.wire.transfer(bytes([0x00, *values]))

    def data(self, values: Sequence[int]) -> None:
        self._rig.wire.transfer(bytes([0x40, *values]))

    def cleanup(self) -> None:
        pass


# ---- errors -------------------------------------------------------------------------------------


def updates() -> Iterator[tuple[Image.Image, Image.Image]]:
    """Changes of few and of many messages, within and across pages."""
    pictures = screens("es-AR")
    yield pictures[0], pictures[1]
    yield pictures[3], pictures[0]
    small = pictures[0].copy()
    for x, y in ((3, 3), (60, 3), (3, 40), (120, 63)):
        small.putpixel((x, y), 1 - bool(small.getpixel((x, y))))
    yield pictures[0], small


# On SPI a missing panel is not detectable.
ERRORS = [
    ("i2c", Fault.ABSENT),
    ("i2c", Fault.NAK),
    ("i2c", Fault.TIMEOUT),
    ("i2c", Fault.EIO),
    ("spi", Fault.TIMEOUT),
    ("spi", Fault.EIO),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("interface", "kind"), ERRORS)
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_reopening_after_an_error_at_any_message_shows_the_picture(
    controller: str, interface: str, kind: Fault
) -> None:
    for before, wanted in updates():
        for broken_at in sample(range(messages_of(controller, before, wanted)), 3):
            rig = opened(controller, interface)
            show_and_measure(rig, before)
            rig.set_fault(kind, after=broken_at)
            with pytest.raises(DeviceError):
                rig.display.show(wanted)
            rig.set_fault(None)
            rig.display.open()
            show_and_measure(rig, wanted)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_after_an_error_at_any_message_the_whole_picture_is_sent_again(controller: str) -> None:
    """Also without reopening: the copy of the RAM is invalid after an error."""
    for before, wanted in updates():
        for broken_at in sample(range(messages_of(controller, before, wanted)), 8):
            rig = opened(controller)
            show_and_measure(rig, before)
            rig.set_fault(Fault.EIO, after=broken_at)
            with pytest.raises(DeviceError):
                rig.display.show(wanted)
            rig.set_fault(None)
            assert show_and_measure(rig, wanted) == FULL_FRAME[controller]
            assert show_and_measure(rig, before) < FULL_FRAME[controller]


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_a_chip_that_lost_its_memory_gets_a_full_frame(controller: str) -> None:
    rig = opened(controller)
    show_and_measure(rig, noise(SIZE))
    rig.set_fault(Fault.ABSENT)
    rig.set_fault(None)
    rig.display.open()
    assert same(rig.visible_picture(), black(SIZE))
    show_and_measure(rig, noise(SIZE))


def messages_of(controller: str, before: Image.Image, wanted: Image.Image) -> int:
    """The number of messages of this change.

    At least two, else the tests above test nothing.
    """
    rig = opened(controller)
    show_and_measure(rig, before)
    show_and_measure(rig, wanted)
    assert len(rig.arrived) >= 2
    return len(rig.arrived)


# ---- the bytes of a picture ---------------------------------------------------------------------


@given(st.sampled_from([(128, 64), (128, 32), (96, 16), (64, 48)]), st.integers(0, 10**6))
def test_the_bytes_of_a_picture_are_columns_of_eight_pixels(
    size: tuple[int, int], seed: int
) -> None:
    picture = noise(size, seed)
    width, height = size
    expected = bytes(
        sum(bool(picture.getpixel((x, top + bit))) << bit for bit in range(8))
        for top in range(0, height, 8)
        for x in range(width)
    )
    assert to_pages(picture) == expected


def test_the_class_of_a_controller_is_made_once() -> None:
    made = [with_partial_update(object, has_windows=False, first_column=2) for _ in range(2)]
    assert made[0] is made[1] is not object
    assert with_partial_update(object, has_windows=False) is not made[0]


# ---- what a panel has lost ----------------------------------------------------------------------


@pytest.mark.parametrize("interface", ["i2c", "spi"])
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_a_refresh_is_invisible_on_a_sound_panel(controller: str, interface: str) -> None:
    """Message by message: no blink, no darker moment."""
    rig, picture = opened(controller, interface), noise(SIZE)
    show_and_measure(rig, picture)
    rig.display.contrast(16)
    before = copy.deepcopy(rig.ram)
    rig.arrived.clear()
    rig.display.refresh()
    assert on_wire(rig.arrived) > FULL_FRAME[controller], "settings and picture"
    for message in rig.arrived:
        before.feed(message)
        assert same(before.picture(rig.rotate), picture)
        assert before.contrast == 16


@pytest.mark.parametrize("interface", ["i2c", "spi"])
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_a_refresh_restores_what_was_lost(controller: str, interface: str) -> None:
    rig, picture = opened(controller, interface), noise(SIZE)
    rig.display.contrast(16)
    show_and_measure(rig, picture)
    losses: list[Callable[[], None]] = [
        rig.wire.lose_power,
        lambda: rig.ram.feed(b"\x00\xa7"),
        lambda: rig.ram.ram[3].__setitem__(slice(20, 90), bytes(70)),
    ]
    for lose in losses:
        lose()
        assert not same(rig.visible_picture(), picture)
        rig.display.refresh()
        assert same(rig.visible_picture(), picture)
        assert rig.ram.contrast == 16
    rig.display.dark(True)
    rig.wire.lose_power()
    rig.display.refresh()
    assert same(rig.visible_picture(), black(SIZE)), "dark it stays"
    assert rig.display.has_memory() in (True, None)


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_the_status_tells_of_lost_memory(controller: str) -> None:
    rig = opened(controller)
    for is_dark in (False, True, False):
        rig.display.dark(is_dark)
        assert rig.display.has_memory() is True
    rig.wire.lose_power()
    assert rig.display.has_memory() is False


@pytest.mark.parametrize(
    "rig", [LumaRig("sh1106", "spi"), LumaRig("sh1106", "i2c", has_status=False)]
)
def test_a_panel_without_a_sensible_status_cannot_tell(rig: LumaRig) -> None:
    rig.display.open()
    assert rig.display.has_memory() is None
    rig.wire.lose_power()
    assert rig.display.has_memory() is None


def test_a_module_that_refuses_to_be_read_cannot_tell() -> None:
    rig = opened("ssd1306")
    rig.display.open()
    settings = len(rig.arrived)
    assert rig.arrived[-2:] == [b"\x00\xae", b"\x00\xaf"]
    rig.wire.set_fault(Fault.NAK, after=settings - 1, messages=2)
    rig.display.open()
    assert rig.display.has_memory() is None
    show_and_measure(rig, noise(SIZE))


# ---- one refused message ------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", [Fault.NAK, Fault.EIO])
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_one_refused_message_is_repeated(controller: str, kind: Fault) -> None:
    before, wanted = next(updates())
    opening, change = LumaRig(controller, "i2c"), messages_of(controller, before, wanted)
    opening.display.open()
    for refused in range(len(opening.arrived)):
        rig = LumaRig(controller, "i2c")
        rig.wire.set_fault(kind, after=refused, messages=1)
        rig.display.open()
        show_and_measure(rig, before)
    for refused in range(change):
        rig = opened(controller)
        show_and_measure(rig, before)
        rig.wire.set_fault(kind, after=refused, messages=1)
        show_and_measure(rig, wanted)
    rig.wire.set_fault(kind, messages=1)
    assert rig.display.has_memory() is True
    rig.wire.set_fault(kind, messages=2)
    with pytest.raises(DeviceError):
        rig.display.contrast(3)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("fault", [Fault.EIO, Fault.TIMEOUT])
@pytest.mark.parametrize(("controller", "size"), GLASSES)
def test_a_message_that_ended_early_changes_no_setting(
    controller: str, size: tuple[int, int], fault: Fault
) -> None:
    """At every byte: the chip takes the next bytes for the arguments of a command."""
    rig = opened(controller, size=size)
    before, wanted, after = (noise(rig.display.size, seed) for seed in (1, 2, 3))
    unknown = {*rig.ram.unknown}
    rig.display.show(before)
    rig.arrived.clear()
    rig.display.show(wanted)
    rig.display.refresh()
    for message, whole in enumerate(rig.arrived.copy()):
        lengths = range(1, len(whole)) if whole[0] == COMMANDS else (1, len(whole) // 2)
        for taken in lengths:
            rig.display.show(before)
            rig.wire.set_fault(fault, after=message, messages=1, taken=taken)
            with contextlib.suppress(DeviceError):
                rig.display.show(wanted)
                rig.display.refresh()
                assert same(rig.visible_picture(), wanted), (message, taken)
            if fault is Fault.TIMEOUT:
                rig.display.open()
            rig.display.show(after)
            assert same(rig.visible_picture(), after), (message, taken)
            assert {*rig.ram.unknown} <= unknown, (message, taken)


def test_a_message_that_timed_out_is_not_repeated() -> None:
    """Each would hold the bus for another second."""
    rig = opened("ssd1309")
    acts: list[Callable[[], None]] = [
        lambda: rig.display.contrast(3),
        lambda: rig.display.show(noise(SIZE)),
    ]
    for act in acts:
        rig.wire.set_fault(Fault.TIMEOUT, messages=1)
        with pytest.raises(DeviceError):
            act()
