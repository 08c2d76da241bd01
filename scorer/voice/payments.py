"""Spoken text of payments: reason, points and side."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.phrases import gains
from scorer.phrases.scene import Scene
from scorer.rules import Action, Game, PointsReason
from scorer.session.view.gains import gain_views
from scorer.session.view.view import GainView

_MOST_GAINS = 2  # of a press; the voice gives the reason of each


def gains_of(game: Game) -> list[GainView]:
    """The gains of the newest press; a fold is one payment."""
    found: list[GainView] = []
    for gain in gain_views(game, game.last_credits):
        if found and found[-1].why == PointsReason.FOLD_ENVIDO and found[-1].side == gain.side:
            gain = gain._replace(points=gain.points + found.pop().points)
        found.append(gain)
    return found


def gain_texts(scene: Scene, paid: list[GainView], action: Action) -> Iterator[str]:
    """Reason, points and side of each gain; of many, the total of each side."""
    if len(paid) > _MOST_GAINS:
        totals: dict[int, int] = {}
        for gain in paid:
            totals[gain.side] = totals.get(gain.side, 0) + gain.points
        for side, points in totals.items():
            yield scene.say("voice.side", side=scene.name(side), score=gains.signed(points))
        return
    for gain in paid:
        why = _reason_text(scene, gain, action)
        yield gain_text(scene, why, gain.points, gain.side)


def gain_text(scene: Scene, why: str, points: int, side: int) -> str:
    """A payment: "truco querido: dos para Los Pibes"."""
    key = "voice.gain.one" if abs(points) == 1 else "voice.gain"
    text = scene.say(key, why=why, points=points, side=scene.name(side))
    return text.removeprefix(": ")  # a payment without a call has no reason


def _reason_text(scene: Scene, gain: GainView, action: Action) -> str:
    """The reason of a payment: the panel's, or a sentence about who refused."""
    if action is Action.ALL_TIED:
        return scene.say("voice.all_tied")
    if gain.why == PointsReason.TRUCO_REFUSED:
        return scene.say("voice.refused", word=gain.word)
    if gain.why == PointsReason.ENVIDO_REFUSED:
        if any(map(str.isdigit, gain.word)):
            return scene.say("voice.refused_bid")  # "tres piedras más" takes no article
        if "falta" in gain.word.split():
            return scene.say("voice.refused_bet.she", word=gain.word.removeprefix("la "))
        return scene.say("voice.refused_bet", word=gain.word)
    if gain.why == PointsReason.FLOR_REFUSED:
        return scene.say("voice.refused_flor", word=gain.word)
    return gains.reason_text(scene.say, gain.why, gain.word)
