"""The first run: questions that can be skipped and never block play."""

from __future__ import annotations

import pytest

from scorer.display import draw_view
from scorer.i18n import languages, translator
from scorer.rules import Start, find_variant, new_game, rules_for
from scorer.session.setup import first_run
from scorer.session.setup.levels import ListLevel
from scorer.session.values.box_settings import BoxSettings, Choice
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.shown import Screen
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.session.test_setup import is_open, listed, select, shown
from tests.session.test_setup_choices import chosen, turn_to
from tests.support.settings import settings_with


def fresh(*, asks_time_zone: bool = False, settings: Settings | None = None) -> SessionRig:
    desk = SessionRig(settings=settings)
    box = BoxSettings(languages=languages(), asks_time_zone=asks_time_zone)
    session = desk.session._replace(box=box, asks_first_run=True)
    desk.session = first_run.with_first_question(session)
    return desk


def test_it_asks_for_the_language_the_truco_and_the_target() -> None:
    desk = fresh()
    select(desk, "language.pt-BR")
    assert chosen(desk) == (Choice(("table", "language"), "pt-BR"),)
    assert shown(desk).title == "first_variant"
    turn_to(desk, "Truco gaúcho")
    assert shown(desk).title == "first_target"
    turn_to(desk, "30")
    game = desk.game
    assert (game.rules.variant.id, game.rules.target, is_open(desk)) == ("gaucho", 30, False)
    assert chosen(desk) == (
        Choice(("table", "variant"), "gaucho"),
        Choice(("table", "house"), {"target": 30}),
    )


def test_where_the_time_zone_is_unknown_it_asks_for_a_city() -> None:
    desk = fresh(asks_time_zone=True)
    select(desk, "language.pt-BR")
    assert shown(desk).title == "first_time_zone"
    turn_to(desk, "Manaus")
    assert chosen(desk) == (Choice(("table", "time_zone"), "America/Manaus"),)
    assert shown(desk).title == "first_variant"


@pytest.mark.parametrize(
    ("language", "city"),
    [("es-AR", "Buenos Aires"), ("es-VE", "Caracas"), ("pt-BR", "São Paulo"), ("ca", "Madrid")],
)
def test_the_cities_begin_with_the_likely_one_of_the_language(language: str, city: str) -> None:
    desk = fresh(asks_time_zone=True)
    select(desk, f"language.{language}")
    assert listed(desk).selected.text == city


@pytest.mark.parametrize(
    ("language", "variant"),
    [
        ("es-AR", "argentine"),
        ("es-UY", "uruguayan"),
        ("es-VE", "venezuelan"),
        ("pt-BR", "paulista"),
        ("ca", "valencian"),
        ("en", "argentine"),
    ],
)
def test_the_truco_of_the_language_is_proposed(language: str, variant: str) -> None:
    desk = fresh(asks_time_zone=True)
    select(desk, f"language.{language}")
    desk.do("A quiero", "A quiero", "A quiero")
    assert (desk.game.rules.variant.id, is_open(desk)) == (variant, False)


# The longest way of each: none is held, and the list of cities is asked too.
OF_A_COUNTRY = {
    "es-AR": ("argentine", "argentine_flor", "pica_pica", "pata_gallo", "destantado"),
    "es-UY": ("uruguayan", "uruguayan_six"),
    "es-VE": ("venezuelan",),
    "pt-BR": ("paulista", "mineiro", "gaucho", "br_general"),
    "ca": ("valencian",),
}


@pytest.mark.parametrize(
    ("language", "variant"),
    [(language, variant) for language, own in OF_A_COUNTRY.items() for variant in own],
)
def test_nine_taps_at_most_to_a_truco_of_the_country(language: str, variant: str) -> None:
    desk = fresh(asks_time_zone=True)
    taps = tap_to(desk, language)
    desk.do("A quiero")
    taps += 1 + tap_to(desk, find_variant(variant).title)
    desk.do("A quiero")
    taps += 1
    assert (desk.game.rules.variant.id, is_open(desk)) == (variant, False)
    assert taps <= 9


@pytest.mark.parametrize(
    ("language", "variant"),
    [(language, variant) for language, own in OF_A_COUNTRY.items() for variant in own],
)
def test_the_game_of_the_answers_has_the_mano_of_a_first_game(language: str, variant: str) -> None:
    first = new_game(Start(rules_for(find_variant(variant))))
    desk = fresh()
    # Called but not scored, asked again and answered otherwise: it is still the first game.
    for title in ("Truco gaúcho", find_variant("pica_pica").title, find_variant(variant).title):
        desk.session = first_run.with_first_question(desk.session)
        select(desk, f"language.{language}")
        turn_to(desk, title)
        desk.do("A quiero", "A truco")
    assert desk.game.rules.variant.id == variant
    assert (desk.game.mano, desk.game.gallo) == (first.mano, first.gallo)


