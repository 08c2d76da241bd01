"""The texts of each screen; its pictures are in ``golden``."""

from __future__ import annotations

import re

import pytest

from scorer.display import draw_view, render, screen_text, tv
from scorer.i18n import languages, translator
from scorer.rules import Refusal, Side
from scorer.samples import samples
from scorer.session.values.keys import NoticeKey
from scorer.session.values.setup_view import LastHandsView
from scorer.session.values.shown import Notice
from scorer.session.view.view import GainView, Half, HistoryLine, View, WorthView
from tests.display.scored import at_score
from tests.sampling import sample

SAMPLES = samples()
PLAYING, PENDING = SAMPLES["playing"], SAMPLES["pending"]


def test_picture_and_texts_come_from_the_same_drawing() -> None:
    for name, view in SAMPLES.items():
        canvas = draw_view(view, "pt-BR")
        assert render(view, "pt-BR").tobytes() == canvas.image.tobytes(), name
        assert screen_text(view, "pt-BR") == canvas.texts, name


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(128, 64), (128, 32), (256, 64), (132, 64), (96, 48)])
def test_a_picture_has_exactly_the_size_and_mode_that_were_asked_for(size: tuple[int, int]) -> None:
    for view in SAMPLES.values():
        image = render(view, "es-AR", size)
        assert (image.mode, image.size) == ("1", size)


def test_the_other_panel_differs_in_who_stands_on_the_left() -> None:
    first, second = (screen_text(PLAYING, "es-AR", left_side=mine) for mine in (0, 1))
    assert first[:4] == ["Nosotros", "Ellos", "21", "seis buenas"]
    assert second[:4] == ["Nosotros", "Ellos", "8", "ocho malas"]


def test_a_chosen_name_stays_with_its_side_on_both_panels() -> None:
    view = PLAYING._replace(
        sides=tuple(
            side._replace(name=name)
            for side, name in zip(PLAYING.sides, ("Pibes", "Yunta"), strict=True)
        )
    )
    assert screen_text(view, "es-AR", left_side=0)[:2] == ["Pibes", "Yunta"]
    assert screen_text(view, "es-AR", left_side=1)[:2] == ["Yunta", "Pibes"]


@pytest.mark.parametrize(
    ("presses", "ends"),
    [
        ("", (True, True)),
        ("A truco, B quiero, wait 4", (False, True)),
        ("B truco, A quiero, wait 4", (True, False)),
        ("A truco, B truco, A truco, B quiero, wait 4", (False, False)),
    ],
)
def test_the_arrow_points_to_the_sides_that_may_raise(
    presses: str, ends: tuple[bool, bool]
) -> None:
    strip = render(at_score(21, 8, presses=presses), "es-AR").crop((0, 43, 128, 55))
    left, right = strip.crop((0, 0, 8, 12)), strip.crop((120, 0, 128, 12))
    assert (left.getbbox() is not None, right.getbbox() is not None) == ends


def test_the_called_rung_blinks_and_nothing_else_does() -> None:
    frames = [render(PENDING._replace(blink=blink), "es-AR") for blink in (False, True)]
    top = [frame.crop((0, 0, 128, 52)).tobytes() for frame in frames]
    assert top[0] == top[1]
    assert frames[0].tobytes() != frames[1].tobytes()
    assert screen_text(PENDING, "es-AR") == screen_text(PENDING._replace(blink=True), "es-AR")


@pytest.mark.parametrize("name", ["playing", "pending", "winner", "hand_over"])
def test_a_notice_covers_the_lower_third_and_leaves_the_scores(name: str) -> None:
    view = SAMPLES[name]
    noticed = view._replace(notice=Notice(Refusal.NOT_YOUR_RAISE, side=0, urgent=True))
    above = [render(each, "es-AR").crop((0, 0, 128, 43)).tobytes() for each in (view, noticed)]
    assert above[0] == above[1]
    said = screen_text(noticed, "es-AR")
    assert said[-1] == "tiene la palabra: Nosotros"
    assert [str(seen.score) for seen in view.sides if str(seen.score) not in said] == []


