"""[owner] of the owner's file or the card's: the code that only the owner has."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from scorer.plain_values import SECRET, Like


class OwnerSection(NamedTuple):
    """``code``: for a factory reset; "" means that set-up offers none."""

    code: Annotated[str, Like(r"(?:[0-9]{6})?", "wants six digits"), SECRET] = ""
