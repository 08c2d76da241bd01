"""Pica-pica: six players; hands of all and hands of three duels take turns."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.variant import FlorStyle, Option, Seats, Variant

VARIANT = Variant(
    id="pica_pica",
    title="Pica-pica",
    players=(6,),
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    flor=FlorStyle.FIXED,
    seats=Seats.DUELS,
    options=(
        common_tables.target(30, "S0, S1"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta("malas_match", "S1"),
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
        Option("pica_from", 5, low=0, high=99, source="S0: some team has five"),
        Option("pica_until", 20, low=0, high=99, source="S0: no team has more than 20, or 25"),
        Option("pica_cap", 6, (6, "none"), source="S0: usually limited to six"),
        Option("pica_add", "end", ("end", "live"), source="S1: all points of the duels are summed"),
        Option("duels", 3, (3, 2), source="S0 / S1: two where four play"),
        common_tables.fold_first(2, "MNG, TES"),
        common_tables.tied("mano", "S0, S1"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_ES,
    sources=("S0: six players", "S1: pica-pica", "UTN: the first hand is a redonda"),
)
