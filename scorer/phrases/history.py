"""Entries of the history."""

from __future__ import annotations

from scorer.i18n import Say
from scorer.phrases.gains import reason_text
from scorer.phrases.rule_change import rules_text
from scorer.phrases.scene import Scene
from scorer.session.view.view import HistoryLine


def action_text(say: Say, key: str) -> str:
    """The text of an unspoken action; "" for payments."""
    done = say(f"action.{key}")
    return "" if done.startswith("action.") else done


def entry_text(scene: Scene, entry: HistoryLine) -> str:
    """The word of a call, else the action, else the reason of the payment.

    The rules of a game that goes on from a score, or that are changed, have no word.
    """
    if entry.change is not None:
        # The number of the hand says from when.
        return rules_text(scene.say, entry.change)
    if entry.word and not entry.points:
        return entry.word
    done = action_text(scene.say, entry.key)
    return done or reason_text(scene.say, entry.key, entry.word)
