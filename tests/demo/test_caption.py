"""The words of every screen fit below its picture on a terminal of 80 columns."""

from __future__ import annotations

import pytest

from scorer.demo import keys
from scorer.demo.buttons import CONSOLE_BUTTONS
from scorer.demo.caption import CAPTION_ROWS, caption_lines
from scorer.display import screen_text
from scorer.i18n import languages, translator
from scorer.rules import variant_ids
from scorer.samples import samples
from scorer.session.view.view import View
from tests.display.test_evenings import evening
from tests.sampling import sample

COLUMNS = 80
SAMPLES = samples()


def _assert_fits(view: View, language: str) -> None:
    lines = caption_lines(screen_text(view, language), COLUMNS)
    assert len(lines) <= CAPTION_ROWS, lines
    assert [line for line in lines if len(line) > COLUMNS] == []


@pytest.mark.parametrize("language", languages())
def test_the_words_of_every_screen_fit(language: str) -> None:
    for view in SAMPLES.values():
        _assert_fits(view, language)


@pytest.mark.sampled
@pytest.mark.parametrize("variant", variant_ids())
def test_the_words_of_an_evening_fit(variant: str) -> None:
    for turn, view in enumerate(evening(variant)):
        for language in sample(languages(), 1, turn=turn):
            _assert_fits(view, language)


@pytest.mark.parametrize("language", languages())
def test_the_legend_fits(language: str) -> None:
    say = translator(language)
    lines = [*(f"{side}.{key}" for side in "AB" for key in CONSOLE_BUTTONS), "undo", "menu"]
    *consoles, shared = keys.legend(keys.lines_by_letter(lines))
    functions = " · ".join(say(f"terminal.{each}") for each in ("panel", "unplug", "cut", "quit"))
    legend = [*consoles, f"{shared}   {say('terminal.keys')}", f"   {functions}"]
    assert [line for line in legend if len(line) > COLUMNS] == []


def test_lines_break_between_texts() -> None:
    assert caption_lines(["Nosotros", "TRUCO", "responde: Ellos"], 20) == [
        "Nosotros · TRUCO",
        "responde: Ellos",
    ]
    assert caption_lines([], 20) == []
