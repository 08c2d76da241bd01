"""State documents of a table, compared without what time alone changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The panels leave a finished hand in time; a button is let go.
_PASSING = ("is_next_hand_shown", "faults")


def lasting(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state document without what changes as time passes."""
    kept = {key: value for key, value in state.items() if key not in _PASSING}
    change = kept.get("rule_change")
    if change is not None and change["from"] == "this_hand":
        kept["rule_change"] = {**change, "from": "hand"}
    return kept
