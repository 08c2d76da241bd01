"""Resource leaks and error messages of the luma driver."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.hw import load
from scorer.hw.displays import luma_oled
from scorer.hw.displays.buses import I2cBus, PinLines
from scorer.hw.displays.fake_bus import FakeWire, Fault, RecordingBus, RecordingSpi
from scorer.hw.ports import DeviceError
from scorer.plain_values import WrongValues, read
from tests.hw.rigs import DISPLAYS, PIN, LumaRig, PinUnderTest, noise, same

FIRST = {name: make for name, make in DISPLAYS["luma_oled"].items() if name.endswith("-0")}


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counting needs no paths


def hooks() -> int:
    """The number of exit hooks; only this private function counts them."""
    count: int = atexit._ncallbacks()
    return count


@pytest.fixture(scope="module", autouse=True)
def _few_objects() -> None:
    """Exclude what other tests have made from the objects that these tests count."""
    gc.collect()
    gc.freeze()


def luma_devices() -> int:
    from luma.core.device import device

    gc.collect()
    return sum(issubclass(type(thing), device) for thing in gc.get_objects())


@pytest.mark.sampled(9)
@pytest.mark.parametrize("make", FIRST.values(), ids=FIRST)
def test_repeated_opening_leaks_nothing(make: Callable[[], LumaRig]) -> None:
    rig = make()
    rig.display.open()
    held, before = rig.open_handles, (descriptors(), hooks(), luma_devices())
    for _ in range(10):
        rig.display.open()
        rig.display.show(noise((128, 64)))
    assert rig.open_handles == held
    assert (descriptors(), hooks(), luma_devices()) == before
    rig.display.close()
    assert rig.open_handles == 0
    assert luma_devices() == before[2] - 1


@pytest.mark.parametrize("make", FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("after", [0, 1, 2])
def test_failed_opening_leaks_nothing(make: Callable[[], LumaRig], after: int) -> None:
    rig = make()
    rig.display.open()
    rig.display.close()
    before = (descriptors(), hooks(), luma_devices())
    for _ in range(10):
        rig.set_fault(Fault.EIO, after=after)
        with pytest.raises(DeviceError):
            rig.display.open()
    assert rig.open_handles == 0
    assert (descriptors(), hooks(), luma_devices()) == before


def test_a_missing_bus_is_reported_with_advice() -> None:
    port = 99
    assert not Path(f"/dev/i2c-{port}").exists()
    before = descriptors()
    panel = load.display("luma_oled", {"port": port})
    for _ in range(3):
        with pytest.raises(DeviceError, match=r"I2C bus 99 is not there.*config\.txt"):
            panel.open()
    panel.close()
    assert descriptors() == before


@pytest.mark.parametrize(
    ("interface", "kind", "words"),
    [
        ("i2c", Fault.NO_BUS, "I2C bus 1 is not there: dtparam=i2c_arm=on"),
        ("i2c", Fault.ABSENT, "no panel answers on I2C bus 1 at 0x3c: look at its plug"),
        ("i2c", Fault.NAK, "no panel answers on I2C bus 1 at 0x3c: look at its plug"),
        ("i2c", Fault.TIMEOUT, "I2C bus 1 hangs: unplug the panel"),
        ("i2c", Fault.EIO, "no panel answers on I2C bus 1 at 0x3c: look at its plug"),
        ("spi", Fault.NO_BUS, "SPI 0.0 is not there: dtoverlay=spi0-1cs,no_miso"),
        ("spi", Fault.TIMEOUT, "SPI 0.0 hangs: unplug the panel"),
        ("spi", Fault.EIO, "no panel answers on SPI 0.0: look at its plug"),
    ],
)
def test_a_fault_is_reported_with_advice(interface: str, kind: Fault, words: str) -> None:
    rig = LumaRig("ssd1306", interface)
    rig.set_fault(kind)
    with pytest.raises(DeviceError) as caught:
        rig.display.open()
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"port": 3}, "dtparam=i2c_arm=on"),
        ({"interface": "spi"}, "dtoverlay=spi0-1cs,no_miso"),
        ({"interface": "spi", "device": 1, "gpio_dc": 25}, "dtoverlay=spi0-2cs,no_miso"),
        ({"interface": "spi", "port": 1, "device": 2}, "dtoverlay=spi1-3cs"),
    ],
)
def test_the_advice_names_the_line_of_each_bus(options: dict[str, object], line: str) -> None:
    wire = FakeWire(lambda message: None)
    wire.set_fault(Fault.NO_BUS)
    spi = RecordingSpi(wire, dc=7)
    seams = {"bus": RecordingBus({0x3C: wire}).open, "spi": spi.device, "gpio": spi.lines}
    with pytest.raises(DeviceError, match=f"{line} belongs in config.txt"):
        load.display("luma_oled", options, **seams).open()


def test_forbidden_buses_name_the_group() -> None:
    def forbidden(port: int) -> I2cBus:
        raise PermissionError(13, os.strerror(13))

    with pytest.raises(DeviceError, match="the user must be in the group i2c"):
        luma_oled.create(luma_oled.Options(), bus=forbidden).open()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            {"controller": "sh1107", "size": [128, 64]},
            "size: the glass of an SH1107 has [64, 128] or [128, 128], not [128, 64]",
        ),
        (
            {"controller": "sh1106", "size": [128, 128]},
            "size: the glass of an SH1106 has [128, 64] or [128, 32], not [128, 128]",
        ),
        (
            {"controller": "sh1107", "rotate": 0},
            "rotate: 1 or 3 for a glass of [64, 128], not 0",
        ),
        ({"rotate": 1}, "rotate: 0 or 2 for a glass of [128, 64], not 1"),
        (
            {"controller": "sh1107", "size": [128, 128], "rotate": 4},
            "rotate: 0 or 1 or 2 or 3 for a glass of [128, 128], not 4",
        ),
        (
            {"first_column": 2},
            "first_column: an SSD1309 has no columns beside its glass: leave it out",
        ),
        (
            {"controller": "sh1106", "first_column": 5},
            "first_column: 0 to 4 on an SH1106, not 5",
        ),
    ],
)
def test_what_a_controller_refuses_is_a_sentence(values: dict[str, object], words: str) -> None:
    (problem,) = load.problems("displays", "luma_oled", values)
    assert str(problem) == words


@pytest.mark.parametrize("controller", luma_oled.CONTROLLERS)
def test_each_offered_size_of_a_controller_can_be_opened(controller: str) -> None:
    """The glass alone decides its size and rotation, where none is written."""
    for size in luma_oled.CONTROLLERS[controller].sizes:
        rig = LumaRig(controller, "i2c", size=size)
        rig.display.open()
        rig.display.show(picture := noise(rig.display.size))
        assert same(rig.visible_picture(), picture)
        assert picture.width >= picture.height
    assert load.display("luma_oled", {"controller": controller}).size == (128, 64)


@pytest.mark.parametrize("column", [0, 1, 2, 3, 4])
def test_the_glass_of_an_sh1106_may_begin_at_another_column(column: int) -> None:
    rig = LumaRig("sh1106", "i2c", first_column=column)
    rig.ram.ram = [bytearray(b"\xaa" * 132) for _ in rig.ram.ram]
    rig.display.open()
    rig.display.show(noise((128, 64)))
    assert same(rig.visible_picture(), noise((128, 64)))


@pytest.mark.parametrize(
    ("controller", "words"),
    [
        ("ssd1360", "did you mean 'ssd13"),
        ("ws0010", "known are sh1106"),
        ("ssd1327", "did you mean"),
        ("", "known are"),
    ],
)
def test_an_unknown_controller_is_refused_before_anything_is_opened(
    controller: str, words: str
) -> None:
    (problem,) = load.problems("displays", "luma_oled", {"controller": controller})
    assert str(problem).startswith("controller: no controller")
    assert words in str(problem)


def test_a_controller_that_an_older_luma_lacks_is_a_device_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import luma.oled.device as chips

    monkeypatch.setattr(chips, "__all__", ["ssd1306"])
    wire = FakeWire(lambda message: None)
    panel = load.display("luma_oled", {}, bus=RecordingBus({0x3C: wire}).open)
    with pytest.raises(DeviceError, match=r"this version .* has no controller 'ssd1309'"):
        panel.open()


def test_all_wrong_settings_are_reported_at_once() -> None:
    with pytest.raises(WrongValues) as caught:
        read(
            luma_oled.Options,
            {"rotate": 1, "address": 0x80, "speed": 3, "interface": "spi", "gpio_dc": 2},
        )
    wrong = [problem.path for problem in caught.value.problems]
    assert wrong == [("address",), ("gpio_dc",), ("rotate",), ("speed",)]


def test_the_size_is_known_before_opening() -> None:
    assert luma_oled.create(luma_oled.Options(size=(128, 32), rotate=2)).size == (128, 32)


def test_the_lines_of_a_panel_follow_its_driver_and_are_released() -> None:
    pin = PinUnderTest()
    lines = PinLines(pin.pins)
    lines.setup(PIN, lines.OUT)
    seen = [pin.is_on()]
    for level in (lines.HIGH, lines.LOW, lines.HIGH):
        lines.output(PIN, level)
        seen.append(pin.is_on())
    assert seen == [False, True, False, True]
    lines.cleanup()
    pin.take_away()
    lines.cleanup()
