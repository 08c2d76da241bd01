"""A character display of two lines on an I2C bus, with luma.lcd.

An HD44780 behind a PCF8574, which has the light behind the glass on one of its pins too.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, Protocol, cast

from scorer.hw.lazy_exceptions import raised_by
from scorer.hw.outputs.i2c_chip import advice, bus_name, bus_wires
from scorer.hw.ports import DeviceError, Wire
from scorer.plain_values import Range

_LINES = 2
_AFTER_POWER_ON = 0xFF  # of the expander: no write leaves all its outputs high
# Letters of our languages that font A00 lacks; the chip has room for eight of its own.
_OWN_LETTERS = "ÁÉÍÓÚÀÈÒÂÊÔÃÕÇÑÏÜáéíóúàèòâêôãõçñïü¿¡ªº·"
_OWN_AT_ONCE = 8
# Codes at which A00 has other characters.
_OTHERS = str.maketrans({"\\": "/", "~": "-", "…": ".", "’": "'"})


class ExpanderBus(Protocol):
    """The part of ``smbus2.SMBus`` that luma uses for a PCF8574, and reading it."""

    def write_byte(self, address: int, value: int, /) -> None:
        """Set the eight outputs of the expander."""

    def read_byte(self, address: int, /) -> int:
        """The levels of its eight pins."""

    def close(self) -> None:
        """Close the descriptor."""


OpenBus = Callable[[int], ExpanderBus]


class Options(NamedTuple):
    """The place of the PCF8574, the length of a line, and the font of the chip.

    ``font``: A00 has Japanese characters besides, A02 those of western Europe.
    """

    address: Annotated[int, Range(0x20, 0x3F)] = 0x27
    port: Annotated[int, Range(0, 255)] = 1
    columns: Literal[16, 20] = 16
    font: Literal["A00", "A02"] = "A00"

    @property
    def resource_id(self) -> str:
        return f"{bus_name(self.port)} at {self.address:#x}"

    @property
    def wires(self) -> tuple[Wire, ...]:
        return bus_wires(self.port)


def create(options: Options, *, bus: OpenBus | None = None) -> CharacterDisplay:
    """Create a closed driver; ``bus`` replaces ``smbus2.SMBus``."""
    return CharacterDisplay(options, bus or _smbus)


class CharacterDisplay:
    """A WordDisplay of two lines. Opening takes a second, each changed character 2 ms."""

    def __init__(self, options: Options, bus: OpenBus) -> None:
        self._options, self._open_bus = options, bus
        self._bus: ExpanderBus | None = None
        self._device: Any = None
        self._is_lit = True

    def open(self) -> None:
        self._release()
        try:
            import luma.core.device
            from luma.core.interface.serial import pcf8574
            from luma.lcd.device import hd44780

            # luma keeps each device alive in an exit hook of its own, and uses its bus at exit.
            luma.core.device.atexit = _NoHooks
            self._bus = self._open_bus(self._options.port)
            interface = pcf8574(bus=self._bus, address=self._options.address)
            self._device = hd44780(
                interface,
                width=self._options.columns,
                height=_LINES,
                selected_font=self._options.font,
            )
            self._is_lit = True
            font = self._device.font
            font.combine(font.load("A02"), _OWN_LETTERS, force=True)
        except _exceptions() as error:
            self._release()
            raise self._error(error) from error

    def show(self, lines: tuple[str, ...]) -> None:
        if self._bus is None:
            raise DeviceError("the display of words is not open", "closed")
        try:
            if self._bus.read_byte(self._options.address) == _AFTER_POWER_ON:
                self.open()
            self._light(is_on=bool(lines))
            self._device.text = _in_font(
                "\n".join(
                    unicodedata.normalize("NFC", line)[: self._options.columns]
                    for line in lines[:_LINES]
                )
            )
        except _exceptions() as error:
            raise self._error(error) from error

    def close(self) -> None:
        if self._device is not None:
            with contextlib.suppress(*_exceptions()):
                self._device.text = ""
                self._light(is_on=False)
        self._release()

    def _light(self, *, is_on: bool) -> None:
        """Switch the light behind the glass, which each write to the chip carries."""
        if is_on is not self._is_lit:
            self._device.backlight(is_on)
            self._device.show()
        self._is_lit = is_on

    def _release(self) -> None:
        self._device = None
        bus, self._bus = self._bus, None
        if bus is not None:
            with contextlib.suppress(OSError):
                bus.close()

    def _error(self, error: Exception) -> DeviceError:
        # luma wraps the system's error in its own, which says less.
        system = error.__context__ if isinstance(error.__context__, OSError) else error
        text = advice("the display of words", self._options.port, self._options.address, system)
        if isinstance(error, ImportError):
            text = text.replace("python3-smbus2", "python3-luma.lcd")
        return DeviceError(text)


def _in_font(text: str) -> str:
    """The text in characters that the chip has, or has room for."""
    text = text.translate(_OTHERS)
    own = dict.fromkeys(letter for letter in text if letter in _OWN_LETTERS)
    kept = {*list(own)[:_OWN_AT_ONCE]}
    return "".join(each if each.isascii() or each in kept else _plain(each) for each in text)


def _plain(letter: str) -> str:
    """The letter without its accent; a question mark for what has none."""
    base = unicodedata.normalize("NFD", letter)[:1]
    return base if base.isascii() else {"¿": "", "¡": "", "·": "-"}.get(letter, "?")


class _NoHooks:
    """Replaces ``atexit`` in luma: closing is done by the caller."""

    @staticmethod
    def register(_hook: Callable[[], None]) -> None:
        """Ignore the hook."""


def _exceptions() -> tuple[type[Exception], ...]:
    return (OSError, ImportError, *raised_by("luma.core.error:Error"))


def _smbus(port: int) -> ExpanderBus:
    from smbus2 import SMBus

    return cast("ExpanderBus", SMBus(port))
