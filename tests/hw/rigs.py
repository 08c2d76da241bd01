"""Every driver on something a test can press, break and look at. A new driver needs a row here.

A rig is the driver and its surroundings: what a finger does, what an eye sees, what may break.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from PIL import Image

from scorer.hw.displays import luma_oled, memory
from scorer.hw.displays.controller_ram import ControllerRam
from scorer.hw.displays.recording import Fault, RecordingBus, RecordingSpi, Wire
from scorer.hw.inputs import gpio, scripted
from scorer.hw.outputs import buzzer, lamp
from scorer.hw.outputs import memory as outputs
from scorer.hw.ports import Buzzer, Display, InputSource, Lamp

CONTROLLERS = ("ssd1306", "ssd1309", "sh1106")
LINES = {"left": 5, "right": 6}
PIN = 12


def noise(size: tuple[int, int], seed: int = 1) -> Image.Image:
    """A picture in which every misplaced pixel shows."""
    source = random.Random(seed)
    return Image.frombytes("L", size, source.randbytes(size[0] * size[1])).point(
        lambda value: 255 * (value > 127), mode="1"
    )


def black(size: tuple[int, int]) -> Image.Image:
    return Image.new("1", size)


def same(left: Image.Image, right: Image.Image) -> bool:
    return (left.mode, left.size, left.tobytes()) == (right.mode, right.size, right.tobytes())


# ---- displays -----------------------------------------------------------------------------------


class DisplayRig(Protocol):
    """A display, its faults and its glass. ``noticed``: the faults a driver can find out."""

    @property
    def display(self) -> Display: ...
    @property
    def noticed(self) -> frozenset[Fault]: ...
    def fault(self, kind: Fault | None, *, after: int = 0) -> None: ...
    def seen(self) -> Image.Image: ...


class LumaRig:
    """The real driver on a recording bus, with a model of the chip at its end."""

    def __init__(
        self, controller: str, interface: str, rotate: int = 0, size: tuple[int, int] = (128, 64)
    ) -> None:
        self.rotate = rotate
        self.ram = ControllerRam(controller, size)
        self.sent: list[bytes] = []
        self.arrived: list[bytes] = []
        self.wire = Wire(self._arrive, acknowledged=interface == "i2c")
        self.bus = RecordingBus({0x3C: self.wire})
        self.spi = RecordingSpi(self.wire, dc=7)
        options = luma_oled.Options(
            controller=controller,
            interface="i2c" if interface == "i2c" else "spi",
            size=size,
            rotate=rotate,
        )
        self.display: Display = luma_oled.create(
            options, bus=self.bus.open, spi=self.spi.device, gpio=self.spi.lines
        )
        silent = {Fault.SWALLOW} if interface == "i2c" else SILENT_ON_SPI
        self.noticed = frozenset(Fault) - silent

    @property
    def open_handles(self) -> int:
        return self.bus.open_handles + self.spi.open_handles

    def _arrive(self, message: bytes) -> None:
        self.arrived.append(message)
        self.ram.feed(message)

    def fault(self, kind: Fault | None, *, after: int = 0) -> None:
        self.wire.set_fault(kind, after=after)

    def seen(self) -> Image.Image:
        return self.ram.picture(self.rotate)


SILENT_ON_SPI = {Fault.SWALLOW, Fault.ABSENT, Fault.NAK}


class MemoryRig:
    """The fake."""

    def __init__(self) -> None:
        self._driver = memory.create(memory.Options())
        self.display: Display = self._driver
        self.noticed = frozenset(Fault) - {Fault.SWALLOW}

    def fault(self, kind: Fault | None, *, after: int = 0) -> None:
        self._driver.set_fault(kind)

    def seen(self) -> Image.Image:
        return self._driver.picture()


DISPLAYS: dict[str, dict[str, Callable[[], DisplayRig]]] = {
    "luma_oled": {
        f"{controller}-{interface}-{rotate}": partial(LumaRig, controller, interface, rotate)
        for controller in CONTROLLERS
        for interface in ("i2c", "spi")
        for rotate in range(4)
    },
    "memory": {"memory": MemoryRig},
}

# ---- inputs -------------------------------------------------------------------------------------


class InputRig(Protocol):
    """An input with two lines, ``left`` and ``right``."""

    @property
    def source(self) -> InputSource: ...
    def move(self, line: str, *, down: bool, at: float) -> None: ...
    def lose(self, line: str, *, down: bool) -> None: ...
    def kill(self) -> None: ...
    def take_away(self) -> None: ...
    def give_back(self) -> None: ...


class GpioRig:
    """The real driver on gpiozero's mock pins."""

    def __init__(self) -> None:
        from gpiozero.pins.mock import MockFactory

        self.now: float | None = 0.0
        self.pins: Any = MockFactory()
        self._thief: Any = None
        self.source: InputSource = gpio.create(
            gpio.Options(LINES), now=self._clock, pin_factory=self.pins
        )

    def _clock(self) -> float:
        if self.now is None:
            raise RuntimeError("no time")
        return self.now

    def move(self, line: str, *, down: bool, at: float) -> None:
        self.now = at
        pin = self.pins.pin(LINES[line])
        (pin.drive_low if down else pin.drive_high)()

    def lose(self, line: str, *, down: bool) -> None:
        """The level changes and the kernel drops the edge."""
        self.pins.pin(LINES[line])._state = not down

    def kill(self) -> None:
        """What ends lgpio's thread is an exception in a callback: here the clock raises one."""
        self.now = None
        pin = self.pins.pin(LINES["left"])
        (pin.drive_low if pin.state else pin.drive_high)()

    def take_away(self) -> None:
        from gpiozero import LED

        self.source.close()
        self._thief = LED(LINES["right"], pin_factory=self.pins)

    def give_back(self) -> None:
        self._thief.close()


