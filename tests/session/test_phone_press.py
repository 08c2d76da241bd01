"""Presses from phones: same effect as the button; the box takes precedence."""

from __future__ import annotations

import json

import pytest

from scorer.rules import Refusal, Side, step_text, variant_ids
from scorer.session import phone_press
from scorer.session.phone_press import PhoneCorrection, PhonePress
from scorer.session.reducer import press
from scorer.session.values.press import ButtonMeaning, Gesture, GestureKind
from scorer.session.values.question import question_document
from scorer.session.values.seating import consoles_in_use
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.shown import Notice, Screen
from scorer.session.values.state import Reaction, Session, Verdict
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

COMPACT = settings_with(layout=Layout.COMPACT)
LATER = 10.0  # seconds after which no guard is active


def phone(
    desk: SessionRig, key: str, console: str = "", *, held: bool = False, question: str = ""
) -> Reaction:
    """A press of a phone at the time of the desk; its reaction is stored and adopted."""
    reaction = phone_press.press(desk.session, PhonePress(key, console, held, question), desk.time)
    return desk.store_and_adopt(reaction)


def wait(desk: SessionRig) -> SessionRig:
    desk.pass_time(LATER)
    return desk


def said(reaction: Reaction) -> list[str]:
    return [step_text(step) for step in reaction.steps]


def key_of(reaction: Reaction) -> str:
    assert reaction.session.notice is not None
    return reaction.session.notice.key


BEFORE = ("", "A truco", "B envido", "A truco, B quiero", "A envido, B quiero", "A tantos")


def after(variant: str, script: str) -> SessionRig:
    """A table with a console for each speaking side and no active guard."""
    desk = SessionRig(variant, settings=settings_with(count=3))
    desk.do(*(script.split(", ") if script else ()))
    return wait(desk)


@pytest.mark.sampled(39)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("script", BEFORE)
def test_a_phone_says_what_the_same_button_of_the_box_says(variant: str, script: str) -> None:
    desk = after(variant, script)
    for console in consoles_in_use(desk.session.rules, 3)[:2]:
        for key in phone_press.KEYS:
            gesture = Gesture(GestureKind.PRESS, f"{console}.{key}", desk.time, desk.time)
            here = press(desk.session, gesture, desk.time)
            there = phone_press.press(desk.session, PhonePress(key, console), desk.time)
            assert said(there) == said(here), (console, key)
            assert there.verdict is here.verdict, (console, key)
            assert there.session.notice == here.session.notice


@pytest.mark.sampled(26)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("script", BEFORE)
def test_a_box_with_few_buttons_takes_all_of_a_phone(variant: str, script: str) -> None:
    """Except one more flor, for which such a box has no button."""
    desk = after(variant, script)
    few = desk.session._replace(settings=COMPACT)
    for console in consoles_in_use(desk.session.rules, 3):
        for key in phone_press.KEYS:
            for wish in (
                PhonePress(key, console),
                PhonePress(key, console, held=key == "no_quiero"),
            ):
                full = phone_press.press(desk.session, wish, desk.time)
                assert said(phone_press.press(few, wish, desk.time)) == said(full), wish


def test_a_fold_is_a_hold_on_every_box() -> None:
    for settings in (Settings(), COMPACT):
        desk = SessionRig(settings=settings)
        assert phone(desk, "no_quiero", "A").verdict is Verdict.REFUSED
        assert phone(desk, "no_quiero", "A", held=True).verdict is Verdict.QUESTION


def test_held_envido_offers_the_bids() -> None:
    for settings in (Settings(), COMPACT):
        desk = SessionRig(settings=settings)
        assert phone(desk, "envido", "A", held=True).verdict is Verdict.QUESTION
        assert said(phone(desk, "quiero", "A", question="bid")) == ["A real_envido"]


def test_held_flor_is_one_more_flor() -> None:
    desk = SessionRig("argentine_flor")
    assert said(phone(desk, "flor", "A", held=True)) == ["A flor", "A flor"]


