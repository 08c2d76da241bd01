"""The result of a match in a state of the table (state.md#match)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.hall.result_code import MatchResult, ResultPhase


def result_in(state: Mapping[str, Any]) -> MatchResult | None:
    """The result of the assigned match; None before its end."""
    match = state.get("match")
    if match is None or match["rev"] is None or match["phase"] not in tuple(ResultPhase):
        return None
    sides = state["sides"]
    games = tuple(state["games"][side] for side in sides)
    points = tuple(state["score"][side] for side in sides)
    if min(*games, *points) < 0:
        return None
    return MatchResult(match["rev"], state["seq"], ResultPhase(match["phase"]), games, points)
