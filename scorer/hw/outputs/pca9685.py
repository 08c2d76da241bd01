"""Lights on a PCA9685: sixteen channels with pulse width, on an I2C bus.

A high output lights, through a transistor or a ULN2803A: so every light is dark from power-on until
the first command. Registers as in the data sheet of NXP, PCA9685, Rev. 4.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from scorer.hw.outputs.channel_lights import check_levels
from scorer.hw.outputs.i2c_chip import I2cChip, OpenBus, bus_name, bus_wires
from scorer.hw.ports import DeviceError, Wire
from scorer.plain_values import Found, Range

CHANNELS = 16
_MODE1, _MODE2, _FIRST, _ALL_OFF_HIGH, _PRESCALE = 0x00, 0x01, 0x06, 0xFD, 0xFE
_SLEEP, _AUTO_INCREMENT = 0x10, 0x20
_TOTEM_POLE = 0x04
_FULL = 0x10  # bit 4 of a high byte: on, or off, for the whole period
_STEPS = 4096  # of a period
# 25 MHz / 4096 / (5 + 1) = 1017 Hz: no flicker in a moving eye, nor in a picture of a phone.
_PERIOD = 5
_OF_A_MESSAGE = 8  # channels: 32 bytes
_ALL_CALL = 0x70  # an address to which every chip answers after power-on


class Options(NamedTuple):
    """The number of the bus and the address of the chip, 0x40 without a bridge."""

    address: int = 0x40
    port: Annotated[int, Range(0, 255)] = 1

    def find_problems(self) -> Iterator[Found]:
        if not 0x40 <= self.address <= 0x77 or self.address == _ALL_CALL:
            yield "address", f"0x40 to 0x77, and not 0x70; not {self.address:#x}"

    @property
    def channel_count(self) -> int:
        return CHANNELS

    @property
    def resource_id(self) -> str:
        return f"{bus_name(self.port)} at {self.address:#x}"

    @property
    def wires(self) -> tuple[Wire, ...]:
        return bus_wires(self.port)


def create(options: Options, *, bus: OpenBus | None = None) -> Pca9685:
    """Create a closed driver; ``bus`` replaces ``smbus2.SMBus``."""
    return Pca9685(options, bus)


class Pca9685:
    """ChannelLights of one chip. Writes four messages of at most 33 bytes."""

    def __init__(self, options: Options, bus: OpenBus | None) -> None:
        self._chip = I2cChip("the button lights", options.port, options.address, bus)

    def open(self) -> None:
        self._chip.open()
        # The period can be set while the chip sleeps only.
        self._chip.write(_MODE1, _SLEEP | _AUTO_INCREMENT)
        self._chip.write(_PRESCALE, _PERIOD)
        self._chip.write(_MODE2, _TOTEM_POLE)
        self._chip.write(_ALL_OFF_HIGH, _FULL)
        self._chip.write(_MODE1, _AUTO_INCREMENT)

    def show(self, levels: Sequence[int]) -> None:
        check_levels(levels, CHANNELS)
        if self._chip.read(_MODE1) != _AUTO_INCREMENT:
            # It has lost its power: it sleeps, with all channels dark.
            self.open()
        every = [*levels, *[0] * (CHANNELS - len(levels))]
        for first in range(0, CHANNELS, _OF_A_MESSAGE):
            pulses = map(_pulse, every[first : first + _OF_A_MESSAGE])
            self._chip.write(_FIRST + 4 * first, *(byte for pulse in pulses for byte in pulse))

    def close(self) -> None:
        with contextlib.suppress(DeviceError):
            self._chip.write(_ALL_OFF_HIGH, _FULL)
        self._chip.close()


def _pulse(percent: int) -> tuple[int, int, int, int]:
    """The four registers of a channel: when it goes on and when off, low byte first."""
    if percent == 0:
        return 0, 0, 0, _FULL
    if percent == 100:
        return 0, _FULL, 0, 0
    until = _STEPS * percent // 100
    return 0, 0, until & 0xFF, until >> 8
