"""Truco paulista, to 12: three, six, nine, twelve, and the mão de onze."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.actions import Action
from scorer.rules.variant import SERIES, MaoTruco, Option, Rung, SpecialHand, Tied, Variant

LADDER = (
    Rung(Action.TRUCO,       3),
    Rung(Action.SEIS,        6),
    Rung(Action.NOVE,        9),
    Rung(Action.DOZE,       12),
    Rung(Action.VALE_JUEGO, SERIES),
)  # fmt: skip

VARIANT = Variant(
    id="paulista",
    title="Truco paulista",
    players=(2, 4),
    deck="french_vira",
    base=1,
    ladders=(("truco", LADDER),),
    special=SpecialHand(margin=1, worth=3),
    options=(
        common_tables.target(12, "S0, S2"),
        common_tables.mao_truco(MaoTruco.LOSE_HAND, "S0 / S4, MIN / JOG"),
        common_tables.NO_USELESS_RAISE,
        Option(
            "match_rung",
            False,
            (False, True),
            source="S0: raised to game and finally match",
            effect=effects.allow_match_rung,
        ),
        common_tables.tied(Tied.NONE, "S0, MEN", Tied.NOT_RAISER),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_PT,
    sources=("S0: Truco Paulista", "S2: values of truco, seis, nove, doze"),
)
