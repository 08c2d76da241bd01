"""Store a chosen change of rules as a setting that names its game.

It is no row of the game: a program that does not know the setting goes on under the old rules, and
a game of changed rules is stored as any game that begins at a score.
"""

from __future__ import annotations

import json
from typing import Any

from scorer.records.replay import build_header, read_stored_header
from scorer.rules import Rules, Start, new_game
from scorer.rules.model import RuleChange
from scorer.session.values.chosen_change import ChosenChange

KEY = "rule_change"  # of the settings


def change_text(chosen: ChosenChange, game: int) -> str:
    """``chosen`` for game number ``game`` as JSON; rules are headers of score sheets."""
    return json.dumps({"game": game, **_document(chosen)})


def read_change(text: str, game: int) -> ChosenChange | None:
    """The change that is stored for game number ``game``; None without one."""
    try:
        stored = json.loads(text)
        return _chosen(stored) if stored["game"] == game else None
    except (ValueError, TypeError, KeyError):
        # A setting of another version: the old rules go on, and the change can be chosen again.
        return None


def _document(chosen: ChosenChange) -> dict[str, Any]:
    return {
        "rules": _header(chosen.change.rules),
        "from_game": chosen.change.from_game,
        "after": chosen.after,
        "house_before": _header(chosen.house_before),
        "earlier": None if chosen.earlier is None else _document(chosen.earlier),
    }


def _chosen(stored: dict[str, Any]) -> ChosenChange:
    rules, before = (read_stored_header(stored[key]).rules for key in ("rules", "house_before"))
    earlier = None if stored["earlier"] is None else _chosen(stored["earlier"])
    change = RuleChange(rules, bool(stored["from_game"]))
    return ChosenChange(change, int(stored["after"]), before, earlier)


def _header(rules: Rules) -> str:
    return build_header(new_game(Start(rules)), {})
