"""Scores in digits of 28 rows, the alternative to the tally."""

from __future__ import annotations

import string

import pytest

from scorer.display import draw_view, fonts, render
from scorer.display.fonts import GIANT
from scorer.i18n import languages
from scorer.samples import samples
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice, Screen
from scorer.session.view.view import View
from tests.display.scored import at_score
from tests.sampling import sample
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

SAMPLES = samples()
DIGITS = SAMPLES["playing-digits"]
SIZES = ((128, 64), (256, 64))


def stands(view: View, figures: str, size: tuple[int, int] = (128, 64)) -> bool:
    """True if the picture contains these figures in the largest digits."""
    image, glyph = render(view, "es-AR", size), fonts.picture(GIANT, figures)
    return any(
        image.crop((x, y, x + glyph.width, y + glyph.height)).tobytes() == glyph.tobytes()
        for x in range(image.width - glyph.width + 1)
        for y in range(image.height - glyph.height + 1)
    )


def test_a_digit_fills_28_rows_and_all_have_one_width() -> None:
    assert GIANT.caps >= 28
    for digit in string.digits:
        assert fonts.ink(GIANT, digit) == (0, GIANT.caps), digit
    assert len({fonts.width(GIANT, digit) for digit in string.digits}) == 1


def test_no_digit_looks_like_another() -> None:
    assert len({fonts.picture(GIANT, digit).tobytes() for digit in string.digits}) == 10


def test_strokes_are_three_pixels_thick_at_least() -> None:
    """Each pixel of a digit lies in a horizontal or vertical run of three."""
    for digit in string.digits:
        cell = fonts.picture(GIANT, digit)
        lit = {
            (x, y) for x in range(cell.width) for y in range(cell.height) if cell.getpixel((x, y))
        }
        for x, y in lit:
            across = any({(x + at + dx, y) for dx in range(3)} <= lit for at in (-2, -1, 0))
            upright = any({(x, y + at + dy) for dy in range(3)} <= lit for at in (-2, -1, 0))
            assert across or upright, (digit, x, y)


@pytest.mark.sampled
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("target", [12, 15, 18, 24, 30, 40])
def test_every_score_fits_on_both_sides(target: int, size: tuple[int, int]) -> None:
    for score in range(1, target):
        view = at_score(score, target - score, target=target, large_digits=True)
        for language in sample(languages(), 1, turn=score):
            canvas = draw_view(view, language, size)
            assert canvas.overflow == []
            assert {str(score), str(target - score)} <= set(canvas.texts)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES)
def test_both_scores_stand_in_them_whole(size: tuple[int, int]) -> None:
    for view in (DIGITS, SAMPLES["playing-digits-mao"]):
        for each in view.sides:
            assert stands(view, str(each.score), size)
    assert not stands(DIGITS._replace(large_digits=False), "21", size)


def test_what_a_player_needs_beside_the_scores_is_still_there() -> None:
    """Names, spoken scores, ladder and mano; in a mão de onze, no raises."""
    assert draw_view(DIGITS, "es-AR").texts == draw_view(SAMPLES["playing"], "es-AR").texts
    mao = SAMPLES["playing-mao"]
    assert (
        draw_view(mao._replace(large_digits=True), "pt-BR").texts == draw_view(mao, "pt-BR").texts
    )


def test_a_notice_leaves_them_whole() -> None:
    noticed = DIGITS._replace(notice=Notice(NoticeKey.SLAP, urgent=True))
    above = [render(each, "es-AR").crop((0, 0, 128, 43)).tobytes() for each in (DIGITS, noticed)]
    assert above[0] == above[1]


@pytest.mark.parametrize("name", ["playing-gallo", "playing-piles"])
def test_three_have_them_as_well(name: str) -> None:
    view = SAMPLES[name]._replace(large_digits=True)
    assert all(stands(view, str(each.score)) for each in view.sides)
    for language in languages():
        for mine in range(3):
            assert draw_view(view, language, left_side=mine).overflow == []


@pytest.mark.parametrize("name", [n for n in SAMPLES if n.startswith("playing")])
def test_on_a_low_panel_nothing_changes(name: str) -> None:
    """There are 22 rows below the names, and the usual digits have 21."""
    view = SAMPLES[name]._replace(large_digits=False)
    chosen = view._replace(large_digits=True)
    assert (
        render(view, "es-AR", (128, 32)).tobytes() == render(chosen, "es-AR", (128, 32)).tobytes()
    )


def test_no_other_screen_changes() -> None:
    for name, view in SAMPLES.items():
        if view.screen != Screen.PLAYING:
            usual, large = (view._replace(large_digits=chosen) for chosen in (False, True))
            assert render(usual, "es-AR").tobytes() == render(large, "es-AR").tobytes(), name


def test_what_was_chosen_at_the_box_comes_to_the_panel() -> None:
    for chosen in (False, True):
        assert SessionRig(settings=settings_with(large_digits=chosen)).view.large_digits is chosen
