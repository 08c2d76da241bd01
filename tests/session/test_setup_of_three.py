"""Set-up with three sides, with duels, and with open bids."""

from __future__ import annotations

import pytest

from scorer.rules import Phase, Side, variant_ids
from scorer.session.values.settings import Settings
from scorer.session.values.setup_view import AgreementView, EachNumberView, SideNumberView
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.session.test_setup import content, is_open, keys, listed, select, shown, through
from tests.support.settings import settings_with

GALLO, PAIR = 0, 3  # as a view numbers them in the first hand
THREE = settings_with(count=3)


def desk_of(variant: str, script: str = "", settings: Settings | None = None) -> SessionRig:
    desk = SessionRig(variant, settings=settings)
    desk.do(*(script.split(", ") if script else ()))
    return desk


# Who must say yes.


def test_in_pata_de_gallo_the_gallo_and_the_pair_agree() -> None:
    desk = through(desk_of("pata_gallo", "A truco"), "new_game", "play")
    assert content(desk, AgreementView).missing == (GALLO, PAIR)
    desk.do("A quiero")
    assert content(desk, AgreementView).missing == (PAIR,)
    assert [side.owes for side in desk.view.sides] == [False, True, True]
    refused = desk.do("A quiero")
    assert (refused.verdict, desk.view.notice and desk.view.notice.side) == (Verdict.REFUSED, PAIR)
    desk.do("B quiero")
    assert (desk.current, is_open(desk)) == (1, False)


def test_between_two_hands_the_gallo_of_the_next_one_sits_at_the_first_console() -> None:
    desk = through(desk_of("pata_gallo", "A tantos, wait 5"), "new_game", "play")
    assert content(desk, AgreementView).missing == (1, PAIR)
    desk.do("B quiero")
    assert content(desk, AgreementView).missing == (1,)
    assert [side.owes for side in desk.view.sides] == [False, True, False]


def test_one_yes_of_a_shared_console_is_the_yes_of_both_who_sit_at_it() -> None:
    desk = through(desk_of("destantado", "A tantos"), "new_game", "play")
    assert content(desk, AgreementView).missing == (0, 1, 2)
    desk.do("B quiero")
    assert (content(desk, AgreementView).missing, desk.lamps) == ((0,), (False, True))
    assert desk.do("B quiero").verdict is Verdict.REFUSED
    desk.do("A quiero")
    assert desk.current == 1


@pytest.mark.parametrize("order", ["ABC", "CBA", "BCA"])
def test_at_three_consoles_each_says_its_own_yes_in_any_order(order: str) -> None:
    desk = through(desk_of("destantado", "A tantos", THREE), "new_game", "play")
    for at, console in enumerate(order):
        assert desk.current == 0
        assert len(content(desk, AgreementView).missing) == 3 - at
        desk.do(f"{console} quiero")
    assert desk.current == 1


def test_three_consoles_have_thirty_seconds_in_total() -> None:
    desk = through(desk_of("destantado", "A tantos", THREE), "new_game", "play")
    desk.do("A quiero")
    first = desk.time - 1.19  # when it was released
    for console in "BB":  # the second is refused
        desk.do("wait 10", f"{console} quiero")
    desk.pass_time(first + 29.9 - desk.time)
    assert len(content(desk, AgreementView).missing) == 1
    desk.pass_time(0.2)
    assert not is_open(desk)
    assert (desk.do("C quiero").verdict, desk.current) == (Verdict.REFUSED, 0)


def test_an_unused_third_console_does_not_confirm() -> None:
    desk = through(desk_of("pata_gallo", "A truco", THREE), "new_game", "play")
    assert desk.do("C quiero").verdict is Verdict.REFUSED
    assert content(desk, AgreementView).missing == (GALLO, PAIR)


# Surrender, points, corrections.


@pytest.mark.parametrize("variant", ["pata_gallo", "destantado"])
@pytest.mark.parametrize("side", range(3))
def test_each_of_three_may_give_up(variant: str, side: int) -> None:
    desk = desk_of(variant, "A tantos")
    before = desk.game
    through(desk, "end", f"concede {side}")
    desk.do("A quiero", "B quiero")
    assert desk.newest_lines == [f"{'ABC'[side]} concede"]
    assert desk.game.winner is not None and desk.game.winner is not list(Side)[side]
    desk.do("undo")
    assert desk.game == before


def test_three_scores_are_corrected_in_one_press() -> None:
    desk = through(desk_of("pata_gallo", "A tantos"), "correct")
    assert shown(desk).content == EachNumberView(0, (1, 0, 0))
    desk.do("A quiero", "A tantos", "A tantos", "A quiero", "A tantos", "A quiero")
    assert (desk.newest_lines, desk.score) == (["B correct 2", "C correct 1"], (1, 2, 1))
    desk.do("undo")
    assert desk.score == (1, 0, 0)


def test_piles_are_corrected_by_what_lies_in_the_pot_or_in_another_pile() -> None:
    desk = through(desk_of("destantado"), "correct")
    desk.do("A tantos", "A tantos", "A quiero", "A quiero", "B tantos", "B tantos", "A quiero")
    assert (desk.newest_lines, desk.score) == (["C correct 8", "A correct 12"], (12, 10, 8))
    through(desk, "correct")
    desk.do("A tantos", "A quiero", "A quiero", "A quiero")
    assert (desk.view.notice and desk.view.notice.key, desk.score) == ("TOO_MUCH", (12, 10, 8))
    assert is_open(desk)


