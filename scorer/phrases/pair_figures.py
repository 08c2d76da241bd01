"""The figures of a pair's evening: calls, envidos, comeback, streak, longest game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorer.session.values.night_view import NightStanding

# The label of each figure, the most asked for first.
LABELS = (
    "page.pairs.called",
    "page.pairs.refused",
    "page.pairs.envidos",
    "page.pairs.comeback",
    "page.pairs.streak",
    "page.pairs.longest",
)


def figure_texts(pair: NightStanding) -> tuple[str, ...]:
    """The figures in the order of ``LABELS``; minutes without a clock are "-"."""
    counts = (pair.called, pair.refused, pair.envidos, pair.comeback, pair.best_streak)
    return (*map(str, counts), f"{pair.longest}'" if pair.longest else "-")
