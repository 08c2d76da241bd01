"""The character display: what its glass shows, and faults of the wire."""

from __future__ import annotations

import errno
import os

import pytest
from luma.core.bitmap_font import embedded_fonts
from luma.lcd.const import hd44780 as chip
from PIL import Image, ImageDraw

from scorer.hw import load
from scorer.hw.outputs import hd44780
from scorer.hw.ports import DeviceError
from scorer.plain_values import WrongValues
from tests.hw.rigs import WORD_DISPLAYS

LETTERS = "ÁÉÍÓÚÀÈÒÂÊÔÃÕÇÑÏÜáéíóúàèòâêôãõçñïü¿¡ªº·"


FONT = embedded_fonts(chip.FONTDATA, selected_font="A02").current


def picture(letter: str) -> list[bool]:
    """The pixels of a letter in the European font, row by row."""
    image = Image.new("1", (5, 8))
    ImageDraw.Draw(image).text((0, 0), letter, fill="white", font=FONT)
    return [bool(image.getpixel((x, y))) for y in range(8) for x in range(5)]


class Hd44780Model:
    """An HD44780 with font A00 behind a PCF8574; ``fault``: errno of a transfer."""

    def __init__(self, columns: int = 16) -> None:
        self.columns, self.open_handles, self.writes = columns, 0, 0
        self.fault = self.open_fault = 0
        self.lose_power()

    def lose_power(self) -> None:
        self.outputs, self._is_8_bit, self._half = 0xFF, True, -1
        self._memory, self._own = [0x20] * 128, bytearray(64)
        self._at, self._is_own, self.is_on = 0, False, False

    def open(self, port: int) -> Hd44780Model:
        assert port == 1
        self._fail(self.open_fault)
        self.open_handles += 1
        return self

    def close(self) -> None:
        self.open_handles -= 1

    def read_byte(self, address: int) -> int:
        self._fail(self.fault)
        return self.outputs

    def write_byte(self, address: int, value: int) -> None:
        self._fail(self.fault)
        assert address == 0x27
        self.writes += 1
        falls = self.outputs & 0x04 and not value & 0x04
        before, self.outputs = self.outputs, value
        if falls:
            self._clock(before >> 4, is_data=bool(before & 1))

    def _fail(self, number: int) -> None:
        if number:
            raise OSError(number, os.strerror(number))

    def _clock(self, nibble: int, *, is_data: bool) -> None:
        if self._is_8_bit:
            self._take(nibble << 4, is_data=is_data)
        elif self._half < 0:
            self._half = nibble
        else:
            value, self._half = self._half << 4 | nibble, -1
            self._take(value, is_data=is_data)

    def _take(self, value: int, *, is_data: bool) -> None:
        if is_data:
            (self._own if self._is_own else self._memory)[self._at] = value
            self._at += 1
        elif value & 0x80:
            self._at, self._is_own = value & 0x7F, False
        elif value & 0x40:
            self._at, self._is_own = value & 0x3F, True
        elif value & 0x20:
            self._is_8_bit, self._half = bool(value & 0x10), -1
        elif value & 0x08:
            self.is_on = bool(value & 0x04)
        elif value == 0x01:
            self._memory, self._at, self._is_own = [0x20] * 128, 0, False

    @property
    def is_lit(self) -> bool:
        return bool(self.outputs & 0x08) and self.is_on

    def text(self) -> list[str]:
        """What the glass shows, spaces at the end of a line left out."""
        starts = (0, 0x40)
        rows = (self._memory[start : start + self.columns] for start in starts)
        return ["".join(map(self._letter, row)).rstrip() for row in rows]

    def _letter(self, code: int) -> str:
        if code >= 0x08:
            assert 0x20 <= code <= 0x7D and code != 0x5C, f"A00 has another character at {code:#x}"
            return chr(code)
        rows = self._own[8 * code : 8 * code + 8]
        pixels = [bool(row >> (4 - column) & 1) for row in rows for column in range(5)]
        return next(letter for letter in LETTERS if picture(letter) == pixels)


def display(model: Hd44780Model, **options: object) -> hd44780.CharacterDisplay:
    return hd44780.create(hd44780.Options(**options), bus=model.open)  # type: ignore[arg-type]