def test_the_third_player_has_a_console_of_his_own_on_a_phone() -> None:
    desk = SessionRig("destantado")
    assert said(phone(desk, "truco", "C")) == ["C truco"]
    assert desk.session.settings == Settings()
    assert phone(SessionRig(), "truco", "C").verdict is Verdict.REFUSED


def test_two_of_three_have_no_doubt_whose_press_it_was() -> None:
    """At two consoles the box would have to ask; a phone identifies its console."""
    desk = SessionRig("destantado")
    assert said(phone(desk, "truco", "B")) == ["B truco"]


@pytest.mark.parametrize(
    ("key", "console", "held"),
    [("dance", "A", False), ("truco", "", False), ("truco", "X", False), ("undo", "A", False),
     ("undo", "", True), ("truco", "A", True), ("tantos", "A", True), ("menu", "", False),
     ("", "", False), ("quiero", "A", True)],
)  # fmt: skip
def test_a_button_that_does_not_exist_does_nothing(key: str, console: str, held: bool) -> None:
    desk = SessionRig()
    reaction = phone(desk, key, console, held=held)
    assert (reaction.verdict, reaction.steps) == (Verdict.REFUSED, ())


def test_a_refusal_changes_only_the_notice() -> None:
    desk = SessionRig()
    reaction = phone_press.press(desk.session, PhonePress("quiero", "A"), desk.time)
    assert reaction.verdict is Verdict.REFUSED
    assert key_of(reaction) == "NOTHING_TO_ANSWER"
    assert reaction.session.record == desk.session.record


def test_the_guards_of_the_box_are_a_phones_too() -> None:
    desk = SessionRig()
    desk.do("A truco")
    assert phone(desk, "truco", "A").verdict is Verdict.GUARDED
    desk = SessionRig()
    phone(desk, "truco", "A")
    assert phone(desk, "truco", "B").verdict is Verdict.GUARDED, "both at once: an echo"


def test_a_dark_panel_costs_a_phone_no_press() -> None:
    desk = SessionRig()
    desk.pass_time(3000.0)
    assert said(phone(desk, "truco", "A")) == ["A truco"]


# The box takes precedence.


def test_nothing_of_a_phone_counts_while_the_buttons_are_locked() -> None:
    desk = SessionRig()
    desk.session = desk.session._replace(locked=True)
    assert key_of(phone(desk, "truco", "A")) == "locked"


def test_no_phone_comes_in_between_set_up() -> None:
    desk = SessionRig()
    desk.do("menu hold")
    reaction = phone(desk, "truco", "A")
    assert key_of(reaction) == "phone_setup"
    assert desk.session.setup is not None


def test_after_an_undo_at_the_box_phones_are_deaf_for_a_while() -> None:
    desk = SessionRig()
    phone(desk, "truco", "A")
    desk.do("undo")
    assert key_of(phone(desk, "truco", "A")) == "phone_undone"
    assert desk.game.hand.truco.caller is None
    desk.pass_time(phone_press.PAUSE_AFTER_UNDO)
    assert said(phone(desk, "truco", "A")) == ["A truco"]


def test_an_undo_of_a_phone_makes_no_phone_deaf() -> None:
    desk = SessionRig()
    phone(desk, "truco", "A")
    assert said(phone(desk, "undo")) == ["- undo"]
    assert said(phone(desk, "truco", "B")) == ["B truco"]


def test_a_phone_takes_back_nothing_of_an_earlier_hand() -> None:
    desk = wait(SessionRig())
    desk.do("A tantos", "wait 10", "B truco", "B truco", "wait 5")
    phone(desk, "undo")
    desk.pass_time(LATER)
    reaction = phone(desk, "undo")
    assert key_of(reaction) == "phone_undo_far"
    assert desk.session.question is None
    assert desk.score == (1, 0)


def test_a_phone_takes_back_no_game() -> None:
    desk = SessionRig()
    desk.session = desk.session._replace(has_earlier_game=True)
    assert key_of(phone(desk, "undo")) == "phone_undo_far"
    assert desk.session.question is None


