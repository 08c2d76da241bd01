"""Truco argentino with flor: three cards of a suit, three points, with raises."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.based_on import based_on
from scorer.rules.variant import FlorPays, FlorStyle, Resto

VARIANT = based_on(
    "argentine",
    id="argentine_flor",
    title="Truco argentino con flor",
    flor=FlorStyle.FIXED,
    options=(
        common_tables.players(4, 2, 6, source="S0, S1: one, two or three a side"),
        common_tables.flor_vs_flor(FlorPays.OWN, "S1 / S0 / CLA / TES"),
        common_tables.flor_value("S1 / a house rule"),
        common_tables.me_achico("S1, CLA, TRS / S24"),
        common_tables.contraflor_refused("S1 / CLA, TRS, MNG, BDJ, MXG"),
        common_tables.resto(Resto.LEADER_TO_TARGET, "S1 / S24 / ACA / FAB, GEN"),
        common_tables.RESTO_FLOOR,
        common_tables.resto_refused_direct("S1 / TRS, MNG"),
        common_tables.resto_refused_after_contra("MNG / S1 read to the letter"),
        common_tables.fold_first(2, "MNG, TES; JAT for a misdeal"),
    ),
    sources=("S1: flor, contraflor, contraflor al resto", "S0: flor"),
)
