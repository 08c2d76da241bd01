"""Nothing overflows: every text in every language and size, with long names.

A text that does not fit is added to ``Canvas.overflow``; so is ink beyond the edge. Names may be
abbreviated, other words may not.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import cycle, product

import pytest

from scorer.display import draw_view, fonts
from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.i18n import languages
from scorer.phrases.usual_names import usual_names
from scorer.rules.actions import Action
from scorer.rules.model import PointsReason, Refusal
from scorer.rules.variant import GAME
from scorer.samples import samples
from scorer.samples.table import Sample, SampleTable
from scorer.session.values.box_settings import BoxSettings
from scorer.session.values.keys import AnswerKey, NoticeKey, QuestionKey, SetupKey
from scorer.session.values.settings import LAMPS, Tally
from scorer.session.values.setup_view import (
    AgreementView,
    EachNumberView,
    ListView,
    MenuLine,
    SetupView,
    SideNumberView,
)
from scorer.session.values.shown import ChangeStart, ChangeView, Notice, Screen
from scorer.session.view.view import (
    CallFamily,
    CallView,
    GainView,
    HistoryLine,
    NextHandKind,
    NextHandView,
    QuestionView,
    SideView,
    SpecialKind,
    View,
    WorthView,
)
from tests.display.message_keys import CONSOLE_MARKS, MARKS, NOTICES, TROUBLES
from tests.display.scored import at_score
from tests.sampling import sample
from tests.support.settings import settings_with

# Each view is drawn in every language, with one case of its names, sizes and sides.
FEW = 1
pytestmark = pytest.mark.sampled

SIZES = ((128, 64), (128, 32))
NAMES = (
    ("", "", ""),
    ("Los Pibes del Fondo de la Cuadra", "La Yunta Brava de Avellaneda", "Doña Ñata de la Vuelta"),
    ("Ñandúes", "Os Çampeões", "Zé"),
    ("Extraordinariamente", "W" * 40, "M" * 30),
)
WORDS = (
    "truco",
    "vale cuatro",
    "falta envido",
    "contraflor al resto",
    "contra-flor e o resto",
)
SAMPLES = samples()
PLAYING = SAMPLES["playing"]


def everywhere(
    view: View, these: Sequence[tuple[str, ...]] = NAMES
) -> Iterator[tuple[str, Canvas]]:
    """A view in every language and size, from every side, with each set of names."""
    cases = product(these, languages(), SIZES, range(len(view.sides)))
    turn = zlib.crc32(repr(view).encode())
    for names, language, size, mine in sample(cases, FEW, by=lambda case: case[1], turn=turn):
        named = view._replace(sides=_named(view.sides, names))
        yield f"{language} {size} {mine} {names}", draw_view(named, language, size, mine)


def _named(sides: tuple[SideView, ...], names: tuple[str, ...]) -> tuple[SideView, ...]:
    pairs = zip(sides, names[: len(sides)], strict=True)
    return tuple(each._replace(name=name or each.name) for each, name in pairs)


def assert_nothing_is_cut(view: View, these: Sequence[tuple[str, ...]] = NAMES) -> None:
    for where, canvas in everywhere(view, these):
        assert canvas.overflow == [], where
        assert canvas.texts, where


def overlapping(canvas: Canvas) -> list[tuple[str, str]]:
    """Pairs of texts that overlap."""
    told = canvas.text_boxes
    return [
        (words, others)
        for index, (place, words) in enumerate(told)
        for other, others in told[index + 1 :]
        if place.overlaps(other)
    ]


@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_trouble_cuts_its_sentence(trouble: str) -> None:
    assert_nothing_is_cut(SAMPLES["trouble"]._replace(marks=(trouble,)))


@pytest.mark.parametrize("mark", ["battery 20", "button_lights AB", "words"])
def test_a_mark_of_an_added_device_is_shown_in_full(mark: str) -> None:
    assert_nothing_is_cut(SAMPLES["status"]._replace(marks=(mark,)))


@pytest.mark.parametrize("mark", CONSOLE_MARKS)
def test_a_missing_console_is_named_in_full(mark: str) -> None:
    for name in ("playing", "status"):
        assert_nothing_is_cut(
            SAMPLES[name]._replace(marks=(f"{mark} AB", "stuck B.no_quiero")), NAMES[:1]
        )


@pytest.mark.parametrize("name", SAMPLES)
def test_no_screen_cuts_a_text_or_puts_it_on_another(name: str) -> None:
    for where, canvas in everywhere(SAMPLES[name]):
        assert canvas.overflow == [], where
        assert canvas.texts, where
        assert overlapping(canvas) == [], where


@pytest.mark.parametrize("key", (*Refusal, *NOTICES))
def test_every_notice_fits_over_every_kind_of_screen(key: StrEnum) -> None:
    notice = Notice(key, "contraflor al resto", 0, 1, 30, 20, urgent=True)
    cases = product(("playing", "pending", "hand_over-mao"), ("truco", "contra-flor e o resto"))
    for name, word in sample(cases, 2, turn=zlib.crc32(key.encode())):
        view = SAMPLES[name]._replace(notice=notice._replace(word=word))
        # A notice covers the screen; only the length of the names affects it.
        assert_nothing_is_cut(view, NAMES[:2])


@pytest.mark.parametrize("start", ChangeStart)
def test_a_change_of_rules_fits_in_a_notice_and_in_the_line_of_a_hand(start: ChangeStart) -> None:
    for change in (ChangeView(start, 30, True), ChangeView(start, None, False)):
        notice = Notice(NoticeKey.CHANGE, change=change)
        assert_nothing_is_cut(PLAYING._replace(notice=notice), NAMES[:2])
        assert_nothing_is_cut(PLAYING._replace(change=change), NAMES[:2])
        duel = PLAYING._replace(change=change, duel=2, duels=3, duel_points=(12, 10))
        assert_nothing_is_cut(duel, NAMES[:2])


@pytest.mark.parametrize("key", QuestionKey)
def test_every_question_fits_with_every_answer(key: QuestionKey) -> None:
    for turn, answer in enumerate(AnswerKey):
        asked = QuestionView(key, answer, answer, (0, 12), (1, -1), "contraflor al resto", 1, 20)
        view = SAMPLES["question"]._replace(question=asked)
        for language, size in sample(product(languages(), SIZES), 3, turn=turn + len(key)):
            assert draw_view(view, language, size).overflow == [], (answer, language)


@pytest.mark.parametrize("why", PointsReason)
def test_every_reason_fits_under_its_points(why: str) -> None:
    for word in ("", *WORDS):
        view = SAMPLES["hand_over"]._replace(gains=(GainView(0, 30, why, word),))
        assert_nothing_is_cut(view)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ends", [False, True], ids=["open", "ends the game"])
def test_every_call_fits_with_any_price(word: str, ends: bool) -> None:
    for yes, no in (((2,), (1,)), ((27,), (15,)), ((-1,), (12,)), ((3, 24), (1,)), ((-2,), (12,))):
        call = CallView(
            word,
            CallFamily.ENVIDO,
            1,
            0,
            WorthView(yes, None, None, wins=ends),
            WorthView(no, 1, (29, 28)),
            suspended="truco",
        )
        for name in ("pending", "winner"):
            assert_nothing_is_cut(SAMPLES[name]._replace(call=call))


@pytest.mark.parametrize("size", SIZES, ids=["64", "32"])
@pytest.mark.parametrize("target", [9, 12, 15, 18, 20, 24, 30, 40])
def test_every_score_of_every_target_fits_and_has_a_tally(
    target: int, size: tuple[int, int]
) -> None:
    for tally, score in zip(cycle(Tally), range(1, target), strict=False):
        view = at_score(score, target - score, target=target, tally=tally)
        for language in sample(languages(), 1, turn=score):
            canvas = draw_view(view, language, size)
            assert canvas.overflow == [], (score, language)
            assert str(score) in canvas.texts


@pytest.mark.parametrize("mark", MARKS)
def test_every_mark_fits_in_play_and_on_its_page(mark: str) -> None:
    for screen in (Screen.PLAYING, Screen.STATUS):
        assert_nothing_is_cut(PLAYING._replace(screen=screen, marks=(mark,)))


@pytest.mark.parametrize("key", (*Action, *PointsReason))
def test_every_line_of_the_history_fits(key: str) -> None:
    lines = tuple(
        HistoryLine(20, 1, word, key, points, (28, 29), "23:59")
        for word in WORDS[:4]
        for points in (0, 12)
    )
    assert_nothing_is_cut(PLAYING._replace(screen=Screen.HISTORY, history=lines[-6:]))


@pytest.mark.parametrize("kind", NextHandKind)
@pytest.mark.parametrize("special", [None, SpecialKind.MAO, SpecialKind.IRON])
def test_every_hand_to_come_fits(kind: NextHandKind, special: SpecialKind | None) -> None:
    coming = NextHandView(0, kind, special, 1 if special is SpecialKind.MAO else None, 4, 2)
    assert_nothing_is_cut(SAMPLES["hand_over"]._replace(next_hand=coming))


OF_TRUCO_OR_ENVIDO = (
    SetupKey.BET_WANTED,
    SetupKey.BET_REFUSED,
    SetupKey.ONLY_UP_TO,
    SetupKey.NO_TRUCO,
)


@pytest.mark.parametrize("key", SetupKey)
@pytest.mark.parametrize("whose", [None, 1])
def test_every_line_and_title_of_set_up_fits(key: SetupKey, whose: int | None) -> None:
    word = (
        "falta envido"
        if key in OF_TRUCO_OR_ENVIDO
        else "contraflor al resto, contra-flor e o resto"
    )
    item = MenuLine(key, whose, 30, word)
    for level in (
        SetupView(key, ListView((item,) * 5, 2, 4, 4)),
        SetupView(key, AgreementView(item, (0, 1))),
        SetupView(key, AgreementView(item, (1,))),
        SetupView(key, SideNumberView(1, 30)),
        SetupView(key, EachNumberView(0, (29, 30))),
    ):
        assert_nothing_is_cut(SAMPLES["setup"]._replace(setup=level))


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("size", SIZES)
def test_long_names_of_a_new_game_are_shortened(size: tuple[int, int], first: int) -> None:
    view = SAMPLES["setup"]
    sides = tuple(
        side._replace(name=name)
        for side, name in zip(view.sides, ("W" * 40, "Extraordinariamente"), strict=True)
    )
    level = SetupView(SetupKey.START, EachNumberView(0, (0, 0)), sides=sides)
    for language in languages():
        assert draw_view(view._replace(setup=level), language, size, first).overflow == []


@pytest.mark.parametrize("duel", [1, 2, 3])
def test_the_number_of_a_duel_fits(duel: int) -> None:
    assert_nothing_is_cut(PLAYING._replace(duel=duel))


def test_three_sides_stand_beside_each_other() -> None:
    for presses in ("", "menu"):
        view = at_score(7, 7, 7, variant="pata_gallo", presses=presses)
        for language in languages():
            for size in SIZES:
                for mine in range(3):
                    canvas = draw_view(view, language, size, mine)
                    assert canvas.overflow == []
                    assert canvas.texts.count("7") == 3


CALLS = ("A truco", "B truco", "A truco", "B truco")


@pytest.mark.parametrize("called", range(1, len(CALLS) + 1))
@pytest.mark.parametrize("then", ["", "quiero", "quiero, wait 4, menu, menu"])
def test_a_ladder_that_ends_in_a_word_fits(called: int, then: str) -> None:
    """Venezuela's "vale juego" makes the last rung a word with descenders."""
    answer = [f"{'AB'[called % 2]} {then}"] if then else []
    presses = ", ".join((*CALLS[:called], *answer))
    view = at_score(3, 5, variant="venezuelan", presses=presses)
    assert view.ladder[-1].value == GAME
    assert_nothing_is_cut(view)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_the_usual_names_of_a_language_fit(language: str, size: tuple[int, int]) -> None:
    settings = settings_with(language=language)
    box = BoxSettings(**usual_names(language, LAMPS)._asdict())
    for levels, lines in (("A quiero", 5), ("A quiero, A quiero", 12)):
        for down in range(lines):
            presses = ", ".join(("menu hold, to names", levels, *("B tantos",) * down))
            view = SampleTable(
                Sample("argentine", presses=presses, settings=settings, box=box)
            ).view
            assert draw_view(view, language, size, 0).overflow == []


