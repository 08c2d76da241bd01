"""The slip of an evening: every pair with its figures, within the paper's width."""

from __future__ import annotations

import pytest

from scorer.i18n import languages, translator
from scorer.phrases.pair_figures import pair_figures
from scorer.receipts.night_slip import PlayedEvening, build_night_slip
from scorer.receipts.slip import COLUMNS, as_text
from scorer.session.values.night_view import NightStanding, NightView
from tests.receipts.games import SHEETS, game_of_sheet

PAIRS = (
    NightStanding("Los Pibes", "", 5, 6, 3, "los pibes", 3, 41, 12, 9, 11, 38, 20),
    NightStanding("Los Invencibles del Club Social y Deportivo", "", 2, 5, 0, called=28),
    NightStanding("", "B", 1, 5, 0, "B"),
)
EVENING = PlayedEvening(NightView(PAIRS, 8, 38), game_of_sheet(SHEETS[0]))
SPANISH = """\
--------------------------------
Los Pibes                 5 de 6
trucos 41 · no quisieron 12
envidos 9 · remontada 11
racha 3 · más largo 38'
Los Invencibles del Club. 2 de 5
trucos 28 · no quisieron 0
envidos 0 · remontada 0
racha 0 · más largo -
Celestes                  1 de 5
trucos 0 · no quisieron 0
envidos 0 · remontada 0
racha 0 · más largo -
--------------------------------
"""


def test_each_pair_has_its_games_and_figures() -> None:
    printed = as_text(build_night_slip(EVENING, "es-AR", 32), 32)
    assert printed.endswith(SPANISH)
    assert "hoy: 8 partidos" in printed and "38 min" in printed


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("columns", COLUMNS.values())
def test_no_line_is_wider_than_the_paper_and_no_figure_is_lost(language: str, columns: int) -> None:
    printed = as_text(build_night_slip(EVENING, language, columns), columns)
    assert max(map(len, printed.splitlines())) <= columns
    flat, say = " ".join(printed.split()), translator(language)
    labels, texts = pair_figures(PAIRS)
    shown = [
        f"{say(label)} {text}" for each in texts for label, text in zip(labels, each, strict=True)
    ]
    assert len(shown) == 18
    assert [figure for figure in shown if figure not in flat] == []


@pytest.mark.parametrize("language", languages())
def test_envidos_are_left_out_if_no_pair_won_one(language: str) -> None:
    night = NightView(tuple(pair._replace(envidos=0) for pair in PAIRS), 8, 38)
    printed = as_text(build_night_slip(EVENING._replace(night=night), language, 32), 32)
    label = translator(language)("page.pairs.envidos")
    assert f"{label} " in as_text(build_night_slip(EVENING, language, 32), 32)
    assert f"{label} " not in printed


def test_a_name_cannot_cut_the_paper() -> None:
    pair = NightStanding("\x1di\x1b@Los", "", 1, 1, 1)
    made = build_night_slip(EVENING._replace(night=NightView((pair,), 1)), "es-AR", 32)
    assert not [char for char in as_text(made, 32) if char < " " and char != "\n"]
