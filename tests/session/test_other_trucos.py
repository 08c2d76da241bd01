"""Variants with open bids, singing, duels or three sides."""

from __future__ import annotations

import random
from typing import Final

import pytest

from scorer.rules import (
    Action,
    Game,
    Phase,
    Side,
    Start,
    Step,
    apply,
    attempt,
    find_variant,
    new_game,
    parse_step,
    rules_for,
    step_text,
)
from scorer.session.input.keymap import buttons
from scorer.session.play.call_options import envido_calls
from scorer.session.play.external_steps import enter_step
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Screen
from scorer.session.values.state import Verdict
from scorer.session.view.build_view import view_of
from scorer.session.view.history import history_lines
from tests.session.rig import SessionRig
from tests.session.test_undo import GUARDLESS, durable, random_press
from tests.support.settings import settings_with

THREE = settings_with(count=3)
UP_TO_NINE = [f"B envido_mas {stones}" for stones in range(3, 10)]


def round_of(desk: SessionRig, line: str, taps: int) -> list[list[str]]:
    """The steps of the newest press after each quick tap."""
    said = []
    for _ in range(taps):
        desk._run_line(line)
        assert desk._deciding_reaction().verdict is Verdict.ACCEPTED, line
        said.append([each for each in desk.newest_lines if each != "- undo"])
    desk.pass_time(1.0)
    return said


# ---- numbers ------------------------------------------------------------------------------------


def test_an_open_bid_goes_through_its_numbers_and_the_falta_and_round_again() -> None:
    desk = SessionRig("venezuelan")
    numbers = [f"A envido {n}" for n in range(3, 25)]
    calls = ["A envido", *numbers[:7], "A falta_envido", *numbers[7:], "A envido"]
    assert round_of(desk, "A envido", len(calls)) == [[call] for call in calls]


def test_a_raise_of_an_open_bid_adds_stones() -> None:
    desk = SessionRig("venezuelan")
    desk.do("A envido")
    calls = ["B envido", *UP_TO_NINE, "B falta_envido", "B envido_mas 10"]
    assert round_of(desk, "B envido", 10) == [[call] for call in calls]


def test_a_raise_over_a_number_has_no_plain_envido_in_it() -> None:
    desk = SessionRig("venezuelan")
    desk.do("A envido x2")
    assert round_of(desk, "B envido", 2) == [["B envido_mas 2"], ["B envido_mas 3"]]


def test_on_the_border_the_real_envido_is_the_three() -> None:
    desk = SessionRig("uruguayan", {"free_envido": True})
    calls = ["A envido", "A real_envido", *(f"A envido {n}" for n in range(4, 10))]
    assert round_of(desk, "A envido", 9) == [[call] for call in (*calls, "A falta_envido")]


def test_a_number_can_be_chosen_without_haste() -> None:
    desk = SessionRig("venezuelan")
    desk.do("A envido", "A envido hold", "A no_quiero", "A no_quiero", "A quiero")
    assert desk.newest_lines[-1] == "A envido 4"


@pytest.mark.parametrize(
    ("script", "offered"),
    [
        ("A envido hold", ["A envido 3", "A falta_envido", "A envido 4"]),
        ("A envido, B envido hold", ["B envido_mas 1", "B falta_envido", "B envido_mas 3"]),
        ("A flor, B flor x2, A flor hold",
         ["A flor_envida_mas 1", "A flor_envida_mas 3", "A flor_envida_mas 4"]),
        ("A envido x2, wait 3, A envido hold", ["A envido 4", "A falta_envido", "A envido 5"]),
    ],
)  # fmt: skip
def test_the_held_button_offers_the_cheapest_raise_first(script: str, offered: list[str]) -> None:
    desk, said = SessionRig("venezuelan"), []
    desk.do(*script.split(", "))
    question = desk.session.question
    for _ in offered:
        assert question is not None
        said.append(step_text(question.yes.steps[-1]))
        question = question.no.next_question
    assert said == offered


LARGE: Final[tuple[tuple[str, dict[str, bool], tuple[str, ...]], ...]] = (
    ("venezuelan", {}, ()),
    ("venezuelan", {}, ("A envido",)),
    ("venezuelan", {}, ("A envido 15",)),
    ("uruguayan", {"free_envido": True}, ()),
    ("uruguayan", {"free_envido": True}, ("A real_envido",)),
)


