"""The words of every screen fit below its picture on a terminal of 80 columns."""

from __future__ import annotations

import pytest

from scorer.demo import keys
from scorer.demo.button_labels import legend
from scorer.demo.buttons import CONSOLE_BUTTONS
from scorer.demo.caption import CAPTION_ROWS, INDENT, caption_lines, legend_lines
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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", languages())
def test_the_words_of_every_screen_fit(language: str) -> None:
    for view in SAMPLES.values():
        _assert_fits(view, language)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("variant", variant_ids())
def test_the_words_of_an_evening_fit(variant: str) -> None:
    for turn, view in enumerate(evening(variant)):
        for language in sample(languages(), 1, turn=turn):
            _assert_fits(view, language)


ALL_KEYS = keys.lines_by_letter(
    [*(f"{side}.{key}" for side in "AB" for key in CONSOLE_BUTTONS), "undo", "menu"]
)


@pytest.mark.parametrize("language", languages())
def test_the_legend_fits(language: str) -> None:
    say = translator(language)
    *consoles, (_, shared) = legend(ALL_KEYS, None, say).items()
    for console, entries in consoles:
        assert len(legend_lines(console, entries, COLUMNS)) == 1
    (line,) = legend_lines("", shared, COLUMNS)
    assert len(f"{line}   {say('terminal.keys')}") <= COLUMNS
    functions = [say(f"terminal.{each}") for each in ("panel", "cut", "help", "quit")]
    assert len(caption_lines(functions, COLUMNS - len(INDENT))) == 1


def test_a_long_legend_is_broken_between_its_entries() -> None:
    assert legend_lines("A", ["q TRUCO", "w ENVIDO", "s NO QUIERO"], 22) == [
        "A  q TRUCO  w ENVIDO",
        "   s NO QUIERO",
    ]


def test_lines_break_between_texts() -> None:
    assert caption_lines(["Nosotros", "TRUCO", "responde: Ellos"], 20) == [
        "Nosotros · TRUCO",
        "responde: Ellos",
    ]
    assert caption_lines([], 20) == []
    assert caption_lines(["a sentence that is too long"], 14) == [
        "a sentence",
        "that is too",
        "long",
    ]