def test_a_pile_is_never_corrected_to_nothing() -> None:
    desk = through(desk_of("destantado"), "correct")
    desk.do(*("B tantos",) * 12)
    assert content(desk, EachNumberView).values == (1, 10, 10)


def test_points_to_a_player_of_destantado_leave_his_pile() -> None:
    desk = through(desk_of("destantado"), "fouls", "award", "side 2")
    desk.do("A tantos", "A quiero")
    assert (desk.newest_lines, desk.score, desk.view.pot) == (["C award 2"], (10, 10, 8), 2)


def test_points_that_empty_a_pile_are_agreed_on_as_what_leaves_it() -> None:
    desk = through(SessionRig("destantado", score={Side.B: 1}), "fouls", "award", "side 1")
    desk.do("A quiero")
    item = content(desk, AgreementView).line
    assert (item.key, item.side, item.number) == ("points", 1, -1)
    desk.do("A quiero", "B quiero")
    assert desk.game.winner is Side.B


# An envido that was entered too late.


def test_a_late_envido_of_open_bids_asks_for_the_number() -> None:
    desk = through(desk_of("venezuelan", "A tantos, wait 5"), "fouls", "late_envido", "side 1")
    assert shown(desk).content == SideNumberView(1, 2)
    desk.do("A tantos", "A tantos", "A tantos")
    reaction = desk.do("A quiero")
    assert (desk.newest_lines, reaction.reason) == (["B award 5"], "late envido")


def test_a_late_envido_of_the_pair_is_written_to_both() -> None:
    desk = through(desk_of("pata_gallo", "A truco, B quiero"), "fouls", "late_envido", "side 3")
    assert [(item.number, item.word) for item in listed(desk).items][:2] == [
        (2, "envido"),
        (3, "real envido"),
    ]
    desk.do("A quiero")
    assert (desk.newest_lines, desk.score) == (["B award 2", "C award 2"], (0, 2, 2))
    desk.do("undo")
    assert desk.score == (0, 0, 0)


def test_after_the_hand_it_is_still_of_those_who_played_it() -> None:
    desk = through(desk_of("pata_gallo", "A tantos, wait 5"), "fouls", "late_envido", "side 0")
    desk.do("A quiero")
    assert desk.newest_lines == ["A award 2"]


def test_in_a_duel_it_pays_what_the_duel_allows() -> None:
    desk = SessionRig("pica_pica", {"pica_cap": 6}, score={Side.A: 9, Side.B: 3})
    desk.do("A tantos", "wait 5", "A truco", "B quiero")
    assert desk.view.duel == 1
    through(desk, "fouls", "late_envido", "side 1")
    assert max(item.number for item in listed(desk).items) == 6


def test_where_points_are_passed_on_the_piles_are_corrected_instead() -> None:
    desk = desk_of("destantado", "A truco, B quiero, A quiero")
    assert desk.do("A envido").verdict is Verdict.REFUSED
    assert desk.view.notice is not None and desk.view.notice.key == "ENVIDO_CLOSED"
    assert "late_envido" not in keys(through(desk, "fouls"))


def test_no_late_envido_is_offered_while_a_side_sings() -> None:
    desk = SessionRig("venezuelan", score={Side.A: 23})
    assert desk.session.phase is Phase.CANTANDO
    assert shown(through(desk, "fouls", "late_envido")).title == "fouls"


# Every truco.


@pytest.mark.sampled(5)
@pytest.mark.parametrize("variant", variant_ids())
def test_a_hand_is_dealt_again_and_the_night_gone_back_to_its_start(variant: str) -> None:
    desk = desk_of(variant)
    start = desk.game
    desk.do("A tantos", "wait 5", "A truco")
    through(desk, "redeal")
    assert (desk.game.hand_number, desk.session.phase, is_open(desk)) == (2, Phase.PLAYING, False)
    through(desk, "back")
    while listed(desk).selected.number:
        desk.do("B tantos")
    desk.do("A quiero", "A quiero", "B quiero")
    assert desk.game == start


@pytest.mark.parametrize("variant", variant_ids())
def test_a_score_that_was_corrected_is_the_score_that_was_set(variant: str) -> None:
    desk = through(desk_of(variant, "A tantos, wait 5"), "correct")
    for at in range(len(desk.view.sides)):
        # Of piles the first goes down, so that the pot has what the others take.
        down = not at and desk.view.pot is not None
        desk.do(*(["B tantos"] * 4 if down else ["A tantos"] * (at + 1)))
        wanted = content(desk, EachNumberView).values
        desk.do("B quiero")
    assert desk.score == wanted
    desk.do("undo")
    assert desk.lines[-1] == "- undo"


@pytest.mark.parametrize("variant", variant_ids())
def test_every_side_is_offered_every_foul_by_a_name_of_its_own(variant: str) -> None:
    desk = through(desk_of(variant, "A tantos"), "fouls")
    if "late_envido" in keys(desk):
        select(desk, "late_envido")
        offered = [item.side for item in listed(desk).items]
        assert offered == ([GALLO, PAIR] if variant == "pata_gallo" else [0, 1])
