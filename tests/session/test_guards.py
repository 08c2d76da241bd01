"""The guards, each on and off, in the situations they were made for."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules import Action, Refusal, Side, Step
from scorer.session.input import guards
from scorer.session.play.reactions import record_steps
from scorer.session.values.keys import NoticeKey, QuestionKey
from scorer.session.values.press import AcceptedPress, ButtonMeaning, Gesture, GestureKind
from scorer.session.values.question import Answer, Question
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.shown import Notice
from scorer.session.values.state import DroppedOffer, Reaction, Session, Verdict
from tests.session.rig import SessionRig, menu_press
from tests.support.settings import settings_with

OFF = settings_with(slap=0, slap_call=0, echo=0, closed=0, paid_hand=0, paid_bet=0)


def after(
    desk: SessionRig, seconds: float, button: str, kind: GestureKind = GestureKind.PRESS
) -> Reaction:
    desk.pass_time(seconds)
    return desk.send_gesture(button, kind)


def why(desk: SessionRig) -> str:
    return desk.session.notice.key if desk.session.notice else ""


@pytest.mark.parametrize(
    ("first", "button", "deaf"),
    [
        ("B.truco", "A.no_quiero", 3.0),
        ("B.truco", "A.quiero",    3.0),
        ("",        "A.truco",     3.0),
    ],
)  # fmt: skip
def test_the_partner_slaps_the_same_button(first: str, button: str, deaf: float) -> None:
    """G1: ignored for exactly this long."""
    for settings, waited, guarded in (
        (Settings(), deaf - 0.01, True),
        (Settings(), deaf + 0.01, False),
        (OFF, 0.01, False),
    ):
        desk = SessionRig(settings=settings)
        if first:
            desk.send_gesture(first)
            desk.pass_time(1.0)
        assert desk.send_gesture(button).verdict is Verdict.ACCEPTED
        verdict = after(desk, waited, button).verdict
        assert (verdict is Verdict.GUARDED) is guarded, (settings, waited)
        assert (why(desk) == "slap") is guarded


@pytest.mark.parametrize(
    ("gap", "call", "shown"),
    [
        (0.15, "real_envido", ""),  # a partner's slap: looks like a double tap
        (0.3,  "real_envido", ""),
        (0.35, "envido",      "hold_raise"),
        (0.45, "envido",      "hold_raise"),
        (0.9,  "envido",      "hold_raise"),
        (1.5,  "envido",      "hold_raise"),
        (2.5,  "envido",      "hold_raise"),
        (60.0, "envido",      "hold_raise"),
    ],
)  # fmt: skip
def test_a_second_tap_of_envido_raises_only_within_a_third_of_a_second(
    gap: float, call: str, shown: str
) -> None:
    desk = SessionRig()
    for _ in range(2):
        desk._edge("A.envido", True)
        desk.pass_time(0.15)
        desk._edge("A.envido", False)
        desk.pass_time(gap)
    assert desk.game.hand.envido.chain == (Action(call),)
    assert shown in ("", why(desk)) or gap > 2


def test_without_the_guard_every_tap_raises() -> None:
    desk = SessionRig(settings=OFF)
    desk.do("A envido", "A envido")
    assert desk.newest_lines[-1] == "A real_envido"


@pytest.mark.parametrize("gap", [0.15, 0.3, 0.45, 0.9, 1.5, 2.5])
def test_a_second_flor_of_a_team_is_never_a_second_flor(gap: float) -> None:
    desk = SessionRig("argentine_flor")
    desk.send_gesture("A.flor")
    after(desk, gap, "A.flor")
    assert (desk.lines, why(desk)) == (["A flor"], "hold_flor")


@pytest.mark.parametrize("gap", [0.45, 0.9, 1.5, 2.5])
def test_a_second_flor_of_the_rivals_is_no_contraflor(gap: float) -> None:
    desk = SessionRig("argentine_flor")
    desk.send_gesture("A.flor")
    after(desk, 1.0, "B.flor")
    after(desk, gap, "B.flor")
    assert (desk.lines, why(desk)) == (["A flor", "B flor"], "hold_raise")


def test_any_other_accepted_press_ends_the_deafness() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    after(desk, 0.9, "B.truco")
    assert after(desk, 0.9, "A.truco").verdict is Verdict.ACCEPTED
    assert desk.lines == ["A truco", "B retruco", "A vale_cuatro"]


def test_a_refused_press_does_not_end_the_deafness() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    assert desk.send_gesture("A.quiero").verdict is Verdict.REFUSED
    assert after(desk, 0.5, "A.truco").verdict is Verdict.GUARDED


def test_undo_and_menu_are_never_deaf() -> None:
    desk = SessionRig()
    for button in ("A.truco", "B.quiero", "A.tantos"):
        desk.send_gesture(button)
    for _ in range(3):
        assert after(desk, 0.05, "undo").verdict is Verdict.ACCEPTED
        assert after(desk, 0.05, "menu").verdict is Verdict.ACCEPTED
    assert desk.session.record.past == ()


def test_after_an_undo_the_same_button_counts_at_once() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    desk.send_gesture("undo")
    assert after(desk, 0.2, "A.truco").verdict is Verdict.ACCEPTED


def test_two_partners_who_say_no_quiero_do_not_fold_the_next_hand() -> None:
    desk = SessionRig("paulista")
    desk.do("A truco")
    desk.press_button("B.no_quiero")
    desk.press_button("B.no_quiero", ["hold", "3"])
    assert desk.lines == ["A truco", "B no_quiero"]
    assert desk.reactions[-1].verdict is Verdict.GUARDED


def test_the_same_hold_begun_three_seconds_later_folds() -> None:
    desk = SessionRig("paulista")
    desk.do("A truco", "B no_quiero", "wait 3", "B no_quiero hold")
    assert desk.lines == ["A truco", "B no_quiero", "- new_hand", "B fold"]


def test_two_partners_slap_tantos_and_the_envido_is_scored_once() -> None:
    desk = SessionRig()
    desk.do("A envido", "B quiero")
    desk.press_button("B.tantos")
    desk.press_button("B.tantos")
    desk.pass_time(1.0)
    assert desk.score == (0, 2)
    assert desk.game.hand.over is False


def test_two_partners_slap_tantos_and_the_hand_is_scored_once() -> None:
    desk = SessionRig()
    desk.press_button("A.tantos")
    desk.pass_time(0.4)
    desk.press_button("A.tantos")
    desk.pass_time(2.0)
    assert (desk.score, desk.lines) == ((1, 0), ["A hand_won"])


@pytest.mark.parametrize(
    ("variant", "button", "line"),
    [
        ("argentine",      "truco",  "truco"),
        ("argentine",      "envido", "envido"),
        ("argentine_flor", "flor",   "flor"),
    ],
)  # fmt: skip
def test_the_same_call_of_both_teams_at_once_is_an_echo(
    variant: str, button: str, line: str
) -> None:
    """G2: within 0.8 seconds it is no raise, later it is."""
    for settings, waited, guarded in (
        (Settings(), 0.2, True),
        (Settings(), 0.79, True),
        (Settings(), 0.81, False),
        (OFF, 0.2, False),
    ):
        desk = SessionRig(variant, settings=settings)
        desk.send_gesture(f"A.{button}")
        verdict = after(desk, waited, f"B.{button}").verdict
        assert (verdict is Verdict.GUARDED) is guarded, (settings, waited)
        if guarded:
            assert desk.lines == [f"A {line}"]
            assert desk.session.notice is not None
            assert (why(desk), desk.session.notice.side) == ("echo", 0)


def test_another_call_of_the_other_team_is_no_echo() -> None:
    desk = SessionRig()
    desk.send_gesture("A.truco")
    assert after(desk, 0.2, "B.envido").verdict is Verdict.ACCEPTED


def test_rivals_who_press_tantos_after_a_hand_are_asked_and_score_nothing() -> None:
    """G3, and the way out: a yes of the paid team, or UNDO and TANTOS."""
    desk = SessionRig()
    desk.do("A tantos")
    assert desk.do("B tantos").verdict is Verdict.QUESTION
    asked = desk.view.question
    assert asked is not None and (asked.key, asked.yes_points) == ("hand_before", (1, 1))
    assert desk.score == (1, 0)
    desk.do("A quiero")
    assert (desk.score, desk.newest_lines) == ((0, 1), ["- undo", "B hand_won"])
    desk.do("undo", "B tantos", "undo")
    assert (desk.score, why(desk)) == ((1, 0), "dropped")
    desk.do("undo", "B tantos")
    assert desk.score == (0, 1)


@pytest.mark.parametrize("button", ["A.tantos", "B.tantos"])
def test_neither_tantos_enters_a_hand_for_seven_seconds(button: str) -> None:
    deaf = Verdict.GUARDED if button.startswith("A") else Verdict.QUESTION
    for settings, waited, verdict in (
        (settings_with(slap=0), 6.9, deaf),
        (settings_with(slap=0), 7.1, Verdict.ACCEPTED),
        (OFF, 0.1, Verdict.ACCEPTED),
    ):
        desk = SessionRig(settings=settings)
        desk.send_gesture("A.tantos")
        assert after(desk, waited, button).verdict is verdict, (settings, waited)


def test_tantos_that_opened_and_closed_the_next_hand_are_guarded_too() -> None:
    desk = SessionRig()
    desk.do("A tantos", "wait 7", "A tantos")
    assert desk.do("A tantos").verdict is Verdict.GUARDED
    assert desk.do("B tantos").verdict is Verdict.QUESTION
    assert desk.score == (2, 0)


@pytest.mark.parametrize("button", ["A.tantos", "B.tantos"])
def test_after_a_tied_trick_both_tantos_are_deaf_to_a_slap(button: str) -> None:
    desk = SessionRig(settings=settings_with(trick_by_trick=True))
    desk.do("both tantos")
    assert desk.send_gesture(button).verdict is Verdict.GUARDED
    assert desk.lines == ["- tricks tie"]


@pytest.mark.parametrize("script", ["A truco", "B envido", "A truco, B quiero"])
def test_any_press_of_the_new_hand_ends_the_guard_of_the_closed_one(script: str) -> None:
    desk = SessionRig()
    desk.do("A tantos", *script.split(", "))
    assert desk.send_gesture("B.tantos").verdict is not Verdict.GUARDED


def test_a_correction_of_the_closed_hand_does_not_end_its_guard() -> None:
    desk = SessionRig()
    desk.do("A envido", "B quiero", "A tantos", "wait 7", "B tantos")
    reversal = Step(Side.A, Action.ENVIDO_REVERSED)
    desk.store_and_adopt(record_steps(desk.session, (reversal,), menu_press(desk.time)))
    assert desk.send_gesture("A.tantos").verdict is Verdict.GUARDED


@pytest.mark.parametrize(
    ("gap", "verdict", "shown"),
    [
        (0.45, Verdict.GUARDED,  "slap"),
        (0.6,  Verdict.QUESTION, ""),
        (0.9,  Verdict.QUESTION, ""),
        (2.9,  Verdict.QUESTION, ""),
        (6.9,  Verdict.QUESTION, ""),
        (7.1,  Verdict.ACCEPTED, ""),
    ],
)  # fmt: skip
def test_tantos_again_after_the_envido_is_asked_about(
    gap: float, verdict: Verdict, shown: str
) -> None:
    desk = SessionRig()
    desk.do("A envido", "B quiero")
    desk.send_gesture("A.tantos")
    assert after(desk, gap, "A.tantos").verdict is verdict
    assert why(desk) == shown


@pytest.mark.parametrize(
    ("answer", "score"),
    [("A quiero", 2), ("B quiero", 3), ("A tantos", 2), ("A no_quiero", 2), ("undo", 2)],
)
def test_the_hand_is_won_only_by_an_answer(answer: str, score: int) -> None:
    desk = SessionRig()
    desk.do("A envido", "B quiero", "A tantos", "A tantos", answer)
    assert desk.score == (score, 0)


def test_tantos_again_is_no_answer_to_the_truco_that_waited() -> None:
    desk = SessionRig()
    desk.do("A truco", "B envido", "A quiero", "B tantos")
    assert desk.do("B tantos").verdict is Verdict.QUESTION
    assert (desk.score, desk.game.hand.truco.pending) == ((0, 2), True)


def test_no_quiero_again_does_not_refuse_the_truco_that_waited() -> None:
    desk = SessionRig()
    desk.do("A truco", "B envido", "A envido", "B no_quiero", "B no_quiero")
    assert (desk.score, why(desk)) == ((2, 0), "slap")


def test_both_tantos_at_once_are_deaf_after_a_hand_too() -> None:
    desk = SessionRig()
    desk.do("A tantos")
    assert desk.do("both tantos").verdict is Verdict.GUARDED


@pytest.mark.parametrize("line", ["A tantos", "B tantos", "both tantos"])
def test_after_a_payment_that_ended_the_hand_tantos_enters_nothing(line: str) -> None:
    desk = SessionRig()
    desk.do("A truco", "B no_quiero")
    assert desk.do(line).verdict is Verdict.GUARDED
    assert (desk.score, why(desk)) == ((1, 0), "paid")


def test_after_an_envido_tantos_of_the_other_team_asks_for_the_hand() -> None:
    desk = SessionRig()
    desk.do("A envido", "B quiero", "A tantos")
    assert desk.do("B tantos").verdict is Verdict.QUESTION
    assert (desk.score, desk.view.question and desk.view.question.yes_points) == ((2, 0), (1, 1))
    desk.do("A quiero")
    assert desk.score == (2, 1)


@pytest.mark.parametrize("script", ["A truco, B no_quiero", "A envido, B no_quiero"])
def test_the_guards_after_a_payment_can_be_switched_off(script: str) -> None:
    desk = SessionRig(settings=settings_with(paid_hand=0, paid_bet=0))
    desk.do(*script.split(", "), "A tantos")
    assert desk.score == (2, 0)


def test_a_slap_does_not_confirm_what_the_button_has_just_asked() -> None:
    desk = SessionRig()
    desk.do("A envido", "B no_quiero")
    desk.send_gesture("A.tantos")
    assert after(desk, 0.59, "A.tantos").verdict is Verdict.GUARDED
    assert (desk.score, why(desk)) == ((1, 0), "slap")
    assert after(desk, 0.02, "A.tantos").verdict is Verdict.QUESTION
    assert desk.score == (1, 0)


@pytest.mark.parametrize(("first", "score"), [(4.9, (1, 0)), (5.1, (2, 0))])
def test_tantos_twice_is_a_yes_once_the_hand_can_be_over(
    first: float, score: tuple[int, int]
) -> None:
    desk = SessionRig()
    desk.do("A envido")
    desk.send_gesture("B.no_quiero")
    assert after(desk, first, "A.tantos").verdict is Verdict.QUESTION
    after(desk, 0.7, "A.tantos")
    assert desk.score == score


@pytest.mark.parametrize("script", ["A envido, B no_quiero", "A truco, B no_quiero"])
def test_a_power_cut_ends_the_guards_after_a_payment(script: str) -> None:
    """They are not stored: switching on again takes longer than they last."""
    desk = SessionRig()
    desk.do(*script.split(", "), "restart")
    assert desk.do("A tantos").verdict is Verdict.ACCEPTED


def test_an_answer_that_went_down_before_the_call_does_not_answer_it() -> None:
    """NO QUIERO acts on release if it could fold; no answer to a later truco."""
    desk = SessionRig()
    desk._edge("A.no_quiero", True)
    desk.pass_time(0.1)
    desk.send_gesture("B.truco")
    desk._edge("A.no_quiero", False)
    desk.pass_time(0.1)
    assert desk.lines == ["B truco"]
    assert desk.do("A no_quiero").verdict is Verdict.ACCEPTED


def test_a_hold_does_what_the_panel_said_or_nothing() -> None:
    """A fold is announced, then the rivals call truco: the hold is no answer."""
    desk = SessionRig(settings=settings_with(layout=Layout.COMPACT))
    desk._edge("A.quiero", True)
    desk.pass_time(0.3)
    assert desk.view.notice == Notice(NoticeKey.HOLD, word="al mazo")
    desk.send_gesture("B.truco")
    desk.pass_time(2.0)
    desk._edge("A.quiero", False)
    desk.pass_time(0.1)
    assert desk.lines == ["B truco"]


def test_a_guarded_press_changes_nothing_but_the_notice() -> None:
    desk = SessionRig()
    desk.do("A tantos")
    before = desk.session.record
    assert desk.do("B tantos").steps == ()
    assert desk.session.record == before


def test_a_question_can_be_answered_with_the_button_that_raised_it() -> None:
    desk = SessionRig()
    desk.do("A no_quiero hold", "A no_quiero")
    assert desk.lines == ["- first_trick_done", "A fold"]


def test_next_game_pressed_twice_by_one_team_is_one_yes() -> None:
    desk = SessionRig(score={Side.A: 29, Side.B: 3})
    desk.do("A tantos", "A quiero")
    assert desk.do("A quiero").verdict is Verdict.GUARDED
    assert desk.session.confirmed == (Side.A,)


# ---- the exact limit of each guard: the press that begins at the limit counts

AT = 100.0  # time of the press, payment or question before
BEFORE = 0.001
YES_NO = Question(QuestionKey.AND_THE_HAND, Answer(), Answer(), button="A.tantos")


def pressed_before(button: str, meaning: ButtonMeaning) -> AcceptedPress:
    return AcceptedPress(button, meaning, AT, 0)


TRUCO_OF_A = pressed_before("A.truco", ButtonMeaning.TRUCO)
TANTOS_OF_A = pressed_before("A.tantos", ButtonMeaning.TANTOS)


def session_with(settings: Settings | None = None, **fields: Any) -> Session:  # noqa: ANN401
    return SessionRig(settings=settings).session._replace(**fields)


def begun(button: str, seconds: float) -> Gesture:
    """A press of which the button went down so long after ``AT``."""
    since = AT + seconds
    return Gesture(GestureKind.PRESS, button, since + 0.1, since)


@pytest.mark.parametrize(
    ("session", "press", "limit", "key"),
    [
        (session_with(hand_closed_at=AT), "A tantos", 7.0, NoticeKey.CLOSED),
        (session_with(hand_closed_at=AT), "B both", 7.0, NoticeKey.CLOSED),
        (session_with(hand_paid_at=AT), "B tantos", 7.0, NoticeKey.PAID),
        (
            session_with(dropped_offer=DroppedOffer("A", AT, 1)),
            "A quiero",
            1.0,
            NoticeKey.OFFER_DROPPED,
        ),
        (session_with(dropped_offer=DroppedOffer("A", AT, None)), "A fold", 1.0, NoticeKey.DROPPED),
        (session_with(newest_press=TRUCO_OF_A), "A truco", 3.0, NoticeKey.SLAP),
        (session_with(newest_press=TANTOS_OF_A), "B both", 3.0, NoticeKey.SLAP),
        (session_with(newest_press=TANTOS_OF_A), "A tantos", 3.0, NoticeKey.SLAP),
        (
            session_with(newest_press=TANTOS_OF_A, bet_paid_at=AT),
            "A tantos",
            guards.LATER_S,
            NoticeKey.SLAP,
        ),
        (
            session_with(question=YES_NO, asked_at=AT),
            "A tantos",
            guards.LATER_S,
            NoticeKey.SLAP,
        ),
        (
            session_with(settings_with(slap=0.25), question=YES_NO, asked_at=AT),
            "A tantos",
            0.25,
            NoticeKey.SLAP,
        ),
        (session_with(newest_press=TRUCO_OF_A), "B truco", 0.8, NoticeKey.ECHO),
        (session_with(newest_press=TRUCO_OF_A), "B quiero", 0.0, Refusal.NOTHING_TO_ANSWER),
        # A partner at the same console as the caller: early too.
        (session_with(newest_press=TRUCO_OF_A), "A quiero", 0.0, Refusal.NOTHING_TO_ANSWER),
    ],
)
def test_a_press_that_begins_at_the_limit_of_a_guard_counts(
    session: Session, press: str, limit: float, key: str
) -> None:
    console, word = press.split()
    meaning = ButtonMeaning(word)
    button = f"{console}.{'tantos' if meaning is ButtonMeaning.BOTH else word}"
    held = guards.blocking_notice(session, meaning, begun(button, limit - BEFORE))
    assert held is not None
    assert held.key == key
    assert guards.blocking_notice(session, meaning, begun(button, limit)) is None


@pytest.mark.parametrize("seconds", [0.0, 0.1, 2.9])
@pytest.mark.parametrize(
    ("session", "press"),
    [
        (session_with(hand_closed_at=AT, hand_paid_at=AT), "A truco"),
        (session_with(dropped_offer=DroppedOffer("A", AT, 1)), "B quiero"),
        (session_with(dropped_offer=DroppedOffer("A", AT, 1)), "A truco"),
        (session_with(newest_press=TRUCO_OF_A), "A quiero"),
        (session_with(newest_press=TRUCO_OF_A), "B envido"),
        (session_with(newest_press=pressed_before("A.envido", ButtonMeaning.ENVIDO)), "A envido"),
        (session_with(newest_press=pressed_before("undo", ButtonMeaning.UNDO)), "A undo"),
        (session_with(question=YES_NO, asked_at=AT), "B tantos"),
    ],
)
def test_a_guard_ignores_no_other_press(session: Session, press: str, seconds: float) -> None:
    console, word = press.split()
    button = "undo" if word == "undo" else f"{console}.{word}"
    assert guards.blocking_notice(session, ButtonMeaning(word), begun(button, seconds)) is None


def test_the_other_windows_end_at_their_limit_too() -> None:
    envido = pressed_before("A.envido", ButtonMeaning.ENVIDO)
    now = session_with(newest_press=envido, bet_paid_at=AT)

    def is_double_tap(button: str, seconds: float) -> bool:
        return guards.is_double_tap(now, ButtonMeaning.ENVIDO, begun(button, seconds))

    def is_after_bet(button: str, seconds: float) -> bool:
        return guards.is_after_bet(now, begun(button, seconds))

    def is_simultaneous(button: str, seconds: float) -> bool:
        return guards.is_simultaneous(now, begun(button, seconds))

    for is_within, button, limit in (
        (is_double_tap, "A.envido", 0.35),
        (is_after_bet, "A.tantos", 7.0),
        (is_simultaneous, "B.truco", 0.8),
    ):
        assert is_within(button, limit - BEFORE), is_within
        assert not is_within(button, limit), is_within
    assert not is_double_tap("B.envido", 0.1)
    assert not is_simultaneous("A.truco", 0.1)


@pytest.mark.parametrize(
    ("script", "is_asked"),
    [("A envido, B no_quiero", True), ("A truco", True), ("A tantos", False)],
)
def test_tantos_asks_for_the_hand_after_a_bet_only_while_it_is_played(
    script: str, is_asked: bool
) -> None:
    desk = SessionRig()
    desk.do(*script.split(", "))
    session = desk.session._replace(bet_paid_at=AT)
    assert guards.is_after_bet(session, begun("A.tantos", 1.0)) is is_asked