def test_a_question_is_answered_by_a_phone_that_has_shown_it() -> None:
    desk = SessionRig()
    phone(desk, "no_quiero", "B", held=True)
    assert desk.session.question is not None
    for wrong in ("", "all_tied"):
        assert key_of(phone(desk, "quiero", "B", question=wrong)) == "phone_question"
    assert "B fold" in said(phone(desk, "quiero", "B", question="fold_first"))
    assert desk.session.question is None


@pytest.mark.parametrize("question", ["", "fold_first"])
def test_a_call_of_a_phone_dismisses_a_question_and_counts(question: str) -> None:
    desk = SessionRig()
    desk.do("B no_quiero hold")
    assert said(phone(desk, "truco", "A", question=question)) == ["A truco"]
    assert desk.session.question is None


def test_a_phone_that_has_asked_may_go_on_calling() -> None:
    for settings in (Settings(), COMPACT):
        desk = SessionRig(settings=settings)
        desk.do("A envido", "wait 1", "B quiero", "A tantos", "wait 1")
        assert phone(desk, "tantos", "A").verdict is Verdict.QUESTION
        desk.pass_time(0.7)
        assert said(phone(desk, "truco", "A")) == ["A truco"]
        assert said(phone(desk, "quiero", "B")) == ["B quiero"]


@pytest.mark.parametrize("settings", [Settings(), COMPACT])
def test_a_phone_folds_and_says_no_beside_a_question(settings: Settings) -> None:
    for held in (True, False):
        desk = SessionRig(settings=settings)
        desk.do("A envido", "wait 1", "B quiero", "A tantos", "wait 1")
        phone(desk, "tantos", "A")
        desk.pass_time(0.7)
        answer = phone(desk, "no_quiero", "B", held=held, question="and_the_hand")
        assert said(answer) == (["B fold"] if held else [])
        assert desk.session.question is None


def test_what_the_box_asks_about_an_undo_is_answered_at_the_box() -> None:
    desk = SessionRig()
    desk.do("A tantos", "wait 10", "B truco", "undo", "undo")
    assert desk.session.question is not None and desk.session.question.key == "undo_far"
    desk.pass_time(LATER)
    for key in ("no_quiero", "quiero"):
        reaction = phone(desk, key, "A", question="undo_far")
        assert key_of(reaction) == "phone_question"
    assert not desk.session.question.phones_may_answer
    desk.do("undo")
    assert desk.score == (0, 0)


def test_a_question_is_reported_with_the_sides_its_answers_pay() -> None:
    desk = SessionRig()
    desk.do("B no_quiero hold")
    assert desk.session.question is not None
    told = question_document(
        desk.session.question, desk.session.rules.scoring_sides, desk.session.answerers
    )
    assert json.loads(json.dumps(told)) == {
        "key": "fold_first", "word": "", "number": 0, "side": "B", "console": "B", "phones": True,
        "blocks": False,
        "yes": {"key": "first", "to": "A", "points": 2, "by": ["B"]},
        "no": {"key": "later", "to": "A", "points": 1, "by": ["B"]},
    }  # fmt: skip


# Which buttons are lit.


def lit_buttons(session: Session, now: float) -> dict[str, tuple[str, ...]]:
    judged = phone_press.judge_buttons(session, now)
    return {
        place: tuple(key for key, why in keys.items() if why is None)
        for place, keys in judged.items()
    }


def test_what_does_not_count_has_the_reason_that_a_press_would_get() -> None:
    desk = SessionRig()
    judged = phone_press.judge_buttons(desk.session, desk.time + LATER)
    assert judged["A"]["quiero"] == Notice(Refusal.NOTHING_TO_ANSWER, urgent=True)
    assert judged["A"]["truco"] is None
    desk.do("A truco")
    judged = phone_press.judge_buttons(desk.session, desk.time + LATER)
    owner = judged["A"]["quiero"]
    assert owner is not None and (owner.key, owner.side) == ("OWN_CALL", 1)


