"""The end of a hand, game or match: gains, scores and what follows."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled import cantando, question, text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns, rows
from scorer.phrases import gains, mao, outcome, singing
from scorer.phrases.names import name_wordings, shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import NextHandView, SpecialKind


def draw_hand(canvas: Canvas, scene: Scene) -> None:
    """The gains and their reasons, the new scores, and the next hand."""
    hand = scene.view.next_hand
    if hand is not None and (hand.special is SpecialKind.MAO or hand.call is not None):
        _draw_decision(canvas, scene, hand)
    elif widgets.is_low(canvas):
        _draw_low(canvas, scene)
    else:
        heights = (8, 24, 11, 21) if len(gains.gain_totals(scene)) > 2 else (15, 16, 12, 21)
        gain, why, scores, following = rows(canvas.box, heights)
        _draw_gains(canvas, gain, scene)
        _draw_reasons(canvas, why, scene)
        widgets.draw_score_line(canvas, scores, scene)
        _draw_next_hand(canvas, following, scene)


def _draw_low(canvas: Canvas, scene: Scene) -> None:
    """Large gains over one line of reasons and scores; small ones over more lines."""
    reasons = gains.side_reasons(scene)
    if len(reasons) > 2:
        *lines, following = rows(canvas.box, (8,) * (len(reasons) + 1))
        for row, gained in zip(lines, reasons, strict=True):
            # One of three sides: "Ana 12: envido 3 + truco 2".
            score = scene.view.sides[gained.side].score
            names = shrinking_wordings(scene, gained.side, 34, 20)
            named = (f"{name} {score}: {why}" for why in gained.wordings for name in names)
            nameless = (f"{score}: {why}" for why in gained.wordings[-1:])
            canvas.one_line(row, (*named, *nameless), (TINY,))
        _draw_next_hand(canvas, following, scene)
        return
    line = _reasons_and_scores(scene, reasons)
    if not line or text.one_line(line, canvas.box.w, 9, (TINY,)).is_cut:
        gain, why, following = rows(canvas.box, (8, 16, 8))
        _draw_gain_and_scores(
            canvas, gain, scene, gains.total_wordings(scene, gains.gain_totals(scene))
        )
        _draw_reasons(canvas, why, scene)
    else:
        gain, middle, following = rows(canvas.box, (12, 9, 9))
        number = fonts.width(TINY, _hand_number(scene))
        _draw_gains(canvas, gain.left(gain.w - number - 3), scene)
        canvas.one_line(gain.rightmost(number), (_hand_number(scene),), (TINY,))
        canvas.one_line(middle, line, (SMALL, TINY))
    _draw_next_hand(canvas, following, scene)


def _hand_number(scene: Scene) -> str:
    """The shortest form: it tells two equal hands in a row apart."""
    return f"#{scene.view.hand}"


def _reasons_and_scores(scene: Scene, reasons: tuple[gains.SideReasons, ...]) -> tuple[str, ...]:
    """The reasons of one side and the scores; empty if two sides gained."""
    scores = scene.score_wordings()[-1]
    if len(reasons) > 1:
        return ()
    return tuple(f"{why} · {scores}" for each in reasons for why in each.wordings[:3]) or (scores,)


def _draw_reasons(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """The reasons: of one side, or common ones, in two lines; else a line each."""
    reasons = gains.side_reasons(scene)
    if len({gained.wordings for gained in reasons}) == 1:
        _draw_list(canvas, box, reasons[0].wordings)
        return
    for line, gained in zip(rows(box, (8,) * len(reasons)), reasons, strict=True):
        place = scene.position(gained.side)
        canvas.one_line(line, gained.wordings, (TINY,), align=scene.align_of(place))


def _draw_list(canvas: Canvas, box: Rect, wordings: tuple[str, ...]) -> None:
    """The best list that fits in one line or two; a line ends after a reason."""
    for words in wordings:
        if not text.one_line((words,), box.w, box.h, (TINY,)).is_cut:
            canvas.one_line(box, (words,), (SMALL, TINY))
            return
        # Two lines, as equal as possible.
        parts = words.split(" + ")
        splits = [(" + ".join(parts[:at]), " + ".join(parts[at:])) for at in range(1, len(parts))]
        upper, lower = min(splits, key=lambda lines: max(map(len, lines)), default=(words, ""))
        lines = (f"{upper} +", lower)
        if max(fonts.width(TINY, line) for line in lines) <= box.w:
            for line, part in zip(rows(box, (8, 8)), lines, strict=True):
                canvas.one_line(line, (part,), (TINY,))
            return
    canvas.paragraph(box, wordings[-1:], (TINY,))


def _draw_decision(canvas: Canvas, scene: Scene, hand: NextHandView) -> None:
    """The decision on the next hand: its complete question, answered on this screen."""
    under = None
    if widgets.is_low(canvas):
        gain, strip, priced = rows(canvas.box, (8, 9, 11))
        _draw_gain_and_scores(canvas, gain, scene, gains.gain_line_wordings(scene))
    else:
        heights = (8, 8, 11, 10, 18, 8) if hand.call is None else (8, 8, 9, 9, 14, 16)
        gain, why, scores, strip, priced, under = rows(canvas.box, heights)
        _draw_gains(canvas, gain, scene)
        canvas.one_line(why, gains.joined_wordings(scene), (TINY,))
        widgets.draw_score_line(canvas, scores, scene)
    if hand.call is None:
        terms = mao.mao_terms(scene)
        announced = mao.mao_announcement_words(scene, terms)
        if under is None:
            announced = mao.with_mano(scene, announced)
        _draw_strip(canvas, strip, announced)
        question.draw_mao_answers(canvas, priced, under, scene, terms)
        return
    cantando.draw_strip(canvas, strip, scene, hand.call)
    cantando.draw_answers(canvas, priced, under, scene, hand.call)


def _draw_gain_and_scores(
    canvas: Canvas, box: Rect, scene: Scene, wordings: tuple[str, ...]
) -> None:
    """One line of a low panel: "+1 Ellos · 23 a 12 #7"."""
    scores = scene.score_wordings()[-1]
    lines = [f"{total} · {scores}" if total else scores for total in wordings]
    number = _hand_number(scene)
    canvas.one_line(box, (*(f"{line} {number}" for line in lines), *lines), (TINY,))


def _draw_gains(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """One amount per side, side by side."""
    totals = gains.gain_totals(scene)
    if not totals:
        canvas.one_line(box, (scene.say("why.none"),), widgets.faces_within(box.h))
    elif len(totals) > 2:
        _draw_small_gains(canvas, box, scene, totals)
    else:
        cells = columns(box, len(totals), 4)
        wordings = [gains.gain_wordings(scene, *total, cells[0].w - 20) for total in totals.items()]
        # All get the same size.
        faces = widgets.faces_within(box.h)
        settings = [text.one_line(words, cells[0].w, box.h, faces) for words in wordings]
        small = max(faces.index(setting.font) for setting in settings)
        for cell, words in zip(cells, wordings, strict=True):
            canvas.one_line(cell, words, faces[small:])


def _draw_small_gains(canvas: Canvas, box: Rect, scene: Scene, totals: dict[int, int]) -> None:
    """Amounts of three sides, each over its score; the order identifies the side."""
    for cell, side in zip(columns(box, len(scene.order), 4), scene.order, strict=True):
        if side in totals:
            wordings = (*gains.gain_wordings(scene, side, totals[side], cell.w - 14),)
            amount = gains.signed(totals[side])
            canvas.one_line(cell, (*wordings, amount), widgets.faces_within(box.h))


def _draw_next_hand(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """The next hand."""
    hand = scene.view.next_hand
    head, foot = (box, None) if box.h < 18 else (box.top(box.h - 8), box.bottommost(8))
    undo = scene.say("over.undo")
    number = scene.say("over.hand", number=scene.view.hand)
    if hand is not None and hand.special is SpecialKind.IRON:
        _draw_strip(canvas, head, (outcome.next_iron(scene, hand),))
    elif hand is not None and hand.special in (SpecialKind.SINGING, SpecialKind.BOTH_SINGING):
        _draw_strip(canvas, head, singing.next_hand_words(scene, hand))
    else:
        words = (undo,) if hand is None else outcome.lead_words(scene, hand)
        canvas.one_line(head, words, (SMALL, TINY))
    if foot is not None and hand is not None:
        canvas.one_line(foot, (f"{number} · {undo}", undo), (TINY,))


def _draw_strip(canvas: Canvas, box: Rect, wordings: tuple[str, ...]) -> None:
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
        for side, cell in zip(scene.order, columns(scores, len(scene.order), 3), strict=True):
            name = cell.top(8)
            canvas.one_line(name, name_wordings(scene, side, name.w), (TINY,))
            figures = str(scene.view.sides[side].score)
            canvas.one_line(cell.below(10), (figures,), (LARGE, MEDIUM))
    else:
        canvas.one_line(scores, (scene.score_wordings()[-1],), (HUGE, LARGE, MEDIUM))
        canvas.one_line(rest[0], outcome.margin_words(scene), (SMALL, TINY))
    canvas.one_line(rest[-1], outcome.continue_words(scene), (SMALL, TINY))


def _scores_by_name(scene: Scene) -> str:
    """ "Ana 15 · Beto 6 · Caro 8"."""
    names = (name_wordings(scene, side, 20)[-1] for side in scene.order)
    scores = (scene.view.sides[side].score for side in scene.order)
    return " · ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
