"""The sentence that a phone reads out: what has just happened and what it leaves."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scorer.i18n import translator
from scorer.session.view.build_view import view_of_game
from scorer.session.view.state_view import question_view
from scorer.web.audience import Audience
from scorer.web.report_phrases import news_text, viewer_scene
from tests.web.fake_reports import report, viewed
from tests.web.page_states import PAGE_STATES

SCORES = "Los Pibes una mala, La Yunta en cero."


def news(lines: Sequence[str], language: str = "es-AR") -> str:
    return str(viewed(report(lines=lines), Audience(language))["phrases"]["news"])


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([],                              "Los Pibes en cero, La Yunta en cero."),
        (["A truco"],                     "Los Pibes: ¡truco! QUIERO 2, NO QUIERO 1."),
        (["A truco", "B retruco"],        "La Yunta: ¡retruco! QUIERO 3, NO QUIERO 2."),
        (["A truco", "B quiero"],         "La Yunta: quiero. vale 2"),
        (["A truco", "B no_quiero"],      f"{SCORES} +1 para Los Pibes: truco no querido"),
        (["A envido", "B quiero"],        "La Yunta: quiero. envido: ¿quién? ¿quién ganó?"),
        (["A envido", "B no_quiero", "- undo"],
         "deshacer. Los Pibes en cero, La Yunta en cero. "
         "Los Pibes: ¡envido! QUIERO 2, NO QUIERO 1."),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) and value else None,
)  # fmt: skip
def test_a_call_an_answer_and_its_price_are_named(lines: Sequence[str], sentence: str) -> None:
    assert news(lines) == sentence


def test_the_language_is_that_of_the_phone() -> None:
    assert news(["A truco", "B quiero"], "en") == "La Yunta: quiero. worth 2"


def test_a_question_of_the_box_names_both_answers() -> None:
    told = report(lines=[])
    told["state"]["question"] = {
        "key": "fold_first", "word": "", "number": 0, "side": "B",
        "yes": {"key": "first", "to": "A", "points": 2},
        "no": {"key": "later", "to": "A", "points": 1},
    }  # fmt: skip
    view = view_of_game(told["game"], tuple(told["state"]["names"].values()))
    asking = view._replace(question=question_view(told["state"]))
    said = news_text(viewer_scene(asking, translator("es-AR"), "A"), told)
    assert said == "al mazo: ¿en la primera? en la primera +2 Los Pibes, después +1 Los Pibes."


@pytest.mark.parametrize("look", PAGE_STATES)
def test_every_state_has_news(look: str) -> None:
    assert viewed(PAGE_STATES[look])["phrases"]["news"]
