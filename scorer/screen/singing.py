"""Venezuela: a side a point from the end tells its envite; does the rival beat it?"""

from __future__ import annotations

from scorer.screen import answers, parts
from scorer.screen.canvas import Canvas
from scorer.screen.fonts import SMALL, TINY
from scorer.screen.layout import Box, rows
from scorer.screen.scene import Scene
from scorer.session.view import CallView, NextHandView


def draw(canvas: Canvas, scene: Scene) -> None:
    """Who sings, both answers of the rival, what each pays and who is asked."""
    call = scene.view.call
    if call is None:
        return
    if parts.is_low(canvas):
        head, priced, under = rows(canvas.box, (11, 11, 8))
    else:
        head, scores, priced, under, foot = rows(canvas.box, (13, 11, 17, 8, 11))
        parts.score_line(canvas, scores, scene)
        canvas.one_line(foot, asked(scene, call), (SMALL, TINY))
    canvas.fill(head)
    canvas.one_line(head.inset(2), _title(scene, call), parts.faces_within(head.h), ink=0)
    middle = both_answers(canvas, priced, scene, call)
    ends = (scene.say("singing.ends"),) if call.no_quiero.wins else ()
    answers.under(canvas, under, middle, (call.word,), ends)


def both_answers(canvas: Canvas, box: Box, scene: Scene, call: CallView) -> int:
    """Both answers with their prices, also before anything was pressed in that hand."""
    asked = scene._replace(view=scene.view._replace(call=call))
    return answers.priced(canvas, box, asked, call.quiero, call.no_quiero)


def _title(scene: Scene, call: CallView) -> tuple[str, ...]:
    names = parts.name_wordings(scene, call.by, 50)
    return tuple(scene.say("singing.title", side=name).upper() for name in names)


def asked(scene: Scene, call: CallView) -> tuple[str, ...]:
    """Whom the question goes to; without the name where there is no room for it."""
    names = parts.name_wordings(scene, call.owes, 60)
    named = (scene.say("singing.ask", side=name) for name in names)
    return (*named, scene.say("singing.ask.short"))


def coming(scene: Scene, hand: NextHandView) -> tuple[str, ...]:
    """The hand to come in which one side sings, or both do."""
    if hand.decider is None:
        return (scene.say("singing.both"),)
    names = parts.name_wordings(scene, hand.decider, 50)
    return tuple(scene.say("singing.next", side=name) for name in names)
