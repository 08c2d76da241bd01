"""A pending bet: waiting for its answer, or for the winner to be entered."""

from __future__ import annotations

from scorer.display.fonts import SMALL, TINY
from scorer.display.oled import answers, call_banner, cantando, ladder, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, rows
from scorer.phrases import calling
from scorer.phrases.scene import Scene
from scorer.session.view.view import CallFamily, CallView


def draw(canvas: Canvas, scene: Scene) -> None:
    """The call, both answers and their outcomes."""
    call = scene.view.call
    if call is None:
        return
    if call.family is CallFamily.PRIVO:
        cantando.draw_privo(canvas, scene, call)
        return
    if widgets.is_low(canvas):
        _draw_low(canvas, scene, call)
        return
    # The scores are above the lower third, which a notice may cover.
    head, scores, priced, under, foot = rows(canvas.box, (13, 12, 17, 8, 11))
    call_banner.draw(canvas, head, scene, call.by, call.word)
    widgets.draw_score_line(canvas, scores, scene)
    middle = answers.draw_priced(canvas, priced, scene, call.quiero, call.no_quiero)
    # If two must answer, the side asked is more important than the outcome.
    if scene.view.counts_down or not _draw_outcomes(canvas, under, scene, call, middle):
        canvas.one_line(under, calling.owes_words(scene, call.owes), (TINY,))
    # The ladder; for an envido, the suspended truco or the side to answer.
    if call.family is not CallFamily.TRUCO and call.quiero.wins:
        canvas.one_line(foot, calling.owes_words(scene, call.owes), (SMALL, TINY))
    elif call.suspended:
        canvas.one_line(foot, (calling.waiting_call(scene, call),), (SMALL, TINY))
    elif scene.view.ladder:
        ladder.draw_strip(canvas, foot, scene)


def _draw_low(canvas: Canvas, scene: Scene, call: CallView) -> None:
    head, priced, under = rows(canvas.box, (11, 11, 8))
    call_banner.draw(canvas, head, scene, call.by, call.word)
    middle = answers.draw_priced(canvas, priced, scene, call.quiero, call.no_quiero)
    if scene.view.counts_down:
        canvas.one_line(under, calling.owes_words(scene, call.owes), (TINY,))
    elif not _draw_outcomes(canvas, under, scene, call, middle):
        widgets.draw_score_line(canvas, under, scene)


def _draw_outcomes(canvas: Canvas, box: Rect, scene: Scene, call: CallView, middle: int) -> bool:
    """Draws the score after each answer; False if neither game nor half is at stake."""
    if not (scene.is_decisive(call.quiero) or scene.is_decisive(call.no_quiero)):
        return False
    yes, no = scene.outcome_wordings(call.quiero), scene.outcome_wordings(call.no_quiero)
    answers.draw_line_under_each(canvas, box, middle, yes, no)
    return True


def draw_winner(canvas: Canvas, scene: Scene) -> None:
    """The question who won an accepted envido or flor."""
    call = scene.view.call
    if call is None:
        return
    if widgets.is_low(canvas):
        head, scores, foot = rows(canvas.box, (11, 10, 8))
        body = None
    else:
        head, scores, body, foot = rows(canvas.box, (15, 12, 13, 22))
    canvas.fill(head)
    asked = tuple(map(str.upper, calling.winner_question_wordings(scene, call)))
    canvas.one_line(head.inset(2), asked, widgets.faces_within(head.h), ink=0)
    widgets.draw_score_line(canvas, scores, scene)
    pays = calling.winner_pays(scene, call)
    press = calling.winner_press(scene)
    if body is None:
        canvas.one_line(foot, (f"{pays} · {press}", f"{pays} · {scene.say('winner.who')}"), (TINY,))
        return
    whole = (f"{pays}: {scene.end_wordings(call.quiero)[0]}",) if call.quiero.wins else ()
    canvas.one_line(body, (*whole, pays), widgets.faces_within(body.h))
    if scene.view.are_tricks_still_played:
        foot, rungs = rows(foot, (9, 11))
        ladder.draw_strip(canvas, rungs, scene)
    canvas.one_line(foot, (press,), (SMALL, TINY))
