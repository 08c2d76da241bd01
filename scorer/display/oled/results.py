"""The end of a hand, game or match: gains, scores and what follows."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled import cantando, question, text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Box, columns, rows
from scorer.phrases import gains, mao, outcome, singing
from scorer.phrases.names import name_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import NextHandView, SpecialKind


def draw_hand(canvas: Canvas, scene: Scene) -> None:
    """The gains and their reasons, the new scores, and the next hand."""
    hand = scene.view.next_hand
    if hand is not None and (hand.special is SpecialKind.MAO or hand.call is not None):
        _draw_decision(canvas, scene, hand)
    elif widgets.is_low(canvas):
        gain, middle, following = rows(canvas.box, (12, 9, 9))
        _draw_gains(canvas, gain, scene)
        _draw_reason_and_scores(canvas, middle, scene)
        _draw_next_hand(canvas, following, scene)
    else:
        gain, why, scores, following = rows(canvas.box, (16, 11, 12, 21))
        _draw_gains(canvas, gain, scene)
        if scene.view.gains:
            canvas.one_line(why, gains.reason_words(scene), (SMALL, TINY))
        widgets.draw_score_line(canvas, scores, scene)
        _draw_next_hand(canvas, following, scene)


def _draw_decision(canvas: Canvas, scene: Scene, hand: NextHandView) -> None:
    """The decision on the next hand: its complete question, answered on this screen."""
    under = None
    if widgets.is_low(canvas):
        gain, strip, priced = rows(canvas.box, (8, 9, 11))
        _draw_gain_and_scores(canvas, gain, scene)
    else:
        heights = (9, 11, 10, 18, 8) if hand.call is None else (8, 10, 10, 16, 16)
        gain, scores, strip, priced, under = rows(canvas.box, heights)
        _draw_gains(canvas, gain, scene)
        widgets.draw_score_line(canvas, scores, scene)
    if hand.call is None:
        terms = mao.mao_terms(scene)
        _draw_strip(canvas, strip, mao.mao_announcement_words(scene, terms))
        question.draw_mao_answers(canvas, priced, under, scene, terms)
        return
    cantando.draw_strip(canvas, strip, scene, hand.call)
    cantando.draw_answers(canvas, priced, under, scene, hand.call)


def _draw_gain_and_scores(canvas: Canvas, box: Box, scene: Scene) -> None:
    """One line of a low panel: "+1 Ellos · 23 a 12"."""
    scores = scene.score_wordings()[-1]
    totals = gains.gain_totals(scene).items()
    wordings = [gains.gain_wordings(scene, *total, 34) for total in totals]
    texts = (" ".join(words[at] for words in wordings) for at in (0, -1))
    canvas.one_line(box, (*(f"{each} · {scores}" for each in texts if each), scores), (TINY,))


def _draw_gains(canvas: Canvas, box: Box, scene: Scene) -> None:
    """One amount per side, side by side."""
    totals = gains.gain_totals(scene)
    if not totals:
        canvas.one_line(box, (scene.say("why.none"),), widgets.faces_within(box.h))
    elif len(totals) > 2:
        _draw_small_gains(canvas, box, scene, totals)
    elif len(totals) == 1 and box.h >= LARGE.caps:
        _draw_large_gain(canvas, box, scene, *next(iter(totals.items())))
    else:
        cells = columns(box, len(totals), 4)
        wordings = [gains.gain_wordings(scene, *total, cells[0].w - 20) for total in totals.items()]
        faces = _common_faces(box, cells[0].w, wordings)
        for cell, words in zip(cells, wordings, strict=True):
            canvas.one_line(cell, words, faces)


def _common_faces(box: Box, width: int, wordings: list[tuple[str, ...]]) -> tuple[fonts.Font, ...]:
    """The fonts in which all wordings fit, largest first: all get the same size."""
    faces = widgets.faces_within(box.h)
    settings = [text.one_line(words, width, box.h, faces) for words in wordings]
    small = max(faces.index(setting.font) for setting in settings)
    return faces[small:]


def _draw_small_gains(canvas: Canvas, box: Box, scene: Scene, totals: dict[int, int]) -> None:
    """Amounts of three sides, each over its score; the order identifies the side."""
    for cell, side in zip(columns(box, len(scene.order), 4), scene.order, strict=True):
        if side in totals:
            wordings = (*gains.gain_wordings(scene, side, totals[side], cell.w - 14),)
            amount = f"{totals[side]:+d}"
            canvas.one_line(cell, (*wordings, amount), widgets.faces_within(box.h))


def _draw_large_gain(canvas: Canvas, box: Box, scene: Scene, side: int, points: int) -> None:
    """The amount larger than the name, on a common base line."""
    amount = f"{points:+d}"
    room = box.w - fonts.width(LARGE, amount) - 6
    setting = text.one_line(name_wordings(scene, side, room), room, box.h, (MEDIUM, SMALL, TINY))
    name = setting.lines[0]
    base = box.y + LARGE.caps
    x = box.x + (box.w - fonts.width(LARGE, amount) - 6 - fonts.width(setting.font, name)) // 2
    gain_text = f"{amount} {setting.text}"
    x += canvas.write(x, box.y, amount, LARGE, alt_text=gain_text) + 6
    canvas.write(x, base - setting.font.caps, name, setting.font, alt_text="")


def _draw_reason_and_scores(canvas: Canvas, box: Box, scene: Scene) -> None:
    scores = scene.score_wordings()[-1]
    canvas.one_line(
        box, (*(f"{why} · {scores}" for why in gains.reason_words(scene)), scores), (SMALL, TINY)
    )


def _draw_next_hand(canvas: Canvas, box: Box, scene: Scene) -> None:
    """The next hand."""
    hand = scene.view.next_hand
    head, foot = (box, None) if box.h < 20 else (box.top(11), box.below(12))
    undo = scene.say("over.undo")
    if hand is not None and hand.special is SpecialKind.IRON:
        _draw_strip(canvas, head, (outcome.next_iron(scene, hand),))
    elif hand is not None and hand.special in (SpecialKind.SINGING, SpecialKind.BOTH_SINGING):
        _draw_strip(canvas, head, singing.next_hand_words(scene, hand))
    else:
        words = (undo,) if hand is None else outcome.lead_words(scene, hand)
        canvas.one_line(head, words, (SMALL, TINY))
    if foot is not None and hand is not None:
        canvas.one_line(foot.bottommost(8), (undo,), (TINY,))


def _draw_strip(canvas: Canvas, box: Box, wordings: tuple[str, ...]) -> None:
    canvas.fill(box)
    canvas.one_line(box.inset(1), wordings, (SMALL, TINY), ink=0)


def draw_game(canvas: Canvas, scene: Scene) -> None:
    """The winner of the game or match, the margin, and how to continue."""
    low = widgets.is_low(canvas)
    # A notice over the lower third must not cover the scores.
    heights = (12, 10, 8) if low else (14, 26, 21) if scene.has_three else (14, 21, 11, 12)
    head, scores, *rest = rows(canvas.box, heights)
    canvas.fill(head)
    won = tuple(map(str.upper, outcome.winner_words(scene)))
    canvas.one_line(head.inset(2), won, widgets.faces_within(head.h), ink=0)
    if low:
        score = _scores_by_name(scene) if scene.has_three else scene.score_wordings()[-1]
        words = (*(f"{score} · {by}" for by in outcome.margin_words(scene)), score)
        canvas.one_line(scores, words, (SMALL, TINY))
    elif scene.has_three:
        _draw_three_scores(canvas, scores, scene)
    else:
        canvas.one_line(scores, (scene.score_wordings()[-1],), (HUGE, LARGE, MEDIUM))
        canvas.one_line(rest[0], outcome.margin_words(scene), (SMALL, TINY))
    canvas.one_line(rest[-1], outcome.continue_words(scene), (SMALL, TINY))


def _draw_three_scores(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Each of three names over its score."""
    for side, cell in zip(scene.order, columns(box, len(scene.order), 3), strict=True):
        name = cell.top(8)
        canvas.one_line(name, name_wordings(scene, side, name.w), (TINY,))
        figures = str(scene.view.sides[side].score)
        canvas.one_line(cell.below(10), (figures,), (LARGE, MEDIUM))


def _scores_by_name(scene: Scene) -> str:
    """ "Ana 15 · Beto 6 · Caro 8"."""
    names = (name_wordings(scene, side, 20)[-1] for side in scene.order)
    scores = (scene.view.sides[side].score for side in scene.order)
    return " · ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
