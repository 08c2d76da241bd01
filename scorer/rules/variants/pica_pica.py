"""Pica-pica: six players; full hands alternate with hands of three duels."""

from __future__ import annotations

from scorer.rules import common_tables, effects
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
        Option(
            "pica_cap",
            6,
            (6, "none"),
            source="S0: usually limited to six",
            effect=effects.set_pica_cap,
        ),
        Option(
            "pica_add",
            "end",
            ("end", "live"),
            source="S1: all points of the duels are summed",
            effect=effects.set_pica_live,
        ),
        Option("duels", 3, (3, 2), source="S0 / S1: two where four play"),
        common_tables.fold_first(2, "MNG, TES"),
    ),
    sources=("S0: six players", "S1: pica-pica", "UTN: the first hand is a redonda"),
)
