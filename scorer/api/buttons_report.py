"""The part of a self-test report that describes the buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.api.replies import Message


def buttons_report(
    levels: Mapping[str, bool],
    stuck: Sequence[str],
    touching: Sequence[Sequence[str]] = (),
    *,
    alive: bool,
    fault: str = "",
) -> Message:
    """The number of lines, and which are down or stuck, and which pairs touch."""
    down = sorted(name for name, level in levels.items() if level)
    report = {"lines": len(levels), "down": down, "stuck": sorted(stuck)}
    pairs = [list(pair) for pair in touching]
    return {**report, "touching": pairs, "alive": alive, "fault": fault}