@pytest.mark.parametrize(("variant", "options", "calls"), LARGE)
def test_every_envido_that_the_rules_accept_can_be_pressed(
    variant: str, options: dict[str, bool], calls: tuple[str, ...]
) -> None:
    # rules.md#amounts
    game = new_game(Start(rules_for(find_variant(variant), options)))
    for line in calls:
        game = apply(game, parse_step(line, game.rules))
    side, target = Side("AB"[len(calls)]), game.rules.target
    named = [bid.action for bid in game.rules.bids if bid.action is not Action.ENVIDO_MAS]
    steps = [Step(side, action) for action in named]
    for action in (Action.ENVIDO, Action.ENVIDO_MAS):
        steps += [Step(side, action, amount) for amount in range(1, target + 1)]
    accepted = {after_call(game, step) for step in steps} - {None}
    pressed = {after_call(game, step) for step in envido_calls(game, side)} - {None}
    assert pressed == accepted
    assert max(sum(amounts) for amounts in pressed if amounts is not None) >= target


def after_call(game: Game, step: Step) -> tuple[int, ...] | None:
    """The amounts of the envido after ``step``, or None if the rules refuse it."""
    after = attempt(game, step)
    return after.hand.envido.amounts if isinstance(after, Game) else None


def test_an_envido_of_fifteen_is_entered_by_holding_the_button() -> None:
    desk = SessionRig("uruguayan", {"free_envido": True})
    desk.do("A envido hold", *["A no_quiero"] * 13, "A quiero")
    assert desk.newest_lines == ["A envido 15"]
    desk.do("B quiero", "B tantos")
    assert desk.score == (0, 15)


# ---- flores -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "answers"),
    [
        ("argentine_flor", "flor | contraflor | contraflor_resto | flor, B flor | flor"),
        ("uruguayan", "flor | con_flor_envido | contraflor | contraflor_resto | flor, B flor"),
        ("venezuelan", "flor | flor, B flor_envida 2 | flor, B flor_envida 3"),
    ],
)
def test_flor_goes_round_the_answers_of_its_truco(variant: str, answers: str) -> None:
    desk = SessionRig(variant)
    desk.do("A flor")
    expected = [f"B {answer}".split(", ") for answer in answers.split(" | ")]
    assert round_of(desk, "B flor", len(expected)) == expected


def test_the_side_with_the_first_flor_can_raise_once_both_have_sung() -> None:
    desk = SessionRig("venezuelan")
    desk.do("A flor", "B flor")
    assert round_of(desk, "A flor", 2) == [["A flor_envida 2"], ["A flor_envida 3"]]
    assert round_of(desk, "B flor", 2) == [["B flor_envida_mas 2"], ["B flor_envida_mas 3"]]
    desk.do("A quiero", "B tantos")
    assert desk.score == (0, 3 + 3 + 3)


# ---- Venezuela ----------------------------------------------------------------------------------


def test_truco_goes_on_while_an_envite_waits_and_tantos_tells_the_envite_first() -> None:
    desk = SessionRig("venezuelan")
    desk.do("A envido", "B quiero", "A truco", "B quiero")
    assert desk.session.phase is Phase.AWAITING_ENVIDO
    desk.do("B tantos", "wait 7", "A tantos")
    assert desk.score == (3, 2)


def test_a_fold_is_possible_while_an_envite_waits_to_be_compared() -> None:
    for layout, line in ((Layout.FULL, "B no_quiero hold"), (Layout.COMPACT, "B quiero hold")):
        desk = SessionRig("venezuelan", settings=settings_with(layout=layout))
        desk.do("A envido", "B quiero", "wait 3")
        assert desk.do(line).verdict is Verdict.ACCEPTED, layout
        assert desk.newest_lines == ["B fold"]


def singing() -> SessionRig:
    desk = SessionRig("venezuelan", score={Side.A: 23, Side.B: 10})
    assert desk.view.screen is Screen.CANTANDO
    return desk


