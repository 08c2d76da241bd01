"""Truco uruguayo, to 40: the Argentine ladder, and a flor that may be raised by an envido."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.model import Action
from scorer.rules.variant import FlorStyle, Option, Variant

VARIANT = Variant(
    id="uruguayan",
    title="Truco uruguayo",
    deck="spanish_muestra",
    base=1,
    ladders=(("truco", common_tables.TRUCO_2_3_4),),
    envido=common_tables.ENVIDO_2_3_FALTA,
    flor=FlorStyle.WITH_ENVIDO,
    options=(
        common_tables.target(40, "UY1, UY3, UY7; the border plays 30 or 24"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta("leader_to_target", "UY1, UY3"),
        common_tables.ENVIDO_REFUSED,
        common_tables.REAL_ENVIDO_AGAIN,
        Option("free_envido", False, (False, True), source="UY5: any amount on the border"),
        Option("flor_vs_flor", "own", ("own", "per_flor", "four", "six"), source="UY1 / UY2"),
        Option(
            "resto",
            "match",
            ("match", "leader_to_target", "leader_plus_flor", "leader_plus_contraflor"),
            source="UY1, UY2 / UY4",
        ),
        common_tables.fold_first(1, "UY4 / a fragment of UY6"),
        common_tables.tied("mano", "UY7, as S0"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=(
        *common_tables.WORDS_ES,
        (Action.ENVIDO_MAS, "más"),
        (Action.CON_FLOR_ENVIDO, "con flor envido"),
    ),
    sources=("UY1: toques, flor, contra flor al resto", "UY7: four players, all tied"),
)