def test_what_cannot_fit_is_reported() -> None:
    canvas = Canvas((128, 64))
    canvas.one_line(Rect(0, 0, 20, 8), ("contraflor al resto",), (TINY,))
    assert canvas.overflow == ["contraflor al resto"]


def test_ink_beyond_the_edge_is_reported() -> None:
    canvas = Canvas((128, 64))
    canvas.write(120, 0, "truco", MEDIUM)
    canvas.write(0, 60, "truco", MEDIUM)
    assert canvas.overflow == ["truco", "truco"]


def test_a_text_on_another_is_found() -> None:
    canvas = Canvas((128, 64))
    canvas.write(0, 10, "truco", SMALL)
    canvas.write(3, 12, "envido", SMALL)
    assert overlapping(canvas) == [("truco", "envido")]


def test_what_a_player_needs_now_is_large() -> None:
    """Scores are 20 pixels high in play, payments of a call 16, in the tall layout."""
    assert HUGE.caps >= 20
    assert LARGE.caps >= 16
    for name, figures, font in (("playing", "21", HUGE), ("pending", "2", LARGE)):
        image = draw_view(SAMPLES[name], "es-AR").image
        assert _contains(image.tobytes(), image.width, font, figures), name


def _contains(packed: bytes, width: int, font: fonts.Font, text: str) -> bool:
    """Whether the frame contains the picture of ``text``, pixel for pixel."""
    cell = fonts.picture(font, text)
    top, bottom = fonts.ink(font, text)
    glyph = cell.crop((0, top, cell.width, bottom))
    rows = [
        int("".join("1" if glyph.getpixel((x, y)) else "0" for x in range(glyph.width)), 2)
        for y in range(glyph.height)
    ]
    stride = width // 8
    frame = [
        int.from_bytes(packed[at : at + stride], "big") for at in range(0, len(packed), stride)
    ]
    mask = (1 << glyph.width) - 1
    return any(
        all(frame[y + dy] >> shift & mask == row for dy, row in enumerate(rows))
        for y in range(len(frame) - len(rows) + 1)
        for shift in range(width - glyph.width + 1)
    )
