"""Truco de amostra, to 30: the Uruguayan calls in the words of Rio Grande do Sul."""

from __future__ import annotations

from scorer.rules import common_tables
from scorer.rules.actions import Action
from scorer.rules.based_on import based_on

VARIANT = based_on(
    "uruguayan",
    id="amostra",
    title="Truco de amostra",
    options=(
        common_tables.target(30, "MTG, UY6: partidas of 30"),
        common_tables.players(6, 2, 4, source="MTG: 2 to 12, even; UY6: trios"),
        common_tables.flor_value("UY6 / a house rule"),
    ),
    words={
        Action.VALE_CUATRO: "vale quatro",
        Action.ENVIDO_MAS: "mais",
        Action.CON_FLOR_ENVIDO: "com flor envido",
        Action.CON_FLOR_REAL_ENVIDO: "com flor real envido",
        Action.CON_FLOR_FALTA_ENVIDO: "com flor falta envido",
        Action.CONTRAFLOR: "contra-flor",
        Action.CONTRAFLOR_RESTO: "contra-flor e o resto",
        Action.QUIERO: "quero",
        Action.NO_QUIERO: "não quero",
        Action.ME_ACHICO: "me achico",
        Action.NO_FLOR: "não tenho flor",
        Action.FOLD: "ao baralho",
    },
    sources=(
        "UY6: CBTG, truco de amostra in trios; a flor is 3",
        "MTG: truco de amostra to 30",
        "UY1, GA: the values of Uruguay where the text of the regulation is not known",
    ),
)
