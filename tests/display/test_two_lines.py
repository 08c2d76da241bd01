"""The words of a character display: every screen, language and width."""

from __future__ import annotations

import pytest

from scorer.display.presenter import build_scene
from scorer.i18n import languages, translator
from scorer.phrases.two_lines import fitting, two_lines
from scorer.samples import samples
from scorer.session.values.shown import Screen


def lines(name: str, language: str = "es-AR", columns: int = 16) -> tuple[str, str]:
    return two_lines(
        build_scene(samples()[name], translator(language), None, is_neutral=True), columns
    )


@pytest.mark.parametrize("columns", [16, 20])
@pytest.mark.parametrize("language", languages())
def test_every_screen_fits_and_shows_every_score(language: str, columns: int) -> None:
    for name, view in samples().items():
        if view.screen is Screen.STORE_FAILURE:
            continue
        score, call = lines(name, language, columns)
        assert len(score) == columns, (name, score)
        assert len(call) <= columns and call.strip() == call != "", (name, call)
        shown = [word for word in score.split() if word.isdecimal()]
        assert sorted(shown) == sorted(str(side.score) for side in view.sides), (name, score)


@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        ("pending", "es-AR", ("Amari 12 9 Celes", "TRUCO 2/1 Celes?")),
        ("pending-paulista", "ca", ("Grocs 9 8 Celest", "SEIS 6/3 Grocs?")),
        ("mao", "pt-BR", ("Amare 11 8 Celes", "MÃO DE ONZE 3/1")),
        ("winner", "es-AR", ("Amari 12 9 Celes", "real envido")),
        ("game_over", "es-AR", ("Amari 30 22 Cele", "¡Amarillos!")),
        ("playing-late", "pt-BR", ("Amare 29 24 Cele", "Amarel: falta um")),
        ("match_over-agreed", "es-AR", ("Los P 30 22 La Y", "Los Pibes del Fo")),
        ("playing-gallo", "es-AR", ("Be 9 Ca 21 12 An", "gallo: Beto")),
    ],
)
def test_the_words_of_a_screen(name: str, language: str, expected: tuple[str, str]) -> None:
    assert lines(name, language) == expected


def test_a_wide_display_has_longer_words() -> None:
    assert lines("pending", columns=20) == ("Amarill 12 9 Celeste", "TRUCO 2/1 Celestes?")


def test_the_first_wording_that_fits_is_shown_and_the_last_one_cut() -> None:
    assert fitting(("a long one", "short", "s"), 6) == "short"
    assert fitting(("a long one", "longer"), 4) == "long"
