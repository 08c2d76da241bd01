"""Truco argentino without flor, to 30: fifteen malas and fifteen buenas."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.variant import Falta, Tied, Variant

VARIANT = Variant(
    id="argentine",
    title="Truco argentino",
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    options=(
        common_tables.target(30, "S0, S1, UTN, UNI"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta(Falta.MALAS_MATCH, "S1"),
        common_tables.ENVIDO_REFUSED,
        common_tables.REAL_ENVIDO_AGAIN,
        common_tables.FALTA_FLOOR,
        common_tables.fold_first(2, "MNG, TES; JAT for a misdeal"),
        common_tables.tied(Tied.MANO, "S0, S1"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_ES,
    sources=("S1: table of calls, envido and truco", "S0: Truco argentino"),
)
