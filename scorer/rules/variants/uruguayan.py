"""Truco uruguayo, to 40: Argentine ladder; an envido may raise a flor."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.actions import Action
from scorer.rules.based_on import based_on
from scorer.rules.variant import Falta, FlorPays, FlorStyle, Option, Resto, Tied

VARIANT = based_on(
    "argentine",
    id="uruguayan",
    title="Truco uruguayo",
    deck="spanish_muestra",
    flor=FlorStyle.WITH_ENVIDO,
    options=(
        common_tables.target(40, "UY1, UY3, UY7; the border plays 30 or 24"),
        common_tables.falta(Falta.LEADER_TO_TARGET, "UY1, UY3"),
        Option(
            "free_envido",
            False,
            (False, True),
            source="UY5: any amount on the border",
            effect=effects.allow_any_envido,
        ),
        common_tables.players(4, 2, 6, source="UY1, UY3, UY7"),
        common_tables.flor_vs_flor(FlorPays.OWN, "UY1 / UY2"),
        common_tables.resto(Resto.MATCH, "UY1, UY2 / UY4"),
        common_tables.fold_first(1, "UY4 / a fragment of UY6"),
        common_tables.tied(Tied.MANO, "UY7, as S0"),
    ),
    words={Action.ENVIDO_MAS: "más", Action.CON_FLOR_ENVIDO: "con flor envido"},
    sources=("UY1: toques, flor, contra flor al resto", "UY7: four players, all tied"),
)
