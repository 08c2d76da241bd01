"""Venezuela: a side one point from the end declares its envite (canta)."""

from __future__ import annotations

from scorer.phrases.gains import gain_wordings
from scorer.phrases.names import name_wordings, shrinking_wordings
from scorer.phrases.scene import GAME, Scene
from scorer.session.view.view import CallView, NextHandView, WorthView


def game_end_words(scene: Scene) -> tuple[str, ...]:
    return (scene.say("singing.ends"), scene.say("singing.ends.short"))


def must_play_words(scene: Scene) -> tuple[str, ...]:
    """That the truco cannot be refused."""
    return (scene.say("singing.must_play"), scene.say("singing.must_play.short"))


def unwanted_words(scene: Scene, call: CallView) -> tuple[str, ...]:
    """What a privo pays if its truco is refused, or that it must be played."""
    if not call.unwanted:
        return must_play_words(scene)
    return (scene.say("singing.unwanted", points=call.unwanted),)


def winner_words(scene: Scene, worth: WorthView) -> tuple[str, ...]:
    return name_wordings(scene, worth.to or 0, 34)


def strip_words(scene: Scene, call: CallView) -> tuple[str, ...]:
    """The singing side and the side asked."""
    names = name_wordings(scene, call.owes, 50)
    words = tuple(scene.say("singing.strip", side=name) for name in names)
    return (*words, scene.say("singing.ask.short"))


def ask_words(scene: Scene, call: CallView) -> tuple[str, ...]:
    """The side asked; then without its name."""
    names = name_wordings(scene, call.owes, 60)
    named = (scene.say("singing.ask", side=name) for name in names)
    return (*named, scene.say("singing.ask.short"))


def gain_words(scene: Scene, side: int, points: int) -> tuple[str, ...]:
    """ "Ellos: +4", "Nosotros: juego"."""
    ends = points == GAME or scene.view.sides[side].score + points >= scene.view.target
    gain = scene.points(GAME) if ends else f"{points:+d}"
    names = shrinking_wordings(scene, side, 34, 20)
    return tuple(scene.say("singing.each", side=name, gain=gain) for name in names)


def refusal_words(scene: Scene, call: CallView) -> tuple[tuple[str, ...], ...]:
    """The receiver of the points of a no, and the resulting scores."""
    worth = call.no_quiero
    if worth.to is None:
        return (must_play_words(scene),)
    if worth.wins or worth.scores is None:
        return (game_end_words(scene), winner_words(scene, worth))
    return (
        gain_wordings(scene, call.by, worth.points[0], 26),
        (scene.scores(worth.scores), scene.figures(worth.scores)),
    )


def next_hand_words(scene: Scene, hand: NextHandView) -> tuple[str, ...]:
    """The next hand in which one side sings, or both."""
    if hand.decider is None:
        return (scene.say("singing.both"),)
    names = name_wordings(scene, hand.decider, 50)
    return tuple(scene.say("singing.next", side=name) for name in names)
