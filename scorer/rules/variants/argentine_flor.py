"""Truco argentino with flor: three cards of a suit, three points, and the bets among flores."""

from __future__ import annotations

from scorer.rules import families
from scorer.rules.variant import FlorStyle, Option, Variant

VARIANT = Variant(
    id="argentine_flor",
    title="Truco argentino con flor",
    base=1,
    ladders=(("truco", families.TRUCO_2_3_4),),
    envido=families.ENVIDO_2_3_FALTA,
    flor=FlorStyle.FIXED,
    options=(
        families.target(30, "S0, S1, UTN, UNI"),
        families.BUENAS,
        families.HALF_INCLUSIVE,
        families.falta("malas_match", "S1"),
        families.ENVIDO_REFUSED,
        families.REAL_ENVIDO_AGAIN,
        Option(
            "flor_vs_flor", "own", ("own", "per_flor", "four", "six"), source="S1 / S0 / CLA / TES"
        ),
        Option("me_achico", 3, (3, 4), source="S1, CLA, TRS / S24"),
        Option("contraflor_refused", 3, (3, 4), source="S1 / CLA, TRS, MNG, BDJ, MXG"),
        Option(
            "resto",
            "leader_to_target",
            ("leader_to_target", "match", "leader_plus_flor", "leader_plus_contraflor"),
            source="S1 / S24 / ACA / FAB, GEN",
        ),
        Option("resto_refused_direct", 3, (3, 4), source="S1 / TRS, MNG"),
        Option("resto_refused_after_contra", 6, (6, 3), source="MNG / S1 read to the letter"),
        families.fold_first(2, "MNG, TES; JAT for a misdeal"),
        families.tied("mano", "S0, S1"),
        families.BEST_OF,
        families.FINISH,
    ),
    words=families.WORDS_ES,
    sources=("S1: flor, contraflor, contraflor al resto", "S0: flor"),
)
