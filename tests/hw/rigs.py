"""Rigs of all drivers, for the contract tests. A new driver needs an entry here.

A rig is a driver with its surroundings: inputs to press, visible pictures, and faults to inject.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import struct
import tempfile
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol

from PIL import Image

from scorer.hw.displays import framebuffer, luma_oled
from scorer.hw.displays.chip_simulator import SimulatedChip
from scorer.hw.displays.fake_bus import FakeWire, Fault, RecordingBus, RecordingSpi
from scorer.hw.inputs import gpio, keypad
from scorer.hw.outputs import buzzer, lamp
from scorer.hw.outputs import memory as outputs
from scorer.hw.ports import Buzzer, DeviceError, Display, InputSource, Lamp
from tests.hw.fake_evdev import FakeEvdev, Keypad, await_end
from tests.hw.serial.rig import BoxRig, RadioRig
from tests.support import memory_display, scripted_input

CONTROLLERS = ("ssd1306", "ssd1309", "ssd1315", "sh1106", "sh1107")
LINES = {"left": 5, "right": 6}
PIN = 12


def noise(size: tuple[int, int], seed: int = 1, mode: str = "1") -> Image.Image:
    """A picture in which any misplaced pixel or colour is detectable."""
    if mode == "RGB":
        return Image.merge(mode, [noise(size, 3 * seed + n).convert("L") for n in range(3)])
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
    """A display, its faults and its visible picture.

    Drivers raise on ``detectable_faults``.
    """

    @property
    def display(self) -> Display: ...
    @property
    def detectable_faults(self) -> frozenset[Fault]: ...
    def set_fault(self, kind: Fault | None, *, after: int = 0) -> None: ...
    def visible_picture(self) -> Image.Image: ...


class LumaRig:
    """The real driver on a recording bus, with a chip model at its end."""

    def __init__(
        self,
        controller: str,
        interface: str,
        turns: int = 0,
        size: tuple[int, int] | None = None,
        first_column: int | None = None,
        *,
        has_status: bool = True,
    ) -> None:
        """``turns``: quarter turns more than the usual ones of the glass."""
        options = luma_oled.Options(
            controller=controller,
            interface="i2c" if interface == "i2c" else "spi",
            size=size,
            first_column=first_column,
        )
        self.rotate = (options.quarter_turns + turns) % 4
        options = options._replace(rotate=self.rotate)
        self.ram = SimulatedChip(controller, options.glass_size, first_column)
        self.sent: list[bytes] = []
        self.arrived: list[bytes] = []
        self.wire = FakeWire(
            self._on_message, acknowledged=interface == "i2c", has_status=has_status
        )
        self.bus = RecordingBus({0x3C: self.wire})
        self.spi = RecordingSpi(self.wire, dc=7)
        self.display: Display = luma_oled.create(
            options, bus=self.bus.open, spi=self.spi.device, gpio=self.spi.lines
        )
        silent = {Fault.SWALLOW} if interface == "i2c" else SILENT_ON_SPI
        self.detectable_faults = frozenset(Fault) - silent

    @property
    def open_handles(self) -> int:
        return self.bus.open_handles + self.spi.open_handles

    def _on_message(self, message: bytes) -> None:
        self.arrived.append(message)
        self.ram.feed(message)

    def set_fault(self, kind: Fault | None, *, after: int = 0) -> None:
        self.wire.set_fault(kind, after=after)

    def visible_picture(self) -> Image.Image:
        return self.ram.picture(self.rotate)


SILENT_ON_SPI = {Fault.SWALLOW, Fault.ABSENT, Fault.NAK}


class MemoryRig:
    """The fake."""

    def __init__(self, mode: Literal["1", "RGB"] = "1") -> None:
        self._driver = memory_display.MemoryDisplay(memory_display.Options(mode=mode))
        self.display: Display = self._driver
        self.detectable_faults = frozenset(Fault) - {Fault.SWALLOW}

    def set_fault(self, kind: Fault | None, *, after: int = 0) -> None:
        self._driver.set_fault(kind)

    def visible_picture(self) -> Image.Image:
        return self._driver.picture()


class FramebufferRig:
    """The real driver on a simulated sysfs; a file is the memory of the screen."""

    detectable_faults = frozenset(Fault) - {Fault.SWALLOW}

    def __init__(
        self, depth: int, order: str = "bgr", padding: int = 0, size: tuple[int, int] = (96, 50)
    ) -> None:
        self.root = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, self.root, ignore_errors=True)
        self.picture_size, self.depth, self.order = size, depth, order
        self.stride = size[0] * depth // 8 + padding
        self.device = self.root / "dev/fb0"
        self.writes: list[tuple[int, int]] = []  # offset and length in bytes
        self._fault: Fault | None = None
        self._writes_before_fault = 0
        self._create_device()
        options = framebuffer.Options(order="rgb" if order == "rgb" else "bgr")
        self.display: Display = framebuffer.create(options, root=self.root, write=self._write)

    def _create_device(self) -> None:
        about = self.root / "sys/class/graphics/fb0"
        about.mkdir(parents=True, exist_ok=True)
        width, height = self.picture_size
        # Memory for two pictures, as some kernels allocate; one is visible.
        attributes = {"virtual_size": f"{width},{2 * height}", "modes": f"U:{width}x{height}p-60"}
        attributes |= {"bits_per_pixel": str(self.depth), "stride": str(self.stride)}
        for name, text in attributes.items():
            (about / name).write_text(f"{text}\n", encoding="ascii")
        self.device.parent.mkdir(exist_ok=True)
        self.device.unlink(missing_ok=True)
        self.device.write_bytes(b"")

    def _remove_device(self) -> None:
        shutil.rmtree(self.root / "sys", ignore_errors=True)
        self.device.unlink(missing_ok=True)

    def _write(self, descriptor: int, data: bytes, at: int) -> int:
        if self._fault is not None and self._writes_before_fault <= 0:
            if self._fault is Fault.SWALLOW:
                return len(data)
            raise OSError(FAULTS[self._fault], os.strerror(FAULTS[self._fault]))
        self._writes_before_fault -= 1
        self.writes.append((at, len(data)))
        return os.pwrite(descriptor, data, at)

    def set_fault(self, kind: Fault | None, *, after: int = 0) -> None:
        self._fault, self._writes_before_fault = kind, after
        if kind in (Fault.NO_BUS, Fault.ABSENT):
            self._remove_device()
        elif kind is None and not self.device.exists():
            self._create_device()

    def visible_picture(self) -> Image.Image:
        width, height = self.picture_size
        held = self.device.read_bytes() if self.device.exists() else b""
        held = held[: self.stride * height].ljust(self.stride * height, b"\0")
        if self.depth == 16:
            return self._decode_16_bit(held)
        raw = self.order.upper() + ("X" if self.depth == 32 else "")
        return Image.frombytes("RGB", (width, height), held, "raw", raw, self.stride)

    def _decode_16_bit(self, held: bytes) -> Image.Image:
        width, height = self.picture_size
        picture = Image.new("RGB", (width, height))
        rows = [held[at : at + 2 * width] for at in range(0, len(held), self.stride)]
        values = [v for row in rows[:height] for v in struct.unpack(f"<{width}H", row)]
        pixels = [(v >> 11, v >> 5 & 0x3F, v & 0x1F) for v in values]
        picture.putdata([(r * 255 // 31, g * 255 // 63, b * 255 // 31) for r, g, b in pixels])
        return picture


FAULTS = {
    Fault.NO_BUS: errno.ENOENT,
    Fault.ABSENT: errno.ENODEV,
    Fault.NAK: errno.EREMOTEIO,
    Fault.TIMEOUT: errno.ETIMEDOUT,
    Fault.EIO: errno.EIO,
}

DISPLAYS: dict[str, dict[str, Callable[[], DisplayRig]]] = {
    "framebuffer": {
        "framebuffer-16": partial(FramebufferRig, 16),
        "framebuffer-24-rgb": partial(FramebufferRig, 24, "rgb"),
        "framebuffer-32-padded": partial(FramebufferRig, 32, "bgr", 64),
    },
    "luma_oled": {
        f"{controller}-{interface}-{turns}": partial(LumaRig, controller, interface, turns)
        for controller in CONTROLLERS
        for interface in ("i2c", "spi")
        for turns in (0, 2)
    },
    "memory": {"memory": MemoryRig, "memory-in-colour": partial(MemoryRig, "RGB")},
}
# Faults that the rigs of a driver can bring about; all of them for a driver that is not named.
POSSIBLE_FAULTS: dict[str, set[Fault]] = {}

# ---- inputs -------------------------------------------------------------------------------------


class InputRig(Protocol):
    """An input with the lines ``left`` and ``right``. ``lost``: arguments of ``gone``."""

    @property
    def source(self) -> InputSource: ...
    @property
    def lost(self) -> list[DeviceError]: ...
    def move(self, line: str, *, down: bool, at: float, read_at: float | None = None) -> None:
        """Change a line at a time; the driver runs at ``read_at``, if that is later."""

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
        self.ticks = 0.0  # the clock of the pins: an edge's, then the present
        self.pins.ticks = lambda: self.ticks
        self._thief: Any = None
        self.lost: list[DeviceError] = []
        self.source: InputSource = gpio.create(
            gpio.Options(LINES), now=self._clock, gone=self.lost.append, pin_factory=self.pins
        )

    def _clock(self) -> float:
        if self.now is None:
            raise RuntimeError("no time")
        return self.now

    def move(self, line: str, *, down: bool, at: float, read_at: float | None = None) -> None:
        self.now = at if read_at is None else read_at
        self.ticks = self.now + TICKS_AHEAD
        pin = self.pins.pin(LINES[line])
        if pin.state == down:
            pin._state = not down
            if pin.when_changed is not None:
                pin.when_changed(at + TICKS_AHEAD, pin.state)

    def lose(self, line: str, *, down: bool) -> None:
        """Change the level without an edge, as when the kernel drops it."""
        self.pins.pin(LINES[line])._state = not down

    def kill(self) -> None:
        """Raise in a callback, which ends lgpio's thread: here the clock raises."""
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
        self.lost: list[DeviceError] = []
        self._driver = scripted_input.ScriptedInput(
            scripted_input.Options(tuple(LINES)), self.lost.append
        )
        self.source: InputSource = self._driver

    def move(self, line: str, *, down: bool, at: float, read_at: float | None = None) -> None:
        self._driver.feed(line, down=down, at=at)

    def lose(self, line: str, *, down: bool) -> None:
        self._driver.feed(line, down=down, at=0, lost=True)

    def kill(self) -> None:
        self._driver.end_thread()

    def take_away(self) -> None:
        self._driver.set_absent(True)

    def give_back(self) -> None:
        self._driver.set_absent(False)


