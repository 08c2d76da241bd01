"""Truco argentino without flor, to 30: fifteen malas and fifteen buenas."""

from __future__ import annotations

from scorer.rules import families
from scorer.rules.variant import Variant

VARIANT = Variant(
    id="argentine",
    title="Truco argentino",
    base=1,
    ladders=(("truco", families.TRUCO_2_3_4),),
    envido=families.ENVIDO_2_3_FALTA,
    options=(
        families.target(30, "S0, S1, UTN, UNI"),
        families.BUENAS,
        families.HALF_INCLUSIVE,
        families.falta("malas_match", "S1"),
        families.ENVIDO_REFUSED,
        families.REAL_ENVIDO_AGAIN,
        families.fold_first(2, "MNG, TES; JAT for a misdeal"),
        families.tied("mano", "S0, S1"),
        families.BEST_OF,
        families.FINISH,
    ),
    words=families.WORDS_ES,
    sources=("S1: table of calls, envido and truco", "S0: Truco argentino"),
)
