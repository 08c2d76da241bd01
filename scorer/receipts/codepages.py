"""Code pages of receipt printers: one byte per character, no control characters.

Characters that a code page lacks lose their accent, or become a question mark. The length of a text
never grows, so that its layout is kept.
"""

from __future__ import annotations

import unicodedata
from typing import Final

# Code pages with Western letters, by their name in printer manuals, and Python's codec.
CODECS: Final = {
    "CP858": "cp858",
    "CP850": "cp850",
    "CP860": "cp860",
    "CP437": "cp437",
    "CP1252": "cp1252",
    "ISO_8859-15": "iso8859-15",
    "ASCII": "ascii",
}
# Replacements for signs that do not decompose to a letter.
_LOOKALIKES: Final = str.maketrans(
    {
        # Quotation marks and dashes.
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("…•·", "."),
        **dict.fromkeys("×✕", "x"),
        "ø": "o",
        "Ø": "O",
        "ß": "s",
        "æ": "a",
        "Æ": "A",
        "œ": "o",
        "Œ": "O",
        "ł": "l",
        "Ł": "L",
        "€": "E",
    }
)
UNKNOWN: Final = "?"


def clean(text: str) -> str:
    """``text`` on one line, without control or combining characters.

    Names are free text, and must not contain commands that move the head or cut the paper.
    """
    whole = unicodedata.normalize("NFC", text)
    # Without unattached marks and zero-width characters (joiners, directions).
    kept = "".join(
        letter if letter.isprintable() or letter == " " else " "
        for letter in whole
        if unicodedata.category(letter) not in ("Mn", "Me", "Cf")
    )
    return " ".join(kept.split())


def encode(text: str, codec: str) -> bytes:
    """Encode a clean ``text`` with one byte per character."""
    return b"".join(_encode_letter(letter, codec) for letter in text)


def _encode_letter(letter: str, codec: str) -> bytes:
    # The base letter without accents: "ã" is "a".
    base = unicodedata.normalize("NFKD", letter)[0]
    for nearest in (letter, letter.translate(_LOOKALIKES), base):
        byte = nearest.encode(codec, "ignore")
        if len(byte) == 1 and byte >= b" " and byte != b"\x7f":
            return byte
    return UNKNOWN.encode()
