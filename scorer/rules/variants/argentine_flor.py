"""Truco argentino with flor: three cards of a suit, three points, and the bets among flores."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.variant import FlorStyle, Option, Variant

VARIANT = Variant(
    id="argentine_flor",
    title="Truco argentino con flor",
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    flor=FlorStyle.FIXED,
    options=(
        common_tables.target(30, "S0, S1, UTN, UNI"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta("malas_match", "S1"),
        common_tables.ENVIDO_REFUSED,
        common_tables.REAL_ENVIDO_AGAIN,
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
        common_tables.fold_first(2, "MNG, TES; JAT for a misdeal"),
        common_tables.tied("mano", "S0, S1"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_ES,
    sources=("S1: flor, contraflor, contraflor al resto", "S0: flor"),
)
