"""Calls, questions and decisions on a television.

Each shows two cards side by side, with button and payment of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorer.display.oled.layout import Rect, columns
from scorer.display.tv import colours, widgets
from scorer.display.tv.canvas import TvCanvas
from scorer.phrases import calling, mao, questions, singing
from scorer.phrases.scene import Scene
from scorer.session.view.view import CallFamily, CallView, WorthView

HEAD, SCORES, LINE, STRIP = 132, 84, 52, 88  # heights of the common rows in units


class AnswerCard(NamedTuple):
    """One answer: button, payment and further lines, each in several wordings."""

    button: Sequence[str]
    pays: Sequence[str]
    under: Sequence[Sequence[str]] = ()


def draw_pending(canvas: TvCanvas, scene: Scene) -> None:
    """The call with its caller, both answers with their outcomes, and the side asked."""
    call = scene.view.call
    if call is None:
        return
    heights = (HEAD, SCORES, None, LINE, STRIP)
    head, scores, cards, line, strip = widgets.stack_rows(widgets.safe_area(canvas), heights)
    widgets.draw_call_banner(canvas, head, scene, call.by, (call.word.upper(),))
    widgets.draw_score_row(canvas, scores, scene)
    if call.family is CallFamily.PRIVO:
        _draw_cards(canvas, cards, scene, *privo_cards(scene, call))
    else:
        _draw_cards(canvas, cards, scene, *call_cards(scene, call))
    owes = calling.owes_words(scene, call.owes)
    if call.suspended:
        owes = tuple(f"{each} · {calling.waiting_call(scene, call)}" for each in owes)
    canvas.write(line, owes, 38, colours.INK)
    if scene.view.ladder:
        widgets.draw_ladder(canvas, strip, scene)


def call_cards(scene: Scene, call: CallView) -> tuple[AnswerCard, AnswerCard]:
    """Both answers; with the resulting scores if a game or a half is at stake."""
    accept, refuse = calling.answer_button_wordings(scene)
    decisive = scene.is_decisive(call.quiero) or scene.is_decisive(call.no_quiero)
    outcomes = (
        scene.outcome_wordings(worth) if decisive else () for worth in (call.quiero, call.no_quiero)
    )
    yes, no = ((wordings,) if wordings else () for wordings in outcomes)
    return AnswerCard(accept, _pays(scene, call.quiero), yes), AnswerCard(
        refuse, _pays(scene, call.no_quiero), no
    )


def privo_cards(scene: Scene, call: CallView) -> tuple[AnswerCard, AnswerCard]:
    """The truco called with a privo: what each side wins with a yes, what a no pays."""
    accept, refuse = calling.answer_button_wordings(scene)
    played = WorthView((call.quiero.points[call.by],), None)
    each = tuple(
        singing.gain_words(scene, side, call.quiero.points[side]) for side in (call.by, call.owes)
    )
    return AnswerCard(accept, _pays(scene, played), each), AnswerCard(
        refuse, _pays(scene, call.no_quiero), singing.refusal_words(scene, call)
    )


def cantando_cards(scene: Scene, call: CallView) -> tuple[AnswerCard, AnswerCard]:
    """The payments of a privo and a no."""
    accept, refuse = calling.answer_button_wordings(scene)
    unwanted = singing.unwanted_words(scene, call)
    no = (
        singing.game_end_words(scene),
        singing.winner_words(scene, call.no_quiero),
    )
    return AnswerCard(accept, _pays(scene, call.quiero), ((call.word,), unwanted)), AnswerCard(
        refuse, _pays(scene, call.no_quiero), no
    )


def mao_cards(scene: Scene, terms: mao.MaoTerms) -> tuple[AnswerCard, AnswerCard]:
    """Play and run with their payments and receivers."""
    accept, refuse = calling.answer_button_wordings(scene)
    plays = mao.with_mano(scene, (scene.say("mao.plays"),))
    run = tuple(
        f"{terms.run.points[0]:+d} {name}" for name in widgets.name_wordings(scene, terms.rival)
    )
    return AnswerCard(accept, _pays(scene, terms.play), (plays,)), AnswerCard(
        refuse, _pays(scene, terms.run), (run,)
    )


def draw_winner(canvas: TvCanvas, scene: Scene) -> None:
    """The question who won an accepted envido or flor."""
    call = scene.view.call
    if call is None:
        return
    heights = (HEAD, SCORES, None, LINE, STRIP)
    head, scores, body, line, strip = widgets.stack_rows(widgets.safe_area(canvas), heights)
    asked = tuple(map(str.upper, calling.winner_question_wordings(scene, call)))
    widgets.draw_banner(canvas, head, asked, ground=colours.WARN, ink=colours.WARN_INK, size=84)
    widgets.draw_score_row(canvas, scores, scene)
    pays = calling.winner_pays(scene, call)
    canvas.fill(body, colours.PANEL, round_by=widgets.RADIUS)
    room = body.inset(40, 20)
    if call.quiero.wins:
        canvas.write(room.bottommost(60), scene.end_wordings(call.quiero), 44, colours.WARN)
        room = room.top(room.h - 70)
    canvas.write(room, (pays,), 110)
    canvas.write(line, (calling.winner_press(scene),), 38)
    if scene.view.are_tricks_still_played:
        widgets.draw_ladder(canvas, strip, scene)


def draw_question(canvas: TvCanvas, scene: Scene) -> None:
    """The question, the scores, and both answers with meaning and payment."""
    asked = scene.view.question
    if asked is None:
        return
    head, scores, cards = widgets.stack_rows(widgets.safe_area(canvas), (HEAD, SCORES, None))
    canvas.paragraph(head, questions.question_words(scene, asked), 64)
    widgets.draw_score_row(canvas, scores, scene)
    accept, refuse = calling.answer_button_wordings(scene)
    yes, no = (
        AnswerCard(
            button, choice.pays or (choice.meaning,), ((choice.meaning,),) if choice.pays else ()
        )
        for button, choice in zip(
            (accept, refuse), questions.answer_options(scene, asked), strict=True
        )
    )
    _draw_cards(canvas, cards, scene, yes, no)


def draw_mao(canvas: TvCanvas, scene: Scene) -> None:
    """Mão de onze, de dez: deciding side, payments of playing and running, mano."""
    terms = mao.mao_terms(scene)
    heights = (HEAD, SCORES, None, LINE, STRIP)
    head, scores, cards, line, strip = widgets.stack_rows(widgets.safe_area(canvas), heights)
    title = tuple(map(str.upper, mao.mao_title_words(scene, terms)))
    widgets.draw_banner(canvas, head, title, ground=colours.WARN, ink=colours.WARN_INK, size=84)
    widgets.draw_score_row(canvas, scores, scene)
    _draw_cards(canvas, cards, scene, *mao_cards(scene, terms))
    canvas.write(line, mao.mao_ask_words(scene, terms), 38)
    if scene.view.ladder:
        widgets.draw_ladder(canvas, strip, scene)


def draw_cantando(canvas: TvCanvas, scene: Scene) -> None:
    """The singing side, the rival's answers with their payments, and the side asked."""
    call = scene.view.call
    if call is None:
        return
    heights = (HEAD, SCORES, None, LINE, STRIP)
    head, scores, cards, line, strip = widgets.stack_rows(widgets.safe_area(canvas), heights)
    widgets.draw_call_banner(canvas, head, scene, call.by, (scene.say("singing.call").upper(),))
    widgets.draw_score_row(canvas, scores, scene)
    _draw_cards(canvas, cards, scene, *cantando_cards(scene, call))
    canvas.write(line, mao.with_mano(scene, singing.ask_words(scene, call)), 38)
    if scene.view.ladder:
        widgets.draw_ladder(canvas, strip, scene)