class ScriptedRig:
    """The fake."""

    def __init__(self) -> None:
        self._driver = scripted.create(scripted.Options(tuple(LINES)))
        self.source: InputSource = self._driver

    def move(self, line: str, *, down: bool, at: float) -> None:
        self._driver.feed(line, down=down, at=at)

    def lose(self, line: str, *, down: bool) -> None:
        self._driver.feed(line, down=down, at=0, lost=True)

    def kill(self) -> None:
        self._driver.die()

    def take_away(self) -> None:
        self._driver.set_absent(True)

    def give_back(self) -> None:
        self._driver.set_absent(False)


INPUTS: dict[str, Callable[[], InputRig]] = {"gpio": GpioRig, "scripted": ScriptedRig}

# ---- outputs ------------------------------------------------------------------------------------


class PinUnderTest:
    """One mock pin, which can be taken by somebody else or break."""

    def __init__(self) -> None:
        from gpiozero.pins.mock import MockFactory

        self.pins: Any = MockFactory()
        self._thief: Any = None

    def is_on(self) -> bool:
        pin = self.pins.pin(PIN)
        return bool(pin.function == "output" and pin.state)

    def take_away(self) -> None:
        from gpiozero import LED

        self._thief = LED(PIN, pin_factory=self.pins)

    def give_back(self) -> None:
        self._thief.close()

    def break_off(self) -> None:
        def broken(value: object) -> None:
            raise OSError(5, os.strerror(5))

        self.pins.pin(PIN)._set_state = broken


class RememberedPin:
    """The same for a fake."""

    def __init__(self, switch: outputs.MemorySwitch) -> None:
        self._switch = switch

    def is_on(self) -> bool:
        return self._switch.on

    def take_away(self) -> None:
        self._switch.absent = True

    def give_back(self) -> None:
        self._switch.absent = False

    break_off = take_away


Pin = PinUnderTest | RememberedPin


def gpio_lamp() -> tuple[Lamp, Pin]:
    pin = PinUnderTest()
    return lamp.create(lamp.Options(PIN), pin_factory=pin.pins), pin


def memory_lamp() -> tuple[Lamp, Pin]:
    made = outputs.create(outputs.Options("lamp"))
    assert isinstance(made, outputs.MemoryLamp)
    return made, RememberedPin(made)


def gpio_buzzer() -> tuple[Buzzer, Pin]:
    pin = PinUnderTest()
    return buzzer.create(buzzer.Options(PIN), pin_factory=pin.pins), pin


def memory_buzzer() -> tuple[Buzzer, Pin]:
    made = outputs.create(outputs.Options("buzzer"))
    assert isinstance(made, outputs.MemoryBuzzer)
    return made, RememberedPin(made.switch)


LAMPS: dict[str, Callable[[], tuple[Lamp, Pin]]] = {"lamp": gpio_lamp, "memory": memory_lamp}
BUZZERS: dict[str, Callable[[], tuple[Buzzer, Pin]]] = {
    "buzzer": gpio_buzzer,
    "memory": memory_buzzer,
}

COVERED: dict[str, Sequence[str]] = {
    "displays": sorted(DISPLAYS),
    "inputs": sorted(INPUTS),
    "outputs": sorted(LAMPS | BUZZERS),
}
