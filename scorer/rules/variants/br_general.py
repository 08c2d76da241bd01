"""The general Brazilian rules: Paulista values, no truco in the mão de onze."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.actions import Action
from scorer.rules.based_on import based_on
from scorer.rules.variant import MaoTruco, Rung, Tied

LADDER = (
    Rung(Action.TRUCO,  3),
    Rung(Action.SEIS,   6),
    Rung(Action.NOVE,   9),
    Rung(Action.DOZE,  12),
)  # fmt: skip

VARIANT = based_on(
    "paulista",
    id="br_general",
    title="Truco (regra geral)",
    players=(4,),
    ladders=(("truco", LADDER),),
    options=(
        common_tables.target(12, "S4"),
        common_tables.mao_truco(MaoTruco.FORBIDDEN, "S4: nobody may ask for six"),
        common_tables.tied(Tied.NONE, "S4", Tied.NOT_RAISER),
    ),
    without=("match_rung",),
    sources=("S4: tentos, truco, mão de 11",),
)