@pytest.mark.parametrize(
    ("script", "score"),
    [
        ("B no_quiero",                     (24, 10)),
        ("B quiero, A no_quiero",           (23, 12)),
        ("B quiero, A quiero, B tantos",    (23, 14)),
        ("B quiero, A tantos",              (24, 10)),
        ("B quiero, B tantos, A quiero",    (23, 10)),
        ("B quiero, B tantos, A no_quiero", (23, 12)),
    ],
)  # fmt: skip
def test_a_side_that_sings_is_beaten_or_has_won(script: str, score: tuple[int, int]) -> None:
    desk = singing()
    for line in script.split(", "):
        desk.do(line, "wait 3")
    assert tuple(min(points, 24) for points in desk.score) == score


def test_a_privo_shows_its_payment_accepted_and_refused() -> None:
    """4 with a truco won, 2 if it is refused; a no ends the game: rules.md#cantando."""
    desk = singing()
    call = desk.view.call
    assert call is not None
    assert (call.family, call.quiero.points, call.unwanted) == ("singing", (4,), 2)
    assert (call.no_quiero.points, call.no_quiero.to, call.no_quiero.wins) == ((1,), 0, True)
    desk.do("B quiero")
    call = desk.view.call
    assert call is not None
    assert (call.family, call.by, call.owes) == ("privo", 1, 0)
    assert (call.quiero.points, call.no_quiero.points) == ((-1, 4), (2,))


def test_a_singing_side_cannot_answer_itself() -> None:
    desk = singing()
    assert desk.do("A quiero").verdict is Verdict.REFUSED
    assert desk.do("A tantos").verdict is Verdict.REFUSED
    assert desk.lines == []


# ---- duels --------------------------------------------------------------------------------------


def test_tantos_is_deaf_after_a_duel_as_after_a_hand() -> None:
    desk = SessionRig("pica_pica", score={Side.A: 9, Side.B: 3})
    desk.do("A tantos", "wait 7", "A tantos")
    assert (desk.view.duel, desk.view.duel_points) == (2, (1, 0))
    assert desk.do("A tantos").verdict is Verdict.GUARDED
    assert desk.do("B tantos").verdict is Verdict.QUESTION
    desk.do("wait 7", "B tantos")
    assert (desk.view.duel, desk.view.duel_points) == (3, (1, 1))
    assert desk.score == (10, 3)
    desk.do("wait 7", "B tantos")
    assert desk.score == (11, 5)


# ---- three sides --------------------------------------------------------------------------------


def test_the_first_console_always_belongs_to_the_gallo() -> None:
    desk = SessionRig("pata_gallo")
    for hand in range(3):
        assert desk.view.gallo == hand - (hand > 0)
        desk.do("A tantos", "wait 5")
    assert desk.score == (1, 1, 1)
    assert [line for line in desk.lines if line != "- new_hand"] == ["gallo hand_won"] * 3


def test_the_next_game_has_the_next_gallo() -> None:
    desk = SessionRig("pata_gallo", score={Side.A: 29})
    desk.do("A tantos", "A quiero")
    assert desk.current == 0
    assert desk.view.confirmed == (0,)
    desk.do("B quiero")
    assert (desk.current, desk.game.gallo) == (1, Side.B)


def test_any_console_answers_for_the_one_who_is_named_and_his_own_needs_no_name() -> None:
    desk = SessionRig("destantado", settings=THREE)
    desk.do("A truco")
    assert [side.owes for side in desk.view.sides] == [False, True, False]
    assert desk.lamps == (False, True, True)
    desk.do("C quiero")
    assert desk.newest_lines == ["C quiero"]
    desk.do("A no_quiero")
    assert desk.newest_lines == ["B no_quiero"]


@pytest.mark.parametrize(("answer", "line"), [("A quiero", "B truco"), ("B no_quiero", "C truco")])
def test_a_shared_console_asks_whose_press_it_was(answer: str, line: str) -> None:
    desk = SessionRig("destantado")
    assert desk.do("B truco").verdict is Verdict.QUESTION
    assert desk.lines == []
    desk.do(answer)
    assert desk.newest_lines == [line]


def test_a_shared_console_asks_nothing_that_it_can_know() -> None:
    desk = SessionRig("destantado")
    desk.do("A truco", "B quiero", "wait 3", "B no_quiero")
    assert desk.lines == ["A truco", "B quiero", "C no_quiero"]
    assert desk.do("B tantos").verdict is Verdict.ACCEPTED
    assert desk.newest_lines == ["B hand_won"]


