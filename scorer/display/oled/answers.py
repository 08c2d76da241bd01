"""The two answers of a call or question, side by side.

``draw_priced`` sets those of a call large, each with its payment; ``draw`` sets those of a
question, each with its button, meaning and payment.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scorer.display import fonts
from scorer.display.fonts import LARGE, MEDIUM, SMALL, TINY, Font
from scorer.display.oled import text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns
from scorer.phrases import calling, questions
from scorer.phrases.scene import Scene
from scorer.session.view.view import WorthView

GAP = 4  # pixels between a word and its price
WordingLines = Sequence[Sequence[str]]  # lines, each with its wordings, best first
MIN_GAP = 12  # minimum pixels between the two answers


class PricedAnswer(NamedTuple):
    """A word and its payment, with their fonts."""

    word: str
    pays: str
    small: Font
    large: Font

    @property
    def width(self) -> int:
        """Width of both in pixels."""
        return fonts.width(self.small, self.word) + GAP + fonts.width(self.large, self.pays)

    @property
    def text(self) -> str:
        """The readable text: "QUIERO 2"."""
        return f"{self.word} {self.pays}"


def draw_priced(
    canvas: Canvas, box: Rect, scene: Scene, yes: WorthView, no: WorthView, *, halves: bool = False
) -> int:
    """Both answers with their payments; returns the column between them.

    ``halves``: each in its half of the box, for long lines under both.
    """
    left, right = _fit(box, scene, scene.pays(yes).upper(), scene.pays(no).upper(), halves=halves)
    cells = (box.left(box.w // 2), box.rightmost(box.w // 2))
    edges = [(cell.w - each.width) // 2 for cell, each in zip(cells, (left, right), strict=True)]
    slack = max(0, box.w - left.width - right.width)
    if not halves:
        edges = [slack // 4, slack // 4]
    _draw_answer(canvas, Rect(box.x + edges[0], box.y, left.width, box.h), left)
    _draw_answer(canvas, Rect(box.right - edges[1] - right.width, box.y, right.width, box.h), right)
    middle = box.x + (box.w // 2 if halves else edges[0] + left.width + (slack - sum(edges)) // 2)
    canvas.dots((middle, box.y), box.h, upright=True)
    return middle


def draw_line_under_each(
    canvas: Canvas, box: Rect, middle: int, yes: Sequence[str], no: Sequence[str]
) -> None:
    """A line under each of two priced answers, separated at column ``middle``."""
    if yes:
        canvas.one_line(box.left(middle - box.x - 1), yes, (TINY,))
    if no:
        canvas.one_line(box.rightmost(box.right - middle - 2), no, (TINY,))
    if yes and no:
        # With less space between them they would read as one sentence.
        canvas.dots((middle, box.y), box.h, upright=True)


def draw_lines_under_each(
    canvas: Canvas, box: Rect, middle: int, yes: WordingLines, no: WordingLines, *, height: int = 8
) -> None:
    """Lines under each of two priced answers, vertically centred."""
    left, right = box.left(middle - box.x - 1), box.rightmost(box.right - middle - 2)
    for cell, lines in ((left, yes), (right, no)):
        top = cell.y + (cell.h - height * len(lines)) // 2
        for at, wordings in enumerate(lines):
            canvas.one_line(Rect(cell.x, top + at * height, cell.w, height), wordings, (TINY,))
    canvas.dots((middle, box.y), box.h, upright=True)


def _draw_answer(canvas: Canvas, box: Rect, answer: PricedAnswer) -> None:
    base = box.y + max(answer.large.caps, answer.small.caps)
    top = base - answer.small.caps
    wide = canvas.write(box.x, top, answer.word, answer.small, alt_text="")
    canvas.write(
        box.x + wide + GAP, base - answer.large.caps, answer.pays, answer.large, alt_text=""
    )
    canvas.add_text(Rect(box.x, box.y, answer.width, base - box.y), answer.text)


def _fit(
    box: Rect, scene: Scene, yes: str, no: str, *, halves: bool
) -> tuple[PricedAnswer, PricedAnswer]:
    """The largest letters in which both fit; "no quiero" may become NO."""
    accept, refuse = calling.answer_button_wordings(scene)
    sizes = [(MEDIUM, LARGE), (MEDIUM, MEDIUM), (SMALL, MEDIUM), (SMALL, SMALL), (TINY, TINY)]
    made = []
    for small, large in (pair for pair in sizes if pair[1].caps <= box.h):
        for word in refuse:
            pair = PricedAnswer(accept[0], yes, small, large), PricedAnswer(word, no, small, large)
            widths = [answer.width for answer in pair]
            if (2 * max(widths) if halves else sum(widths)) + MIN_GAP <= box.w:
                return pair
            made.append(pair)
    return made[-1]


def draw(
    canvas: Canvas,
    box: Rect,
    scene: Scene,
    choices: tuple[questions.AnswerOption, questions.AnswerOption],
) -> None:
    """Both answers of a question in two columns, with the buttons in inverse."""
    pairs = [
        tuple((choice.meaning,) for choice in choices),
        tuple(choice.pays for choice in choices),
    ]
    pairs = [pair for pair in pairs if any(words for words in pair if words != ("",))]
    if box.h < 9 * (len(pairs) + 1):
        pairs = pairs[-1:]
    gap = 1 if box.h > 15 else 0
    height = min(13, box.h - 8 * len(pairs) - gap)
    for cell in columns(box.top(height), 2, 4):
        canvas.fill(cell)
    _draw_pair(canvas, box.top(height), calling.answer_button_wordings(scene), ink=0)
    rest = box.below(height + gap)
    step = rest.h // max(1, len(pairs))
    for index, pair in enumerate(pairs):
        _draw_pair(canvas, Rect(rest.x, rest.y + index * step, rest.w, step), pair)


def _draw_pair(
    canvas: Canvas, row: Rect, wordings: Sequence[Sequence[str]], *, ink: int = 1
) -> None:
    """A wording in each of two columns, in the same font."""
    cells = [cell.inset(1) for cell in columns(row, 2, 4)]
    pairs = [(cell, texts) for cell, texts in zip(cells, wordings, strict=True) if texts]
    faces = widgets.faces_within(row.h)
    for font in faces:
        if not any(text.one_line(texts, cell.w, cell.h, (font,)).is_cut for cell, texts in pairs):
            break
    for cell, texts in pairs:
        canvas.one_line(cell, texts, (font,), ink=ink)
