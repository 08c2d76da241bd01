"""The pages of MENU, and the page that says all is lost, on a panel that stands upright."""

from __future__ import annotations

from functools import partial

from scorer.screen import fonts, pages, tally, text
from scorer.screen.canvas import ALL, Canvas
from scorer.screen.flow import Piece, Room, Words, draw
from scorer.screen.fonts import TINY
from scorer.screen.layout import Box
from scorer.screen.narrow import SMALLER, scores
from scorer.screen.scene import Scene
from scorer.session.view import HistoryLine, RungView, Standing

ENTRY = 17  # rows of an entry of the history: what, and under it how much and the scores


def draw_tally(canvas: Canvas, scene: Scene) -> None:
    """Each tally under the name and the score that it is of."""
    head = scores(scene)
    lines = (
        Room(20, partial(_tally, scene=scene, place=place), 60) for place in range(len(scene.order))
    )
    draw(canvas, canvas.box, [head, *lines])


def _tally(canvas: Canvas, box: Box, scene: Scene, place: int) -> None:
    if place:
        canvas.dots((box.x, box.y), box.w)
        box = box.below(2)
    score, view = scene.side(place).score, scene.view
    tally.draw(canvas, box, score, scene.laid_out, view.half, largest=box.h // 2)


def draw_ladder(canvas: Canvas, scene: Scene) -> None:
    """Every rung, and under it what it pays played and refused."""
    rungs = [rung for rung in scene.view.ladder if rung.word]
    heads = partial(_pair, left=scene.say("page.ladder.yes"), right=scene.say("page.ladder.no"))
    lines = [Room(18, partial(_rung, scene=scene, rung=rung), 26) for rung in rungs]
    draw(canvas, canvas.box, [Room(9, heads), *lines])


def _pair(canvas: Canvas, box: Box, left: str, right: str, *, ink: int = 1) -> None:
    # On the left may stand a word ("partido"), on the right figures.
    canvas.one_line(box.left(box.w * 5 // 8), (left,), (TINY,), align=0.0, ink=ink)
    canvas.one_line(box.rightmost(box.w * 3 // 8), (right,), (TINY,), align=1.0, ink=ink)


def _rung(canvas: Canvas, box: Box, scene: Scene, rung: RungView) -> None:
    holds = rung.state == "current" or (rung.state == "called" and scene.view.blink)
    if holds:
        canvas.fill(box)
    ink, box = 0 if holds else 1, box.inset(2, 1)
    wordings = (rung.word, text.short_name(rung.word, box.w, TINY))
    canvas.one_line(box.top(8), wordings, (TINY,), align=0.0, ink=ink)
    values = scene.points(rung.value), scene.points(rung.refused)
    _pair(canvas, box.bottommost(8), *values, ink=ink)


def draw_history(canvas: Canvas, scene: Scene) -> None:
    """The newest entries, the last one at the foot."""
    entries = scene.view.history[-(canvas.box.h // (ENTRY + 1)) :]
    if not entries:
        draw(canvas, canvas.box, [Words((scene.say("page.history.none"),))])
        return
    lines = (Room(ENTRY, partial(draw_entry, scene=scene, entry=entry)) for entry in entries)
    draw(canvas, canvas.box, list(lines))


def draw_entry(canvas: Canvas, box: Box, scene: Scene, entry: HistoryLine, *, ink: int = 1) -> None:
    """What happened in one line; under it its time, the points and the scores."""
    upper, lower = box.top(8), box.below(8).top(8)
    left = canvas.one_line(upper, (str(entry.hand),), (TINY,), align=0.0, ink=ink).right + 3
    if entry.side is not None:
        left += pages.side_mark(canvas, Box(left, upper.y, 6, 8), scene, entry.side, ink)
    width = upper.right - left
    what = pages.what_was_done(scene, entry)
    wordings = (what, entry.word, text.short_name(entry.word or what, width, TINY))
    words = tuple(wording for wording in wordings if wording)
    canvas.one_line(Box(left, upper.y, width, 8), words, (TINY,), align=0.0, ink=ink)
    scored = scene.figures(entry.scores)
    right = canvas.one_line(lower, (scored,), (TINY,), align=1.0, ink=ink).x - 3
    amount = f"{entry.points:+d}" if entry.points else ""
    for said, align in ((amount, 1.0), (entry.time, 0.0)):
        if said and fonts.width(TINY, said) <= right - lower.x:
            room = lower.left(right - lower.x)
            right = canvas.one_line(room, (said,), (TINY,), align=align, ink=ink).x - 3


def draw_night(canvas: Canvas, scene: Scene) -> None:
    """Who has won how many games tonight, and how long the longest was."""
    night, say = scene.view.night, scene.say
    if night is None or not night.games:
        draw(canvas, canvas.box, [Words((say("page.night.none"),))])
        return
    games = say("page.night.one" if night.games == 1 else "page.night", games=night.games)
    longest = (say("page.night.longest", minutes=night.longest),) if night.longest else ()
    shown = night.rows[: canvas.box.h // 30]
    pieces: list[Piece] = [Words((games,), SMALLER, inverse=True)]
    pieces += [Room(ENTRY, partial(_standing, scene=scene, standing=each)) for each in shown]
    draw(canvas, canvas.box, [*pieces, *(Words((words,), (TINY,)) for words in longest)])


def _standing(canvas: Canvas, box: Box, scene: Scene, standing: Standing) -> None:
    won = canvas.one_line(box.top(8), (str(standing.won),), (TINY,), align=1.0)
    name = standing.name or pages.unnamed(scene, standing.key)
    wordings = (name, text.short_name(name, won.x - 3, TINY))
    canvas.one_line(box.top(8).left(won.x - 3), wordings, (TINY,), align=0.0)
    if standing.streak > 1:
        words = scene.say("page.night.streak", games=standing.streak)
        canvas.one_line(box.below(8), (words,), (TINY,), align=0.0)


def draw_status(canvas: Canvas, scene: Scene) -> None:
    """Which hand of which game this is, and what is wrong with the box, if anything."""
    lines = [part for line in pages.status_lines(scene) for part in line.split(" · ")]
    head = Words((scene.say("page.status").upper(),), SMALLER, inverse=True)
    draw(canvas, canvas.box, [head, *(Words((line,), SMALLER, align=0.0) for line in lines)])


def draw_trouble(canvas: Canvas, scene: Scene) -> None:
    """The store cannot be opened: why, and what to do."""
    why = scene.view.marks[0] if scene.view.marks else "io"
    head = Words((scene.say("trouble.title").upper(),), ALL, inverse=True)
    draw(canvas, canvas.box, [head, Words((scene.say(f"trouble.{why}"),), SMALLER)])