def draw_decision(canvas: TvCanvas, box: Rect, scene: Scene, call: CallView | None) -> None:
    """The decision on the next hand: its question and both answers."""
    strip, cards = widgets.stack_rows(box, (84, None))
    if call is None:
        terms = mao.mao_terms(scene)
        announced = mao.mao_announcement_words(scene, terms)
        widgets.draw_banner(
            canvas, strip, announced, ground=colours.WARN, ink=colours.WARN_INK, size=46
        )
        _draw_cards(canvas, cards, scene, *mao_cards(scene, terms))
        return
    ground = colours.of_side(scene, call.by)
    asked = mao.with_mano(scene, singing.strip_words(scene, call))
    widgets.draw_banner(canvas, strip, asked, ground=ground, ink=colours.DEEP, size=46)
    _draw_cards(canvas, cards, scene, *cantando_cards(scene, call))


def _pays(scene: Scene, worth: WorthView) -> tuple[str, ...]:
    return (scene.pays(worth).upper(),)


def _draw_cards(canvas: TvCanvas, box: Rect, scene: Scene, yes: AnswerCard, no: AnswerCard) -> None:
    """Both cards, with corresponding texts in the same rows."""
    lines = max(len(yes.under), len(no.under))
    inks = ((colours.YES, colours.YES_INK), (colours.NO, colours.NO_INK))
    cells = columns(box, 2, widgets.GAP)
    for cell, card, (ground, ink) in zip(cells, (yes, no), inks, strict=True):
        canvas.fill(cell, ground, round_by=widgets.RADIUS)
        room = cell.inset(26, 12)
        canvas.write(room.top(56), card.button, 46, ink)
        step = 46
        under = room.bottommost(step * lines)
        for index, wordings in enumerate(card.under):
            row = Rect(under.x, under.y + index * step, under.w, step - 4)
            canvas.write(row, wordings, 32, ink)
        body = Rect(room.x, room.y + 60, room.w, room.h - 64 - step * lines)
        canvas.write(body, card.pays, 150 if card.pays[0].isdigit() else 96, ink)