def test_undo_drops_the_question_whose_press_it_was() -> None:
    desk = SessionRig("destantado")
    desk.do("B truco", "undo")
    assert desk.session.question is None
    assert desk.lines == []


def test_a_bet_has_no_winner_before_one_of_two_has_answered() -> None:
    desk = SessionRig("destantado", settings=THREE)
    desk.do("A truco")
    assert desk.do("A tantos").verdict is Verdict.REFUSED
    desk.do("B quiero")
    assert desk.do("C tantos").verdict is Verdict.ACCEPTED
    assert desk.newest_lines == ["C quiero", "C hand_won"]


def test_the_next_game_wants_every_console() -> None:
    for consoles, lines in ((2, ("A quiero",)), (3, ("A quiero", "C quiero"))):
        desk = SessionRig("destantado", score={Side.A: 1}, settings=settings_with(count=consoles))
        desk.do("A tantos", *lines)
        assert desk.current == 0, consoles
        desk.do("B quiero")
        assert desk.current == 1, consoles


@pytest.mark.sampled(1)
@pytest.mark.parametrize("layout", Layout)
def test_a_storm_at_three_consoles_keeps_every_point_on_the_table(layout: Layout) -> None:
    dice = random.Random(f"three {layout}")
    settings = settings_with(GUARDLESS, layout=layout, count=3, stale_after_s=0)
    names = buttons(layout, 3)
    for _ in range(6):
        desk = SessionRig("destantado", {"best_of": dice.choice((1, 3))}, settings=settings)
        for _ in range(150):
            random_press(desk, dice, names)
            assert len(desk.lamps) == 3
            view = view_of(desk.session)
            assert view.pot is not None
            assert view.pot + sum(side.score for side in view.sides) == 30
        assert durable(desk.replay_journal()) == durable(desk.session)


# ---- what the panels tell -----------------------------------------------------------------------


def test_a_truco_refused_while_an_envite_waits_shows_its_price() -> None:
    desk = SessionRig("venezuelan")
    desk.do("A envido", "B quiero", "A truco")
    call = desk.view.call
    assert call is not None
    assert (call.quiero.points, call.no_quiero.points, call.no_quiero.to) == ((3,), (1,), 0)


def test_a_sung_hand_is_shown_in_full_before_the_first_press() -> None:
    desk = SessionRig("venezuelan", score={Side.A: 22, Side.B: 10})
    desk.do("A tantos")
    coming = desk.view.next_hand
    assert desk.view.screen is Screen.HAND_OVER and coming is not None and coming.call is not None
    assert (coming.call.by, coming.call.owes, coming.call.no_quiero.wins) == (0, 1, True)


def test_what_was_corrected_in_a_hand_was_not_won_in_it() -> None:
    desk = SessionRig()
    desk.store_and_adopt(enter_step(desk.session, Step(Side.B, Action.CORRECT, 7), desk.time))
    assert [gain.points for gain in desk.view.gains] == [7]
    desk.do("A tantos")
    assert [(gain.side, gain.points) for gain in desk.view.gains] == [(0, 1)]


def test_an_echo_between_two_hands_names_the_current_gallo() -> None:
    desk = SessionRig("pata_gallo")
    desk.do("A tantos", "wait 5")
    desk.press_together(["A.truco", "B.truco"], gap=0.1)
    assert desk.view.notice is not None
    assert (desk.view.notice.key, desk.view.notice.side) == ("echo", 1)


def test_piles_that_have_grown_are_uncapped_in_the_history() -> None:
    desk = SessionRig("destantado", settings=THREE)
    desk.do("A truco", "B quiero", "C quiero", "A tantos")
    assert history_lines(desk.session.record)[-1].scores == (6, 12, 12)


def test_points_passed_on_are_listed_for_every_side() -> None:
    desk = SessionRig("destantado", settings=THREE)
    desk.do("A truco", "B quiero", "C quiero", "A tantos")
    lines = history_lines(desk.session.record)[-3:]
    assert [(line.side, line.points) for line in lines] == [(0, -4), (1, 2), (2, 2)]
