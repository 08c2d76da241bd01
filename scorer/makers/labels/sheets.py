"""The sheets as A4 PDF pages at true size: labels, drilling templates, quick card.

Labels and templates serve every truco that the box may play; the rows of the card are built from
the rules of one, so that it teaches no call and no button which that truco does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scorer.i18n import Say, translator
from scorer.makers.labels.page import (
    FONT,
    SHADES,
    draw_heading,
    draw_note,
    draw_ruler,
    fit_text,
    new_document,
)
from scorer.makers.plates import SMALL_BUTTON, Face, Hole, Plate, Use, boxes
from scorer.rules import Action, Game, Rules, Start, Step, attempt
from scorer.rules.deal import new_game
from scorer.session.input.keymap import buttons, effective_key
from scorer.session.play.call_options import envido_calls, flor_answers, legal_steps
from scorer.session.values.game_queries import call_text, word_of
from scorer.session.values.settings import Layout

if TYPE_CHECKING:
    from fpdf import FPDF

LABEL = (38.0, 13.0)  # mm
GAP = 3.0
ROOM = (267.0, 166.0)  # mm of a page for templates, each with its title above it
TITLE = 6.0
_HELD = ("envido", "flor", "no_quiero", "undo", "menu")  # the full layout
_NAMED = ("quiero", "tantos", "undo")  # buttons that other rows of the card name
# Calls of an endless cycle (envido 2, 3, 4, ...) that the card lists.
_LISTED = 4
# Holes with their diameter only: there are several beside each other.
_WITHOUT_WORDS = (Use.SCREW, Use.PANEL_SCREW, Use.PI_SCREW, Use.VENT, Use.DRAIN)
_HOLD_MEANINGS = {"quiero": "no_quiero", "envido": "flor", "undo": "menu"}


def sheets(layout: Layout, language: str, rules: Rules) -> FPDF:
    """Labels, templates and the quick card of ``rules`` for one layout."""
    say = translator(language)
    pdf = new_document(f"Truco Scorer, {layout}, {language}")
    _draw_labels(pdf, layout, say)
    for plates in template_pages(layout):
        _draw_templates(pdf, say, plates)
    draw_card(pdf, layout, rules, say)
    return pdf


def _draw_labels(pdf: FPDF, layout: Layout, say: Say) -> None:
    """Rows of labels: consoles in black, white and grey, then the shared buttons."""
    pdf.add_page()
    draw_heading(pdf, say("label.cut"))
    rows = [[name for name in buttons(layout) if name.startswith(f"{c}.")] for c in "AB"]
    rows += [[name for name in buttons(Layout.COMPACT, 3) if name.startswith("C.")]]
    rows += [[name for name in buttons(layout) if "." not in name]]
    y = 30.0
    for row, names in enumerate(rows):
        for at, name in enumerate(names):
            _draw_label(pdf, 15.0 + at * (LABEL[0] + GAP), y, _words(layout, name, say), shade=row)
        y += LABEL[1] + GAP
    y += GAP
    draw_note(pdf, 15.0, y, say("label.without_envido"))
    words = (say("label.no_quiero"), "")
    for at in range(3):
        _draw_label(pdf, 15.0 + at * (LABEL[0] + GAP), y + 5.0, words, shade=at)


def _words(layout: Layout, name: str, say: Say) -> tuple[str, str]:
    """The word of a button, and the small one below it: its meaning when held."""
    key = name.rpartition(".")[2]
    if layout is Layout.FULL and not name.startswith("C."):
        return say(f"label.{key}"), say("label.undo.small") if key == "undo" else ""
    held = _HOLD_MEANINGS.get(key, "")
    return say(f"label.{key}"), say("label.held", word=say(f"label.{held}")) if held else ""


def _draw_label(pdf: FPDF, x: float, y: float, words: tuple[str, str], *, shade: int) -> None:
    """Black for console A, white for B, grey for others: distinct without colour."""
    fill, ink = SHADES[shade]
    pdf.set_fill_color(fill)
    pdf.rect(x, y, *LABEL, style="DF")
    pdf.set_text_color(ink)
    large, small = words
    room = (x, y + 1.5, LABEL[0], 8.0) if small else (x, y, *LABEL)
    fit_text(pdf, room, large, 17, "B")
    if small:
        fit_text(pdf, (x, y + 8.6, LABEL[0], 3.4), small, 8)
    pdf.set_text_color(0)


def template_pages(layout: Layout) -> Iterator[list[tuple[str, Plate]]]:
    """Plates with holes and keys of their titles, as many on a page as fit."""
    page: list[tuple[str, Plate]] = []
    for box, name in zip(boxes(layout), ("console", "middle"), strict=True):
        for side, plate in box.plates.items():
            # The back of the middle box is like its front: one template for both.
            is_twin = name == "middle" and side is Face.BACK
            if is_twin or not (plate.holes or plate.openings):
                continue
            used = sum(each.width + GAP for _, each in page)
            if page and used + plate.width > ROOM[0]:
                yield page
                page = []
            page.append((f"label.{name}.{side}", plate))
    yield page


def _draw_templates(pdf: FPDF, say: Say, plates: Sequence[tuple[str, Plate]]) -> None:
    """Plates at true size, with a ruler to check the scale of the printout."""
    pdf.add_page()
    draw_heading(pdf, say("label.true_size"))
    left, top = 15.0, 32.0 + TITLE
    draw_ruler(pdf, left, 26.0)
    for title, plate in plates:
        draw_note(pdf, left, top - TITLE + 1, say(title))
        pdf.rect(left, top, plate.width, plate.height)
        for hole in plate.holes:
            _draw_hole(pdf, left + hole.x, top + hole.y, hole, say)
        for each in plate.openings:
            x, y = left + each.x - each.width / 2, top + each.y - each.height / 2
            pdf.rect(x, y, each.width, each.height)
            size = f"{each.width:g} x {each.height:g}"
            if each.use is Use.PANEL:
                draw_note(pdf, x + 3, y + each.height / 2 - 5, say("label.window", mm=size))
                draw_note(pdf, x + 3, y + each.height / 2, say("label.measure"))
            else:
                _fit_below(
                    pdf, left + each.x, y + each.height, f"{say(f'label.{each.use}')} {size}"
                )
        left += plate.width + GAP


def _draw_hole(pdf: FPDF, x: float, y: float, hole: Hole, say: Say) -> None:
    pdf.circle(x, y, hole.diameter / 2)
    arm = min(4.0, hole.diameter / 2 + 1.0)
    pdf.line(x - arm, y, x + arm, y)
    pdf.line(x, y - arm, x, y + arm)
    if hole.use is Use.BUTTON:
        pdf.set_dash_pattern(dash=1, gap=1)
        pdf.circle(x, y, SMALL_BUTTON / 2)
        pdf.set_dash_pattern()
        above = (x - LABEL[0] / 2, y - hole.diameter / 2 - 6, LABEL[0], 5)
        fit_text(pdf, above, say(f"label.{hole.button}"), 11, "B")
        below = (x - 12, y + 4.5, 24, 4)
        fit_text(pdf, below, f"{hole.diameter:g} / {SMALL_BUTTON:g} mm", 7)
    elif hole.use in _WITHOUT_WORDS:
        _fit_below(pdf, x, y + hole.diameter / 2, f"{hole.diameter:g}")
    else:
        words = f"{say(f'label.{hole.use}')} {hole.diameter:g}"
        _fit_below(pdf, x, y + hole.diameter / 2, words)


def _fit_below(pdf: FPDF, x: float, y: float, words: str) -> None:
    """A small line below a hole, centred."""
    fit_text(pdf, (x - 13, y + 0.8, 26, 3.2), words, 7)


def draw_card(pdf: FPDF, layout: Layout, rules: Rules, say: Say) -> None:
    """The meaning of each button, on half a sheet to fold and stand on the table."""
    pdf.add_page()
    pdf.set_font(FONT, "B", 20)
    pdf.set_xy(15, 12)
    pdf.cell(0, 10, rules.variant.title)
    y = 27.0
    for word, meaning in card_lines(layout, rules, say):
        pdf.set_font(FONT, "B", 16)
        pdf.set_xy(15, y)
        pdf.cell(62, 8, word)
        pdf.set_font(FONT, "", 15)
        pdf.set_xy(77, y)
        pdf.multi_cell(205, 8, meaning, align="L")
        y = pdf.get_y() + 4.0


def card_lines(layout: Layout, rules: Rules, say: Say) -> Iterator[tuple[str, str]]:
    """The lines of the quick card: a button and its meaning in this truco."""
    game = new_game(Start(rules))
    words = {key: say(f"label.{key}") for key in _NAMED}
    keys = dict.fromkeys(
        effective_key(layout, name.rpartition(".")[2], rules)
        for name in buttons(layout)
        if not name.startswith("B.")
    )
    for key in keys:
        if meaning := _meaning(key, game, say):
            yield say(f"label.{key}"), meaning
    yield say("quick.hold"), " · ".join(_holds(layout, game, say))
    for key in ("both", "lamp", "wrong", "again"):
        yield say(f"quick.{key}.what", **words), say(f"quick.{key}", **words)


def _meaning(key: str, game: Game, say: Say) -> str:
    """The meaning of a tap; "" for a button that this truco does not use."""
    rules, (side, rival) = game.rules, game.rules.speaking_sides[:2]
    if key == "truco":
        calls = ", ".join(word_of(rules, rung.action) for rung in rules.ladder)
        return say("quick.truco", calls=calls)
    if key == "envido":
        return _taps(rules, legal_steps(game, envido_calls(game, side)), say)
    if key == "flor":
        sung = attempt(game, Step(side, Action.FLOR)) if rules.flor else None
        if not isinstance(sung, Game):
            return ""
        # A first flor, and the answers of the rival in tap order.
        answers = [way[-1] for way in flor_answers(sung, rival)]
        called = word_of(rules, Action.FLOR)
        return say("quick.flor", calls=called, answers=_taps(rules, answers, say))
    if key == "tantos":
        prizes = [word_of(rules, rules.bids[0].action)] if rules.bids else []
        prizes += [word_of(rules, Action.FLOR)] if rules.flor else []
        return say("quick.tantos", prizes=", ".join((*prizes, say("why.short.hand"))))
    return say(f"quick.{key}")


def _taps(rules: Rules, calls: Sequence[Step], say: Say) -> str:
    """The calls that a first and further taps of one button make."""
    words = [call_text(rules, call.action, call.amount) for call in calls]
    first, *more = dict.fromkeys(words) or ("",)
    if len(more) > _LISTED:
        more = [*more[: _LISTED - 1], "…"]
    return say("quick.taps", first=first, more=", ".join(more)) if more else first


def _holds(layout: Layout, game: Game, say: Say) -> Iterator[str]:
    """What holding a button means: another button, or a call of its own."""
    rules = game.rules
    unused = [*([] if rules.bids else ["envido"]), *([] if rules.flor else ["flor"])]
    own, others = list(_HELD), dict[str, str]()
    if layout is Layout.COMPACT:
        own, others = [], dict(_HOLD_MEANINGS)
        if not rules.bids:  # its button is NO QUIERO there, and folds when held
            own.append("no_quiero")
            del others["quiero"]
    for key in own:
        if key not in unused:
            yield f"{say(f'label.{key}')}: {say(f'quick.held.{key}')}"
    for key, other in others.items():
        if other not in unused:
            yield f"{say(f'label.{key}')} > {say(f'label.{other}')}"
