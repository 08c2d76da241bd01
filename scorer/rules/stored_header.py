"""Headers of stored games that were begun before an option existed.

An option that changed how a variant is scored by default is always written into the header of a
game. A stored header without it is of a game begun before, which goes on as it began: with the
values that state the rules of then (rules.md#begun-before). Score sheets follow the defaults.
"""

from __future__ import annotations

from scorer.rules.notation import SheetError
from scorer.rules.sheet import ALWAYS_WRITTEN, header_text, read_header

# By option that marks its time: the options of that time, and how games before it were scored.
_BEFORE = {
    "flor_announced": "flor_announced=compares contraflor_pays=six falta_cap=false",
    "resto_floor": "resto_floor=false",
}
# In each header that may lack one, of an owner's variant too: names of variants with a flor.
_NAMES = ("flor", "uruguayan", "gaucho", "pica_pica", "pata_gallo")


def with_rules_of_then(header: str) -> str:
    """``header`` of a stored game with the values of the rules that it began with."""
    missing = [key for key in ALWAYS_WRITTEN if f"{key}=" not in header]
    if not missing or not any(name in header for name in _NAMES):
        return header
    try:
        read = read_header(header)
    except SheetError:
        return header
    values = [_BEFORE[key] for key in missing if read.rules.variant.option(key) is not None]
    if not values:
        return header
    tags = dict(read.tags)
    duels = read.rules.variant.option("duels")
    if duels is not None and duels.follows and "duels=" not in tags.get("Options", ""):
        values.append(f"duels={duels.default}")
    tags["Options"] = " ".join((*filter(None, (tags.get("Options"),)), *values))
    return header_text(tags.items())
