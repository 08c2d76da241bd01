"""Venezuela: a side one point from the end declares its envite (canta).

Does the rival beat it, and play for it? Both screens are laid out like a call.
"""

from __future__ import annotations

from scorer.display.fonts import TINY
from scorer.display.oled import answers, call_banner, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, rows
from scorer.phrases import calling, mao, singing
from scorer.phrases.scene import Scene
from scorer.session.view.view import CallView, WorthView


def draw(canvas: Canvas, scene: Scene) -> None:
    """The singing side, the rival's answers with their payments, and the side asked."""
    call = scene.view.call
    if call is None:
        return
    if widgets.is_low(canvas):
        head, priced, under = rows(canvas.box, (11, 11, 8))
        draw_strip(canvas, head, scene, call)
    else:
        head, scores, priced, under, foot = rows(canvas.box, (10, 10, 16, 16, 8))
        call_banner.draw(canvas, head, scene, call.by, scene.say("singing.call"))
        widgets.draw_score_line(canvas, scores, scene)
        canvas.one_line(foot, mao.with_mano(scene, singing.ask_words(scene, call)), (TINY,))
    draw_answers(canvas, priced, under, scene, call)


def draw_answers(
    canvas: Canvas, box: Rect, under: Rect | None, scene: Scene, call: CallView
) -> None:
    """The payments of a privo and a no, also before the first press of that hand."""
    middle = answers.draw_priced(canvas, box, scene, call.quiero, call.no_quiero, halves=True)
    if under is None:
        return
    unwanted = singing.unwanted_words(scene, call)
    if under.h < 16:
        short = scene.say("singing.unwanted.short", word=call.word.split()[0], points=call.unwanted)
        yes = (short, call.word) if call.unwanted else unwanted
        answers.draw_lines_under_each(
            canvas, under, middle, (yes,), (singing.game_end_words(scene),)
        )
        return
    no = (
        singing.game_end_words(scene),
        singing.winner_words(scene, call.no_quiero),
    )
    answers.draw_lines_under_each(canvas, under, middle, ((call.word,), unwanted), no)


def draw_strip(canvas: Canvas, box: Rect, scene: Scene, call: CallView) -> None:
    """The singing side (by the arrow), the side asked and, if it fits, the mano."""
    asked = mao.with_mano(scene, singing.strip_words(scene, call))
    call_banner.draw_sentence(canvas, box, scene, call.by, asked)


def draw_privo(canvas: Canvas, scene: Scene, call: CallView) -> None:
    """The truco called with a privo: what each side wins with a yes, what a no pays."""
    # The singing side wins the game with any truco: only the other amount is a number.
    played = WorthView((call.quiero.points[call.by],), None)
    if widgets.is_low(canvas):
        head, priced, under = rows(canvas.box, (11, 11, 8))
    else:
        head, scores, priced, under, foot = rows(canvas.box, (10, 10, 16, 16, 8))
        widgets.draw_score_line(canvas, scores, scene)
        canvas.one_line(foot, calling.owes_words(scene, call.owes), (TINY,))
    call_banner.draw(canvas, head, scene, call.by, call.word)
    middle = answers.draw_priced(canvas, priced, scene, played, call.no_quiero)
    if under.h < 16:
        (no, *_) = singing.refusal_words(scene, call)
        answers.draw_lines_under_each(
            canvas, under, middle, (scene.end_wordings(call.quiero),), (no,)
        )
        return
    order = (call.by, call.owes)
    each = tuple(singing.gain_words(scene, side, call.quiero.points[side]) for side in order)
    answers.draw_lines_under_each(canvas, under, middle, each, singing.refusal_words(scene, call))
