"""A change of rules, chosen in a running game, waits for the next deal."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from scorer.records.stored_change import change_text, read_change
from scorer.rules import (
    Phase,
    Rules,
    RulesError,
    Side,
    parse_step,
    rules_for,
    state_document,
    variant_ids,
)
from scorer.rules.model import HandKind
from scorer.session.play.external_steps import enter_step
from scorer.session.setup.effects import ChangeRules
from scorer.session.values.game_draft import with_flor
from scorer.session.values.keys import NoticeKey
from scorer.session.values.record import REDO, UNDO
from scorer.session.values.shown import ChangeStart
from scorer.session.values.state import Reaction, Session, Verdict
from tests.sampling import amount
from tests.session.rig import SessionRig, menu_press
from tests.session.test_setup_first_level import Counter, table

BUTTONS = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")


def other_rules(rules: Rules) -> Iterator[Rules]:
    """The targets and the flor that a table can change to."""
    for target in (rules.target // 2, rules.target + 5):
        try:
            yield rules_for(rules.variant, {**dict(rules.chosen), "target": target})
        except RulesError:
            continue
    flor = with_flor(rules, has_flor=rules.flor is None)
    if flor is not None:
        yield flor


def choose(desk: SessionRig, rules: Rules, start: ChangeStart = ChangeStart.HAND) -> Reaction:
    """Chooses ``rules`` in set-up."""
    effect = ChangeRules(rules, start)
    return desk.store_and_adopt(effect.run(desk.session, menu_press(desk.time)))


def on_the_table(session: Session) -> tuple[object, ...]:
    """Hand and score, steps that can be redone, rules of the next game."""
    game = session.game._replace(change=None, last_credits=())
    return game, len(session.record.past), session.record.future, session.next_rules


@pytest.mark.sampled(1)
@pytest.mark.parametrize("variant", variant_ids())
def test_a_change_at_any_moment_leaves_the_hand_and_undo_takes_it_back(variant: str) -> None:
    chosen = 0
    for seed in range(amount(8, 60)):
        chance = random.Random(f"{variant} {seed}")
        desk = SessionRig(variant)
        for _ in range(14):
            desk.do(f"{chance.choice('AB')} {chance.choice(BUTTONS)}")
            running, before = desk.session, on_the_table(desk.session)
            rules = chance.choice([*other_rules(running.rules)])
            if running.game.winner is not None or max(running.game.score) >= rules.target:
                continue
            choose(desk, rules)
            assert on_the_table(desk.session) == before
            assert state_document(desk.game) == state_document(running.game)
            desk.restart()
            assert desk.game.change is not None
            press_undo(desk)
            assert on_the_table(desk.session) == before
            assert desk.session.pending_change is None
            desk.session, chosen = running, chosen + 1
    assert chosen > 20


def press_undo(desk: SessionRig) -> None:
    """UNDO, by a phone: no question of the table is in the way."""
    reaction = desk.store_and_adopt(enter_step(desk.session, UNDO, desk.time))
    assert reaction.verdict is Verdict.ACCEPTED


@pytest.mark.sampled(3)
@pytest.mark.parametrize("variant", variant_ids())
def test_the_hand_ends_with_the_score_that_it_has_without_the_change(variant: str) -> None:
    for seed in range(amount(6, 40)):
        chance = random.Random(f"end {variant} {seed}")
        desk, plain = SessionRig(variant), SessionRig(variant)
        rules = chance.choice([*other_rules(desk.game.rules)])
        at, is_chosen = chance.randrange(6), False
        for turn in range(24):
            # Set-up, where it is chosen, drops a question that waits.
            if turn >= at and not is_chosen and desk.session.question is None:
                choose(desk, rules)
                for each in (desk, plain):
                    each.do("wait 9")  # no press counts as one with the press in set-up
                is_chosen = True
            if desk.game.hand.over or desk.game.winner is not None:
                break
            press = f"{chance.choice('AB')} {chance.choice(BUTTONS)}"
            desk.do(press)
            plain.do(press)
            assert on_the_table(desk.session)[0] == on_the_table(plain.session)[0]


def test_it_comes_with_the_next_hand_in_a_game_that_is_stored_as_any_other() -> None:
    desk = table("A tantos, wait 9, A truco, B quiero")
    (rules, *_) = other_rules(desk.game.rules)
    told = choose(desk, rules)
    assert told.session.notice is not None
    assert told.session.notice.key is NoticeKey.CHANGE
    desk.do("A tantos", "wait 9")
    assert (desk.game.rules.target, desk.score, len(desk.games)) == (30, (3, 0), 1)
    desk.do("A truco")
    assert (desk.game.rules.target, desk.score, desk.game.mano) == (15, (3, 0), Side.A)
    assert desk.lines == ["A truco"]
    assert desk.view.call is not None
    desk.restart()
    assert (desk.game.rules.target, desk.game.change) == (15, None)


def test_undo_goes_back_over_the_deal_to_before_the_choice_and_redo_forward() -> None:
    desk = table("A truco, B quiero")
    (rules, *_) = other_rules(desk.game.rules)
    choose(desk, rules)
    desk.do("A tantos", "wait 9", "B envido")
    assert desk.game.rules.target == 15
    desk.do("undo", "undo", "A quiero")
    assert (desk.game.rules.target, desk.score, desk.game.change is not None) == (30, (2, 0), True)
    desk.do("undo")
    assert (desk.score, desk.game.change is not None) == ((0, 0), True)
    desk.do("undo")
    assert (desk.score, desk.game.change, desk.game.hand.truco.rung) == ((0, 0), None, 1)
    assert desk.view.notice is not None
    assert desk.view.notice.key is NoticeKey.CHANGE_UNDONE
    desk.do("undo hold")
    assert desk.game.change is not None
    desk.do("undo hold")
    assert desk.score == (2, 0)
    desk.do("wait 9", "B envido")
    assert (desk.game.rules.target, desk.score) == (15, (2, 0))


def test_redo_deals_a_hand_under_the_rules_that_it_was_stored_with() -> None:
    desk = table("A tantos, wait 9, A truco, undo")
    (rules, *_) = other_rules(desk.game.rules)
    choose(desk, rules)
    desk.store_and_adopt(enter_step(desk.session, REDO, desk.time))
    assert (desk.game.rules.target, desk.game.hand.truco.pending) == (30, True)
    before = desk.document()
    desk.restart()
    assert desk.document() == before


def test_a_second_choice_comes_with_the_first_and_undo_takes_them_back_one_by_one() -> None:
    desk = table("A truco, B quiero")
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", "15", "setup.change.hand")
    counter = Counter(desk)
    counter.enter("option.flor")
    counter.enter("card.yes", value="setup.change.hand")
    pending = desk.session.pending_change
    assert pending is not None
    assert (pending.target, pending.has_flor) == (15, True)
    desk.restart()
    desk.do("undo")
    pending = desk.session.pending_change
    assert pending is not None
    assert (pending.target, pending.has_flor) == (15, None)
    desk.do("undo")
    assert desk.session.pending_change is None
    assert desk.game.hand.truco.rung == 1


def test_the_value_in_force_takes_a_choice_back() -> None:
    desk = table("A truco, B quiero")
    for target in ("15", "30"):
        counter = Counter(desk)
        counter.enter("option.target")
        counter.enter("", target)
    assert (desk.game.change, desk.change[1]) == (None, None)


@pytest.mark.parametrize("script", ["A truco, B quiero", "A envido, wait 2", ""])
def test_a_target_that_is_reached_is_refused_with_the_reason(script: str) -> None:
    desk = SessionRig(score={Side.A: 15, Side.B: 2})
    desk.do("B tantos", "wait 9", *filter(None, script.split(", ")))
    before = on_the_table(desk.session)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", "15", f"setup.change.{desk.session.next_hand_start}")
    assert on_the_table(desk.session) == before
    assert desk.view.notice is not None
    assert (desk.view.notice.key, desk.view.notice.number) == (NoticeKey.TARGET_REACHED, 15)


def test_the_end_of_the_hand_shows_that_it_has_reached_the_target() -> None:
    desk = SessionRig(score={Side.A: 13, Side.B: 2})
    desk.do("A truco", "B quiero")
    choose(desk, next(other_rules(desk.game.rules)))
    desk.do("A tantos")
    assert desk.view.notice is not None
    assert (desk.view.notice.key, desk.view.notice.number) == (NoticeKey.TARGET_REACHED, 15)
    assert (desk.game.winner, desk.score) == (None, (15, 2))
    desk.do("wait 9", "B truco")
    assert (desk.game.rules.target, desk.score) == (30, (15, 2))


def test_in_a_pica_hand_the_duels_are_played_out_and_counted() -> None:
    desk = table("A tantos, wait 9, A truco, B quiero, A tantos, wait 9", "pica_pica", pica_from=0)
    assert desk.game.hand.kind is HandKind.PICA
    counter = Counter(desk)
    counter.enter("option.flor")
    counter.enter("card.yes", value="setup.change.redonda")
    assert desk.view.duel_points == (2, 0)
    desk.do("B tantos", "wait 9")
    assert (desk.view.duel_points, desk.score) == ((2, 1), (1, 0))
    desk.do("B tantos", "wait 9", "A flor")
    assert (desk.score, desk.game.hand.kind) == ((3, 2), HandKind.REDONDA)
    assert desk.game.rules.flor is not None


@pytest.mark.parametrize(("line", "start"), [("hand", "hand"), ("game", "game")])
def test_in_a_later_game_of_a_series_every_choice_works(line: str, start: str) -> None:
    desk = table("A truco, B quiero, A tantos, wait 9, A quiero, B quiero", target=2, best_of=3)
    desk.do("B truco", "A quiero")
    assert desk.game.games == (1, 0)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", "15", f"setup.change.{line}")
    pending = desk.session.pending_change
    assert pending is not None
    assert pending.start == start
    desk.do("B tantos", "wait 9")
    assert desk.session.phase is Phase.GAME_OVER
    desk.do("A quiero", "B quiero")
    assert (desk.game.games, desk.game.rules.target, desk.game.rules.best_of) == ((1, 1), 15, 3)
    desk.restart()
    assert (desk.game.games, desk.game.rules.target) == ((1, 1), 15)


def test_between_two_games_of_a_series_the_target_of_the_next_is_chosen() -> None:
    desk = table("A truco, B quiero, A tantos, wait 9", target=2, best_of=3)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", "15", "setup.change.game")
    assert desk.view.winner == 0
    desk.do("wait 9", "A quiero", "B quiero")
    assert (desk.game.games, desk.game.rules.target, desk.score) == ((1, 0), 15, (0, 0))


def test_after_the_series_means_what_it_says() -> None:
    desk = table("A truco, B quiero, A tantos, wait 9", target=2, best_of=3)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", "15", "setup.after_series")
    assert desk.view.notice is not None
    assert desk.view.notice.key is NoticeKey.AFTER_SERIES
    desk.do("undo", "wait 9", "A quiero", "B quiero")
    assert (desk.game.games, desk.game.rules.target) == ((1, 0), 2)


def test_a_phone_says_a_call_that_only_the_next_hand_has() -> None:
    desk = table("A tantos, wait 9")
    *_, with_flor = other_rules(desk.game.rules)
    choose(desk, with_flor)
    step = parse_step("B flor", desk.game.rules)
    desk.store_and_adopt(enter_step(desk.session, step, desk.time))
    assert (desk.session.phase, desk.score) == (Phase.PENDING_FLOR, (1, 0))


def test_a_stored_change_is_read_for_its_game_alone() -> None:
    desk = table("A truco, B quiero")
    for rules in other_rules(desk.game.rules):
        choose(desk, rules)
    chosen = desk.session.change
    assert chosen is not None
    assert chosen.earlier is not None
    text = change_text(chosen, 7)
    assert read_change(text, 7) == chosen
    assert read_change(text, 8) is None
    for damaged in ("", "{}", "[]", "7", text[:-2], text.replace("argentine", "martian")):
        assert read_change(damaged, 7) is None