@pytest.mark.parametrize("name", ["playing", "pending", "winner", "hand_over", "playing-mao"])
def test_on_a_low_panel_the_scores_stay_above_a_notice(name: str) -> None:
    view = SAMPLES[name]._replace(notice=Notice(NoticeKey.ECHO, side=0, urgent=True))
    said = screen_text(view, "es-AR", (128, 32))
    assert said[-1] == "a la vez: Nosotros primero"
    assert [str(seen.score) for seen in view.sides if str(seen.score) not in said] == []


def test_texts_covered_by_a_notice_are_removed() -> None:
    view = PLAYING._replace(notice=Notice(NoticeKey.SLAP))
    assert "vale 2" in screen_text(PLAYING, "es-AR")
    assert "vale 2" not in screen_text(view, "es-AR")


@pytest.mark.parametrize(
    ("score", "is_shown"),
    [
        (12, False),
        (15, True),  # into the buenas
        (28, True),  # one point from the end
    ],
)
def test_a_score_is_shown_under_an_answer_only_where_a_half_or_a_game_is_at_stake(
    score: int, is_shown: bool
) -> None:
    said = screen_text(at_score(score, 9, presses="A truco"), "es-AR")
    assert (f"{score + 1} a 9" in said) is is_shown
    assert ("responde: Ellos" in said) is not is_shown


def test_an_answer_that_pays_by_who_wins_shows_both_amounts_own_side_first() -> None:
    assert PENDING.call is not None
    view = PENDING._replace(call=PENDING.call._replace(quiero=WorthView((18, 21), None)))
    assert "QUIERO 18/21" in screen_text(view, "es-AR", left_side=0)
    assert "QUIERO 21/18" in screen_text(view, "es-AR", left_side=1)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((29, 12), "Nosotros: a una de ganar"),
        ((12, 29), "Ellos: a una de ganar"),
        ((29, 29), "los dos a una de ganar"),
        ((16, 20), "estamos en buenas"),
        ((15, 20), "da: Nosotros, mano: Ellos"),
    ],
)
def test_the_line_of_state_says_what_everybody_should_know(
    scores: tuple[int, int], said: str
) -> None:
    assert screen_text(at_score(*scores, mano=Side.B), "es-AR")[-1] == said


@pytest.mark.parametrize(
    ("score", "language", "said"),
    [
        (0, "es-AR", "en cero"),
        (1, "es-AR", "una mala"),
        (2, "pt-BR", "duas malas"),
        (16, "es-AR", "una buena"),
        (21, "es-AR", "seis buenas"),
        (15, "pt-BR", "quinze malas"),
        (29, "es-AR", "14 buenas"),  # "catorce buenas" is wider than half a panel
    ],
)
def test_a_score_is_spoken_as_people_say_it(score: int, language: str, said: str) -> None:
    assert said in screen_text(at_score(score, 8), language)


@pytest.mark.parametrize(
    ("scores", "said"),
    [((9, 8), "mão: Nós · nove a oito"), ((0, 0), "dá: Eles, mão: Nós")],
)
def test_without_halves_the_score_is_said_own_side_first(
    scores: tuple[int, int], said: str
) -> None:
    assert screen_text(at_score(*scores, variant="paulista"), "pt-BR")[-1] == said


@pytest.mark.parametrize(
    ("presses", "said"),
    [
        ("", "da: Ellos, mano: Nosotros"),
        ("A truco, B quiero", "mano, luego da: Nosotros"),
        ("A tantos, wait 9, A truco, B quiero", "mano, luego da: Ellos"),
    ],
)
def test_the_line_of_state_names_the_side_that_deals_next(presses: str, said: str) -> None:
    assert screen_text(at_score(0, 0, presses=presses), "es-AR")[-1] == said


def test_between_two_hands_the_deal_is_beside_what_was_paid_if_there_is_room() -> None:
    view = at_score(0, 0, presses="A tantos, wait 9")
    assert screen_text(view, "pt-BR")[-1] == "+1 Nós: a mão · dá: Nós"
    assert screen_text(view, "es-AR")[-1] == "+1 Nosotros: la mano"