class KeypadRig:
    """The real driver on a fake keypad."""

    def __init__(self) -> None:
        self.now = 0.0
        self.keypad = Keypad("/dev/input/by-id/usb-keypad", "Keypad")
        options = keypad.Options(("left", "right"), self.keypad.path, keys=("KEY_KP7", "KEY_KP8"))
        self.lost: list[DeviceError] = []
        self.source: InputSource = keypad.create(
            options, now=lambda: self.now, gone=self.lost.append, library=FakeEvdev(self.keypad)
        )

    def move(self, line: str, *, down: bool, at: float, read_at: float | None = None) -> None:
        self.now, self.keypad.now = at if read_at is None else read_at, at
        self.keypad.press(KEYS[line], down=down)

    def lose(self, line: str, *, down: bool) -> None:
        self.keypad.lose(KEYS[line], down=down)

    def kill(self) -> None:
        self.keypad.pull_out()
        await_end(self.source.is_alive)
        self.keypad.plug_in()

    def take_away(self) -> None:
        self.keypad.pull_out()

    def give_back(self) -> None:
        self.keypad.plug_in()


TICKS_AHEAD = 4096.0  # seconds between the clock of the pins and that of the table
KEYS = {"left": "KEY_KP7", "right": "KEY_KP8"}

INPUTS: dict[str, Callable[[], InputRig]] = {
    "box": BoxRig,
    "gpio": GpioRig,
    "keypad": KeypadRig,
    "radio": RadioRig,
    "scripted": ScriptedRig,
}
# What an owner has to write besides the driver's name, where a driver needs more than that.
INPUT_VALUES: dict[str, dict[str, object]] = {
    "box": {"port": "/dev/ttyAMA0"},
    "keypad": {"device": "/dev/input/by-id/usb-keypad"},
    "radio": {"name": "norte"},
}

