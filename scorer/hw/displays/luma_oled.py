"""A panel supported by luma.oled, on I2C or SPI. luma is imported only here.

Every opening owns its bus, its lines and its exit hook and releases all of them: a panel that is
reconnected all night must not exhaust the process.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar, cast

from scorer.hw import pins
from scorer.hw.displays.buses import (
    CHIP_SELECTS,
    I2C_PINS,
    SPI_PINS,
    I2cBus,
    I2cMessage,
    OutputLines,
    PinLines,
    SpiDevice,
    config_txt_line,
    is_refused,
)
from scorer.hw.displays.partial_update import with_partial_update
from scorer.hw.lazy_exceptions import raised_by
from scorer.hw.ports import DeviceError, Wire
from scorer.plain_values import Found, suggestion

if TYPE_CHECKING:
    from PIL.Image import Image

_SPEEDS = tuple(int(mhz * 1_000_000) for mhz in (0.5, 1, 2, 4, 8, 16, 20))
_DISPLAY_OFF = 0xAE
# Commands without an effect (NOP): the arguments of one that ended early, of which luma sends two
# at most.
_FINISH = (0xE3, 0xE3)
_T = TypeVar("_T")
_STATUS_OFF = 0x40  # of the status: the display is off, as after power-on


class Controller(NamedTuple):
    """What a controller of luma.oled accepts."""

    sizes: tuple[tuple[int, int], ...]  # of the glass; the first is the default
    has_windows: bool  # of its memory, see partial_update
    first_columns: tuple[int, ...] = (0,)  # of its memory behind the glass; the first is usual


_WINDOWED = Controller(((128, 64), (128, 32), (96, 16), (64, 48), (64, 32)), has_windows=True)
# Listed here, because a check of the configuration must not load the library. A chip model drives
# each of them in the tests.
CONTROLLERS = {
    "sh1106": Controller(((128, 64), (128, 32)), False, (2, 0, 1, 3, 4)),
    "sh1107": Controller(((64, 128), (128, 128)), False),
    "ssd1306": _WINDOWED,
    "ssd1309": _WINDOWED,
    "ssd1315": _WINDOWED,
}


class Options(NamedTuple):
    """The controller and its connection.

    ``controller``: one of ``CONTROLLERS``.
    ``size``: width and height in pixels of the glass, by default the controller's usual one.
    ``rotate``: quarter turns clockwise; by default 1 for a glass that is higher than wide, else 0.
    ``first_column``: the column of an SH1106's memory at which the glass begins, by default 2.
    ``port``: bus number, by default 1 on I2C and 0 on SPI; ``gpio_*`` are BCM numbers.
    ``speed``: of SPI, in hertz; 2 MHz is the maximum of an SH1106.
    """

    controller: str = "ssd1309"
    interface: Literal["i2c", "spi"] = "i2c"
    size: tuple[int, int] | None = None
    rotate: int | None = None
    first_column: int | None = None
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
        else:
            yield from self._find_problems_of_glass()
        if not 0x08 <= self.address <= 0x77:
            yield "address", f"0x08 to 0x77 (a panel has 0x3C or 0x3D), not {self.address:#x}"
        if self.speed not in _SPEEDS:
            yield "speed", f"one of {', '.join(map(str, _SPEEDS))}, not {self.speed}"
        for key, number in (("port", self.bus_number), ("device", self.device)):
            if number not in range(256):
                yield key, f"0 to 255, not {number}"
        if self.interface == "spi":
            for key, pin in (("gpio_dc", self.gpio_dc), ("gpio_rst", self.gpio_rst)):
                if pin is not None and (text := pins.problem(pin)):
                    yield key, text

    def _find_problems_of_glass(self) -> Iterator[Found]:
        name, controller = self.controller.upper(), self._known
        if self.glass_size not in controller.sizes:
            known = " or ".join(str([*size]) for size in controller.sizes)
            yield "size", f"the glass of an {name} has {known}, not {[*self.glass_size]}"
        elif self.quarter_turns not in (turns := _turns_of(self.glass_size)):
            known = " or ".join(map(str, turns))
            yield "rotate", f"{known} for a glass of {[*self.glass_size]}, not {self.quarter_turns}"
        if self.first_column is None or self.first_column in controller.first_columns:
            return
        if len(controller.first_columns) == 1:
            yield "first_column", f"an {name} has no columns beside its glass: leave it out"
        else:
            last = max(controller.first_columns)
            yield "first_column", f"0 to {last} on an {name}, not {self.first_column}"

    @property
    def glass_size(self) -> tuple[int, int]:
        """``size``, or the default of the controller."""
        return self._known.sizes[0] if self.size is None else self.size

    @property
    def quarter_turns(self) -> int:
        """``rotate``, or the default of the glass."""
        return _turns_of(self.glass_size)[0] if self.rotate is None else self.rotate

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the pictures, after rotation."""
        width, height = self.glass_size
        return (height, width) if self.quarter_turns % 2 else (width, height)

    @property
    def wires(self) -> tuple[Wire, ...]:
        """The wires on the header: of the bus, and of SPI chip select, D/C and RST.

        A default pin is the consequence of the interface.
        """
        bus, of_bus = self.bus_number, ("port", "interface")
        if self.interface == "i2c":
            named = I2C_PINS.get(bus, {}).items()
            return tuple(Wire(pin, f"{name} of I2C bus {bus}", of_bus) for pin, name in named)
        named = SPI_PINS.get(bus, {}).items()
        found = [Wire(pin, f"{name} of SPI {bus}", of_bus) for pin, name in named]
        selects = CHIP_SELECTS.get(bus, ())
        if self.device < len(selects):
            name = f"CE{self.device} of SPI {bus}"
            found.append(Wire(selects[self.device], name, ("device", "interface")))
        found.append(Wire(self.gpio_dc, f"D/C of {self.bus_name}", ("gpio_dc", "interface")))
        if self.gpio_rst is not None:
            found.append(Wire(self.gpio_rst, f"RST of {self.bus_name}", ("gpio_rst", "interface")))
        return tuple(found)

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
        """The keys that have no effect on this interface and controller."""
        of_glass = () if len(self._known.first_columns) > 1 else ("first_column",)
        if self.interface == "i2c":
            return ("device", "gpio_dc", "gpio_rst", "speed", *of_glass)
        return ("address", *of_glass)

    @property
    def in_effect(self) -> Options:
        """These options, with the defaults of controller, glass and bus filled in."""
        return self._replace(
            size=self.glass_size,
            rotate=self.quarter_turns,
            first_column=self.glass_column,
            port=self.bus_number,
        )

    @property
    def glass_column(self) -> int:
        """``first_column``, or the default of the controller."""
        return self._known.first_columns[0] if self.first_column is None else self.first_column

    @property
    def _known(self) -> Controller:
        return CONTROLLERS[self.controller]

    @property
    def bus_number(self) -> int:
        """``port``, or the default of the interface."""
        if self.port is not None:
            return self.port
        return 1 if self.interface == "i2c" else 0