def tap_to(desk: SessionRig, wanted: str) -> int:
    """Goes to the line in the nearer direction and enters it; the taps needed."""
    assert desk.session.setup is not None
    level = desk.session.setup.level
    assert isinstance(level, ListLevel)
    found = [line.text or str(line.key).removeprefix("language.") for line in level.lines]
    down = (found.index(wanted) - level.at) % len(found)
    up = len(found) - down
    desk.do(*["B tantos"] * down if down <= up else ["A tantos"] * up, "A quiero")
    return min(down, up) + 1


@pytest.mark.parametrize("press", ["A no_quiero", "B no_quiero"])
def test_each_may_be_skipped_and_then_nothing_is_chosen(press: str) -> None:
    desk = fresh(asks_time_zone=True)
    titles = [shown(desk).title]
    for _ in range(3):
        desk.do(press)
        titles.append(shown(desk).title)
    desk.do(press)
    assert titles == list(first_run.QUESTIONS)
    assert (is_open(desk), desk.current, desk.lines, chosen(desk)) == (False, 0, [], ())


def test_a_variant_counts_though_the_target_is_skipped() -> None:
    desk = fresh()
    desk.do("A no_quiero")
    turn_to(desk, "Truco paulista")
    desk.do("A no_quiero")
    assert (desk.game.rules.variant.id, desk.game.rules.target) == ("paulista", 12)


@pytest.mark.parametrize(
    "press",
    [
        *(f"{side} {key}" for side in "AB" for key in ("truco", "envido", "flor")),
        *("A envido hold", "A flor hold", "menu", "menu hold", "undo", "undo hold"),
    ],
)
@pytest.mark.parametrize("answered", [0, 1, 2, 3])
def test_other_buttons_show_how_to_go_on_and_book_nothing(press: str, answered: int) -> None:
    desk = fresh(asks_time_zone=True)
    desk.do(*["A quiero"] * answered)
    before = shown(desk)
    reaction = desk.do(press)
    assert (reaction.verdict, desk.lines, shown(desk)) == (Verdict.REFUSED, [], before)
    assert desk.view.notice is not None and desk.view.notice.key == "first_run"


@pytest.mark.parametrize("press", ["A envido hold", "undo hold"])
def test_so_do_the_holds_of_a_compact_layout(press: str) -> None:
    desk = fresh(settings=settings_with(layout=Layout.COMPACT))
    assert desk.do(press).verdict is Verdict.REFUSED
    assert desk.view.notice is not None and desk.view.notice.key == "first_run"
    desk.do("A quiero hold")
    assert shown(desk).title == "first_variant", "QUIERO held is NO QUIERO"


def test_it_waits_five_minutes_and_then_plays_what_everybody_plays() -> None:
    desk = fresh()
    desk.do("wait 298")
    assert is_open(desk)
    desk.do("wait 2")
    assert (is_open(desk), desk.view.screen, desk.lines) == (False, Screen.PLAYING, [])
    desk.do("A truco")
    assert desk.lines == ["A truco"]


def test_each_further_question_waits_five_minutes_too() -> None:
    desk = fresh()
    select(desk, "language.pt-BR")
    desk.do("wait 290")
    assert is_open(desk)
    desk.do("wait 10")
    assert not is_open(desk)


def test_it_comes_again_when_a_dark_panel_is_woken() -> None:
    desk = fresh(settings=settings_with(dim=60, dark=600))
    desk.do("wait 700", "A truco")
    assert (shown(desk).title, desk.lines) == ("first_language", [])


def test_it_does_not_come_again_after_a_hand() -> None:
    desk = fresh(settings=settings_with(dim=60, dark=600))
    desk.do("wait 301", "A tantos", "wait 700", "A truco")
    assert (is_open(desk), desk.lines) == (False, ["A hand_won"])


def test_a_game_begun_from_its_answers_is_asked_for_again() -> None:
    desk = fresh(settings=settings_with(dim=60, dark=600))
    select(desk, "language.ca")
    desk.do("A quiero", "A quiero", "wait 700", "A truco")
    assert shown(desk).title == "first_language"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_every_question_fits(language: str, size: tuple[int, int]) -> None:
    desk = fresh(asks_time_zone=True)
    tantos = translator(language)("label.tantos")
    for question in first_run.QUESTIONS:
        for _ in range(12):
            frame = draw_view(desk.view, language, size)
            assert frame.overflow == []
            # A low panel has room for the word beside short titles, and else for its arrows.
            assert tantos in frame.texts or (size[1] == 32 and question != "first_language")
            desk.do("B tantos")
        desk.do("A truco")
        assert draw_view(desk.view, language, size).overflow == []
        desk.do("A no_quiero")
