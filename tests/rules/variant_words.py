"""One hand told for A and B in Argentine words, as any other variant says it.

Tables of what holds in every truco are written once and told with these.
"""

from __future__ import annotations

from scorer.rules import find_variant

_CAMPS = {"A": "gallo", "B": "pair"}
_OF_THE_SCORE = frozenset(("award", "correct", "concede"))


def in_variant_words(variant: str, text: str) -> str:
    """The step as it is said there; in pata de gallo A is the gallo and B the pair."""
    side, word, *rest = text.split()
    if variant == "pata_gallo" and word not in _OF_THE_SCORE:
        side = _CAMPS.get(side, side)
    return " ".join((side, _words(variant).get(word, word), *rest))


def _words(variant: str) -> dict[str, str]:
    """Argentine calls and those in their place: rung by rung, the first and the last bid."""
    table = find_variant(variant)
    (_, ladder), *_ = table.ladders
    words = dict(zip(("truco", "retruco", "vale_cuatro"), (r.action for r in ladder), strict=False))
    if table.envido:
        words |= {"envido": table.envido[0].action, "falta_envido": table.envido[-1].action}
    return {argentine: str(own) for argentine, own in words.items()}


def for_three(variant: str, result: str) -> str:
    """A result told for two ("3-4 B"), where each of the pair has the second score."""
    score, _, winner = result.partition(" ")
    if variant == "pata_gallo" and score.count("-") == 1:
        score += "-" + score.split("-")[1]
    return f"{score} {winner}".strip()
