"""Pata de gallo: three players, the gallo against the other two; each one scores."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.based_on import based_on
from scorer.rules.seating import Seats
from scorer.rules.variant import Falta, FlorPays, Option, Resto, Tied

VARIANT = based_on(
    "argentine_flor",
    id="pata_gallo",
    title="Pata de gallo",
    players=(3,),
    seats=Seats.GALLO,
    options=(
        common_tables.target(30, "S1"),
        common_tables.falta(
            Falta.LEADER_TO_TARGET,
            "not told anywhere: the leader among the three",
            (Falta.LEADER_TO_TARGET, Falta.MATCH, Falta.FIXED),
        ),
        common_tables.FLOR_BY_CHOICE,
        common_tables.flor_vs_flor(FlorPays.OWN, "S1 / S0"),
        common_tables.me_achico("S1 / S24"),
        common_tables.contraflor_refused("S1 / CLA, TRS"),
        common_tables.resto(Resto.LEADER_TO_TARGET, "S1 / S24 / ACA"),
        common_tables.resto_refused_after_contra("MNG / S1"),
        Option("gallo_fijo", False, (False, True), source="S1, by turns / ACA, NHF"),
        common_tables.fold_first(2, "MNG, TES"),
        common_tables.tied(Tied.MANO, "S1: the mano is one of the pair"),
    ),
    without=("players",),
    sources=("S1: pata de gallo", "NHF: the pair's points are credited to each"),
)
