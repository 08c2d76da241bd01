"""Names as people see them: whether one is visible, and whether two are alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

_VISIBLE: Final = "LNPS"  # major categories: letters, numbers, punctuation, symbols
# Letters and symbols without ink: the fillers of Hangul, and an empty cell of Braille.
_WITHOUT_INK: Final = "\u115f\u1160\u3164\uffa0\u2800"


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
