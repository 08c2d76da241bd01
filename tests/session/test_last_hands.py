"""The first page of MENU: the last hands and their corrections.

docs/players/play.md names the presses that each costs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.rules import (
    Action,
    Game,
    Side,
    Start,
    find_variant,
    new_game,
    parse_step,
    rules_for,
    step_text,
    variant_ids,
)
from scorer.rules.engine import legal
from scorer.rules.history import History
from scorer.session.setup.effects import ChangeRules
from scorer.session.setup.last_hands_menu import LastHandsLevel
from scorer.session.values.last_hands import (
    EndedHand,
    HandCorrection,
    corrections_of,
    last_hands,
    shown_standing,
)
from scorer.session.values.record import Record, append_press, new_record
from scorer.session.values.settings import Layout
from scorer.session.values.setup_view import LastHandsView
from scorer.session.values.shown import ChangeStart, Screen
from tests.sampling import amount
from tests.session.rig import SessionRig, menu_press
from tests.support.settings import settings_with

THREE = "A envido, B quiero, A tantos, wait 8, A truco, B quiero, A tantos, wait 8, "
THREE += "B truco, A no_quiero, wait 8, B tantos, wait 8"  # 4-2
SIZES = ((128, 64), (128, 32))


def table(
    script: str, variant: str = "argentine", layout: Layout = Layout.FULL, **options: str | int
) -> SessionRig:
    desk = SessionRig(variant, options, settings=settings_with(layout=layout))
    desk.do(*script.split(", "))
    return desk


def page(desk: SessionRig) -> LastHandsView:
    setup = desk.view.setup
    assert setup is not None and isinstance(setup.content, LastHandsView)
    return setup.content


def correct(desk: SessionRig, *moves: str) -> int:
    """Corrects by ``moves`` and QUIERO, and confirms; the presses before that."""
    desk.do("menu hold" if desk.session.settings.table.layout is Layout.FULL else "undo hold")
    assert page(desk)
    desk.do(*moves, "A quiero")
    setup = desk.session.setup
    while setup is not None:
        assert setup.level.confirmed is not None
        desk.do("A quiero", "B quiero")
        setup = desk.session.setup
    return 2 + len(moves)


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize(
    ("at", "presses", "score"), [(0, 2, (5, 1)), (1, 3, (5, 1)), (2, 4, (2, 4))]
)
def test_a_wrong_winner_costs_two_to_four_presses(
    layout: Layout, at: int, presses: int, score: tuple[int, int]
) -> None:
    no = "A no_quiero" if layout is Layout.FULL else "A quiero hold"
    desk = table(THREE.replace("A no_quiero", no), layout=layout)
    assert desk.score == (4, 2)
    assert correct(desk, *["B tantos"] * at) == presses
    assert desk.score == score
    correct(desk, *["B tantos"] * at)
    assert desk.score == (4, 2)
    correct(desk, *["B tantos"] * at)
    assert desk.score == score


def test_a_misdeclared_envido_costs_three_presses() -> None:
    desk = table("A envido, B quiero, A tantos, wait 8, A truco, B quiero, A tantos, wait 8")
    assert correct(desk, "A tantos") == 3
    assert desk.score == (2, 2)
    assert desk.newest_lines[-4:] == ["B envido_won", "A truco", "B quiero", "A hand_won"]
    correct(desk, "A tantos")
    assert desk.score == (4, 0)


def test_a_correction_is_undone_as_one_after_further_presses_and_a_power_cut() -> None:
    desk = table(THREE)
    correct(desk, "B tantos", "B tantos")
    desk.do("A truco", "B quiero", "restart", "undo", "undo", "A quiero", "undo", "A quiero")
    assert desk.score == (4, 2)
    assert [done.step for done in desk.session.record.past] == [
        done.step for done in table(THREE).session.record.past
    ]


def test_the_next_game_cannot_be_redone_once_a_correction_before_it_is_undone() -> None:
    desk = table("A tantos, wait 8", target=15)
    correct(desk)
    desk.do(*["A tantos", "wait 8"] * 15, "A quiero", "B quiero")
    assert (desk.current, desk.score) == (1, (0, 0))
    desk.do("undo", "undo")
    assert (desk.current, desk.session.has_later_game) == (0, True)
    while desk.score != (1, 0):
        desk.do("undo")
    assert desk.session.has_later_game is False
    assert desk.replay_journal().has_later_game is False


def test_a_correction_deals_by_the_rules_in_force_while_a_change_of_them_waits() -> None:
    desk = table("A tantos, wait 8, A truco, B quiero", target=15)
    rules = rules_for(find_variant("argentine"), {"target": 30})
    desk.store_and_adopt(ChangeRules(rules, ChangeStart.HAND).run(desk.session, menu_press(200)))
    correct(desk)
    assert (desk.score, desk.game.rules.target, len(desk.games)) == ((0, 1), 15, 1)
    assert desk.session.pending_change is not None
    assert desk.replay_journal().record == desk.session.record


def played(variant: str, score: tuple[int, int], *lines: str) -> Record:
    record = new_record(new_game(Start(rules_for(find_variant(variant)), score)))
    after = append_press(record, [parse_step(line, record.start.rules) for line in lines])
    assert isinstance(after, Record)
    return after


def test_a_list_of_the_first_trick_does_not_decide_the_hand() -> None:
    record = played("uruguayan_six", (0, 0), "- tricks A", "A truco", "B fold")
    offered = {each.key: each for each in corrections_of(record, last_hands(record)[0])}
    lines = [step_text(step) for step in offered["won_by:1:"].steps]
    assert lines == ["- undo", "- undo", "B truco", "A fold"]


def test_a_refused_prive_could_have_been_accepted() -> None:
    record = played("venezuelan", (23, 5), "B privo", "A no_quiero")
    offered = {each.key: each.scores for each in corrections_of(record, last_hands(record)[0])}
    assert offered["wanted::truco"] == (23, 9)  # 3, and the stone of the prive


def test_what_could_not_have_been_is_not_offered() -> None:
    # A hand without truco was not refused, and the vale cuatro has no call above it.
    desk = table("A tantos, wait 8, menu hold")
    keys = [each.key for each in corrections_of(desk.session.record, last(desk))]
    assert keys == ["won_by:1:", "rung::truco"]
    desk = table("A truco, B truco, A truco, B quiero, A tantos, wait 8")
    keys = [each.key for each in corrections_of(desk.session.record, last(desk))]
    assert "rung::retruco" in keys and not any("nueve" in key for key in keys)


def last(desk: SessionRig) -> EndedHand:
    return last_hands(desk.session.record)[0]


@pytest.mark.parametrize("variant", variant_ids())
def test_the_last_hand_is_won_by_another_side_in_every_variant(variant: str) -> None:
    desk = table("A tantos, wait 9", variant)
    before = desk.score
    correct(desk)
    assert desk.score != before
    desk.do("undo")
    assert desk.score == before


def test_the_hand_that_won_the_game_is_corrected_too() -> None:
    desk = table("B tantos, wait 8, A tantos, wait 8", target=2)
    desk.do("A tantos", "wait 8")
    assert desk.game.winner is Side.A
    correct(desk)
    assert (desk.game.winner, desk.score) == (Side.B, (1, 2))
    desk.do("undo")
    assert (desk.game.winner, desk.score) == (Side.A, (2, 1))


# Who confirms.


def test_a_stray_quiero_to_a_call_corrects_nothing() -> None:
    desk = table("A tantos, wait 8, B truco, menu hold, A quiero")
    assert (desk.score, desk.game.hand.truco.pending) == ((1, 0), True)


def test_a_call_while_it_is_open_counts_as_the_call() -> None:
    desk = table("A tantos, wait 8, menu hold, B truco, A quiero")
    assert (desk.session.setup, desk.score, desk.game.hand.truco.rung) == (None, (1, 0), 1)


# Laws.


def games(variant: str, rng: random.Random) -> Iterator[Record]:
    """Games of legal steps at random, after every few of them."""
    rules = rules_for(find_variant(variant))
    starts = tuple(rng.choice([rules.target - 3, rules.target // 2]) for _ in rules.scoring_sides)
    late = rng.random() < 0.4 and not rules.seating.counts_down
    record = new_record(new_game(Start(rules, starts if late else None)))
    for _ in range(amount(60, 400)):
        steps = [step for step in legal(record.game) if step.action not in (Action.AWARD,)]
        if not steps:
            return
        after = append_press(record, (rng.choice(steps),))
        assert isinstance(after, Record)
        record = after
        if not rng.randrange(6):
            yield record


def sheet_of(record: Record, correction: HandCorrection) -> Game:
    """The game after the steps of a score sheet, through the rules alone."""
    sheet = History(record.start)
    lines = [step_text(done.step) for done in record.past]
    lines += [step_text(step) for step in correction.steps]
    for line in lines:
        assert sheet.play(parse_step(line, record.start.rules)) is None, line
    return sheet.game


@pytest.mark.sampled(0)
@pytest.mark.parametrize("variant", variant_ids())
def test_each_correction_leads_to_the_score_that_it_announces_and_back(variant: str) -> None:
    rng = random.Random(f"corrections {variant}")
    seen = 0
    for _ in range(amount(4, 20)):
        for record in games(variant, rng):
            for hand in last_hands(record):
                ended = record.past[hand.end - 1]
                for correction in corrections_of(record, hand):
                    seen += 1
                    assert shown_standing(sheet_of(record, correction)) == correction.scores
                    corrected = append_press(record, correction.steps)
                    assert isinstance(corrected, Record)
                    assert shown_standing(corrected.game) == correction.scores
                    assert corrected.is_corrected
                    # A correction may end the hand in play: then a fourth hand has UNDO alone.
                    again = [each for each in last_hands(corrected) if each.start == hand.start]
                    back = (
                        [
                            shown_standing(record.game) == each.scores
                            for each in corrections_of(corrected, *again)
                        ]
                        if again
                        else [True]
                    )
                    # One that drops a step of the hand, such as a reversal, has UNDO alone.
                    undos = sum(step.action is Action.UNDO for step in correction.steps)
                    keeps_all = 2 * undos == len(correction.steps)
                    if (
                        correction.change == "won_by"
                        and is_of_two(record)
                        and ended.paid
                        and keeps_all
                    ):
                        assert any(back), correction
                    undone = undo_of(corrected)
                    assert (undone.past, undone.game) == (record.past, record.game)
                    assert undone.is_restored
    assert seen > 10


def is_of_two(record: Record) -> bool:
    return len(record.game.rules.speaking_sides) == 2


def undo_of(record: Record) -> Record:
    newest = record.newest_steps
    undo = parse_step("- undo", record.game.rules)
    steps = (*[undo] * len(newest), *(done.step for done in newest[0].replaced))
    after = append_press(record, steps)
    assert isinstance(after, Record)
    return after


@pytest.mark.sampled(1)
@pytest.mark.parametrize("variant", variant_ids())
def test_the_page_fits_every_panel_in_every_language(variant: str) -> None:
    rng = random.Random(f"page {variant}")
    for _ in range(amount(2, 10)):
        for record in games(variant, rng):
            desk = SessionRig(variant)
            desk.session = desk.session._replace(record=record)
            desk.do("menu hold")
            setup = desk.session.setup
            if setup is None or not isinstance(setup.level, LastHandsLevel):
                continue
            for _ in range(3):
                view = desk.view
                assert view.screen is Screen.SETUP
                for language in languages():
                    for size in SIZES:
                        assert draw_view(view, language, size).overflow == []
                desk.do(rng.choice(["A tantos", "B tantos"]))
