"""Gains: points, side and reason."""

from __future__ import annotations

from scorer.i18n import Say
from scorer.phrases.names import name_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import GainView


def gain_wordings(scene: Scene, side: int, points: int, width: int) -> tuple[str, ...]:
    """ "+2 Ellos", the name in full and then shortened to ``width`` pixels."""
    return tuple(f"{points:+d} {name}" for name in name_wordings(scene, side, width))


def reason_text(say: Say, why: str, word: str) -> str:
    """The reason in words: "truco no querido"."""
    key = f"why.{why}"
    if why == "hand" and word:
        key = "why.hand.word"
    if why == "envido_refused" and word.startswith("la "):
        key = "why.envido_refused.she"
    if why == "fold" and word == "correr":
        key = "why.fold.ran"
    return say(key, word=word)


def gain_line_wordings(scene: Scene, gain: GainView) -> tuple[str, ...]:
    """ "+1 Ellos: envido no querido", then shorter."""
    amounts = gain_wordings(scene, gain.side, gain.points, 30)
    whys = [
        reason_text(scene.say, gain.why, word) for word in (gain.word, scene.shorten(gain.word, 50))
    ]
    return (*(f"{amount}: {why}" for why in whys for amount in amounts), *amounts)


def gain_totals(scene: Scene) -> dict[int, int]:
    """Points per side, left to right on this panel; then those of the pair."""
    totals: dict[int, int] = {}
    for gain in scene.view.gains:
        totals[gain.side] = totals.get(gain.side, 0) + gain.points
    order = (*scene.order, len(scene.order))
    return {side: totals[side] for side in order if side in totals}


def reason_words(scene: Scene) -> tuple[str, ...]:
    """All reasons in one line; then only the last, which closed the hand."""
    gains = scene.view.gains
    if not gains:
        return ()
    reasons = [reason_text(scene.say, gain.why, gain.word) for gain in gains]
    short = scene.shorten(gains[-1].word, 50)
    joined = " + ".join(dict.fromkeys(reasons))
    return (joined, reasons[-1], reason_text(scene.say, gains[-1].why, short))
