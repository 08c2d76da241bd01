"""Translate a hand of A and B in Argentine words into another variant.

Shared tables are written once and translated with these functions.
"""

from __future__ import annotations

from scorer.rules import find_variant

_CAMPS = {"A": "gallo", "B": "pair"}
_OF_THE_SCORE = frozenset(("award", "correct", "concede"))


def in_variant_words(variant: str, text: str) -> str:
    """The step in that variant's words; in pata de gallo A is the gallo, B the pair."""
    side, word, *rest = text.split()
    if variant == "pata_gallo" and word not in _OF_THE_SCORE:
        side = _CAMPS.get(side, side)
    return " ".join((side, _words(variant).get(word, word), *rest))


def _words(variant: str) -> dict[str, str]:
    """Argentine calls and their replacements: by rung, and the first and last bid."""
    table = find_variant(variant)
    (_, ladder), *_ = table.ladders
    words = dict(zip(("truco", "retruco", "vale_cuatro"), (r.action for r in ladder), strict=False))
    if table.envido:
        words |= {"envido": table.envido[0].action, "falta_envido": table.envido[-1].action}
    return {argentine: str(own) for argentine, own in words.items()}


def for_three(variant: str, result: str) -> str:
    """A result for two ("3-4 B"), where each of the pair has the second score."""
    score, _, winner = result.partition(" ")
    if variant == "pata_gallo" and score.count("-") == 1:
        score += "-" + score.split("-")[1]
    return f"{score} {winner}".strip()
