"""State documents of a table, compared without what time alone changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PASSING = ("is_next_hand_shown",)  # the panels leave a finished hand in time


def lasting(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state document without the keys that change as time passes."""
    return {key: value for key, value in state.items() if key not in _PASSING}
