"""Headers of stored games that were begun before an option existed.

An option that changed how a variant is scored by default is always written into the header of a
game. A stored header without it is of a game begun before, which goes on as it began: with the
values that state the rules of then (rules.md#uruguayan-before). Score sheets follow the defaults.
"""

from __future__ import annotations

from scorer.rules.notation import SheetError
from scorer.rules.sheet import ALWAYS_WRITTEN, header_text, read_header

_BEFORE = {ALWAYS_WRITTEN: "compares", "contraflor_pays": "six", "falta_cap": "false"}
_OF_VARIANTS = "uruguayan"  # also in the definition of an owner's variant based on it


def with_rules_of_then(header: str) -> str:
    """``header`` of a stored game with the values of the rules that it began with."""
    if _OF_VARIANTS not in header or f"{ALWAYS_WRITTEN}=" in header:
        return header
    try:
        read = read_header(header)
    except SheetError:
        return header
    if read.rules.variant.option(ALWAYS_WRITTEN) is None:
        return header
    tags = dict(read.tags)
    values = (f"{key}={value}" for key, value in _BEFORE.items())
    tags["Options"] = " ".join((*filter(None, (tags.get("Options"),)), *values))
    return header_text(tags.items())
