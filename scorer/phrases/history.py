"""Entries of the history."""

from __future__ import annotations

from scorer.i18n import Say
from scorer.phrases.gains import reason_text
from scorer.phrases.scene import Scene
from scorer.session.view.view import HistoryLine


def action_text(say: Say, key: str) -> str:
    """What was done, where it is not said aloud; "" of what pays."""
    done = say(f"action.{key}")
    return "" if done.startswith("action.") else done


def entry_text(scene: Scene, entry: HistoryLine) -> str:
    """The word of a call, else what was done, else what was paid for."""
    if entry.word and not entry.points:
        return entry.word
    done = action_text(scene.say, entry.key)
    return done or reason_text(scene.say, entry.key, entry.word)