# ---- outputs ------------------------------------------------------------------------------------


class PinUnderTest:
    """One mock pin, which can be claimed by another device or break."""

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
    made = outputs.MemoryLamp()
    return made, RememberedPin(made)


def gpio_buzzer() -> tuple[Buzzer, Pin]:
    pin = PinUnderTest()
    return buzzer.create(buzzer.Options(PIN), pin_factory=pin.pins), pin


def memory_buzzer() -> tuple[Buzzer, Pin]:
    made = outputs.MemoryBuzzer()
    return made, RememberedPin(made.switch)


LAMPS: dict[str, Callable[[], tuple[Lamp, Pin]]] = {"lamp": gpio_lamp, "memory": memory_lamp}
BUZZERS: dict[str, Callable[[], tuple[Buzzer, Pin]]] = {
    "buzzer": gpio_buzzer,
    "memory": memory_buzzer,
}

LIGHTS = ("rgb_led", "ws2812")  # tests/hw/test_team_lights.py
CHANNEL_LIGHTS = ("pca9685", "shift_register")  # tests/hw/test_button_lights.py
WORD_DISPLAYS = ("hd44780",)  # tests/hw/test_word_display.py

# The fakes keep the contracts of the drivers and are none.
FAKES = {"memory", "scripted"}
COVERED: dict[str, Sequence[str]] = {
    "displays": sorted(DISPLAYS.keys() - FAKES),
    "inputs": sorted(INPUTS.keys() - FAKES),
    "outputs": sorted({*LAMPS, *BUZZERS, *LIGHTS, *CHANNEL_LIGHTS, *WORD_DISPLAYS} - FAKES),
}
