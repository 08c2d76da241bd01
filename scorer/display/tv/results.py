"""The end of a hand, game or match on a television."""

from __future__ import annotations

from scorer.display.oled.layout import Rect, columns
from scorer.display.tv import calls, colours, widgets
from scorer.display.tv.canvas import TvCanvas, fit_line
from scorer.phrases import gains, outcome, singing
from scorer.phrases.scene import Scene
from scorer.session.view.view import NextHandView, SpecialKind


def draw_hand(canvas: TvCanvas, scene: Scene) -> None:
    """The gains and their reasons, the new scores, and the next hand."""
    hand = scene.view.next_hand
    box = widgets.safe_area(canvas)
    if hand is not None and (hand.special is SpecialKind.MAO or hand.call is not None):
        gain, scores, rest = widgets.stack_rows(box, (110, calls.SCORES, None))
        _draw_gains(canvas, gain.top(70), scene, 66)
        _draw_reasons(canvas, gain.bottommost(40), gains.side_reasons(scene))
        widgets.draw_score_row(canvas, scores, scene)
        calls.draw_decision(canvas, rest, scene, hand.call)
        return
    gain, scores, following, foot = widgets.stack_rows(box, (None, 110, 100, 60))
    canvas.fill(gain, colours.PANEL, round_by=widgets.RADIUS)
    room = gain.inset(30, 20)
    reasons = gains.side_reasons(scene)
    _draw_gains(canvas, room.top(room.h - 84 if reasons else room.h), scene, 130)
    _draw_reasons(canvas, room.bottommost(76), reasons)
    widgets.draw_score_row(canvas, scores, scene)
    _draw_next_hand(canvas, following, scene, hand)
    number = scene.say("over.hand", number=scene.view.hand)
    canvas.write(foot, (f"{number} · {scene.say('over.undo')}",), 32, colours.SOFT)


def _draw_reasons(canvas: TvCanvas, box: Rect, reasons: tuple[gains.SideReasons, ...]) -> None:
    """The reasons of each side under its amount."""
    for cell, gained in zip(
        columns(box, len(reasons), 24) if reasons else (), reasons, strict=True
    ):
        canvas.paragraph(cell, gained.wordings, 46, colours.SOFT)


def _draw_gains(canvas: TvCanvas, box: Rect, scene: Scene, size: int) -> None:
    """One amount per side, side by side."""
    totals = gains.gain_totals(scene)
    if not totals:
        canvas.write(box, (scene.say("why.none"),), size)
        return
    for cell, (side, points) in zip(columns(box, len(totals), 96), totals.items(), strict=True):
        amount = gains.signed(points)
        amounts = tuple(f"{amount} {name}" for name in widgets.name_wordings(scene, side))
        canvas.write(cell, amounts, size, colours.of_side(scene, side))


def _draw_next_hand(canvas: TvCanvas, box: Rect, scene: Scene, hand: NextHandView | None) -> None:
    if hand is None:
        return
    wordings: tuple[str, ...]
    if hand.special is SpecialKind.IRON:
        wordings = (outcome.next_iron(scene, hand),)
    elif hand.special in (SpecialKind.SINGING, SpecialKind.BOTH_SINGING):
        wordings = singing.next_hand_words(scene, hand)
    else:
        canvas.write(box, outcome.lead_words(scene, hand), 52)
        return
    widgets.draw_banner(canvas, box, wordings, ground=colours.WARN, ink=colours.WARN_INK, size=46)


def draw_game(canvas: TvCanvas, scene: Scene) -> None:
    """The winner of the game or match, the margin, and how to continue."""
    winner = outcome.shown_winner(scene)
    ground = colours.WARN if winner is None else colours.of_side(scene, winner)
    head, body, line, foot = widgets.stack_rows(widgets.safe_area(canvas), (150, None, 64, 70))
    won = tuple(map(str.upper, outcome.winner_words(scene)))
    widgets.draw_banner(canvas, head, won, ground=ground, ink=colours.DEEP, size=84)
    for place, cell in enumerate(columns(body, len(scene.order), widgets.GAP)):
        _draw_final_score(canvas, cell, scene, place)
    canvas.write(line, outcome.margin_words(scene), 42, colours.SOFT)
    widgets.draw_banner(
        canvas,
        foot,
        outcome.continue_words(scene),
        ground=colours.YES,
        ink=colours.YES_INK,
        size=40,
    )


def _draw_final_score(canvas: TvCanvas, cell: Rect, scene: Scene, place: int) -> None:
    side = scene.order[place]
    canvas.fill(cell, colours.PANEL, round_by=widgets.RADIUS)
    if side == outcome.shown_winner(scene):
        canvas.frame(cell, colours.of_side(scene, side), width=6, round_by=widgets.RADIUS)
    room = cell.inset(26, 16)
    ink = colours.of_side(scene, side)
    align = scene.align_of(place) if not scene.has_three else 0.5
    canvas.write(room.top(54), widgets.name_wordings(scene, side), 44, ink, align=align)
    figure = room.below(64)
    even = fit_line(figure, ("00",), 250).size  # independent of the other score
    canvas.write(figure, (str(scene.view.sides[side].score),), even, ink)
