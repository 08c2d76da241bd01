"""What has ended, on a panel that stands upright: a hand with the hand to come, a game, a match."""

from __future__ import annotations

from scorer.screen import asking, closing, parts, singing
from scorer.screen.canvas import ALL, Canvas
from scorer.screen.flow import Piece, Words, draw
from scorer.screen.fonts import LARGE, TINY, Font
from scorer.screen.narrow import SMALLER, mao_answers, scores, sung_answers, upper
from scorer.screen.scene import Scene
from scorer.session.view import NextHandView

WIDE = 60  # columns for a name


def draw_hand(canvas: Canvas, scene: Scene) -> None:
    """What was won and why, the new scores, and the hand that comes."""
    hand = scene.view.next_hand
    decision = () if hand is None else _decision(scene, hand)
    if decision:
        draw(canvas, canvas.box, [*_gains(scene, SMALLER), scores(scene), *decision])
        return
    pieces = [*_gains(scene, (LARGE, *ALL)), *_why(scene), scores(scene), *_next(scene, hand)]
    draw(canvas, canvas.box, pieces)


def _gains(scene: Scene, faces: tuple[Font, ...]) -> list[Piece]:
    totals = closing.totals_of(scene)
    if not totals:
        return [Words((scene.say("why.none"),), faces)]
    # Two amounts side by side would be told apart by their size: both are set small.
    faces = faces if len(totals) == 1 else SMALLER
    return [Words(parts.gain_wordings(scene, *total, WIDE - 16), faces) for total in totals.items()]


def _why(scene: Scene) -> list[Piece]:
    return [Words(closing.whys(scene), SMALLER)] if scene.view.gains else []


def _decision(scene: Scene, hand: NextHandView) -> list[Piece]:
    """The whole question of a hand that is to be decided on; nothing of any other."""
    if hand.special == "mao":
        terms = asking.mao_terms(scene)
        title = Words(asking.mao_announcement(scene, terms), SMALLER, inverse=True)
        return [title, *mao_answers(scene, terms)]
    if hand.call is None:
        return []
    title = Words(singing.strip_words(scene, hand.call), SMALLER, inverse=True)
    return [title, *sung_answers(scene, hand.call)]


def _next(scene: Scene, hand: NextHandView | None) -> list[Piece]:
    undo = Words((scene.say("over.undo"),), (TINY,))
    if hand is None:
        return [undo]
    if hand.special == "iron":
        words = (scene.say("iron.next", points=hand.worth),)
        return [Words(words, SMALLER, inverse=True), undo]
    if hand.special in ("singing", "both_singing"):
        return [Words(singing.coming(scene, hand), SMALLER, inverse=True), undo]
    return [Words(closing.leads(scene, hand), SMALLER), undo]


def draw_game(canvas: Canvas, scene: Scene) -> None:
    """Who won, by how much, and how to go on."""
    pieces: list[Piece] = [
        Words(upper(closing.won(scene)), inverse=True),
        scores(scene),
        Words(closing.by_how_much(scene), SMALLER),
        Words(closing.go_on(scene), SMALLER),
    ]
    draw(canvas, canvas.box, pieces)
