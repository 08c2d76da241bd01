"""The footnotes of a card: open points of the rulebooks, and deciding options.

Grouped by variant, as in docs/reference/rules.md. The decision is the option's value, or, if no
option changes it, a sentence under the same key.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.rulecards.content.model import OpenQuestion
from scorer.rules.score import effective_falta
from scorer.rules.variant import Rules

_ARGENTINE = ("argentine", "argentine_flor", "pica_pica", "pata_gallo")
_AMOSTRA = ("amostra", "amostra_six")
_URUGUAYAN = ("uruguayan", "uruguayan_six", *_AMOSTRA)
_GAUCHO = ("gaucho", "gaucho_six")
_DUELS = ("pica_pica", "uruguayan_six", "gaucho_six", "amostra_six")


class _VariantQuestion(NamedTuple):
    """A question, its variants, and its option."""

    key: str
    variants: tuple[str, ...]
    option: str | None = None


_QUESTIONS = (
    _VariantQuestion("fold_first", (*_ARGENTINE, *_URUGUAYAN, *_GAUCHO, "valencian"), "fold_first"),
    _VariantQuestion("half_exact", ("argentine", "argentine_flor", "pica_pica"), "half_inclusive"),
    _VariantQuestion("real_again", _ARGENTINE, "real_envido_again"),
    _VariantQuestion("gallo_falta", ("pata_gallo",), "falta"),
    _VariantQuestion("gallo_tie", ("pata_gallo",)),
    _VariantQuestion("flor_vs_flor", (*_ARGENTINE, *_URUGUAYAN), "flor_vs_flor"),
    _VariantQuestion("con_flor_envido", _URUGUAYAN, "flor_vs_flor"),
    _VariantQuestion("flor_bids", _URUGUAYAN, "flor_bids"),
    _VariantQuestion("contraflor_pays", _URUGUAYAN, "contraflor_pays"),
    _VariantQuestion("contraflor_refused", (*_ARGENTINE, *_GAUCHO), "contraflor_refused"),
    _VariantQuestion("resto_after", (*_ARGENTINE, *_GAUCHO), "resto_refused_after_contra"),
    _VariantQuestion("resto", (*_URUGUAYAN, *_GAUCHO), "resto"),
    _VariantQuestion("tied", _GAUCHO, "tied"),
    _VariantQuestion("mao_truco", ("paulista", "mineiro", "br_general"), "mao_truco"),
    _VariantQuestion("match_rung", ("paulista",), "match_rung"),
    _VariantQuestion("third_rung", ("mineiro",), "mineiro_ladder"),
    _VariantQuestion("mao_run", ("mineiro",), "mao_run"),
    _VariantQuestion("pica_until", ("pica_pica", "gaucho_six"), "pica_until"),
    _VariantQuestion("amostra", _AMOSTRA),
    _VariantQuestion("pica_add", _DUELS, "pica_add"),
    _VariantQuestion("pica_cap", _DUELS, "pica_cap"),
    _VariantQuestion("pica_resto_cap", ("uruguayan_six", "amostra_six"), "pica_resto_cap"),
    _VariantQuestion("plain_hand", ("destantado",), "destantado_plain_hand"),
    _VariantQuestion("raise_refused", ("destantado",)),
    _VariantQuestion("joc_fora", ("valencian",)),
    _VariantQuestion("both_there", ("venezuelan",)),
)

# Omitted if flor is not played.
_FLOR_QUESTIONS = (
    "flor_vs_flor",
    "con_flor_envido",
    "flor_bids",
    "contraflor_pays",
    "contraflor_refused",
    "resto_after",
    "resto",
    "pica_resto_cap",
)


def questions_of(rules: Rules) -> tuple[OpenQuestion, ...]:
    """The questions that apply to these rules."""
    asked = [
        OpenQuestion(each.key, each.option)
        for each in _QUESTIONS
        if rules.variant.id in each.variants
        and (rules.flor is not None or each.key not in _FLOR_QUESTIONS)
    ]
    has_falta = bool(rules.bids) and not rules.seating.each_alone
    if has_falta and effective_falta(rules) is not rules.falta:
        asked.append(OpenQuestion("no_half"))
    return tuple(asked)
