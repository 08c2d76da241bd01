"""One hand told for A and B in Argentine words, as any other variant says it.

Tables of what holds in every truco are written once and told with these.
"""

from __future__ import annotations

_CAMPS = {"A": "gallo", "B": "pair"}
_BRAZIL = {"retruco": "seis", "vale_cuatro": "nove"}
_WORDS = {
    "valencian": {
        "truco": "truc",
        "retruco": "retruc",
        "vale_cuatro": "quatre_val",
        "envido": "envit",
        "falta_envido": "falta",
    },
    "venezuelan": {"vale_cuatro": "vale_nueve"},
    "paulista": _BRAZIL,
    "br_general": _BRAZIL,
    "mineiro": {"retruco": "seis", "vale_cuatro": "dez"},
}
_OF_THE_SCORE = frozenset(("award", "correct", "concede"))


def in_variant_words(variant: str, text: str) -> str:
    """The step as it is said there; in pata de gallo A is the gallo and B the pair."""
    side, word, *rest = text.split()
    if variant == "pata_gallo" and word not in _OF_THE_SCORE:
        side = _CAMPS.get(side, side)
    return " ".join((side, _WORDS.get(variant, {}).get(word, word), *rest))


def for_three(variant: str, result: str) -> str:
    """A result told for two ("3-4 B"), where each of the pair has the second score."""
    score, _, winner = result.partition(" ")
    if variant == "pata_gallo" and score.count("-") == 1:
        score += "-" + score.split("-")[1]
    return f"{score} {winner}".strip()
