"""Destantado: three players, each alone, who empty a pile of ten points."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.actions import Action
from scorer.rules.seating import Seats
from scorer.rules.variant import Option, Variant

VARIANT = Variant(
    id="destantado",
    title="Destantado",
    players=(3,),
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    seats=Seats.ALONE,
    options=(
        common_tables.target(10, "S1: everybody starts with ten"),
        Option(
            "destantado_plain_hand",
            "pot",
            ("pot", "rivals"),
            source="recommended / option",
            effect=effects.set_plain_hand,
        ),
        common_tables.BEST_OF,
    ),
    words=tuple({**dict(common_tables.WORDS_ES), Action.TRUCO: "rabón"}.items()),
    sources=("S1: destantado",),
)
