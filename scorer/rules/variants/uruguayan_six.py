"""Truco uruguayo of six: general hands alternate with hands of three duels."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.based_on import based_on
from scorer.rules.seating import Seats
from scorer.rules.variant import Option

VARIANT = based_on(
    "uruguayan",
    id="uruguayan_six",
    title="Truco uruguayo de seis",
    players=(6,),
    seats=Seats.DUELS,
    options=(
        common_tables.players(6, 4, source="GA 83; UY1 / as pica_pica"),
        Option("pica_from", 0, low=0, high=99, source="GA 83-84: from the second hand on"),
        Option(
            "pica_until",
            19,
            low=0,
            high=99,
            source="GA 84: until a side has half of the chico",
            effect=effects.end_duels_at_half,
            follows=True,
        ),
        common_tables.pica_cap(10, "GA 86 / WP"),
        common_tables.pica_resto_cap(10, "GA 86 / WP"),
        common_tables.PICA_ADD,
        common_tables.DUELS,
        common_tables.fold_first(1, "UY4 / a fragment of UY6"),
    ),
    sources=("GA 83-86: pico a pico", "WP: six players"),
)
