"""Names as people see them: visible or not, alike or not, and on a terminal."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_VISIBLE: Final = "LNPS"  # major categories: letters, numbers, punctuation, symbols
# Letters and symbols without ink: the fillers of Hangul, and an empty cell of Braille.
_WITHOUT_INK: Final = "\u115f\u1160\u3164\uffa0\u2800"
# What may steer a terminal, or turn the order of letters round.
_STEERING: Final = re.compile(r"[^\n\t -~]")


def is_visible(name: str) -> bool:
    """True if some character of ``name`` can be seen by itself.

    Spaces, controls, characters of no width and combining marks cannot.
    """
    return any(unicodedata.category(c)[0] in _VISIBLE and c not in _WITHOUT_INK for c in name)


def pair_id(name: str) -> str:
    """The name without case, accents and spaces around or repeated."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in parts if not unicodedata.combining(c)).split())


def are_different(names: Iterable[str]) -> bool:
    """True if no two of the names are one pair; empty ones do not count."""
    ids = [pair_id(name) for name in names if name]
    return len(set(ids)) == len(ids)


def printable(text: str) -> str:
    """The text for a terminal: what is not printable as JSON escapes it.

    Lines and tabs stay. Names, sheets and files are of others: none of them may steer the
    terminal of the reader.
    """
    return _STEERING.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    letter = found.group()
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]
