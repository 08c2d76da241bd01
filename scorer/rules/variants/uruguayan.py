"""Truco uruguayo, to 40: the Argentine ladder, and a flor that may be raised by an envido."""

from __future__ import annotations

from scorer.rules import families
from scorer.rules.model import Action
from scorer.rules.variant import FlorStyle, Option, Variant

VARIANT = Variant(
    id="uruguayan",
    title="Truco uruguayo",
    deck="spanish_muestra",
    base=1,
    ladders=(("truco", families.TRUCO_2_3_4),),
    envido=families.ENVIDO_2_3_FALTA,
    flor=FlorStyle.WITH_ENVIDO,
    options=(
        families.target(40, "UY1, UY3, UY7; the border plays 30 or 24"),
        families.BUENAS,
        families.HALF_INCLUSIVE,
        families.falta("leader_to_target", "UY1, UY3"),
        families.ENVIDO_REFUSED,
        families.REAL_ENVIDO_AGAIN,
        Option("free_envido", False, (False, True), source="UY5: any amount on the border"),
        Option("flor_vs_flor", "own", ("own", "per_flor", "four", "six"), source="UY1 / UY2"),
        Option(
            "resto",
            "match",
            ("match", "leader_to_target", "leader_plus_flor", "leader_plus_contraflor"),
            source="UY1, UY2 / UY4",
        ),
        families.fold_first(1, "UY4 / a fragment of UY6"),
        families.tied("mano", "UY7, as S0"),
        families.BEST_OF,
        families.FINISH,
    ),
    words=(
        *families.WORDS_ES,
        (Action.ENVIDO_MAS, "más"),
        (Action.CON_FLOR_ENVIDO, "con flor envido"),
    ),
    sources=("UY1: toques, flor, contra flor al resto", "UY7: four players, all tied"),
)
