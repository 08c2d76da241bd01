"""Truc valencià: a cama to 18, envit and torne, and joc fora above the quatre val."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.actions import Action
from scorer.rules.variant import GAME, Bid, Falta, Rung, Tied, Variant

LADDER = (
    Rung(Action.TRUC,       2),
    Rung(Action.RETRUC,     3),
    Rung(Action.QUATRE_VAL, 4),
    Rung(Action.JOC_FORA,   GAME),
)  # fmt: skip

# VPU: the torne answers an envit, and only the falta answers a torne.
BIDS = (
    Bid(Action.ENVIT, 2),
    Bid(Action.TORNE, 2, opens=False),
    Bid(Action.FALTA, 0),
)  # fmt: skip

VARIANT = Variant(
    id="valencian",
    title="Truc valencià",
    players=(2, 4),
    base=1,
    ladders=(("truc", LADDER),),
    envido=BIDS,
    options=(
        common_tables.target(18, "SLV: nine males and nine bones"),
        common_tables.BUENAS,
        common_tables.HALF_INCLUSIVE,
        common_tables.falta(Falta.MALAS_MATCH, "VPU"),
        common_tables.ENVIDO_REFUSED,
        common_tables.FALTA_FLOOR,
        common_tables.fold_first(1, "no source"),
        common_tables.tied(Tied.MANO, "VPU, FJD"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=(
        (Action.TRUC, "truc"),
        (Action.RETRUC, "retruc"),
        (Action.QUATRE_VAL, "quatre val"),
        (Action.JOC_FORA, "joc fora"),
        (Action.ENVIT, "envit"),
        (Action.TORNE, "torne"),
        (Action.FALTA, "la falta"),
        (Action.QUIERO, "vull"),
        (Action.NO_QUIERO, "no vull"),
        (Action.FOLD, "me'n vaig"),
    ),
    sources=("VPU: envit, torne, la falta", "FJD: the ladder", "SLV: the cama"),
)
