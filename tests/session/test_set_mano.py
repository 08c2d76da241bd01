"""The mano put right in set-up: one line, confirmed by every team."""

from __future__ import annotations

import pytest

from scorer.rules import Action, Side, Step, variant_ids
from scorer.session.play.external_steps import enter_step
from scorer.session.setup.levels import ListLevel
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.session.test_setup import every_key, open_setup, table, through

YES = ("A quiero", "wait 1", "B quiero")


def corrected(script: str = "", **options: int) -> SessionRig:
    """A table at which every team confirmed the other mano."""
    desk = through(table(script, "argentine", **options), "set_mano")
    desk.do("wait 1", *YES)
    return desk


def side_of_line(desk: SessionRig) -> int | None:
    """The side that the line of set-up makes mano."""
    setup = open_setup(desk).session.setup
    assert setup is not None and isinstance(setup.level, ListLevel)
    return next(line.side for line in setup.level.lines if line.key == "set_mano")


@pytest.mark.parametrize(
    ("script", "written", "mano"),
    [
        ("", ["- mano B"], "B"),
        ("A truco", ["- mano B"], "B"),
        ("A envido, B quiero", ["- mano B"], "B"),
        # The hand that is announced is dealt: its mano was B.
        ("A tantos", ["- new_hand", "- mano A"], "A"),
    ],
)
def test_the_other_side_is_mano_once_both_teams_agree(
    script: str, written: list[str], mano: str
) -> None:
    desk = corrected(script)
    assert desk.newest_lines == written
    assert desk.document()["mano"] == mano
    assert desk.session.setup is None


def test_a_redeal_keeps_it() -> None:
    desk = corrected("A truco")
    through(desk, "redeal")
    assert (desk.document()["mano"], desk.document()["phase"]) == ("B", "playing")
    desk.do("wait 1", "undo")
    assert (desk.document()["mano"], desk.document()["phase"]) == ("A", "playing")


def test_a_finished_game_keeps_its_mano() -> None:
    desk = through(table("A tantos", target=1), "set_mano")
    assert desk.view.notice is not None and desk.view.notice.key == "GAME_OVER"


@pytest.mark.parametrize("duel", [1, 2, 3])
def test_in_a_pica_hand_the_line_names_the_mano_of_the_running_duel(duel: int) -> None:
    played = "A tantos, wait 8, " * 5 + "A tantos, wait 8, " * (duel - 1) + "A truco"
    desk = table(played, "pica_pica")
    assert desk.view.duel == duel
    now = desk.document()["mano"]
    line = side_of_line(desk)
    desk.do("undo")
    through(desk, "set_mano")
    desk.do("wait 1", *YES)
    assert desk.document()["mano"] == "AB"[line or 0] != now


def test_of_three_players_each_other_one_is_offered() -> None:
    desk = open_setup(table("", "destantado"))
    assert every_key(desk).count("set_mano") == 2
    desk.do("undo")
    through(desk, "set_mano 2")
    desk.do("wait 1", *YES)
    if desk.session.setup is not None:
        desk.do("wait 1", "C quiero")
    assert desk.document()["mano"] == "C"


@pytest.mark.parametrize("variant", variant_ids())
def test_every_truco_offers_it_but_pata_de_gallo(variant: str) -> None:
    keys = every_key(open_setup(table("", variant)))
    others = {"pata_gallo": 0, "destantado": 2}.get(variant, 1)
    assert keys.count("set_mano") == others


def test_a_series_goes_on_from_it() -> None:
    desk = corrected("", target=1, best_of=3)
    desk.do("wait 1", "A tantos", "wait 9", "A quiero", "wait 1", "B quiero")
    assert desk.document()["mano"] == "A"


def test_a_step_from_a_phone_sets_it() -> None:
    desk = table("A tantos")
    reaction = enter_step(desk.session, Step(Side.B, Action.MANO), desk.time)
    desk.store_and_adopt(reaction)
    assert reaction.verdict is Verdict.ACCEPTED
    assert desk.newest_lines == ["- mano B"], "the hand that is over: A comes next"
    desk.do("wait 9", "A truco")
    assert desk.document()["mano"] == "A"
