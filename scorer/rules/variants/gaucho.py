"""Truco gaúcho (gaudério, cego), to 24: the Argentine calls, and a flor that doubles."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.model import Action
from scorer.rules.variant import FlorStyle, Option, Variant

VARIANT = Variant(
    id="gaucho",
    title="Truco gaúcho",
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    flor=FlorStyle.DOUBLING,
    options=(
        common_tables.target(24, "S3, MGA, CEU"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta("loser_to_target", "S3: the points left for the other team"),
        common_tables.ENVIDO_REFUSED,
        common_tables.REAL_ENVIDO_AGAIN,
        Option("flor_vs_flor", "per_flor", ("per_flor", "own", "four", "six"), source="S3"),
        Option("contraflor_refused", 3, (3, 4), source="S3 / GEN"),
        Option(
            "resto",
            "leader_to_target",
            ("leader_to_target", "match", "leader_plus_flor", "leader_plus_contraflor"),
            source="S3 / FAB, GEN",
        ),
        Option("resto_refused_after_contra", 6, (6, 3), source="S3"),
        common_tables.fold_first(1, "S3; 62 of 70 folds between people"),
        common_tables.tied("none", "S3"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=(
        (Action.TRUCO, "truco"),
        (Action.RETRUCO, "retruco"),
        (Action.VALE_CUATRO, "vale quatro"),
        (Action.ENVIDO, "envido"),
        (Action.REAL_ENVIDO, "real envido"),
        (Action.FALTA_ENVIDO, "falta envido"),
        (Action.FLOR, "flor"),
        (Action.CONTRAFLOR, "contra-flor"),
        (Action.CONTRAFLOR_RESTO, "contra-flor e o resto"),
        (Action.QUIERO, "quero"),
        (Action.NO_QUIERO, "não quero"),
        (Action.ME_ACHICO, "me achico"),
        (Action.NO_FLOR, "não tenho flor"),
        (Action.FOLD, "ao baralho"),
    ),
    sources=("S3: truco gaudério", "people's hands: a fold in the first trick pays one"),
)