def _turns_of(size: tuple[int, int]) -> tuple[int, ...]:
    """The quarter turns that make a glass lie, the usual one first."""
    width, height = size
    if width == height:
        return (0, 1, 2, 3)
    return (0, 2) if width > height else (1, 3)


class LumaDevice(Protocol):
    """The used part of a luma device."""

    def restore(self, settings: Sequence[int]) -> None: ...
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
    with luma's own ``display()``, for comparison; it cannot be refreshed.
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
        self._interface: _Interface | None = None
        self._level: int | None = None
        self._is_dark = False
        self._has_status = False
        self._resources = contextlib.ExitStack()

    @property
    def mode(self) -> str:
        return "1"

    @property
    def size(self) -> tuple[int, int]:
        return self._options.picture_size

    def open(self) -> None:
        self._release()
        self._is_dark = False
        try:
            self._interface = interface = self._make_interface()
            self._panel = _luma_device(self._options, interface, whole=self._whole)
            if self._level is not None:
                self._panel.contrast(self._level)
            self._has_status = _has_status(interface, self._panel)
        except DeviceError:
            self._release()
            raise
        except _driver_exceptions() as error:
            self._release()
            raise DeviceError(_advice(error, self._options)) from error

    def show(self, image: Image) -> None:
        if image.mode != "1" or image.size != self.size:
            raise ValueError(f"wants mode 1, {self.size}; got {image.mode}, {image.size}")
        self._try(lambda panel: panel.display(image))

    def contrast(self, level: int) -> None:
        if not 0 <= level <= 255:
            raise ValueError(f"contrast {level}: 0 to 255")
        self._level = level
        self._try(lambda panel: panel.contrast(level))

    def dark(self, dark: bool) -> None:
        wakes, self._is_dark = self._is_dark and not dark, dark
        # The status of a dark controller is the same after it has lost its memory.
        self._try(self._restore if wakes else self._switch)

    def has_memory(self) -> bool | None:
        interface = self._interface
        if not self._has_status or interface is None:
            return None
        found: list[bool] = []
        self._try(lambda panel: found.append(interface.is_off()))
        return found == [self._is_dark]

    def refresh(self) -> None:
        self._try(self._restore)

    def _restore(self, panel: LumaDevice) -> None:
        assert self._interface is not None
        panel.restore(self._interface.settings)
        if self._level is not None:
            panel.contrast(self._level)
        self._switch(panel)

    def _switch(self, panel: LumaDevice) -> None:
        if self._is_dark:
            panel.hide()
        else:
            panel.show()

    def close(self) -> None:
        if self._panel is not None:
            # A lost panel cannot be switched off, and is dark already.
            with contextlib.suppress(DeviceError, *_driver_exceptions()):
                self._panel.hide()
        self._release()

    def _try(self, act: Callable[[LumaDevice], None]) -> None:
        if self._panel is None:
            raise DeviceError(f"the panel on {self._options.bus_name} is not open")
        try:
            act(self._panel)
        except _driver_exceptions() as error:
            raise DeviceError(_advice(error, self._options)) from error

    def _make_interface(self) -> _Interface:
        if self._options.interface == "spi":
            from luma.core.interface.serial import spi

            options = self._options
            lines = self._gpio()
            self._resources.callback(lines.cleanup)
            device = self._spi()
            self._resources.callback(device.close)
            interface: _LumaInterface = spi(
                spi=device,
                gpio=lines,
                port=options.bus_number,
                device=options.device,
                bus_speed_hz=options.speed,
                gpio_DC=options.gpio_dc,
                gpio_RST=options.gpio_rst,
            )
            return _Interface(interface)
        bus = self._bus(self._options.bus_number)
        self._resources.callback(bus.close)
        i2c = _UnsplitI2c(bus, self._options.address)
        return _Interface(i2c, read_status=i2c.read_status)

    def _release(self) -> None:
        self._panel = self._interface = None
        with contextlib.suppress(*_driver_exceptions()):
            self._resources.close()


