"""Pica-pica: six players; full hands alternate with hands of three duels."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.based_on import based_on
from scorer.rules.seating import Seats
from scorer.rules.variant import FlorPays, Option, Resto

VARIANT = based_on(
    "argentine_flor",
    id="pica_pica",
    title="Pica-pica",
    players=(6,),
    seats=Seats.DUELS,
    options=(
        common_tables.target(30, "S0, S1"),
        common_tables.FLOR_BY_CHOICE,
        common_tables.players(6, 4, source="S0, S1 / S1: two duels where four play"),
        common_tables.flor_vs_flor(FlorPays.OWN, "S1 / S0"),
        common_tables.me_achico("S1 / S24"),
        common_tables.contraflor_refused("S1 / CLA, TRS"),
        common_tables.resto(Resto.LEADER_TO_TARGET, "S1 / S24 / ACA"),
        common_tables.resto_refused_after_contra("MNG / S1"),
        Option("pica_from", 5, low=0, high=99, source="S0: some team has five"),
        Option("pica_until", 20, low=0, high=99, source="S0: no team has more than 20, or 25"),
        common_tables.pica_cap(6, "S0: usually limited to six"),
        common_tables.pica_resto_cap("none", "S0: not limited"),
        common_tables.PICA_ADD,
        common_tables.DUELS,
        common_tables.fold_first(2, "MNG, TES"),
    ),
    sources=("S0: six players", "S1: pica-pica", "UTN: the first hand is a redonda"),
)
