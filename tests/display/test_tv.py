"""Television pictures: nothing is cut or hidden, and every screen is drawn.

The layout is in units independent of pixels, so small pictures are tested mostly.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from itertools import cycle, product

import pytest
from PIL import Image, ImageChops

from scorer.display import deferred, tv
from scorer.display.oled.shutdown import draw_safe_to_unplug
from scorer.display.tv import colours, matches, widgets
from scorer.display.tv.canvas import MIN_TEXT_SIZE, TvCanvas
from scorer.display.tv.enlarged import small_size
from scorer.i18n import languages
from scorer.phrases.match import UNSENT, WAITING
from scorer.rules.model import PointsReason, Refusal
from scorer.samples import samples
from scorer.session.values.keys import AnswerKey, QuestionKey
from scorer.session.values.settings import LAMPS, LampColour, Tally
from scorer.session.values.shown import PAGES, Notice, Screen
from scorer.session.view.view import CallFamily, CallView, GainView, QuestionView, View, WorthView
from tests.display.message_keys import MARKS, NOTICES
from tests.display.scored import at_score
from tests.sampling import sample

TELEVISIONS = ((1280, 720), (1920, 1080))
SIDES = tuple(colours.LAMPS[lamp] for lamp in LAMPS)
SMALL = (320, 180)  # a quarter of the units: the same layout for a hundredth of the work
SAMPLES = samples()
NAMES = (
    ("", "", ""),
    ("Los Pibes del Fondo de la Cuadra", "La Yunta Brava de Avellaneda", "Doña Ñata de la Vuelta"),
    ("Extraordinariamente", "W" * 40, "M" * 30),
)
# Of each view and language, some names and sides.
pytestmark = pytest.mark.sampled
PAINTED = {name: view for name, view in SAMPLES.items() if view.screen in tv.SCREENS}


def with_long_names(view: View) -> Iterator[tuple[str, TvCanvas]]:
    """A view in every language with the longest names, from one side."""
    return everywhere(view, NAMES[1:2], 1)


def everywhere(
    view: View, sets: tuple[tuple[str, ...], ...] = NAMES, seen_from: int = 3
) -> Iterator[tuple[str, TvCanvas]]:
    """A view in every language, with a sample of sets of names and sides."""
    cases = product(sets, languages(), range(min(seen_from, len(view.sides))))
    turn = zlib.crc32(repr(view).encode())
    for names, language, mine in sample(cases, 1, by=lambda case: case[1], turn=turn):
        made = tv.draw_view(named(view, names), language, SMALL, mine)
        assert made is not None
        yield f"{language} {mine} {names}", made


def named(view: View, names: tuple[str, ...]) -> View:
    """The view with names; an empty one leaves that of its side."""
    pairs = zip(view.sides, names[: len(view.sides)], strict=True)
    return view._replace(sides=tuple(side._replace(name=name or side.name) for side, name in pairs))


def assert_all_is_read(view: View) -> None:
    """Asserts that no text is cut, overlaps another or leaves the visible area."""
    for where, made in everywhere(view):
        assert made.overflow == [], where
        assert made.texts, where
        seen = made.box.inset(widgets.RIM_X // 2, widgets.RIM_Y // 2)
        for index, (place, words) in enumerate(made.text_boxes):
            assert place.x >= seen.x and place.right <= seen.right, (where, words, place)
            assert place.y >= seen.y and place.bottom <= seen.bottom, (where, words, place)
            for other, others in made.text_boxes[index + 1 :]:
                assert not place.overlaps(other), (where, words, others)


@pytest.mark.parametrize("name", PAINTED)
def test_every_text_of_every_sample_can_be_read(name: str) -> None:
    assert_all_is_read(PAINTED[name])


@pytest.mark.parametrize("size", TELEVISIONS)
@pytest.mark.parametrize("screen", Screen)
def test_every_screen_is_drawn_in_colour_and_fills_the_television(
    screen: Screen, size: tuple[int, int]
) -> None:
    assert str(screen) in SAMPLES, f"no sample '{screen}' in scorer/samples/sheets.py"
    view = SAMPLES[str(screen)]
    image = tv.render(view, "es-AR", size)
    assert (image.mode, image.size) == ("RGB", size)
    ground = Image.new("RGB", size, image.getpixel((0, 0)))
    drawn = ImageChops.difference(image, ground).getbbox()
    assert drawn is not None
    left, top, right, bottom = drawn
    assert right - left > size[0] * 0.85
    assert bottom - top > size[1] * (0.25 if screen is Screen.STATUS else 0.55)


def test_what_is_shown_most_has_a_picture_of_its_own() -> None:
    """Pages of MENU and set-up may be enlarged panel pictures."""
    enlarged = {screen for screen in Screen if screen not in tv.SCREENS}
    others = enlarged - {*PAGES, Screen.SETUP}
    assert others == set(), "add its function to SCREENS of scorer/display/tv/__init__.py"


@cache
def usual(name: str) -> TvCanvas:
    """A sample without a notice."""
    drawn = tv.draw_view(SAMPLES[name], "es-AR", SMALL)
    assert drawn is not None
    return drawn


@pytest.mark.parametrize("key", (*Refusal, *NOTICES))
def test_every_notice_fits_and_hides_no_price_and_no_score(key: StrEnum) -> None:
    notice = Notice(key, "contraflor al resto", 0, 1, 30, 20, urgent=True)
    for turn, name in enumerate(("playing", "pending"), 1):
        plain, view = usual(name), SAMPLES[name]._replace(notice=notice)
        # The two samples are all languages.
        for language in sample(languages(), 3, turn=turn):
            made = tv.draw_view(named(view, NAMES[1]), language, SMALL, 0)
            assert made is not None
            assert made.overflow == [], language
        told = tv.draw_view(view, "es-AR", SMALL)
        assert told is not None
        figures = [words for words in plain.texts if words.isdigit() and name == "pending"]
        assert [words for words in told.texts if words in figures][:4] == figures[:4]


@pytest.mark.parametrize("key", QuestionKey)
def test_every_question_fits(key: QuestionKey) -> None:
    asked = QuestionView(
        key, AnswerKey.FIRST, AnswerKey.LATER, (0, 12), (1, -1), "contraflor al resto", 1, 20
    )
    for where, made in with_long_names(SAMPLES["question"]._replace(question=asked)):
        assert made.overflow == [], where


@pytest.mark.parametrize("why", PointsReason)
def test_every_reason_fits(why: str) -> None:
    gains = (GainView(0, 30, why, "contra-flor e o resto"),)
    for where, made in with_long_names(SAMPLES["hand_over"]._replace(gains=gains)):
        assert made.overflow == [], where


@pytest.mark.parametrize("word", ["truco", "vale cuatro", "contra-flor e o resto"])
def test_every_call_fits_with_any_price(word: str) -> None:
    for yes, no in (((2,), (1,)), ((27,), (15,)), ((-1,), (12,)), ((3, 24), (1,)), ((-2,), (12,))):
        call = CallView(
            word,
            CallFamily.ENVIDO,
            1,
            0,
            WorthView(yes, None, None, True),
            WorthView(no, 1, (29, 28)),
            "truco",
        )
        for name in ("pending", "winner"):
            for where, made in with_long_names(SAMPLES[name]._replace(call=call)):
                assert made.overflow == [], where


@pytest.mark.parametrize("mark", MARKS)
def test_every_mark_fits_in_play(mark: str) -> None:
    for where, made in with_long_names(SAMPLES["playing"]._replace(marks=(mark,))):
        assert made.overflow == [], where


@pytest.mark.parametrize("target", [9, 12, 15, 18, 20, 24, 30, 40])
def test_every_score_of_every_target_is_shown_in_figures_and_in_matches(target: int) -> None:
    for tally, score in zip(cycle(Tally), range(1, target, 3), strict=False):
        view = at_score(score, target - score, target=target, tally=tally)
        made = tv.draw_view(view, "es-AR", SMALL)
        assert made is not None
        assert made.overflow == []
        assert str(score) in made.texts
        room = made.box.inset(500, 200)
        assert matches.find_layout(room, target, view.half, 130, shape=view.shape) is not None


def test_a_side_has_the_same_colour_from_every_side() -> None:
    for mine in (0, 1):
        image = tv.render(SAMPLES["playing"], "es-AR", TELEVISIONS[0], mine)
        halves = image.crop((0, 0, 640, 500)), image.crop((640, 0, 1280, 500))
        first, second = halves if mine == 0 else halves[::-1]
        for half, own, other in ((first, 0, 1), (second, 1, 0)):
            found = {colour for _, colour in half.getcolors(1 << 20) or ()}
            assert SIDES[own] in found
            assert SIDES[other] not in found


def test_a_side_has_the_colour_of_its_lamp() -> None:
    assert set(colours.LAMPS) == set(LampColour)
    view = SAMPLES["playing"]._replace(lamps=("green", "black"))
    image = tv.render(view, "es-AR", TELEVISIONS[0], 0)
    for half, lamp in (((0, 0, 640, 500), "green"), ((640, 0, 1280, 500), "black")):
        found = {colour for _, colour in image.crop(half).getcolors(1 << 20) or ()}
        assert colours.LAMPS[lamp] in found
        assert found.isdisjoint(SIDES)


def test_the_score_is_as_high_as_a_hand_and_nothing_is_smaller_than_can_be_read() -> None:
    """On a television of 40 inches (50 cm high) a unit is 0.7 mm: 200 units are 14 cm."""
    image = tv.render(SAMPLES["playing"], "es-AR", TELEVISIONS[0])
    figure = image.crop((40, 110, 300, 430))
    gold = figure.point([255 * (v == c) for c in SIDES[0] for v in range(256)])
    box = gold.convert("L").point(lambda value: 255 * (value == 255)).getbbox()
    assert box is not None
    assert box[3] - box[1] >= 200
    assert MIN_TEXT_SIZE * 0.7 >= 15


def test_pictures_of_panels_grow_by_whole_pixels() -> None:
    for size in TELEVISIONS:
        small = small_size(size)
        times = size[1] // 120
        assert small[0] * times <= size[0] and small[1] * times <= size[1]
        image = tv.render(SAMPLES["setup"], "es-AR", size)
        assert len(image.getcolors(8) or ()) == 2, "every pixel is one colour or the other"


def test_a_picture_is_drawn_when_it_is_wanted_and_as_large_as_the_television_is_then() -> None:
    size = [(320, 180)]
    draw = deferred.defer_view(SAMPLES["playing"], "es-AR", lambda: size[0])
    assert draw().size == (320, 180)
    size[0] = (640, 360)
    assert draw().size == (640, 360)


def test_a_picture_of_a_panel_is_drawn_as_small_as_its_television_needs() -> None:
    draw = deferred.defer_enlarged(
        lambda small: draw_safe_to_unplug("es-AR", small).image, lambda: SMALL
    )
    assert draw().size == SMALL


def test_a_picture_moves_so_that_it_burns_in_nowhere() -> None:
    still, moved = (
        deferred.defer_view(SAMPLES["playing"], "es-AR", lambda: (1280, 720), moves=moves)()
        for moves in (0, 1)
    )
    assert moved.crop((4, 0, 1280, 720)).tobytes() == still.crop((0, 0, 1276, 720)).tobytes()


@pytest.mark.parametrize("size", [(640, 480), (800, 480), (1024, 768), (1366, 768), (1920, 1200)])
def test_other_televisions_show_the_same(size: tuple[int, int]) -> None:
    made = tv.draw_view(SAMPLES["pending"], "pt-BR", size)
    usual = tv.draw_view(SAMPLES["pending"], "pt-BR", (1280, 720))
    assert made is not None and usual is not None
    assert made.overflow == []
    assert made.texts == usual.texts


def test_a_match_that_waits_is_shown_before_rows_that_are_not_sent() -> None:
    """There is room for one calm mark."""
    playing = at_score(3, 4)
    drawn = {
        marks: tv.render(playing._replace(marks=marks), "es-AR", SMALL)
        for marks in ((), (UNSENT,), (WAITING,), (UNSENT, WAITING))
    }
    assert drawn[UNSENT, WAITING] == drawn[WAITING,]
    assert drawn[WAITING,] != drawn[UNSENT,] != drawn[()]


def test_the_answers_have_the_scores_after_them_if_a_game_or_a_half_is_at_stake() -> None:
    scores = {"puede terminar", "13 a 9", "24 a 28", "11 a 13"}
    for name, told in {
        "pending": set[str](),
        "pending-falta": {"puede terminar", "24 a 28"},
        "pending-stones": {"11 a 13"},
    }.items():
        made = tv.draw_view(SAMPLES[name], "es-AR", SMALL)
        assert made is not None
        assert scores.intersection(made.texts) == told


def test_a_line_is_as_thick_as_its_units_and_never_thinner_than_a_pixel() -> None:
    canvas = TvCanvas(SMALL)
    for at, width in (50, 1), (100, 4), (150, 12):
        canvas.line((at, 0), (at, 720), colours.YES, width=width)
    row = [canvas.image.getpixel((x, 90)) == colours.YES for x in range(50)]
    assert [len(run) for run in "".join(".#"[lit] for lit in row).split(".") if run] == [1, 1, 3]


def test_a_hand_without_points_says_so() -> None:
    made = tv.draw_view(SAMPLES["hand_over"]._replace(gains=()), "es-AR", SMALL)
    assert made is not None
    assert made.texts[0] == "nadie suma"
