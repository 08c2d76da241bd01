"""The footnotes of a card: where rulebooks are silent or differ, and which option decides it.

Sections 21 and 22 of the rules reference, by variant. What was decided is the option's value, or
where no option changes it, a sentence under the same key.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.rulecards.content.model import Question
from scorer.rules.variant import Falta, Rules, Seats

_ARGENTINE = ("argentine", "argentine_flor", "pica_pica", "pata_gallo")


class _Open(NamedTuple):
    """A question, the variants it is asked in, and its option."""

    key: str
    variants: tuple[str, ...]
    option: str | None = None


_ALL = (
    _Open("fold_first", (*_ARGENTINE, "uruguayan", "gaucho", "valencian"), "fold_first"),
    _Open("half_exact", ("argentine", "argentine_flor", "pica_pica"), "half_inclusive"),
    _Open("real_again", _ARGENTINE, "real_envido_again"),
    _Open("gallo_falta", ("pata_gallo",), "falta"),
    _Open("gallo_tie", ("pata_gallo",)),
    _Open("flor_vs_flor", (*_ARGENTINE, "uruguayan"), "flor_vs_flor"),
    _Open("con_flor_envido", ("uruguayan",), "flor_vs_flor"),
    _Open("contraflor_refused", (*_ARGENTINE, "gaucho"), "contraflor_refused"),
    _Open("resto_after", (*_ARGENTINE, "gaucho"), "resto_refused_after_contra"),
    _Open("resto", ("uruguayan", "gaucho"), "resto"),
    _Open("tied", ("gaucho",), "tied"),
    _Open("mao_truco", ("paulista", "mineiro", "br_general"), "mao_truco"),
    _Open("match_rung", ("paulista",), "match_rung"),
    _Open("third_rung", ("mineiro",), "mineiro_ladder"),
    _Open("mao_run", ("mineiro",)),
    _Open("pica_until", ("pica_pica",), "pica_until"),
    _Open("pica_add", ("pica_pica",), "pica_add"),
    _Open("pica_cap", ("pica_pica",), "pica_cap"),
    _Open("plain_hand", ("destantado",), "destantado_plain_hand"),
    _Open("raise_refused", ("destantado",)),
    _Open("joc_fora", ("valencian",)),
    _Open("both_there", ("venezuelan",)),
)

# Not asked where no flor is played.
_OF_FLOR = ("flor_vs_flor", "con_flor_envido", "contraflor_refused", "resto_after", "resto")


# Conventions of the falta that speak of no half.
_WHOLE = (Falta.MATCH, Falta.LEADER_TO_TARGET, Falta.LOSER_TO_TARGET, Falta.FIXED)


def questions_of(rules: Rules) -> tuple[Question, ...]:
    """What a table of these rules should know was decided for it."""
    asked = [
        Question(each.key, each.option)
        for each in _ALL
        if rules.variant.id in each.variants
        and (rules.flor is not None or each.key not in _OF_FLOR)
    ]
    if rules.half is None and without_halves(rules.falta) is not rules.falta and _has_falta(rules):
        asked.append(Question("no_half"))
    return tuple(asked)


def without_halves(falta: Falta) -> Falta:
    """What is played for ``falta`` where the game has no halves (rules reference, section 3)."""
    return falta if falta in _WHOLE else Falta.LEADER_TO_TARGET


def _has_falta(rules: Rules) -> bool:
    return bool(rules.bids) and rules.seats is not Seats.ALONE