def test_the_driver_is_found_by_its_file_name() -> None:
    assert load.output_drivers("columns") == WORD_DISPLAYS == ("hd44780",)


def test_words_are_shown_and_go_dark_with_the_light_behind_them() -> None:
    model = Hd44780Model()
    shows = display(model)
    shows.open()
    assert model.text() == ["", ""]
    shows.show(("Amari 12  9 Cele", "TRUCO 2/1"))
    assert (model.text(), model.is_lit) == (["Amari 12  9 Cele", "TRUCO 2/1"], True)
    shows.show(())
    assert (model.text(), model.is_lit) == (["", ""], False)
    shows.show(("Amari 13  9 Cele", ""))
    assert (model.text(), model.is_lit) == (["Amari 13  9 Cele", ""], True)
    shows.close()
    assert (model.text(), model.is_lit) == (["", ""], False)
    assert model.open_handles == 0
    shows.close()


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("mano: señores", "mano: señores"),
        ("JOÃO e ZÉ: não", "JOÃO e ZÉ: não"),
        ("¿y la mano?", "¿y la mano?"),
        ("a\\b~c", "a/b-c"),
        ("Łódź 日本", "?ódz ??"),
        ("áéíóúàèòâê", "áéíóúàèòae"),
    ],
)
def test_letters_are_shown_with_their_accents_while_the_chip_has_room(
    written: str, shown: str
) -> None:
    model = Hd44780Model()
    shows = display(model)
    shows.open()
    shows.show((written, ""))
    assert model.text() == [shown, ""]


def test_what_is_shown_already_is_not_written_again() -> None:
    model = Hd44780Model()
    shows = display(model)
    shows.open()
    shows.show(("1 2", "truco"))
    writes = model.writes
    shows.show(("1 2", "truco"))
    assert model.writes == writes
    shows.show(("1 2", "truca"))
    assert model.writes - writes <= 12, "a place and a letter, in halves of three writes each"


def test_a_display_that_was_without_power_is_restored_by_a_repeat() -> None:
    model = Hd44780Model()
    shows = display(model)
    shows.open()
    shows.show(("1 2", "truco"))
    model.lose_power()
    shows.show(("1 2", "truco"))
    assert (model.text(), model.is_lit) == (["1 2", "truco"], True)
    assert model.open_handles == 1


def test_a_wide_display_shows_twenty_letters() -> None:
    model = Hd44780Model(20)
    shows = display(model, columns=20)
    shows.open()
    shows.show(("x" * 25, "y" * 20))
    assert model.text() == ["x" * 20, "y" * 20]


@pytest.mark.parametrize(
    ("opening", "number", "sentence"),
    [
        (True, errno.ENOENT, "I2C bus 1 is not there: dtparam=i2c_arm=on belongs in config.txt"),
        (False, errno.EREMOTEIO, "no answer from the display of words on I2C bus 1 at 0x27: look"),
        (False, errno.ETIMEDOUT, "I2C bus 1 hangs: look for a wire that touches ground"),
    ],
)
def test_a_fault_of_the_bus_is_reported_and_reopening_recovers(
    opening: bool, number: int, sentence: str
) -> None:
    model = Hd44780Model()
    shows = display(model)
    if opening:
        model.open_fault = number
    else:
        shows.open()
        model.fault = number
    with pytest.raises(DeviceError) as caught:
        shows.open() if opening else shows.show(("1 2", "truco"))
    assert str(caught.value).startswith(sentence)
    shows.close()
    model.fault = model.open_fault = 0
    model.lose_power()
    shows.open()
    shows.show(("1 2", "truco"))
    assert model.text() == ["1 2", "truco"]


def test_a_display_that_is_not_open_is_a_device_error() -> None:
    with pytest.raises(DeviceError, match="is not open"):
        display(Hd44780Model()).show(("1", "2"))


@pytest.mark.parametrize("values", [{"address": 0x40}, {"columns": 40}, {"font": "A01"}])
def test_wrong_options_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(WrongValues):
        load.options("outputs", "hd44780", values)
