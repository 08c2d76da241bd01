"""Labels for the keys of numeric keypads, and a legend of the pad."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorer.hw.inputs.keypad import NUMERIC
from scorer.i18n import Say, translator
from scorer.makers.labels.page import (
    SHADES,
    Room,
    draw_heading,
    draw_note,
    draw_ruler,
    fit_lines,
    new_document,
)
from scorer.makers.labels.sheets import draw_card
from scorer.rules import Rules
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout

if TYPE_CHECKING:
    from fpdf import FPDF

PITCH: Final = 19.0  # mm from key to key of a usual pad
# Width of a label, and of the keys that it is for, in mm: a key is smaller at its top.
SIZES: Final = ((12.0, "15-17"), (15.0, "18-19"))
_GAP: Final = 3.0
_LABELS_A_ROW: Final = 4
# Column, row, width and height of each key of a pad, in keys.
PAD: Final = {
    "Num": (0, 0, 1, 1), "/": (1, 0, 1, 1), "*": (2, 0, 1, 1), "-": (3, 0, 1, 1),
    "7": (0, 1, 1, 1), "8": (1, 1, 1, 1), "9": (2, 1, 1, 1), "+": (3, 1, 1, 2),
    "4": (0, 2, 1, 1), "5": (1, 2, 1, 1), "6": (2, 2, 1, 1),
    "1": (0, 3, 1, 1), "2": (1, 3, 1, 1), "3": (2, 3, 1, 1), "Enter": (3, 3, 1, 2),
    "0": (0, 4, 2, 1), ".": (2, 4, 1, 1),
}  # fmt: skip
_PRINTED: Final = {"ENTER": "Enter", "DOT": "."}  # on the key; others are their name
_CONSOLES: Final = ("A", "B")


def keypad_sheets(language: str, rules: Rules) -> FPDF:
    """The legend of both pads, labels for their keys, and the quick card of ``rules``."""
    say = translator(language)
    pdf = new_document(f"Truco Scorer, keypad, {language}")
    pdf.add_page()
    draw_heading(pdf, say("label.keypad"))
    for at in range(len(_CONSOLES)):
        _draw_pad(pdf, 15.0 + at * (4 * PITCH + 8), rules, say, shade=at)
    draw_note(pdf, 15.0, 140.0, say("label.true_size"))
    draw_ruler(pdf, 15.0, 147.0)
    y = 30.0
    for width, keys in SIZES:
        draw_note(pdf, 195.0, y - 5, say("label.keypad.keys", mm=keys))
        y = _draw_key_labels(pdf, 195.0, y, width, say) + 8
    draw_card(pdf, Layout.FULL, rules, say)
    return pdf


def meanings(rules: Rules | None = None) -> dict[str, str]:
    """The buttons by what is printed on their keys; of ``rules``, those in use."""
    unused = set()
    if rules is not None:
        unused = {"envido"} if not rules.bids else set()
        unused |= {"flor"} if rules.flor is None else set()
    names = [name for name in buttons(Layout.FULL) if not name.startswith("B.")]
    keys = [key.removeprefix("KEY_KP") for key in NUMERIC]
    named = zip(keys, (name.rpartition(".")[2] for name in names), strict=True)
    return {_PRINTED.get(key, key): name for key, name in named if name not in unused}


def _draw_pad(pdf: FPDF, left: float, rules: Rules, say: Say, *, shade: int) -> None:
    """One pad at true size, each used key with its word."""
    fill, ink = SHADES[shade]
    words = meanings(rules)
    for key, (column, row, wide, high) in PAD.items():
        x, y = left + column * PITCH, 25.0 + row * PITCH
        room = (x, y, wide * PITCH - 1, high * PITCH - 1)
        is_used = key in words
        pdf.set_fill_color(fill if is_used else 235)
        pdf.rect(*room, style="DF")
        pdf.set_text_color(ink if is_used else 120)
        draw_note(pdf, x + 0.5, y + 0.5, key)
        if is_used:
            _draw_word(pdf, (x, y + 3, room[2], room[3] - 3), words[key], say)
    pdf.set_text_color(0)


def _draw_key_labels(pdf: FPDF, left: float, y: float, width: float, say: Say) -> float:
    """Square labels, A in black and B in white; returns the y below them in mm."""
    for shade in range(len(_CONSOLES)):
        fill, ink = SHADES[shade]
        for at, name in enumerate(meanings().values()):
            column, row = at % _LABELS_A_ROW, at // _LABELS_A_ROW
            room = (left + column * (width + _GAP), y + row * (width + _GAP), width, width)
            pdf.set_fill_color(fill)
            pdf.rect(*room, style="DF")
            pdf.set_text_color(ink)
            _draw_word(pdf, room, name, say)
        y += (width + _GAP) * -(-len(NUMERIC) // _LABELS_A_ROW)
    pdf.set_text_color(0)
    return y


def _draw_word(pdf: FPDF, room: Room, name: str, say: Say) -> None:
    fit_lines(pdf, room, say(f"label.{name}").split(), 11)
