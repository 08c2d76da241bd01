"""Truco gaúcho of six: voltas of all alternate with testas, hands of three duels."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.based_on import based_on
from scorer.rules.seating import Seats
from scorer.rules.variant import Option

VARIANT = based_on(
    "gaucho",
    id="gaucho_six",
    title="Truco gaúcho de seis",
    players=(6,),
    seats=Seats.DUELS,
    options=(
        common_tables.players(6, 4, source="CEU, MTG, UY6: trios / as pica_pica"),
        Option("pica_from", 0, low=0, high=99, source="CEU: the second hand is a testa"),
        Option(
            "pica_until",
            24,
            low=0,
            high=99,
            source="no source names an end",
            effect=effects.end_duels_at_target,
            follows=True,
        ),
        common_tables.pica_cap("none", "no source names a limit"),
        common_tables.PICA_ADD._replace(default="live", source="no source: paid at once"),
        common_tables.DUELS,
        common_tables.fold_first(1, "S3; 62 of 70 folds between people"),
    ),
    sources=(
        "CEU: volta and testa in turn, three against three, to 24",
        "MTG, UY6: championships of trios",
    ),
)
