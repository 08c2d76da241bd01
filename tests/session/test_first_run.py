"""The first run: questions that can be skipped and never block play."""

from __future__ import annotations

import pytest

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.session.setup import first_run
from scorer.session.values.box_settings import BoxSettings, Choice
from scorer.session.values.shown import Screen
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.session.test_setup import is_open, select, shown
from tests.session.test_setup_choices import chosen, turn_to


def fresh(*, asks_time_zone: bool = False) -> SessionRig:
    desk = SessionRig()
    box = BoxSettings(languages=languages(), asks_time_zone=asks_time_zone)
    desk.session = first_run.with_first_question(desk.session._replace(box=box))
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
    setup = shown(desk)
    assert setup.items[setup.at].text == city


@pytest.mark.parametrize("press", ["A no_quiero", "B no_quiero", "undo"])
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
    desk.do("undo")
    turn_to(desk, "Truco paulista")
    desk.do("undo")
    assert (desk.game.rules.variant.id, desk.game.rules.target) == ("paulista", 12)


def test_a_call_closes_it_and_counts() -> None:
    desk = fresh()
    assert desk.do("A truco").verdict is Verdict.ACCEPTED
    assert (is_open(desk), desk.lines) == (False, ["A truco"])


def test_it_waits_five_minutes_and_then_plays_what_everybody_plays() -> None:
    desk = fresh()
    desk.do("wait 298")
    assert is_open(desk)
    desk.do("wait 2")
    assert (is_open(desk), desk.view.screen, desk.lines) == (False, Screen.PLAYING, [])


def test_it_does_not_come_again_after_a_power_cut() -> None:
    desk = fresh()
    desk.restart()
    assert not is_open(desk)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_every_question_fits(language: str, size: tuple[int, int]) -> None:
    desk = fresh(asks_time_zone=True)
    for _ in first_run.QUESTIONS:
        for _ in range(12):
            assert draw_view(desk.view, language, size).overflow == []
            desk.do("B tantos")
        desk.do("undo")
