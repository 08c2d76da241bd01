"""Truco de amostra of six: voltas of all alternate with testas of three duels."""

from __future__ import annotations

from scorer.rules import common_tables, effects
from scorer.rules.based_on import based_on
from scorer.rules.variant import Option
from scorer.rules.variants import amostra

VARIANT = based_on(
    "uruguayan_six",
    id="amostra_six",
    title="Truco de amostra de seis",
    options=(
        common_tables.target(30, "MTG, UY6: partidas of 30"),
        common_tables.players(6, 4, source="UY6: trios / as pica_pica"),
        common_tables.flor_value("UY6 / a house rule"),
        Option(
            "pica_until",
            14,
            low=0,
            high=99,
            source="no source; as Uruguay, GA 84",
            effect=effects.end_duels_at_half,
            follows=True,
        ),
    ),
    words=dict(amostra.VARIANT.words),
    sources=(*amostra.VARIANT.sources, "GA 83-86: hands of duels, as in Uruguay"),
)
