"""The fonts have every letter that the screens need, in every size."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from scorer.display import fonts
from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY, Font

SIZES = (TINY, SMALL, MEDIUM, LARGE, HUGE)
NEEDED = (
    string.ascii_letters + string.digits + "ñáéíóúüãõâêôçàÑÁÉÍÓÚÜÃÕÂÊÔÇÀ¿¡?!ªº·.,:;+-/>()×'"
)  # fmt: skip


@pytest.mark.parametrize("font", SIZES, ids=lambda font: f"{font.width}x{font.height}")
def test_every_needed_letter_has_a_glyph_of_its_own(font: Font) -> None:
    unknown = fonts.picture(font, fonts.UNKNOWN).tobytes()
    for letter in NEEDED.replace("?", ""):
        drawn = fonts.picture(font, letter)
        assert drawn.getbbox() is not None, letter
        assert drawn.tobytes() != unknown, letter


@pytest.mark.parametrize("font", SIZES, ids=lambda font: f"{font.width}x{font.height}")
def test_an_accent_makes_a_difference(font: Font) -> None:
    for plain, accented in zip("naeiouaoaeocNAEIOUC", "ñáéíóúãõâêôçÑÁÉÍÓÚÇ", strict=True):
        images = [fonts.picture(font, letter).tobytes() for letter in (plain, accented)]
        assert images[0] != images[1], accented


@pytest.mark.parametrize("font", SIZES, ids=lambda font: f"{font.width}x{font.height}")
def test_all_digits_take_the_same_width_so_that_a_score_does_not_jump(font: Font) -> None:
    assert len({fonts.width(font, digit) for digit in string.digits}) == 1


@pytest.mark.parametrize("font", SIZES, ids=lambda font: f"{font.width}x{font.height}")
def test_capitals_and_digits_stand_exactly_where_the_font_says(font: Font) -> None:
    for letter in "HE1238":
        assert fonts.ink(font, letter) == (font.top, font.top + font.caps), letter


@pytest.mark.parametrize("font", SIZES[:3], ids=lambda font: f"{font.width}x{font.height}")
def test_a_capital_v_tapers_where_a_u_does_not(font: Font) -> None:
    """Two thirds down, both sides of the V have moved inwards."""
    row = font.top + font.caps * 2 // 3
    spans = {}
    for letter in "UV":
        drawn = fonts.picture(font, letter)
        ink = [x for x in range(drawn.width) if drawn.getpixel((x, row))]
        spans[letter] = (ink[0], drawn.width - 1 - ink[-1])
    assert spans["U"] == (0, 0)
    assert min(spans["V"]) >= 1


def test_a_zero_has_no_slash() -> None:
    cell = fonts.picture(HUGE, "0")
    middle = [cell.getpixel((cell.width // 2, y)) for y in range(HUGE.top + 4, HUGE.top + 16)]
    assert not any(middle)


def test_a_letter_of_another_alphabet_loses_its_accent_or_becomes_a_question_mark() -> None:
    assert fonts.picture(SMALL, "ł").tobytes() == fonts.picture(SMALL, "?").tobytes()
    assert fonts.picture(SMALL, "ǎ").tobytes() == fonts.picture(SMALL, "a").tobytes()


def test_the_width_of_a_text_is_that_of_its_picture() -> None:
    for text in ("truco", "mão de onze", "Ñandú", "15 a 12", ""):
        for font in SIZES:
            assert fonts.width(font, text) == fonts.picture(font, text).width


def test_the_licence_of_spleen_travels_with_its_glyphs() -> None:
    folder = Path(fonts.__file__).parent
    licence = (folder / "LICENSE").read_text("utf-8")
    assert "Frederic Cambus" in licence
    assert "THIS SOFTWARE IS PROVIDED" in licence
    assert len(list(folder.glob("spleen-*.hex"))) == len(SIZES)
