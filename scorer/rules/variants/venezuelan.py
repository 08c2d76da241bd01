"""Truco venezolano, to 24: open bids, flores that bet, cantando and privar."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.actions import Action
from scorer.rules.variant import (
    EQUAL,
    GAME,
    NAMED,
    Bid,
    Falta,
    FlorOverRefused,
    FlorPays,
    FlorStyle,
    Option,
    Rung,
    Tied,
    Variant,
)

LADDER = (
    Rung(Action.TRUCO,      3),
    Rung(Action.RETRUCO,    6),
    Rung(Action.VALE_NUEVE, 9),
    Rung(Action.VALE_JUEGO, GAME),
)  # fmt: skip

# VEP 9-18: the first bid may name its stones; it is raised by "y envido" (+2), "N más", la falta.
BIDS = (
    Bid(Action.ENVIDO,         2, times=2),
    Bid(Action.ENVIDO_IGUALAR, EQUAL, raises=False),
    Bid(Action.ENVIDO_MAS,     NAMED, times=99, opens=False),
    Bid(Action.FALTA_ENVIDO,   0),
)  # fmt: skip

VARIANT = Variant(
    id="venezuelan",
    title="Truco venezolano",
    players=(2, 4),
    deck="spanish_vira",
    base=1,
    ladders=(("truco", LADDER),),
    envido=BIDS,
    flor=FlorStyle.OPEN,
    open_bids=True,
    bets_settled_at_showdown=True,
    options=(
        common_tables.target(24, "VEP 7; 12 is common (VE2)"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta(Falta.LEADER_TO_TARGET, "VEP 12"),
        common_tables.ENVIDO_REFUSED,
        common_tables.FALTA_FLOOR,
        common_tables.players(4, 2, 6, source="VEP: two or four"),
        common_tables.flor_vs_flor(FlorPays.OWN, "VEP 53"),
        common_tables.flor_value("VEP 52 / a house rule"),
        Option(
            "flor_over_refused",
            FlorOverRefused.CLOSED,
            tuple(FlorOverRefused),
            source="VEP 51 / GIA",
        ),
        Option("cantando", True, (True, False), source="VEP 83-89"),
        common_tables.fold_first(2, "VEP, irse al mazo"),
        common_tables.tied(Tied.MANO, "VEP p. 17"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=(
        (Action.TRUCO, "truco"),
        (Action.RETRUCO, "retruco"),
        (Action.VALE_NUEVE, "vale nueve"),
        (Action.VALE_JUEGO, "vale juego"),
        (Action.ENVIDO, "envido"),
        (Action.ENVIDO_MAS, "piedras más"),
        (Action.ENVIDO_IGUALAR, "envido hasta igualar"),
        (Action.FALTA_ENVIDO, "la falta"),
        (Action.FLOR, "flor"),
        (Action.FLOR_ENVIDA, "mi flor envida"),
        (Action.FLOR_ENVIDA_MAS, "piedras más"),
        (Action.QUIERO, "quiero"),
        (Action.NO_QUIERO, "no quiero"),
        (Action.ME_ACHICO, "la mía es chica"),
        (Action.NO_FLOR, "sin ley"),
        (Action.PRIVO, "privo y truco"),
        (Action.NO_PRIVO, "no privo"),
        (Action.FOLD, "al mazo"),
    ),
    sources=("VEP: 108 numbered rules and disputed cases", "VE3: both sides on 23"),
)
