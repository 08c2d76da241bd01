"""The contract of all display drivers, through every fault."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from PIL import Image

from scorer.hw.displays.fake_bus import Fault
from scorer.hw.ports import DeviceError
from tests.hw.rigs import DISPLAYS, POSSIBLE_FAULTS, DisplayRig, LumaRig, noise, same

CASES = {name: make for cases in DISPLAYS.values() for name, make in cases.items()}
FAULTY = pytest.mark.parametrize(
    ("rig", "kind"),
    [
        pytest.param(make, kind, id=f"{name}-{kind.value}")
        for driver, cases in DISPLAYS.items()
        for name, make in cases.items()
        for kind in Fault
        if kind in POSSIBLE_FAULTS.get(driver, set(Fault))
    ],
    indirect=["rig"],
)


@pytest.fixture(params=CASES.values(), ids=list(CASES))
def rig(request: pytest.FixtureRequest) -> Iterator[DisplayRig]:
    made: DisplayRig = request.param()
    yield made
    made.display.close()


def test_an_opened_panel_is_black_and_shows_each_picture_pixel_by_pixel(rig: DisplayRig) -> None:
    rig.display.open()
    assert is_black(rig)
    for seed in range(3):
        picture = noise_for(rig, seed)
        rig.display.show(picture)
        assert same(rig.visible_picture(), picture)


def test_a_dark_panel_keeps_its_picture(rig: DisplayRig) -> None:
    picture = noise_for(rig)
    rig.display.open()
    rig.display.show(picture)
    rig.display.dark(True)
    assert is_black(rig)
    rig.display.dark(False)
    assert same(rig.visible_picture(), picture)


def test_a_dark_panel_that_lost_its_memory_wakes_with_its_picture(rig: DisplayRig) -> None:
    picture = noise_for(rig)
    rig.display.open()
    rig.display.contrast(255)
    rig.display.show(picture)
    rig.display.dark(True)
    if isinstance(rig, LumaRig):
        rig.wire.lose_power()
    rig.display.dark(False)
    assert same(rig.visible_picture(), picture)
    assert rig.display.has_memory() in (True, None)
    rig.display.refresh()
    assert same(rig.visible_picture(), picture)


def test_closing_leaves_it_dark_and_is_allowed_at_any_time(rig: DisplayRig) -> None:
    rig.display.close()
    rig.display.open()
    rig.display.show(noise_for(rig))
    rig.display.close()
    assert is_black(rig)
    rig.display.close()


def test_a_picture_of_another_size_or_mode_is_a_value_error(rig: DisplayRig) -> None:
    rig.display.open()
    for wrong in (noise((8, 8)), noise_for(rig).convert("L")):
        with pytest.raises(ValueError, match=r"\(8, 8\)|got L"):
            rig.display.show(wrong)
    for level in (-1, 256):
        with pytest.raises(ValueError, match=str(level)):
            rig.display.contrast(level)


def test_a_panel_that_is_not_open_is_a_device_error(rig: DisplayRig) -> None:
    with pytest.raises(DeviceError):
        rig.display.show(noise_for(rig))
    assert is_black(rig)


@FAULTY
def test_a_fault_at_start_is_a_device_error_and_reopening_recovers(
    rig: DisplayRig, kind: Fault
) -> None:
    rig.set_fault(kind)
    if kind in rig.detectable_faults:
        with pytest.raises(DeviceError, match=r"\w+ \w+"):
            rig.display.open()
        rig.display.close()
    else:
        rig.display.open()
        rig.display.show(noise_for(rig))
    assert is_black(rig)
    assert_recovers(rig)


@FAULTY
def test_a_fault_while_running_is_a_device_error_and_reopening_recovers(
    rig: DisplayRig, kind: Fault
) -> None:
    picture = noise_for(rig, 2)
    rig.display.open()
    rig.display.show(picture)
    rig.set_fault(kind)
    if kind in rig.detectable_faults:
        for _ in range(2):
            with pytest.raises(DeviceError):
                rig.display.show(noise_for(rig, 3))
            with pytest.raises(DeviceError):
                rig.display.contrast(9)
    else:
        rig.display.show(noise_for(rig, 3))
        assert is_black(rig) if kind is Fault.ABSENT else same(rig.visible_picture(), picture)
    assert_recovers(rig)


def test_a_reconnected_panel_shows_nothing_or_the_whole_picture(rig: DisplayRig) -> None:
    rig.display.open()
    rig.display.show(noise_for(rig))
    rig.set_fault(Fault.ABSENT)
    rig.set_fault(None)
    # A chip answers without being initialised; a file reopened for each picture is complete.
    picture = noise_for(rig, 4)
    rig.display.show(picture)
    assert is_black(rig) or same(rig.visible_picture(), picture)
    assert_recovers(rig)


def test_a_chip_that_came_back_stays_black_until_it_is_initialised(luma: LumaRig) -> None:
    luma.display.open()
    luma.set_fault(Fault.ABSENT)
    luma.set_fault(None)
    luma.display.show(noise((128, 64)))
    assert is_black(luma)
    assert_recovers(luma)


def noise_for(rig: DisplayRig, seed: int = 1) -> Image.Image:
    return noise(rig.display.size, seed, rig.display.mode)


def is_black(rig: DisplayRig) -> bool:
    return rig.visible_picture().getbbox() is None


def assert_recovers(rig: DisplayRig) -> None:
    rig.set_fault(None)
    rig.display.open()
    # A television is dimmed by a darker picture.
    rig.display.contrast(255)
    picture = noise_for(rig, 7)
    rig.display.show(picture)
    assert same(rig.visible_picture(), picture)


LUMA = {name: make for name, make in DISPLAYS["luma_oled"].items() if name.endswith("-0")}


@pytest.fixture(params=LUMA.values(), ids=list(LUMA))
def luma(request: pytest.FixtureRequest) -> LumaRig:
    made: LumaRig = request.param()
    return made


@pytest.mark.sampled(1)
def test_a_fault_at_any_message_is_a_chained_device_error_and_recovers(luma: LumaRig) -> None:
    luma.display.open()
    luma.display.show(noise((128, 64)))
    messages = len(luma.arrived)
    for broken, after in product(luma.detectable_faults - {Fault.NO_BUS}, range(messages)):
        luma.display.close()
        luma.set_fault(broken, after=after)
        with pytest.raises(DeviceError) as caught:
            luma.display.open()
            luma.display.show(noise((128, 64)))
        assert caught.value.__cause__ is not None
        assert_recovers(luma)


def test_the_last_contrast_is_restored_after_a_power_loss(luma: LumaRig) -> None:
    luma.display.open()
    luma.display.contrast(0x30)
    assert luma.ram.contrast == 0x30
    luma.set_fault(Fault.ABSENT)
    assert luma.ram.contrast == 0x7F
    luma.set_fault(None)
    luma.display.open()
    assert luma.ram.contrast == 0x30


def test_a_contrast_set_on_an_absent_panel_is_applied_on_opening(luma: LumaRig) -> None:
    with pytest.raises(DeviceError):
        luma.display.contrast(0x30)
    luma.display.open()
    assert luma.ram.contrast == 0x30
