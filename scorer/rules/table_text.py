"""Format the table of a variant as text, one line per changeable item.

The tests compare it with a reviewed snapshot, beside the counts of ``perft_pins``.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules.options import value_text
from scorer.rules.variant import EQUAL, GAME, NAMED, SERIES, Variant

_VALUES = {GAME: "game", SERIES: "series"}
_ADDS = {0: "falta", NAMED: "named", EQUAL: "equal"}


def table_text(variant: Variant) -> str:
    """Every field of ``variant``, ending in a newline."""
    head = f"# The table of {variant.id}; scorer perft {variant.id} --write\n"
    return "\n".join((head, *_lines(variant), ""))


def _lines(variant: Variant) -> Iterator[str]:
    yield f"title {variant.title}"
    yield f"players {' '.join(map(str, variant.players))}"
    yield f"deck {variant.deck}"
    kinds = [str(variant.seats), f"{variant.flor or 'no'} flor"]
    kinds += ["open bids"] * variant.open_bids
    kinds += ["compared late"] * variant.bets_settled_at_showdown
    yield f"kind {', '.join(kinds)}"
    yield f"hand {variant.base}"
    if variant.special is not None:
        margin, worth = variant.special
        yield f"special hand at {margin} from the target: {worth}"
    for name, rungs in variant.ladders:
        told = (f"{rung.action} {_VALUES.get(rung.value, rung.value)}" for rung in rungs)
        yield f"ladder {name}: {', '.join(told)}"
    for bid in variant.envido:
        places = " opens" * bid.opens + " raises" * bid.raises
        yield f"bid {bid.action} {_ADDS.get(bid.adds, bid.adds)} x{bid.times}{places}"
    for option in variant.options:
        values = " / ".join(map(value_text, option.choices)) or f"{option.low} to {option.high}"
        step = f" by {option.step}" if option.step > 1 else ""
        yield f"option {option.key} = {value_text(option.default)}: {values}{step}"
    yield from (f"word {action}: {variant.word(action)}" for action, _ in variant.words)
    yield from (f"source {source}" for source in variant.sources)
