"""Letters as a receipt printer has them: one byte each, of one table of 256, and never a command.

What the table lacks is written without its accent, else as a question mark; a text never grows
longer by it, so that what was laid out stays laid out. It knows no printer and no slip.
"""

from __future__ import annotations

import unicodedata
from typing import Final

# The tables that have Western letters, by the name that printers' manuals give them, and ours.
CODECS: Final = {
    "CP858": "cp858",
    "CP850": "cp850",
    "CP860": "cp860",
    "CP437": "cp437",
    "CP1252": "cp1252",
    "ISO_8859-15": "iso8859-15",
    "ASCII": "ascii",
}
# Signs that have no letter inside them, by the nearest that every printer has.
_LOOKALIKES: Final = str.maketrans(
    {
        # Quotation marks and dashes of every kind.
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
    """``text`` on one line, a place a letter: no controls, no marks without a letter, no tabs.

    A team may be called anything; what moves a cursor, or a printer's knife, is no name.
    """
    whole = unicodedata.normalize("NFC", text)
    kept = "".join(
        letter if _is_printable(letter) else " " for letter in whole if _has_width(letter)
    )
    return " ".join(kept.split())


def _has_width(letter: str) -> bool:
    """Everything but marks that found no letter and signs of no width (joiners, directions)."""
    return unicodedata.category(letter) not in ("Mn", "Me", "Cf")


def _is_printable(letter: str) -> bool:
    return letter.isprintable() or letter == " "


def encode(text: str, codec: str) -> bytes:
    """A byte for every letter of a clean ``text``."""
    return b"".join(_encode_letter(letter, codec) for letter in text)


def _encode_letter(letter: str, codec: str) -> bytes:
    for nearest in (letter, letter.translate(_LOOKALIKES), _strip_accents(letter)):
        byte = nearest.encode(codec, "ignore")
        if len(byte) == 1 and byte >= b" " and byte != b"\x7f":
            return byte
    return UNKNOWN.encode()


def _strip_accents(letter: str) -> str:
    """The letter under the accents: "ã" is "a"; what is no letter at all has none."""
    return unicodedata.normalize("NFKD", letter)[0]
