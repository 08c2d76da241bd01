"""Screens of questions, and of the decision on a mão de onze."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import answers, text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, rows
from scorer.phrases import gains, mao, questions
from scorer.phrases.scene import Scene


def draw_question(canvas: Canvas, scene: Scene) -> None:
    """The scores, the question, and both answers with their payments."""
    asked = scene.view.question
    if asked is None:
        return
    sentence, box = questions.question_words(scene, asked), canvas.box
    figures = scene.score_wordings()[-1]
    if widgets.is_low(canvas) and figures in sentence[0]:
        height = _question_height(box.w, sentence)
        head = box.top(height)
    elif widgets.is_low(canvas):
        # The scores are beside the question: there is no row for them.
        for face in (SMALL, TINY):
            wide = fonts.width(face, figures) + 4
            height = _question_height(box.w - wide, sentence)
            head = box.top(height).left(box.w - wide)
            if not text.paragraph(sentence, head.w, head.h, (MEDIUM, SMALL, TINY)).is_cut:
                break
        canvas.one_line(box.top(13).rightmost(wide), (figures,), (face,))
    else:
        widgets.draw_score_line(canvas, box.top(11), scene)
        box = box.below(12)
        height = _question_height(box.w, sentence)
        head = box.top(height)
    canvas.paragraph(head, sentence, (MEDIUM, SMALL, TINY))
    answers.draw(canvas, box.below(height + 1), scene, questions.answer_options(scene, asked))


def _question_height(width: int, sentence: tuple[str, ...]) -> int:
    """Rows for the question: one line, or two small ones if needed."""
    one = text.paragraph(sentence, width, 13, (MEDIUM, SMALL, TINY))
    return 16 if one.is_cut else 13


def draw_mao(canvas: Canvas, scene: Scene) -> None:
    """Mão de onze, de dez: deciding side, payments of playing and running, mano."""
    terms = mao.mao_terms(scene)
    if widgets.is_low(canvas):
        head, priced, under = rows(canvas.box, (11, 11, 8))
    else:
        head, scores, priced, under, foot = rows(canvas.box, (13, 11, 17, 8, 11))
        widgets.draw_score_line(canvas, scores, scene)
        canvas.one_line(foot, mao.mao_ask_words(scene, terms), (SMALL, TINY))
    canvas.fill(head)
    words = (
        mao.mao_announcement_words(scene, terms)
        if widgets.is_low(canvas)
        else tuple(map(str.upper, mao.mao_title_words(scene, terms)))
    )
    canvas.one_line(head.inset(2), words, widgets.faces_within(head.h), ink=0)
    draw_mao_answers(canvas, priced, under, scene, terms)


def draw_mao_answers(
    canvas: Canvas, priced: Rect, under: Rect | None, scene: Scene, terms: mao.MaoTerms
) -> None:
    """Play and run with their payments and, if a row is left, the receivers."""
    middle = answers.draw_priced(canvas, priced, scene, terms.play, terms.run)
    if under is not None:
        points = terms.run.points[0]
        run = (
            *gains.gain_wordings(scene, terms.rival, points, 34),
            gains.gain_wordings(scene, terms.rival, points, 20)[-1],
        )
        plays = (*mao.mano_words(scene), scene.say("mao.plays"))
        answers.draw_line_under_each(canvas, under, middle, plays, run)