def test_only_what_counts_is_lit() -> None:
    desk = SessionRig()
    desk.do("A truco")
    lit = lit_buttons(desk.session, desk.time + LATER)
    assert lit["A"] == ("tantos",)
    assert lit["B"] == ("truco", "envido", "quiero", "no_quiero", "tantos", "envido.held")
    assert lit[""] == ("undo",)


def test_a_box_with_a_question_lights_its_answers_and_what_counts_without_it() -> None:
    desk = SessionRig()
    lit = lit_buttons(desk.session, desk.time)
    desk.do("B no_quiero hold")
    asked = lit_buttons(desk.session, desk.time)
    assert asked == {
        **lit,
        "": ("undo", "tied"),
        "B": ("truco", "envido", "quiero", "no_quiero", "tantos", "envido.held"),
    }


@pytest.mark.parametrize("variant", variant_ids())
def test_lit_is_what_would_be_taken(variant: str) -> None:
    desk = wait(SessionRig(variant))
    for console, keys in lit_buttons(desk.session, desk.time).items():
        for each in keys:
            key, _, held = each.partition(".")
            reaction = phone_press.press(
                desk.session, PhonePress(key, console, bool(held)), desk.time
            )
            assert reaction.verdict in (Verdict.ACCEPTED, Verdict.QUESTION)


def test_both_teams_want_another_game_from_their_phones() -> None:
    desk = SessionRig(score={Side.A: 29, Side.B: 0})
    desk.do("A tantos")
    desk.pass_time(LATER)
    assert desk.game.winner is Side.A
    phone(desk, "quiero", "A")
    assert phone(desk, "quiero", "B").new_game is not None


def test_a_phones_undo_is_none_of_the_boxs() -> None:
    desk = SessionRig()
    phone(desk, "truco", "A")
    assert phone(desk, "undo").session.newest_press is None
    newest = desk.do("A truco", "undo").session.newest_press
    assert newest is not None and newest.meaning is ButtonMeaning.UNDO


def test_there_is_time_to_hold_menu_after_an_undo() -> None:
    assert 3 * Settings().consoles.hold < phone_press.PAUSE_AFTER_UNDO


# A correction of one of the last hands.


def phone_corrects(desk: SessionRig, hand: int, correction: str) -> Reaction:
    reaction = phone_press.correct(desk.session, PhoneCorrection(hand, correction), desk.time)
    return desk.store_and_adopt(reaction)


def test_a_correction_by_a_phone_waits_for_the_team_that_loses_points() -> None:
    desk = SessionRig()
    desk.do("A truco", "B quiero", "A tantos", "wait 9")
    assert phone_corrects(desk, 0, "won_by:1:").verdict is Verdict.ACCEPTED
    assert desk.score == (2, 0)
    assert desk.view.screen is Screen.SETUP
    assert key_of(phone(desk, "truco", "A")) == "phone_setup"
    phone(desk, "quiero", "A")
    assert (desk.score, desk.session.setup) == ((0, 2), None)


def test_it_is_refused_at_the_other_team_and_in_a_question_and_if_it_is_not_offered() -> None:
    desk = SessionRig()
    desk.do("A truco", "B quiero", "A tantos", "wait 9")
    for hand, key in ((0, "won_by:0:"), (1, "won_by:1:"), (-1, "won_by:1:"), (0, "")):
        assert phone_corrects(desk, hand, key).verdict is Verdict.REFUSED
    phone_corrects(desk, 0, "won_by:1:")
    assert phone(desk, "quiero", "B").verdict is Verdict.REFUSED
    phone(desk, "no_quiero", "A")
    assert desk.score == (2, 0)


def test_a_gain_without_a_loss_is_recorded_at_once() -> None:
    desk = SessionRig()
    desk.do("A truco", "B no_quiero", "wait 9")
    phone_corrects(desk, 0, "wanted::truco")
    assert (desk.score, desk.session.setup) == ((2, 0), None)