class _LumaInterface(Protocol):
    """The used part of a luma interface."""

    def command(self, *values: int) -> None: ...
    def data(self, data: Sequence[int]) -> None: ...


class _Interface:
    """A luma interface that repeats a refused message of commands once.

    A message that was refused, now or before the bus was opened, may have ended within a command:
    the chip reads what follows as its arguments, and those as commands. ``_FINISH`` comes first.
    ``settings``: those that luma's constructor sent first, without the command that switches off.
    """

    def __init__(self, inner: _LumaInterface, read_status: Callable[[], int] | None = None) -> None:
        self._command, self.data = inner.command, inner.data
        self._read_status = read_status
        self.settings: tuple[int, ...] = ()

    def command(self, *values: int) -> None:
        """Send commands in one message."""
        if not self.settings:
            self.settings = values[1:] if values[0] == _DISPLAY_OFF else values
            values = (*_FINISH, *values)
        _if_refused(lambda: self._command(*values), lambda: self._command(*_FINISH, *values))

    @property
    def can_read(self) -> bool:
        """Whether the controller can be read at all."""
        return self._read_status is not None

    def is_off(self) -> bool:
        """Whether the status of the controller says that its display is off."""
        assert self._read_status is not None
        return bool(_if_refused(self._read_status, self._read_status) & _STATUS_OFF)

    def cleanup(self) -> None:
        """Do nothing: the opener of the bus closes it."""


def _if_refused(act: Callable[[], _T], again: Callable[[], _T]) -> _T:
    """Do ``again`` after a refusal: one disturbance on a long wire is no lost panel."""
    try:
        return act()
    except OSError as error:
        if not is_refused(error):
            raise
        return again()


def _has_status(interface: _Interface, panel: LumaDevice) -> bool:
    """Whether the status follows the display, which is black, off and on again."""
    if not interface.can_read:
        return False
    panel.hide()
    says_off = _reads_off(interface)
    panel.show()
    return says_off is True and _reads_off(interface) is False


def _reads_off(interface: _Interface) -> bool | None:
    """Whether the display is off; None for a module that refuses to be read."""
    try:
        return interface.is_off()
    except OSError as error:
        if not is_refused(error):
            raise
        return None


class _UnsplitI2c:
    """An I2C interface for luma, with the pixels of a frame in one message.

    luma does that only on a bus it opens itself, which it leaks if the chip does not answer; on a
    given bus it splits a frame into 32 messages.
    """

    def __init__(self, bus: I2cBus, address: int) -> None:
        from smbus2 import i2c_msg

        self._bus, self._address = bus, address
        self._message = cast("Callable[[int, bytes], I2cMessage]", i2c_msg.write)

    def command(self, *values: int) -> None:
        """Write commands in one transaction."""
        self._bus.write_i2c_block_data(self._address, 0x00, values)

    def data(self, data: Sequence[int]) -> None:
        """Write pixels in one transaction."""
        self._bus.i2c_rdwr(self._message(self._address, b"\x40" + bytes(data)))

    def read_status(self) -> int:
        """Read the status of the controller."""
        return self._bus.read_byte(self._address)


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
    has_windows = CONTROLLERS[options.controller].has_windows
    width, height = options.glass_size
    lumas: type = getattr(chips, options.controller)
    chip: Callable[..., LumaDevice] = (
        lumas
        if whole
        else with_partial_update(lumas, has_windows=has_windows, first_column=options.glass_column)
    )
    try:
        return chip(interface, width=width, height=height, rotate=options.quarter_turns)
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
        line = config_txt_line(options.interface, options.bus_number, options.device)
        return f"{where} is not there: {line} belongs in config.txt"
    if number in (errno.EACCES, errno.EPERM):
        return f"{where} is forbidden: the user must be in the group {options.interface}"
    if number == errno.ETIMEDOUT:
        return f"{where} hangs: unplug the panel, look for a wire that touches ground"
    if isinstance(error, OSError) and is_refused(error):
        address = f" at {options.address:#04x}" if options.interface == "i2c" else ""
        return f"no panel answers on {where}{address}: look at its plug and its wires"
    return f"the panel on {where} failed: {error}"
