"""The chips of lit buttons: what their lamps show, and faults of the wire."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import pytest

from scorer.hw import load
from scorer.hw.outputs import pca9685, shift_register
from scorer.hw.outputs.channel_lights import ChannelLights
from scorer.hw.outputs.newest_value import NewestValue
from scorer.hw.ports import DeviceError
from scorer.plain_values import WrongValues, read
from tests.hw.rigs import CHANNEL_LIGHTS


class Pca9685Model:
    """The chip, as in the data sheet; ``fault``: the errno of every transfer."""

    def __init__(self) -> None:
        self.fault = self.open_fault = 0
        self.open_handles = 0
        self.messages: list[tuple[int, bytes]] = []
        self.lose_power()

    def lose_power(self) -> None:
        self.registers = bytearray(256)
        self.registers[0x00], self.registers[0x01], self.registers[0xFE] = 0x11, 0x04, 0x1E
        for channel in range(16):
            self.registers[0x06 + 4 * channel + 3] = 0x10

    def open(self, port: int) -> Pca9685Model:
        assert port == 1
        self._fail(self.open_fault)
        self.open_handles += 1
        return self

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self._fail(self.fault)
        assert address == 0x40 and len(data) <= 32
        assert len(data) == 1 or self.registers[0x00] & 0x20, "one register without increment"
        self.messages.append((register, bytes(data)))
        for at, value in enumerate(data, register):
            assert at != 0xFE or self.registers[0x00] & 0x10, "the period is set asleep"
            self.registers[at] = value
            if at in range(0xFA, 0xFE):
                for channel in range(16):
                    self.registers[0x06 + 4 * channel + at - 0xFA] = value

    def read_byte_data(self, address: int, register: int) -> int:
        self._fail(self.fault)
        assert address == 0x40
        return self.registers[register]

    def close(self) -> None:
        self.open_handles -= 1

    def _fail(self, number: int) -> None:
        if number:
            raise OSError(number, os.strerror(number))

    def levels(self) -> list[float]:
        """The share of each period for which each output is high."""
        if self.registers[0x00] & 0x10:
            return [0.0] * 16
        assert self.registers[0x01] == 0x04, "totem pole, not inverted"
        return [self._level(0x06 + 4 * channel) for channel in range(16)]

    def _level(self, first: int) -> float:
        on_low, on_high, off_low, off_high = self.registers[first : first + 4]
        if off_high & 0x10:
            return 0.0
        if on_high & 0x10:
            return 1.0
        assert on_low == on_high == 0
        return (off_low + 256 * off_high) / 4096


class ChainModel:
    """A chain of 74HC595 on mock pins: what its outputs show."""

    def __init__(self, chips: int) -> None:
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        self.pins: Any = MockFactory(pin_class=MockPWMPin)
        # After power-on the registers hold anything.
        self.shifted = [True] * 8 * chips
        self.latched = list(self.shifted)
        self.clocks = 0
        self._levels = dict.fromkeys((10, 11, 8), 0.0)
        for number in self._levels:
            pin = self.pins.pin(number)
            pin._set_state = self._watch(number, pin._set_state)

    def _watch(self, number: int, change: Callable[[float], object]) -> Callable[[float], None]:
        def changed(value: float) -> None:
            change(value)
            before, self._levels[number] = self._levels[number], float(value)
            if before < self._levels[number]:
                self._rise(number)

        return changed

    def _rise(self, number: int) -> None:
        if number == 11:
            self.clocks += 1
            self.shifted = [bool(self._levels[10]), *self.shifted[:-1]]
        elif number == 8:
            self.latched = list(self.shifted)

    def levels(self) -> list[float]:
        enable = self.pins.pin(7)
        # A pull-up keeps the outputs off while the pin is no output.
        on = 1.0 - float(enable.state) if enable.function == "output" else 0.0
        return [on * bit for bit in self.latched]


class Lights(Protocol):
    """A driver, and what its lamps show: 0.0 to 1.0 each."""

    def levels(self) -> list[float]: ...


Rig = tuple[ChannelLights, Lights, int]


def pca() -> Rig:
    model = Pca9685Model()
    return pca9685.create(pca9685.Options(), bus=model.open), model, 16


def chain() -> Rig:
    model = ChainModel(2)
    options = shift_register.Options()
    return shift_register.create(options, pin_factory=model.pins), model, 16


RIGS = {"pca9685": pca, "shift_register": chain}


@pytest.fixture(params=RIGS.values(), ids=list(RIGS))
def rig(request: pytest.FixtureRequest) -> Rig:
    made: Rig = request.param()
    return made


def test_the_drivers_are_found_by_their_file_names() -> None:
    assert load.output_drivers("channel_count") == CHANNEL_LIGHTS == tuple(sorted(RIGS))


def test_lamps_are_dark_from_power_on_and_after_closing(rig: Rig) -> None:
    lights, model, count = rig
    assert model.levels() == [0.0] * count
    lights.open()
    assert model.levels() == [0.0] * count
    lights.show([100] * count)
    assert model.levels() == [1.0] * count
    lights.close()
    assert model.levels() == [0.0] * count
    lights.close()


def test_each_channel_is_lit_alone(rig: Rig) -> None:
    lights, model, count = rig
    lights.open()
    for channel in range(count):
        lights.show([100 * (at == channel) for at in range(count)])
        assert model.levels() == [float(at == channel) for at in range(count)]
    lights.show([100])
    assert model.levels() == [1.0] + [0.0] * (count - 1)


def test_lamps_are_dimmed(rig: Rig) -> None:
    lights, model, count = rig
    lights.open()
    for percent in (1, 15, 50, 99, 100, 0):
        lights.show([percent, 0, percent])
        lit = percent / 100
        expected = [lit, 0.0, lit, *[0.0] * (count - 3)]
        assert model.levels() == pytest.approx(expected, abs=1 / 1024)


def test_a_driver_that_is_not_open_is_a_device_error(rig: Rig) -> None:
    lights, _, _ = rig
    with pytest.raises(DeviceError, match="is not open"):
        lights.show([100])


@pytest.mark.parametrize("wrong", [[101], [-1], [0] * 17])
def test_wrong_levels_are_refused(rig: Rig, wrong: list[int]) -> None:
    lights, _, _ = rig
    lights.open()
    with pytest.raises(ValueError, match=r"17 levels|% is not"):
        lights.show(wrong)


def test_each_channel_of_a_pca9685_has_every_percentage() -> None:
    lights, model, _ = pca()
    lights.open()
    for percent in range(101):
        lights.show([percent] * 16)
        assert model.levels() == pytest.approx([percent / 100] * 16, abs=1 / 4096)


def test_a_pca9685_that_was_without_power_is_lit_again_by_a_repeat() -> None:
    model = Pca9685Model()
    lights = pca9685.create(pca9685.Options(), bus=model.open)
    lights.open()
    lights.show([100, 20])
    model.lose_power()
    assert model.levels() == [0.0] * 16
    lights.show([100, 20])
    assert model.levels() == pytest.approx([1.0, 0.2, *[0.0] * 14], abs=1 / 4096)
    assert model.open_handles == 1


@pytest.mark.parametrize(
    ("opening", "number", "sentence"),
    [
        (True, errno.ENOENT, "I2C bus 1 is not there: dtparam=i2c_arm=on belongs in config.txt"),
        (True, errno.EACCES, "I2C bus 1 is forbidden: the user must be in the group i2c"),
        (False, errno.EREMOTEIO, "no answer from the button lights on I2C bus 1 at 0x40: look at"),
        (False, errno.ETIMEDOUT, "I2C bus 1 hangs: look for a wire that touches ground"),
        (False, errno.EINVAL, "the button lights on I2C bus 1 at 0x40 failed: "),
    ],
)
def test_a_fault_of_the_bus_is_reported_and_reopening_recovers(
    opening: bool, number: int, sentence: str
) -> None:
    model = Pca9685Model()
    lights = pca9685.create(pca9685.Options(), bus=model.open)
    if opening:
        model.open_fault = number
    else:
        lights.open()
        lights.show([100])
        model.fault = number
    with pytest.raises(DeviceError) as caught:
        lights.open() if opening else lights.show([50])
    assert str(caught.value).startswith(sentence)
    lights.close()
    model.fault = model.open_fault = 0
    model.lose_power()
    lights.open()
    lights.show([100])
    assert model.levels()[0] == 1.0
    lights.close()
    assert model.open_handles == 0


def test_a_pin_of_a_chain_that_is_taken_is_a_device_error() -> None:
    from gpiozero import LED

    for number in (10, 11, 8, 7):
        lights, model, _ = chain()
        assert isinstance(model, ChainModel)
        thief = LED(number, pin_factory=model.pins)
        with pytest.raises(DeviceError, match="button lights"):
            lights.open()
        lights.close()
        thief.close()
        lights.open()
        lights.show([100])
        assert model.levels()[0] == 1.0


def test_the_last_chip_of_a_chain_gets_the_last_channels() -> None:
    lights, model, count = chain()
    assert isinstance(model, ChainModel)
    lights.open()
    model.clocks = 0
    lights.show([0] * 15 + [100])
    assert model.clocks == count, "one bit for each output"
    assert model.latched == [False] * 15 + [True]


@pytest.mark.parametrize(
    ("driver", "values", "sentence"),
    [
        ("pca9685", {"address": 0x3F}, "address: 0x40 to 0x77, and not 0x70; not 0x3f"),
        ("pca9685", {"address": 0x70}, "0x40 to 0x77, and not 0x70; not 0x70"),
        ("shift_register", {"chips": 0}, "0 is not from 1 to 4"),
        ("shift_register", {"data": 3}, "GPIO 3 is SCL"),
        ("shift_register", {"clock": 10}, "four different pins: data, clock, latch and enable"),
    ],
)
def test_wrong_options_are_refused(driver: str, values: dict[str, object], sentence: str) -> None:
    with pytest.raises(WrongValues, match=sentence):
        load.options("outputs", driver, values)


@pytest.mark.parametrize(
    ("values", "name"),
    [({}, "I2C bus 1 at 0x40"), ({"port": 3, "address": 0x77}, "I2C bus 3 at 0x77")],
)
def test_a_chip_is_named_by_its_bus_and_address(values: dict[str, object], name: str) -> None:
    assert read(pca9685.Options, values).resource_id == name


# ---- the thread of a chip ------------------------------------------------------------------------


class SlowDevice:
    """A device that a test holds up, and that remembers what it has shown."""

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.is_open = False
        self.fault = ""
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.changed = threading.Condition()

    def open(self) -> None:
        self._fail()
        self.is_open = True

    def show(self, value: int) -> None:
        assert self.is_open
        self.goes_on.wait(10)
        self._fail()
        with self.changed:
            self.shown.append(value)
            self.changed.notify_all()

    def close(self) -> None:
        self.is_open = False

    def _fail(self) -> None:
        if self.fault:
            raise DeviceError(self.fault)

    def wait_for(self, until: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(until, 10), self.shown


def test_a_device_that_hangs_delays_no_caller_and_shows_the_newest_value_then() -> None:
    device = SlowDevice()
    device.goes_on.clear()
    following = NewestValue[int](device, "lights", repeat_s=60)
    following.start()
    for value in range(100):
        following.put(value)
    device.goes_on.set()
    device.wait_for(lambda: device.shown[-1:] == [99])
    assert len(device.shown) <= 2
    following.close()
    assert not device.is_open


def test_a_value_is_repeated_for_a_device_that_was_without_power() -> None:
    device = SlowDevice()
    following = NewestValue[int](device, "lights", repeat_s=0.01)
    following.start()
    following.put(7)
    device.wait_for(lambda: device.shown[:3] == [7, 7, 7])
    following.close()


def test_a_fault_is_reported_once_and_the_device_opened_again() -> None:
    device, told = SlowDevice(), list[str]()
    reported = threading.Condition()

    def on_fault(fault: str) -> None:
        with reported:
            told.append(fault)
            reported.notify_all()

    device.fault = "no answer"
    following = NewestValue[int](device, "lights", on_fault, repeat_s=0.01)
    following.start()
    following.put(5)
    with reported:
        assert reported.wait_for(lambda: told == ["no answer"], 10)
    assert following.fault == "no answer"
    device.fault = ""
    device.wait_for(lambda: device.shown[-1:] == [5])
    with reported:
        assert reported.wait_for(lambda: told == ["no answer", ""], 10)
    following.close()