def test_the_deal_is_not_named_at_the_cost_of_a_name() -> None:
    names = ("Los Pibes del Fondo", "La Yunta")
    sides = tuple(s._replace(name=n) for s, n in zip(PLAYING.sides, names, strict=True))
    at_a = tuple(side._replace(mano=at == 0) for at, side in enumerate(sides))
    view = PLAYING._replace(sides=at_a, dealer=0)
    assert screen_text(view, "es-AR")[-1] == "mano: Los Pibes del Fondo"


def test_what_is_wrong_with_the_box_comes_before_everything_else() -> None:
    assert screen_text(PLAYING._replace(marks=("stuck A.no_quiero",)), "es-AR")[-1] == (
        "NO QUIERO Nosotros trabado"
    )


@pytest.mark.parametrize(
    ("scores", "points", "says"),
    [
        ((24, 27), (3,),    "puede terminar"),
        ((28, 27), (3,),    "¡fin!"),
        ((24, 27), (6, 3),  "termina el partido"),
        ((24, 20), (-1,),   "termina el partido"),
    ],
)  # fmt: skip
def test_a_bet_that_only_one_side_would_end_the_game_with_may_end_it(
    scores: tuple[int, ...], points: tuple[int, ...], says: str
) -> None:
    view = SAMPLES["pending-falta"]
    assert view.call is not None
    sides = tuple(
        each._replace(score=score) for each, score in zip(view.sides, scores, strict=True)
    )
    call = view.call._replace(quiero=WorthView(points, None, None, True))
    assert says in draw_view(view._replace(sides=sides, call=call), "es-AR").texts


def test_what_two_sides_won_stands_where_they_stand() -> None:
    view = SAMPLES["hand_over-both"]
    for mine in (0, 1):
        told = draw_view(view._replace(gains=view.gains[::-1]), "es-AR", left_side=mine).texts[:2]
        assert [words.partition(" ")[2] for words in told] == ["Nosotros", "Ellos"]


def test_truco_is_still_to_be_seen_while_a_bet_is_compared_late() -> None:
    view = SAMPLES["winner"]
    late = view._replace(sides=tuple(each._replace(may_raise=True) for each in view.sides))
    assert "vale 1" not in draw_view(view, "es-AR").texts
    assert "vale 1" in draw_view(late, "es-AR").texts


def test_a_point_that_was_taken_back_is_no_game() -> None:
    """A payment is a number; only the worth of a call may be the whole game."""
    gain = GainView(0, -1, "correct")
    over = draw_view(SAMPLES["hand_over"]._replace(gains=(gain,)), "es-AR").texts
    assert over[0] == "-1 Nosotros"
    line = HistoryLine(5, 0, "", "correct", -1, (3, 5), "")
    history = SAMPLES["history"]._replace(history=(line,))
    assert "-1" in draw_view(history, "es-AR").texts


# ---- cantando and privo -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mao", "hand_over-mao"])
@pytest.mark.parametrize("language", languages())
def test_who_is_mano_is_read_while_a_side_decides(name: str, language: str) -> None:
    view = SAMPLES[name]
    mano = translator(language)("state.mano", side="").strip()
    panel = screen_text(view, language, (128, 64), 0)
    assert any(each.startswith(mano) for each in panel)
    drawn = tv.draw_view(view, language, (320, 180), 0)
    assert drawn is not None and any(mano in each for each in drawn.texts)


@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
@pytest.mark.parametrize("name", ["singing", "pending-privo", "hand_over-singing"])
def test_no_answer_of_them_has_two_prices(name: str, size: tuple[int, int]) -> None:
    for mine in (0, 1):
        texts = draw_view(SAMPLES[name], "es-VE", size, mine).texts
        assert [text for text in texts if "/" in text] == []
        assert "QUIERO 4" in texts


