"""The screens of a hand on a panel that stands upright (64x128): all of it in one column.

Words are those of the wide screens; here is only where they stand. It knows no set-up and no page.
"""

from __future__ import annotations

from functools import partial

from scorer.screen import answers, asking, banner, digits, fonts, ladder, parts, playing, tally
from scorer.screen import singing as sung
from scorer.screen.canvas import Canvas
from scorer.screen.flow import Piece, Room, Words, draw
from scorer.screen.fonts import GIANT, HUGE, LARGE, SMALL, TINY
from scorer.screen.layout import Box, rows
from scorer.screen.pending import tricks_go_on
from scorer.screen.scene import Scene
from scorer.session.view import CallView, Worth

LINE = 11  # rows of a name with its score
PRICE = LARGE.caps + 2  # with the air that keeps what stands under it apart
SMALLER = (SMALL, TINY)


def upper(wordings: tuple[str, ...]) -> tuple[str, ...]:
    """The same in capitals."""
    return tuple(words.upper() for words in wordings)


def scores(scene: Scene) -> Room:
    """Each name with its score, one under the other."""
    return Room(LINE * len(scene.order), partial(parts.score_line, scene=scene))


def draw_playing(canvas: Canvas, scene: Scene) -> None:
    """A block for each side, then the ladder and the state in words."""
    # The blocks end above the lower third, where a notice may come.
    height = (canvas.box.h * 2 // 3) // len(scene.order)
    blocks = rows(canvas.box.top(height * len(scene.order)), [height] * len(scene.order))
    for place, block in enumerate(blocks):
        _block(canvas, block, scene, place)
    foot = canvas.box.below(height * len(scene.order) + 1)
    if scene.view.special:
        if scene.view.notice is None:
            draw(canvas, foot, _special(scene))
        return
    mark = parts.gravest(scene)
    words = (scene.mark(mark),) if mark else playing.state(scene)
    state = Words(words, (TINY,), inverse=bool(mark))
    stake = Words((scene.stake(scene.view.stake),), SMALLER)
    draw(canvas, foot, [stake, Room(12, partial(ladder.strip, scene=scene)), state])


def _special(scene: Scene) -> list[Piece]:
    title = upper(playing.special_title(scene))
    return [Words(title, inverse=True), Words((playing.special_rest(scene),), SMALLER)]


def _block(canvas: Canvas, block: Box, scene: Scene, place: int) -> None:
    """One side: its name over its score, the tally beside and the spoken score under it."""
    parts.named(canvas, block.top(9), scene, place)
    body = block.below(10)
    side = scene.order[place]
    score = scene.view.sides[side].score
    if scene.has_three:
        _short_block(canvas, body, scene, place)
        return
    if scene.view.large_digits:
        digits.draw_one(canvas, body.top(GIANT.caps + 1), scene, place)
        return
    wide = fonts.width(HUGE, "00")
    canvas.one_line(Box(body.x, body.y, wide, HUGE.caps), (str(score),), (HUGE,), align=0.0)
    rest = body.rightmost(body.w - wide - 2).top(HUGE.caps + 2)
    tally.draw(canvas, rest, score, scene.laid_out, scene.view.half)
    if wordings := scene.spoken(side):
        canvas.one_line(body.below(HUGE.caps + 2).top(8), wordings, (TINY,), align=0.0)


def _short_block(canvas: Canvas, body: Box, scene: Scene, place: int) -> None:
    """One of three: the score, and beside it as it is said."""
    score = str(scene.side(place).score)
    wide = fonts.width(LARGE, "00")
    canvas.one_line(body.left(wide).top(LARGE.caps), (score,), (LARGE,), align=0.0)
    if wordings := scene.spoken(scene.order[place]):
        beside = body.rightmost(body.w - wide - 3).top(LARGE.caps)
        canvas.paragraph(beside, wordings, (TINY,), align=0.0)


def _called(scene: Scene, by: int, word: str) -> list[Piece]:
    """The call in inverse under the name of its caller, with the arrow that comes from there."""
    name = parts.name_wordings(scene, by, 46)[-1]
    caller = partial(banner.caller, scene=scene, by=by, name=name)
    return [Room(LINE, caller), Words((word.upper(),), inverse=True, joined=True)]


def _price(scene: Scene, words: tuple[str, ...], worth: Worth) -> Room:
    text = scene.pays(worth).upper()
    return Room(PRICE, partial(answers.price, words=words, worth=text))


def _small(*wordings: str) -> list[Piece]:
    return [Words(wordings, (TINY,), joined=True)] if any(wordings) else []


def _both(
    scene: Scene, yes: Worth, no: Worth, under: tuple[tuple[str, ...], tuple[str, ...]]
) -> list[Piece]:
    """Both answers with their prices, and what comes of each under it."""
    accept, refuse = answers.buttons(scene)
    return [
        _price(scene, accept, yes),
        *_small(*under[0]),
        _price(scene, refuse, no),
        *_small(*under[1]),
    ]


def draw_pending(canvas: Canvas, scene: Scene) -> None:
    """The call, the scores, and both answers with what they lead to."""
    call = scene.view.call
    if call is None:
        return
    if call.family == "privo":
        _privo(canvas, scene, call)
        return
    named = scene.view.pot is not None
    decisive = scene.is_decisive(call.quiero) or scene.is_decisive(call.no_quiero)
    shown = decisive and not named
    under = (scene.outcome(call.quiero), scene.outcome(call.no_quiero)) if shown else ((), ())
    pieces = [*_called(scene, call.by, call.word), scores(scene)]
    pieces += _both(scene, call.quiero, call.no_quiero, under)
    ends = call.family != "truco" and call.quiero.wins
    if not shown or ends:
        pieces.append(Words(parts.owing(scene, call.owes), (TINY,)))
    if call.suspended and not ends:
        pieces.append(Words((scene.say("pending.waits", word=call.suspended),), (TINY,)))
    elif scene.view.ladder and not ends:
        pieces.append(Room(LINE, partial(ladder.strip, scene=scene)))
    draw(canvas, canvas.box, pieces)


def _privo(canvas: Canvas, scene: Scene, call: CallView) -> None:
    order = (call.by, call.owes)
    each = [sung.each_wins(scene, side, call.quiero.points[side]) for side in order]
    accept, refuse = answers.buttons(scene)
    pieces = [
        *_called(scene, call.by, call.word),
        scores(scene),
        _price(scene, accept, Worth((call.quiero.points[call.by],), None)),
        *(piece for words in each for piece in _small(*words)),
        _price(scene, refuse, call.no_quiero),
        *_small(*sung.refused(scene, call)[0]),
        Words(parts.owing(scene, call.owes), (TINY,)),
    ]
    draw(canvas, canvas.box, pieces)


def draw_singing(canvas: Canvas, scene: Scene) -> None:
    """Who sings, what either answer of the rival brings, and that he is asked."""
    call = scene.view.call
    if call is None:
        return
    pieces = [*_called(scene, call.by, scene.say("singing.call")), scores(scene)]
    pieces += sung_answers(scene, call)
    draw(canvas, canvas.box, [*pieces, Words(sung.asked(scene, call), (TINY,))])


def sung_answers(scene: Scene, call: CallView) -> list[Piece]:
    """The answers to a side that sings, also before anything was pressed in that hand."""
    accept, refuse = answers.buttons(scene)
    return [
        _price(scene, accept, call.quiero),
        *_small(call.word),
        *_small(scene.say("singing.unwanted", points=call.unwanted)),
        _price(scene, refuse, call.no_quiero),
        *_small(*sung.wins(scene)),
    ]


def draw_winner(canvas: Canvas, scene: Scene) -> None:
    """Which bet was accepted, what it pays and who presses."""
    call = scene.view.call
    if call is None:
        return
    pays = scene.say("winner.pays", points=scene.pays(call.quiero))
    whole = (f"{pays}: {scene.ends(call.quiero)[0]}",) if call.quiero.wins else ()
    asked = scene.say("winner.ask", word=call.word).upper()
    pieces: list[Piece] = [
        Words((asked, asked.replace("-", "- ")), inverse=True),
        scores(scene),
        Words((*whole, pays)),
        Words((scene.say("winner.press"),), SMALLER),
    ]
    if tricks_go_on(scene):
        pieces.append(Room(LINE, partial(ladder.strip, scene=scene)))
    draw(canvas, canvas.box, pieces)


def draw_question(canvas: Canvas, scene: Scene) -> None:
    """The question, and under each button what it means and what it pays."""
    asked = scene.view.question
    if asked is None:
        return
    pieces: list[Piece] = [Words(asking.question_words(scene, asked))]
    buttons = answers.buttons(scene)
    for button, choice in zip(buttons, asking.choices(scene, asked), strict=True):
        pieces.append(Words(button, inverse=True))
        if choice.meaning:
            pieces.append(Words((choice.meaning,)))
        if choice.pays:
            pieces.append(Words(choice.pays))
    draw(canvas, canvas.box, pieces)


def draw_mao(canvas: Canvas, scene: Scene) -> None:
    """Mão de onze, de dez: both answers, what they cost, and who decides."""
    terms = asking.mao_terms(scene)
    pieces: list[Piece] = [
        Words(upper(asking.mao_title(scene, terms)), inverse=True),
        scores(scene),
    ]
    pieces += mao_answers(scene, terms)
    draw(canvas, canvas.box, [*pieces, Words(asking.mao_ask(scene, terms), SMALLER)])


def mao_answers(scene: Scene, terms: asking.Terms) -> list[Piece]:
    """Play and run, each with its price and what it means."""
    run = parts.gain_wordings(scene, terms.rival, terms.run.points[0], 50)
    return _both(scene, terms.play, terms.run, ((scene.say("mao.plays"),), run))
