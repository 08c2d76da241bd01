"""The general Brazilian rules: Paulista values, and no truco at all in the mão de onze."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.model import Action
from scorer.rules.variant import Rung, SpecialHand, Variant

LADDER = (
    Rung(Action.TRUCO,  3),
    Rung(Action.SEIS,   6),
    Rung(Action.NOVE,   9),
    Rung(Action.DOZE,  12),
)  # fmt: skip

VARIANT = Variant(
    id="br_general",
    title="Truco (regra geral)",
    players=(4,),
    deck="french_vira",
    base=1,
    ladders=(("truco", LADDER),),
    special=SpecialHand(margin=1, worth=3, run=1),
    options=(
        common_tables.target(12, "S4"),
        common_tables.mao_truco("forbidden", "S4: nobody may ask for six"),
        common_tables.NO_USELESS_RAISE,
        common_tables.tied("none", "S4"),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_PT,
    sources=("S4: tentos, truco, mão de 11",),
)
