"""Converts Spleen bitmap fonts (PCF, from Debian's fonts-spleen) to ``.hex``.

Run once per release of Spleen:
``python -m scorer.display.fonts.convert /usr/share/fonts/X11/misc``.
A ``.hex`` file has one glyph per line, ``code: row row row``, so that changes show in a diff and no
font library is needed at run time.

Changes to Spleen: a zero without slash, a Q without descender and, in the 5x8 size, which is ASCII
only, accented letters and a few letters that use all five columns.
"""

from __future__ import annotations

import gzip
import io
import sys
import unicodedata
from pathlib import Path

from PIL import PcfFontFile

SIZES = ("5x8", "6x12", "8x16", "12x24", "16x32")
LETTERS = tuple(chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x100)))

Rows = tuple[int, ...]  # one number per row, the leftmost pixel is its highest bit

# Accents of the 5x8 size, above the letter: two rows of four pixels.
ACCENTS = {
    "ACUTE ACCENT": (0b0010, 0b0100),
    "GRAVE ACCENT": (0b0100, 0b0010),
    "CIRCUMFLEX ACCENT": (0b0110, 0b1001),
    "TILDE": (0b0101, 0b1010),
    "DIAERESIS": (0b1001, 0b0000),
}
# Letters and signs of the 5x8 size not composed with an accent.
HAND_DRAWN = {
    "ç": (0, 0, 0b0111, 0b1000, 0b1000, 0b0111, 0b0010, 0b0100),
    "Ç": (0, 0b0111, 0b1000, 0b1000, 0b1000, 0b0111, 0b0010, 0b0100),
    "í": (0b0010, 0b0100, 0, 0b0110, 0b0010, 0b0010, 0b0011, 0),
    "ª": (0, 0b0110, 0b1010, 0b0110, 0, 0b1110, 0, 0),
    "º": (0, 0b0100, 0b1010, 0b0100, 0, 0b1110, 0, 0),
    "·": (0, 0, 0, 0b0110, 0b0110, 0, 0, 0),
    "×": (0, 0, 0, 0b1010, 0b0100, 0b1010, 0, 0),
}
# Spleen's letters are four columns wide and look like small capitals; these use all five.
WIDE = {
    "m": (0, 0, 0b11110, 0b10101, 0b10101, 0b10101, 0b10101, 0),
    "w": (0, 0, 0b10001, 0b10001, 0b10101, 0b10101, 0b01010, 0),
    "M": (0, 0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0),
    "W": (0, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001, 0),
    "E": (0, 0b11110, 0b10000, 0b11100, 0b10000, 0b10000, 0b11110, 0),
}
# A Q without descender: QUIERO is set tightly above other words on every screen.
SHORT_TAILS = {
    "5x8": (0, 0b01100, 0b10010, 0b10010, 0b10010, 0b10110, 0b01110, 0),
    "6x12": (0, 0x1C, 0x22, 0x22, 0x22, 0x22, 0x2A, 0x26, 0x1E, 0, 0, 0),
    "8x16": (0, 0, 0x7C, 0xC6, 0xC6, 0xC6, 0xC6, 0xC6, 0xC6, 0xD6, 0xDE, 0x7E, 0, 0, 0, 0),
}
UPSIDE_DOWN = {"¿": "?", "¡": "!"}


def main(folder: str) -> None:
    """Writes one ``.hex`` beside this module for each size found in ``folder``."""
    for size in SIZES:
        glyphs = _spleen(Path(folder) / f"spleen-{size}.pcf.gz", size)
        lines = [
            f"{ord(letter):04X}: {' '.join(f'{row:X}' for row in rows)}"
            for letter, rows in sorted(glyphs.items())
        ]
        target = Path(__file__).with_name(f"spleen-{size}.hex")
        target.write_text("\n".join(lines) + "\n", encoding="ascii")


def _spleen(path: Path, size: str) -> dict[str, Rows]:
    width, height = (int(part) for part in size.split("x"))
    font = PcfFontFile.PcfFontFile(io.BytesIO(gzip.decompress(path.read_bytes())), "iso8859-1")
    glyphs = {}
    for letter in LETTERS:
        found = font.glyph[ord(letter)]
        if found is not None and (found[3].getbbox() or letter == " "):
            picture = found[3]
            glyphs[letter] = tuple(
                sum(1 << (width - 1 - x) for x in range(width) if picture.getpixel((x, y)))
                for y in range(height)
            )
    glyphs["0"] = glyphs["O"]
    glyphs["Q"] = SHORT_TAILS.get(size, glyphs["Q"])
    return glyphs if size != "5x8" else glyphs | _build_accented(glyphs | WIDE) | WIDE


def _build_accented(plain: dict[str, Rows]) -> dict[str, Rows]:
    """The Latin letters missing in the 5x8 size, composed of a letter and an accent."""
    made = {letter: tuple(row << 1 for row in rows) for letter, rows in HAND_DRAWN.items()}
    for letter, turned in UPSIDE_DOWN.items():
        # Mirrored in both directions.
        rows = [int(f"{row >> 1:04b}"[::-1], 2) << 1 for row in reversed(plain[turned][:7])]
        made[letter] = (0, *rows)
    for letter in LETTERS:
        parts = unicodedata.normalize("NFD", letter)
        name = unicodedata.name(parts[1]).removeprefix("COMBINING ") if parts[1:] else ""
        if letter in made or name not in ACCENTS or parts[0] not in plain:
            continue
        whole = plain[parts[0]]
        body = list(whole[2:])
        if whole[1]:  # a capital: its six rows become five
            body = [whole[1], *whole[2:4], *whole[5:]]
        upper, lower = ACCENTS[name]
        made[letter] = (upper << 1, lower << 1, *body[:6])
    return made


if __name__ == "__main__":
    main(sys.argv[1])
