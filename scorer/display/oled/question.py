"""The box asks: a question of the moment, or whether a mão de onze is played."""

from __future__ import annotations

from typing import NamedTuple

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import answers, text, widgets
from scorer.display.oled.answers import AnswerOption
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Box, rows
from scorer.display.presenter import Scene
from scorer.session.view.view import QuestionView, WorthView

PLAYER_ANSWERS = {"second": 1, "third": 2}  # answers that are one of three players
UNDO_QUESTIONS = ("undo_far",)  # questions that take points back


class MaoTerms(NamedTuple):
    """A mão de onze before it is decided: who decides, what playing and running pay."""

    decider: int
    rival: int
    play: WorthView
    run: WorthView
    lead: int | None


def draw_question(canvas: Canvas, scene: Scene) -> None:
    """The question in one line where it can be, and both answers with what they pay."""
    asked = scene.view.question
    if asked is None:
        return
    sentence = question_words(scene, asked)
    height = _question_height(canvas, sentence)
    head, rest = canvas.box.top(height), canvas.box.below(height + 1)
    canvas.paragraph(head, sentence, (MEDIUM, SMALL, TINY))
    answers.draw(canvas, rest, scene, answer_options(scene, asked))


def answer_options(scene: Scene, question: QuestionView) -> tuple[AnswerOption, AnswerOption]:
    """What yes and no mean, and what they pay."""
    yes = answer_text(scene, question.yes or "yes_plain")
    no = answer_text(scene, question.no or "no_plain")
    # What an undo takes back stands in the question; under the answer it would read as a gain.
    paid = (
        (None, None)
        if question.key in UNDO_QUESTIONS
        else (question.yes_points, question.no_points)
    )
    gains = [() if gain is None else widgets.gain_wordings(scene, *gain, 40) for gain in paid]
    return AnswerOption(yes, gains[0]), AnswerOption(no, gains[1])


def answer_text(scene: Scene, key: str) -> str:
    """What an answer says; a player who has a name is told by it."""
    side = PLAYER_ANSWERS.get(key)
    if side is None or not scene.has_three or not scene.view.sides[side].name:
        return scene.say(f"answer.{key}")
    return widgets.name_wordings(scene, side, 56)[-1]


def _question_height(canvas: Canvas, sentence: tuple[str, ...]) -> int:
    """Rows for the question: on a low panel one line, or two small ones where it takes them."""
    if not widgets.is_low(canvas):
        return 24
    one = text.paragraph(sentence, canvas.box.w, 13, (MEDIUM, SMALL, TINY))
    return 16 if one.is_cut else 13


def question_words(scene: Scene, question: QuestionView) -> tuple[str, ...]:
    names = ("",) if question.side is None else widgets.name_wordings(scene, question.side, 50)
    gained = question.yes_points if question.key in UNDO_QUESTIONS else None
    gains = ("",) if gained is None else widgets.gain_wordings(scene, *gained, 50)
    key = f"question.{question.key}" if gained is None else f"question.{question.key}.gain"
    fields = {"word": question.word, "number": question.number, "score": scene.score_wordings()[-1]}
    return tuple(scene.say(key, side=name, gain=gain, **fields) for name in names for gain in gains)


def draw_mao(canvas: Canvas, scene: Scene) -> None:
    """Mão de onze, de dez: who decides, what playing and running cost, who is mano."""
    terms = mao_terms(scene)
    if widgets.is_low(canvas):
        head, priced, under = rows(canvas.box, (11, 11, 8))
    else:
        head, scores, priced, under, foot = rows(canvas.box, (13, 11, 17, 8, 11))
        widgets.draw_score_line(canvas, scores, scene)
        canvas.one_line(foot, mao_ask_words(scene, terms), (SMALL, TINY))
    canvas.fill(head)
    words = (
        mao_announcement_words(scene, terms)
        if widgets.is_low(canvas)
        else mao_title_words(scene, terms)
    )
    canvas.one_line(head.inset(2), words, widgets.faces_within(head.h), ink=0)
    draw_mao_answers(canvas, priced, under, scene, terms)


def draw_mao_answers(
    canvas: Canvas, priced: Box, under: Box | None, scene: Scene, terms: MaoTerms
) -> None:
    """Play and run with their prices and, where there is a row for it, to whom they go."""
    middle = answers.draw_priced(canvas, priced, scene, terms.play, terms.run)
    if under is not None:
        points = terms.run.points[0]
        run = (
            *widgets.gain_wordings(scene, terms.rival, points, 34),
            widgets.gain_wordings(scene, terms.rival, points, 20)[-1],
        )
        answers.draw_line_under_each(canvas, under, middle, (scene.say("mao.plays"),), run)


def mao_terms(scene: Scene) -> MaoTerms:
    """The terms of the mão that waits for its decision, now or as the next hand."""
    view = scene.view
    lead = next((index for index, side in enumerate(view.sides) if side.mano), None)
    decider, play, run = (
        scene.order[0],
        WorthView((view.special_worth,), None),
        WorthView((0,), None),
    )
    if view.next_hand is not None and view.next_hand.decider is not None:
        decider, lead = view.next_hand.decider, view.next_hand.mano
        play, run = WorthView((view.next_hand.worth,), None), WorthView((view.next_hand.run,), None)
    elif view.call is not None:
        decider, play, run = view.call.owes, view.call.quiero, view.call.no_quiero
    rival = next(side for side in scene.order if side != decider)
    return MaoTerms(decider, rival, play, run, lead)


def mao_title_words(scene: Scene, terms: MaoTerms) -> tuple[str, ...]:
    """ "MÃO DE ONZE", in figures where there is no room."""
    numbers = scene.number_wordings(scene.view.sides[terms.decider].score)
    return tuple(scene.say("mao.title", number=number).upper() for number in numbers)


def mao_ask_words(scene: Scene, terms: MaoTerms) -> tuple[str, ...]:
    names = widgets.name_wordings(scene, terms.decider, 50)
    return tuple(scene.say("mao.ask", side=name) for name in names)


def mao_announcement_words(scene: Scene, terms: MaoTerms) -> tuple[str, ...]:
    """The mão de onze that comes, and who decides; shorter wordings after it."""
    names = widgets.name_wordings(scene, terms.decider, 34)
    numbers = scene.number_wordings(scene.view.sides[terms.decider].score)
    return tuple(
        scene.say(key, number=number, side=name)
        for name in names
        for key in ("mao.next", "mao.next.short")
        for number in numbers
    )
