"""Truco mineiro, to 12: a hand is worth two; the special hand is the mão de dez."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.actions import Action
from scorer.rules.variant import MaoTruco, Option, Rung, SpecialHand, Tied, Variant

WITH_DEZ = (
    Rung(Action.TRUCO,  4),
    Rung(Action.SEIS,   6),
    Rung(Action.DEZ,   10),
    Rung(Action.DOZE,  12),
)  # fmt: skip

WITH_SEIS_OF_EIGHT = (
    Rung(Action.TRUCO,  4),
    Rung(Action.SEIS,   8),
    Rung(Action.NOVE,  10),
    Rung(Action.DOZE,  12),
)  # fmt: skip

WITH_NOVE = (
    Rung(Action.TRUCO,  4),
    Rung(Action.SEIS,   6),
    Rung(Action.NOVE,   9),
    Rung(Action.DOZE,  12),
)  # fmt: skip

VARIANT = Variant(
    id="mineiro",
    title="Truco mineiro",
    players=(2, 4),
    deck="french_fixed",
    base=2,
    ladders=(
        ("2-4-6-10-12", WITH_DEZ),  # MIN, GLB, DSS, JOG
        ("2-4-8-10-12", WITH_SEIS_OF_EIGHT),  # Copag
        ("2-4-6-9-12", WITH_NOVE),  # JGM
    ),
    special=SpecialHand(margin=2, worth=4),
    options=(
        common_tables.target(12, "S0, GLB, MIN"),
        Option(
            "mineiro_ladder",
            "2-4-6-10-12",
            ("2-4-6-10-12", "2-4-8-10-12", "2-4-6-9-12"),
            source="MIN, GLB, DSS / Copag / JGM",
            effect=effects.choose_ladder,
        ),
        common_tables.mao_truco(MaoTruco.LOSE_HAND, "S0 as in the eleven / MIN / JOG"),
        Option("mao_run", 2, (2, 1), source="MIN / S0 read to the letter"),
        common_tables.NO_USELESS_RAISE,
        common_tables.tied(Tied.NONE, "DSS, JGM", Tied.NOT_RAISER),
        common_tables.BEST_OF,
        common_tables.FINISH,
    ),
    words=common_tables.WORDS_PT,
    sources=("S0: Truco Mineiro", "MIN: values of the ladder, running from the mão de dez"),
)
