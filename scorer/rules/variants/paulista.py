"""Truco paulista, to 12: three, six, nine, twelve, and the mão de onze."""

from __future__ import annotations

from scorer.rules import families
from scorer.rules.model import Action
from scorer.rules.variant import SERIES, Option, Rung, SpecialHand, Variant

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
    special=SpecialHand(margin=1, worth=3, run=1),
    options=(
        families.target(12, "S0, S2"),
        families.mao_truco("lose_hand", "S0 / S4, MIN / JOG"),
        families.NO_USELESS_RAISE,
        Option("match_rung", False, (False, True), source="S0: raised to game and finally match"),
        families.tied("none", "S0, MEN"),
        families.BEST_OF,
        families.FINISH,
    ),
    words=families.WORDS_PT,
    sources=("S0: Truco Paulista", "S2: values of truco, seis, nove, doze"),
)