def test_a_privo_that_would_end_the_game_says_so_of_each() -> None:
    view = SAMPLES["pending-privo"]
    assert view.call is not None
    near = (view.sides[0], view.sides[1]._replace(score=22))
    call = view.call._replace(no_quiero=WorthView((2,), 1, (23, 24), True))
    texts = draw_view(view._replace(sides=near, call=call), "es-VE").texts
    assert {"Ellos: juego", "Nosotros: juego", "gana ya"} <= set(texts)


@pytest.mark.parametrize("name", ["match_over-piles", "match_over-gallo"])
def test_who_is_still_missing_for_another_game_leaves_the_three_scores(name: str) -> None:
    view = SAMPLES[name]
    waiting = draw_view(
        view._replace(notice=Notice(NoticeKey.NEXT_GAME, side=1), confirmed=(1,)), "es-AR"
    )
    assert {str(side.score) for side in view.sides} <= set(waiting.texts)


def test_the_words_for_a_refused_falta_agree_with_its_article() -> None:
    gain = GainView(1, 1, "envido_refused", "la falta")
    view = SAMPLES["hand_over"]._replace(gains=(gain,))
    assert "la falta no querida" in draw_view(view, "es-AR").texts
    assert "la falta no volguda" in draw_view(view, "ca").texts


def test_a_team_whose_name_speaks_of_many_won_as_many_do() -> None:
    first, other = SAMPLES["game_over"].sides
    for name, said in (("Los Pibes", "¡GANARON LOS PIBES!"), ("La Yunta", "¡GANÓ LA YUNTA!")):
        view = SAMPLES["game_over"]._replace(sides=(first._replace(name=name), other))
        assert said in draw_view(view, "es-AR").texts


@pytest.mark.parametrize("name", ["pending", "playing", "hand_over", "winner"])
@pytest.mark.parametrize("word", ["Los ", "y"])
def test_of_a_name_without_end_only_its_beginning_is_looked_at(name: str, word: str) -> None:
    """A store may contain a name of any length, which must not delay the start."""
    view = SAMPLES[name]

    def named(long: str) -> View:
        return view._replace(sides=tuple(side._replace(name=long) for side in view.sides))

    endless = render(named(word * 100_000), "es-AR", (128, 64))
    assert endless.tobytes() == render(named((word * 100)[:120]), "es-AR", (128, 64)).tobytes()


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("es-AR", "Amarillos", "Celestes"),
        ("es-UY", "Amarillos", "Celestes"),
        ("es-VE", "Amarillos", "Celestes"),
        ("pt-BR", "Amarelos", "Celestes"),
        ("ca", "Grocs", "Celestes"),
        ("en", "Yellow", "Sky blue"),
    ],
)
def test_a_shared_panel_calls_unnamed_teams_by_their_lamps(
    language: str, first: str, second: str
) -> None:
    for left_side, names in ((0, [first, second]), (1, [second, first])):
        texts = screen_text(PLAYING, language, left_side=left_side, is_neutral=True)
        assert texts[:2] == names
        wall = tv.draw_view(PLAYING, language, (1280, 720), left_side)
        assert wall is not None
        assert set(names) <= set(wall.texts)
    assert "Nosotros" in screen_text(PLAYING, "es-AR")


def test_the_colours_of_the_lamps_can_be_others() -> None:
    view = PLAYING._replace(lamps=("red", "white"))
    assert screen_text(view, "es-AR", is_neutral=True)[:2] == ["Rojos", "Blancos"]


def test_a_shared_panel_names_the_winner() -> None:
    over = SAMPLES["game_over"]
    over = over._replace(sides=tuple(each._replace(name="") for each in over.sides), winner=0)
    told = " ".join(screen_text(over, "es-AR", is_neutral=True)).casefold()
    assert "ganaron amarillos" in told
    assert "ganamos" not in told


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_the_longest_colours_fit(size: tuple[int, int]) -> None:
    for turn, (name, view) in enumerate(SAMPLES.items()):
        if len(view.sides) == 2:
            unnamed = tuple(side._replace(name="") for side in view.sides)
            view = view._replace(sides=unnamed, lamps=("orange", "sky_blue"))
        for language in sample(languages(), 2, turn=turn):
            assert draw_view(view, language, size, is_neutral=True).overflow == [], name


