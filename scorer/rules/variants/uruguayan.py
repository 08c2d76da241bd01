"""Truco uruguayo, to 40: Argentine ladder; an envido may raise a flor."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.actions import Action
from scorer.rules.based_on import based_on
from scorer.rules.variant import (
    ConFlorEnvidoPays,
    ContraflorPays,
    Falta,
    FlorAnnounced,
    FlorBetRefused,
    FlorBids,
    FlorPays,
    FlorStyle,
    Option,
    Resto,
    Tied,
)

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
        Option("falta_cap", True, (True, False), source="GA 36, RT 27"),
        common_tables.players(4, 2, 6, source="UY1, UY3, UY7"),
        Option(
            "flor_announced", FlorAnnounced.BETS, tuple(FlorAnnounced), source="GA 16-20, 31; WP"
        ),
        Option("flor_bids", FlorBids.ENVIDO, tuple(FlorBids), source="WP / GA 23, 31, 35; LU"),
        common_tables.flor_vs_flor(FlorPays.OWN, "UY1 / UY2"),
        common_tables.flor_value("UY1 / a house rule"),
        Option(
            "con_flor_envido_pays",
            ConFlorEnvidoPays.ADDS,
            tuple(ConFlorEnvidoPays),
            source="GA 31, UY1 / FOD",
        ),
        Option("flor_bet_refused", FlorBetRefused.OWN, tuple(FlorBetRefused), source="UY1 / AGC"),
        Option(
            "contraflor_pays",
            ContraflorPays.ALL_FLORES,
            tuple(ContraflorPays),
            source="GA 31 / UY5",
        ),
        common_tables.resto(Resto.MATCH, "UY1, UY2 / GA 31, 33 / UY4"),
        common_tables.RESTO_FLOOR,
        common_tables.fold_first(1, "UY4 / a fragment of UY6"),
        common_tables.tied(Tied.MANO, "UY7, as S0"),
    ),
    words={
        Action.ENVIDO_MAS: "más",
        Action.CON_FLOR_ENVIDO: "con flor envido",
        Action.CON_FLOR_REAL_ENVIDO: "con flor real envido",
        Action.CON_FLOR_FALTA_ENVIDO: "con flor falta envido",
    },
    sources=(
        "GA: flores announced first, bets with flor, bids above the falta",
        "UY1: toques, flor, contra flor al resto",
        "UY7: four players, all tied",
    ),
)
