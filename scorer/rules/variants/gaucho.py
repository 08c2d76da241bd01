"""Truco gaúcho (gaudério, cego), to 24: Argentine calls and a flor that doubles."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.actions import Action
from scorer.rules.based_on import based_on
from scorer.rules.variant import Falta, FlorPays, FlorStyle, Resto, Tied

VARIANT = based_on(
    "argentine",
    id="gaucho",
    title="Truco gaúcho",
    flor=FlorStyle.DOUBLING,
    options=(
        common_tables.target(24, "S3, MGA, CEU"),
        common_tables.falta(Falta.LOSER_TO_TARGET, "S3: the points left for the other team"),
        common_tables.players(4, 2, 6, source="S3 / RSG / CEU"),
        common_tables.flor_vs_flor(FlorPays.PER_FLOR, "S3"),
        common_tables.flor_value("S3 / a house rule"),
        common_tables.contraflor_refused("S3 / GEN"),
        common_tables.resto(Resto.LEADER_TO_TARGET, "S3 / FAB, GEN"),
        common_tables.RESTO_FLOOR,
        common_tables.resto_refused_after_contra("S3"),
        common_tables.fold_first(1, "S3; 62 of 70 folds between people"),
        common_tables.tied(Tied.NONE, "S3"),
    ),
    words={
        Action.VALE_CUATRO: "vale quatro",
        Action.CONTRAFLOR: "contra-flor",
        Action.CONTRAFLOR_RESTO: "contra-flor e o resto",
        Action.QUIERO: "quero",
        Action.NO_QUIERO: "não quero",
        Action.NO_FLOR: "não tenho flor",
        Action.FOLD: "ao baralho",
    },
    sources=("S3: truco gaudério", "people's hands: a fold in the first trick pays one"),
)
