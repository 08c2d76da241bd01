"""Screens of random evenings: every view is drawn unabridged and in words.

Random presses take a session of every variant through its phases, questions, notices and pages;
each view is drawn in every language and size.
"""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.rules import Side, variant_ids
from scorer.session.values.shown import Screen
from scorer.session.view.view import View
from tests.sampling import amount, sample
from tests.session.rig import SessionRig

PRESSES = amount(120, 400)
SIZES = ((128, 64), (128, 32))
KEY = re.compile(r"\b[a-z]{3,}\.[A-Za-z_]+\b|\b[a-z]+_[a-z_]+\b|\b[A-Z]+_[A-Z_]+\b|[{}]")
BUTTONS = (
    *(f"{side} {key}" for side in "AB" for key in ("truco", "envido", "flor", "quiero", "tantos")),
    *(f"{side} no_quiero" for side in "AB"),
    *(f"{side} no_quiero hold" for side in "AB"),
    *(f"{side} truco" for side in "AB"),
    *(f"{side} tantos" for side in "AB"),
    "both tantos",
    "undo",
    "menu",
)


def evening(variant: str) -> list[View]:
    """All distinct views of some hundred presses, the first half from late scores."""
    seen: dict[View, None] = {}
    rng = random.Random(variant)
    for start in ({Side.A: 11, Side.B: 9}, {Side.A: 10, Side.B: 10}, None):
        desk = SessionRig(variant, score=start)
        for _ in range(PRESSES // 3):
            desk.do(rng.choice(BUTTONS), *(["wait 3"] if rng.random() < 0.5 else []))
            seen[desk.view] = None
    return list(seen)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("variant", variant_ids())
def test_every_view_of_an_evening_is_drawn_unabridged_and_in_words(variant: str) -> None:
    views = evening(variant)
    assert {Screen.PLAYING, Screen.PENDING, Screen.HAND_OVER} <= {view.screen for view in views}
    for turn, view in enumerate(views):
        for language, size in sample(product(languages(), SIZES), 2, turn=turn):
            canvas = draw_view(view, language, size)
            assert canvas.overflow == [], view
            assert [text for text in canvas.texts if KEY.search(text)] == [], view
