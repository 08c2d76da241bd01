"""Entries of the history."""

from __future__ import annotations

from scorer.phrases.gains import reason_text
from scorer.phrases.scene import Scene
from scorer.session.view.view import HistoryLine


def entry_text(scene: Scene, entry: HistoryLine) -> str:
    """The word of a call, else what was done, else what was paid for."""
    if entry.word and not entry.points:
        return entry.word
    done = scene.say(f"action.{entry.key}")
    if not done.startswith("action."):
        return done
    return reason_text(scene, entry.key, entry.word)
