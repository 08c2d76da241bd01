"""The buttons in the report of a self-test, as the table and ``scorer doctor`` make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.api.replies import Message


def buttons_report(
    levels: Mapping[str, bool], stuck: Sequence[str], *, alive: bool, fault: str = ""
) -> Message:
    """What is told of the buttons: how many there are, which are down, which are stuck."""
    down = sorted(name for name, level in levels.items() if level)
    told = {"lines": len(levels), "down": down, "stuck": sorted(stuck)}
    return {**told, "alive": alive, "fault": fault}
