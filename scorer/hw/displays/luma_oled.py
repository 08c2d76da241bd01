"""A panel supported by luma.oled, on I2C or SPI. luma is imported only here.

Every opening owns its bus, its lines and its exit hook and releases all of them: a panel that is
reconnected all night must not exhaust the process.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, cast

from scorer.hw import pins
from scorer.hw.displays.buses import I2cBus, I2cMessage, OutputLines, PinLines, SpiDevice
from scorer.hw.displays.partial_update import with_partial_update
from scorer.hw.lazy_exceptions import raised_by
from scorer.hw.ports import DeviceError
from scorer.plain_values import Found, suggestion

if TYPE_CHECKING:
    from PIL.Image import Image

# Controllers of luma.oled on I2C or SPI. Listed here, because a check of the configuration must not
# load the library.
CONTROLLERS = (
    "ch1115", "sh1106", "sh1107", "ssd1305", "ssd1306", "ssd1309", "ssd1315", "ssd1316", "ssd1322",
    "ssd1322_nhd", "ssd1325", "ssd1327", "ssd1331", "ssd1351", "ssd1362", "ssd1363",
)  # fmt: skip
_LARGEST = 1024  # pixels of a side; twice the largest of luma.oled
_SPEEDS = tuple(int(mhz * 1_000_000) for mhz in (0.5, 1, 2, 4, 8, 16, 20))


class Options(NamedTuple):
    """The controller and its connection.

    ``controller``: ssd1306, ssd1309, sh1106, or another one of ``CONTROLLERS``.
    ``size``: width and height in pixels.
    ``rotate``: quarter turns, 0 or 2 (upside down).
    ``port``: bus number, by default 1 on I2C and 0 on SPI; ``gpio_*`` are BCM numbers.
    ``speed``: of SPI, in hertz; 2 MHz is the maximum of an SH1106.
    """

    controller: str = "ssd1309"
    interface: Literal["i2c", "spi"] = "i2c"
    size: tuple[int, int] = (128, 64)
    rotate: int = 0
    port: int | None = None
    address: int = 0x3C
    device: int = 0
    gpio_dc: int = 7
    gpio_rst: int | None = None
    speed: int = 2_000_000

    def find_problems(self) -> Iterator[Found]:
        if self.controller not in CONTROLLERS:
            hint = suggestion(self.controller, CONTROLLERS)
            yield "controller", f"no controller {self.controller!r}{hint}"
        if self.rotate not in (0, 2):
            yield "rotate", f"0, or 2 where the panel hangs upside down, not {self.rotate}"
        if not 0x08 <= self.address <= 0x77:
            yield "address", f"0x08 to 0x77 (a panel has 0x3C or 0x3D), not {self.address:#x}"
        if self.speed not in _SPEEDS:
            yield "speed", f"one of {', '.join(map(str, _SPEEDS))}, not {self.speed}"
        if min(self.size) < 8 or max(self.size) > _LARGEST:
            yield "size", f"width and height in pixels, 8 to {_LARGEST}, not {self.size}"
        for key, number in (("port", self.bus_number), ("device", self.device)):
            if number not in range(256):
                yield key, f"0 to 255, not {number}"
        if self.interface == "spi":
            for key, pin in (("gpio_dc", self.gpio_dc), ("gpio_rst", self.gpio_rst)):
                if pin is not None and (text := pins.problem(pin)):
                    yield key, text

    @property
    def bus_name(self) -> str:
        """The name of the bus in messages."""
        if self.interface == "i2c":
            return f"I2C bus {self.bus_number}"
        return f"SPI {self.bus_number}.{self.device}"

    @property
    def resource_id(self) -> str:
        """What no other panel can share: the address on a bus, or the SPI device."""
        return f"{self.bus_name} at {self.address:#x}" if self.interface == "i2c" else self.bus_name

    @property
    def unused_keys(self) -> tuple[str, ...]:
        """The keys that have no effect on this interface."""
        if self.interface == "i2c":
            return ("device", "gpio_dc", "gpio_rst", "speed")
        return ("address",)

    @property
    def bus_number(self) -> int:
        """``port``, or the default of the interface."""
        if self.port is not None:
            return self.port
        return 1 if self.interface == "i2c" else 0


class LumaDevice(Protocol):
    """The used part of a luma device."""

    mode: str

    def display(self, image: Image) -> None: ...
    def contrast(self, level: int) -> None: ...
    def hide(self) -> None: ...
    def show(self) -> None: ...


def create(
    options: Options,
    *,
    bus: Callable[[int], I2cBus] | None = None,
    spi: Callable[[], SpiDevice] | None = None,
    gpio: Callable[[], OutputLines] = PinLines,
    whole: bool = False,
) -> LumaOled:
    """Create a closed driver.

    Seams replace ``smbus2.SMBus``, ``spidev.SpiDev`` and the lines. ``whole``: send every picture
    with luma's own ``display()``, for comparison.
    """
    return LumaOled(options, bus or _smbus, spi or _spidev, gpio, whole=whole)


class LumaOled:
    """A Display of one luma device. Used from one thread at a time."""

    def __init__(
        self,
        options: Options,
        bus: Callable[[int], I2cBus],
        spi: Callable[[], SpiDevice],
        gpio: Callable[[], OutputLines],
        *,
        whole: bool = False,
    ) -> None:
        self._options, self._whole = options, whole
        self._bus, self._spi, self._gpio = bus, spi, gpio
        self._panel: LumaDevice | None = None
        self._level: int | None = None
        self._resources = contextlib.ExitStack()

    @property
    def mode(self) -> str:
        return "1"

    @property
    def size(self) -> tuple[int, int]:
        return self._options.size

    def open(self) -> None:
        self._release()
        try:
            self._panel = _luma_device(self._options, self._interface(), whole=self._whole)
            if self._level is not None:
                self._panel.contrast(self._level)
        except DeviceError:
            self._release()
            raise
        except _driver_exceptions() as error:
            self._release()
            raise DeviceError(_advice(error, self._options)) from error

    def show(self, image: Image) -> None:
        if image.mode != "1" or image.size != self.size:
            raise ValueError(f"wants mode 1, {self.size}; got {image.mode}, {image.size}")
        self._try(lambda panel: self._send(panel, image))

    def contrast(self, level: int) -> None:
        if not 0 <= level <= 255:
            raise ValueError(f"contrast {level}: 0 to 255")
        self._level = level
        self._try(lambda panel: panel.contrast(level))

    def dark(self, dark: bool) -> None:
        self._try(lambda panel: panel.hide() if dark else panel.show())

    def close(self) -> None:
        if self._panel is not None:
            # A lost panel cannot be switched off, and is dark already.
            with contextlib.suppress(DeviceError, *_driver_exceptions()):
                self._panel.hide()
        self._release()

    def _send(self, panel: LumaDevice, image: Image) -> None:
        panel.display(image if panel.mode == "1" else image.convert(panel.mode))

    def _try(self, act: Callable[[LumaDevice], None]) -> None:
        if self._panel is None:
            raise DeviceError(f"the panel on {self._options.bus_name} is not open")
        try:
            act(self._panel)
        except _driver_exceptions() as error:
            raise DeviceError(_advice(error, self._options)) from error

    def _interface(self) -> object:
        return self._i2c_interface() if self._options.interface == "i2c" else self._spi_interface()

    def _i2c_interface(self) -> object:
        bus = self._bus(self._options.bus_number)
        self._resources.callback(bus.close)
        return _UnsplitI2c(bus, self._options.address)

    def _spi_interface(self) -> object:
        from luma.core.interface.serial import spi

        options = self._options
        lines = self._gpio()
        self._resources.callback(lines.cleanup)
        device = self._spi()
        self._resources.callback(device.close)
        interface: object = spi(
            spi=device,
            gpio=lines,
            port=options.bus_number,
            device=options.device,
            bus_speed_hz=options.speed,
            gpio_DC=options.gpio_dc,
            gpio_RST=options.gpio_rst,
        )
        return interface

    def _release(self) -> None:
        self._panel = None
        with contextlib.suppress(*_driver_exceptions()):
            self._resources.close()


class _UnsplitI2c:
    """luma's I2C interface on our bus, with the pixels of a frame in one message.

    luma does that only on a bus it opens itself, which it leaks if the chip does not answer; on a
    given bus it splits a frame into 32 messages.
    """

    def __init__(self, bus: I2cBus, address: int) -> None:
        from luma.core.interface.serial import i2c
        from smbus2 import i2c_msg

        self._bus, self._address = bus, address
        self._message = cast("Callable[[int, bytes], I2cMessage]", i2c_msg.write)
        self.command: Callable[..., None] = i2c(bus=bus, address=address).command

    def data(self, data: Sequence[int]) -> None:
        """Write pixels in one transaction."""
        self._bus.i2c_rdwr(self._message(self._address, b"\x40" + bytes(data)))

    def cleanup(self) -> None:
        """Do nothing: the opener of the bus closes it."""


def _luma_device(options: Options, interface: object, *, whole: bool) -> LumaDevice:
    """Create an initialised luma device; with partial updates unless ``whole``."""
    import luma.core.device
    import luma.oled.device as chips

    # luma registers an exit hook that keeps each device alive and uses its bus at exit, even after
    # a constructor that failed. atexit.unregister would leave an empty slot for each, without
    # limit.
    luma.core.device.atexit = _NoHooks
    if options.controller not in chips.__all__:
        raise DeviceError(f"this version of luma.oled has no controller {options.controller!r}")
    width, height = options.size
    lumas: type = getattr(chips, options.controller)
    chip: Callable[..., LumaDevice] = (
        lumas if whole else with_partial_update(options.controller, lumas)
    )
    try:
        return chip(interface, width=width, height=height, rotate=options.rotate)
    except (AssertionError, AttributeError, TypeError, ValueError) as error:
        # luma's errors for an unsupported size or interface of this chip.
        text = f"a {options.controller} cannot be driven like this: {error}"
        raise DeviceError(text) from error


class _NoHooks:
    """Replaces ``atexit`` in luma: closing is done by the caller."""

    @staticmethod
    def register(_hook: Callable[[], None]) -> None:
        """Ignore the hook."""


def _smbus(port: int) -> I2cBus:
    from smbus2 import SMBus

    return cast("I2cBus", SMBus(port))


def _spidev() -> SpiDevice:
    from spidev import SpiDev

    return cast("SpiDevice", SpiDev())


def _driver_exceptions() -> tuple[type[Exception], ...]:
    return (OSError, ImportError, *raised_by("luma.core.error:Error"))


def _advice(error: Exception, options: Options) -> str:
    """A sentence that tells the owner what to check."""
    # luma wraps the system's error in its own, which says less.
    number = getattr(error, "errno", None) or getattr(error.__context__, "errno", None)
    where = options.bus_name
    if isinstance(error, ImportError):
        return f"the panel's library is missing: {error}; install python3-luma.oled"
    if number == errno.ENOENT:
        name = "i2c_arm" if options.interface == "i2c" else "spi"
        return f"{where} is not there: dtparam={name}=on belongs in config.txt"
    if number in (errno.EACCES, errno.EPERM):
        return f"{where} is forbidden: the user must be in the group {options.interface}"
    if number == errno.ETIMEDOUT:
        return f"{where} hangs: unplug the panel, look for a wire that touches ground"
    if (
        number in (errno.EREMOTEIO, errno.EIO, errno.ENXIO)
        or type(error).__name__ == "DeviceNotFoundError"
    ):
        address = f" at {options.address:#04x}" if options.interface == "i2c" else ""
        return f"no panel answers on {where}{address}: look at its plug and its wires"
    return f"the panel on {where} failed: {error}"
