"""The figures of a pair's evening: calls, envidos, comeback, longest game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from scorer.session.values.night_view import NightStanding

_ENVIDOS: Final = "page.pairs.envidos"
# The text of each figure by its label, the most asked for first.
_FIGURES: Final[dict[str, Callable[[NightStanding], str]]] = {
    "page.pairs.called": lambda pair: str(pair.called),
    "page.pairs.refused": lambda pair: str(pair.refused),
    _ENVIDOS: lambda pair: str(pair.envidos),
    "page.pairs.comeback": lambda pair: str(pair.comeback),
    "page.pairs.streak": lambda pair: str(pair.best_streak),
    "page.pairs.longest": lambda pair: f"{pair.longest}'" if pair.longest else "-",
}


class PairFigures(NamedTuple):
    """The labels, message keys, and for each pair its texts in their order."""

    labels: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]


def pair_figures(pairs: Sequence[NightStanding]) -> PairFigures:
    """The figures of an evening. Minutes without a clock are "-".

    Envidos are left out if no pair won one: some trucos have none.
    """
    has_envidos = any(pair.envidos for pair in pairs)
    labels = tuple(label for label in _FIGURES if has_envidos or label != _ENVIDOS)
    texts = (tuple(_FIGURES[label](pair) for label in labels) for pair in pairs)
    return PairFigures(labels, tuple(texts))
