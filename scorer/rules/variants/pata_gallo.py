"""Pata de gallo: three players, the gallo alone against the two others, each with a score."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.variant import FlorStyle, Option, Seats, Variant

VARIANT = Variant(
    id="pata_gallo",
    title="Pata de gallo",
    players=(3,),
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    flor=FlorStyle.FIXED,
    seats=Seats.GALLO,
    options=(
        common_tables.target(30, "S1"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        Option(
            "falta",
            "leader_to_target",
            ("leader_to_target", "match", "fixed"),
            source="not told anywhere: the leader among the three",
        ),
        common_tables.ENVIDO_REFUSED,
        common_tables.REAL_ENVIDO_AGAIN,
        Option("flor", False, (False, True), source="as agreed before the match (S1)"),
        Option("flor_vs_flor", "own", ("own", "per_flor", "four", "six"), source="S1 / S0"),
        Option("me_achico", 3, (3, 4), source="S1 / S24"),
        Option("contraflor_refused", 3, (3, 4), source="S1 / CLA, TRS"),
        Option(
            "resto",
            "leader_to_target",
            ("leader_to_target", "match", "leader_plus_flor", "leader_plus_contraflor"),
            source="S1 / S24 / ACA",
        ),
        Option("resto_refused_direct", 3, (3, 4), source="S1 / TRS, MNG"),
        Option("resto_refused_after_contra", 6, (6, 3), source="MNG / S1"),
        Option("gallo_fijo", False, (False, True), source="S1, by turns / ACA, NHF"),
        common_tables.fold_first(2, "MNG, TES"),
        Option("tied", "mano", ("mano", "none"), source="S1: the mano is one of the pair"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_ES,
    sources=("S1: pata de gallo", "NHF: the pair's points are credited to each"),
)