@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
@pytest.mark.parametrize("word", ["real envido", "falta envido", "contraflor", "vale cuatro"])
@pytest.mark.parametrize("by", [0, 1])
def test_a_long_call_keeps_the_name_of_its_caller(
    word: str, by: int, size: tuple[int, int]
) -> None:
    view = SAMPLES["pending"]
    assert view.call is not None
    called = view._replace(call=view.call._replace(word=word, by=by, owes=1 - by))
    name = ("Nos", "Ellos")[by]
    banner = draw_view(called, "es-AR", size).texts[:2]
    assert word.upper() in banner
    assert any(text.startswith(name) for text in banner)


@pytest.mark.parametrize("name", ["pending", "winner", "pending-flor", "mao", "singing"])
def test_a_panel_with_a_call_shows_the_mano_and_the_half(name: str) -> None:
    view = SAMPLES[name]
    pictures = set()
    for mano in (0, 1):
        sides = tuple(
            side._replace(mano=at == mano, half=Half.MALAS) for at, side in enumerate(view.sides)
        )
        canvas = draw_view(view._replace(sides=sides), "es-AR")
        assert canvas.texts.count("m") == len(sides)
        pictures.add(canvas.image.tobytes())
    assert len(pictures) == 2


@pytest.mark.sampled(4)
@pytest.mark.parametrize("language", ["es-AR", "es-VE", "ca"])
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_the_default_names_are_never_cut(size: tuple[int, int], language: str) -> None:
    """ "Nosotros" where there is room, else "Nos"; not "Nosotr."."""
    texts = [
        text for view in SAMPLES.values() for text in draw_view(view, language, size=size).texts
    ]
    assert any(text.startswith("Nos") for text in texts)
    assert [text for text in texts if re.fullmatch(r"Nos\w*\.", text)] == []


@pytest.mark.parametrize("scores", [(0, 0), (9, 12), (29, 29)])
def test_both_names_stand_in_full_beside_the_scores_of_a_call(scores: tuple[int, int]) -> None:
    view = SAMPLES["pending"]
    sides = tuple(
        side._replace(score=score) for side, score in zip(view.sides, scores, strict=True)
    )
    texts = draw_view(view._replace(sides=sides), "es-AR").texts
    assert texts.count("Nosotros") == 2  # beside the call and beside the score


def test_the_notice_of_an_undo_has_the_points_that_it_took() -> None:
    undone = Notice(NoticeKey.UNDONE_GAINS, gains=((0, -2),))
    view = at_score(3, 4)._replace(notice=undone)
    assert screen_text(view, "es-AR")[-1] == "deshecho: -2 Nosotros"


@pytest.mark.parametrize(
    ("call", "name", "hands", "words"),
    [
        ("envido", "", 3, "envido: Ellos"),
        ("contraflor al resto", "", 2, "contraflor al r.: Ellos"),
        ("truco", "La Yunta Brava de Avellaneda", 3, "truco: La Y. B."),
        ("real envido", "La Yunta Brava de Avellaneda", 2, "real envido: La Y. B. d. A."),
    ],
)
def test_a_correction_has_its_call_whatever_the_team_is_named(
    call: str, name: str, hands: int, words: str
) -> None:
    view = samples()["setup-hands"]
    assert view.setup is not None and isinstance(view.setup.content, LastHandsView)
    shown = view.setup.content
    assert shown.choice is not None
    content = shown._replace(choice=shown.choice._replace(word=call))
    sides = (view.sides[0], view.sides[1]._replace(name=name))
    named = view._replace(setup=view.setup._replace(content=content), sides=sides)
    texts = draw_view(named, "es-AR", (128, 64)).texts
    assert words in texts
    assert ("truco 2 Nosotros" in texts) == (hands == 3)
