"""The press table: what each button writes into the journal in each phase.

A row is a script (lines one second apart), then the verdict and the lines of its last press; for a
refused press the key of the reason, for a question its key.
"""

from __future__ import annotations

import pytest

from scorer.rules import Side, variant_ids
from scorer.rules.offer import sides_to_answer
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.state import Reaction, Sound, Verdict
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

FULL, COMPACT = Settings(), settings_with(layout=Layout.COMPACT)


def outcome(desk: SessionRig, reaction: Reaction) -> str:
    """``taken A truco + B quiero``, ``refused OWN_CALL``, ``question all_tied``."""
    if reaction.verdict is Verdict.ACCEPTED:
        return " ".join(["taken", " + ".join(desk.newest_lines if reaction.steps else ["nothing"])])
    if reaction.verdict is Verdict.QUESTION:
        assert desk.session.question is not None
        return f"question {desk.session.question.key}"
    notice = desk.session.notice
    return f"{reaction.verdict} {notice.key if notice else ''}"


def told(desk: SessionRig, script: str) -> str:
    lines = [line.strip() for line in script.split(",") if line.strip()]
    return outcome(desk, desk.do(*lines))


ARGENTINE = [
    # TRUCO: the next call of the ladder, also as the answer that raises.
    ("A truco",                                     "taken A truco"),
    ("A truco, B truco",                            "taken B retruco"),
    ("A truco, B truco, A truco",                   "taken A vale_cuatro"),
    ("A truco, B truco, A truco, B truco",          "refused no_raise"),
    ("A truco, B truco, A truco, wait 3, A truco",  "refused OWN_CALL"),
    ("A truco, B quiero, B truco",                  "taken B retruco"),
    ("A truco, B quiero, A truco",                  "refused NOT_YOUR_RAISE"),
    ("A truco, wait 3, A truco",                    "refused OWN_CALL"),
    ("A envido, B quiero, A truco",                 "refused WINNER_FIRST"),
    ("A envido, B truco",                           "question no_and_truco"),
    ("A envido, B truco, B truco",                  "taken B no_quiero + B truco"),
    ("A envido, B truco, B quiero",                 "taken B no_quiero + B truco"),
    ("A envido, B truco, B no_quiero",              "taken B no_quiero"),
    ("A envido, B truco, A quiero",                 "refused OWN_CALL"),
    ("A envido, A truco",                           "refused ANSWER_FIRST"),
    ("A truco, B envido, A truco",                  "refused ANSWER_FIRST"),
    ("B truco, A envido, B truco",                  "refused ANSWER_FIRST"),
    # ENVIDO: the lowest legal call; tapped quickly again the next one, held all of them.
    ("A envido",                                    "taken A envido"),
    ("A envido x2",                                 "taken - undo + A real_envido"),
    ("A envido x3",                                 "taken - undo + A falta_envido"),
    ("A envido x4",                                 "taken - undo + A envido"),
    ("A envido, A envido",                          "refused hold_raise"),
    ("A envido, wait 60, A envido",                 "refused hold_raise"),
    ("A envido, A envido x2",                       "refused hold_raise"),
    ("A envido, B envido",                          "taken B envido"),
    ("A envido, B envido x2",                       "taken - undo + B real_envido"),
    ("A envido, B envido, A envido",                "taken A real_envido"),
    ("A envido, B envido, A envido x2",             "taken - undo + A falta_envido"),
    ("A envido hold",                               "question bid"),
    ("A envido hold, A quiero",                     "taken A real_envido"),
    ("A envido hold, A no_quiero",                  "question bid"),
    ("A envido hold, A no_quiero, A quiero",        "taken A falta_envido"),
    ("A envido hold, A no_quiero, A no_quiero",     "taken nothing"),
    ("A envido hold, undo",                         "taken nothing"),
    ("A envido, A envido hold, A quiero",           "taken - undo + A real_envido"),
    ("A envido, B envido hold, B quiero",           "taken B real_envido"),
    # The rivals are not asked: their press drops the offer and counts.
    ("A envido, A envido hold, B quiero",           "taken B quiero"),
    ("A envido hold, B truco",                      "taken B truco"),
    ("A envido x3, B envido",                       "refused OUT_OF_ORDER"),
    ("A envido, B quiero, A envido",                "refused WINNER_FIRST"),
    ("A truco, B envido",                           "taken B envido"),
    ("A truco, A envido",                           "refused OWN_CALL"),
    ("A truco, B quiero, A envido",                 "refused late_envido"),
    ("A truco, B quiero, A envido, A envido hold",  "question late_envido"),
    ("A truco, B quiero, A envido hold, A quiero",  "refused OWN_CALL"),
    ("A truco, B quiero, A envido hold, B quiero",  "taken A award 2"),
    ("A truco, B quiero, A envido hold, A no_quiero, B quiero", "taken A award 3"),
    # A call that opens the hand keeps the hand opened when it goes round.
    ("A tantos, B envido",                          "taken - new_hand + B envido"),
    ("A tantos, B envido x2",
     "taken - undo + - undo + - new_hand + B real_envido"),
    # FLOR is a word of another truco.
    ("A flor",                                      "refused NOT_IN_THIS_VARIANT"),
    # QUIERO and NO QUIERO.
    ("A quiero",                                    "refused NOTHING_TO_ANSWER"),
    ("A truco, A quiero",                           "refused OWN_CALL"),
    ("A truco, B quiero",                           "taken B quiero"),
    ("A truco, B no_quiero",                        "taken B no_quiero"),
    ("A truco, A no_quiero",                        "refused OWN_CALL"),
    ("A envido, B no_quiero",                       "taken B no_quiero"),
    ("A envido, B quiero, A quiero",                "refused WINNER_FIRST"),
    ("A truco, B envido, A quiero, A tantos, B quiero", "taken B quiero"),
    ("A no_quiero",                                 "refused tap_fold"),
    # NO QUIERO held folds.
    ("A no_quiero hold",                            "question fold_first"),
    ("A no_quiero hold, A quiero",                  "taken A fold"),
    ("A no_quiero hold, B no_quiero",               "refused tap_fold"),
    ("A no_quiero hold, A no_quiero",               "taken - first_trick_done + A fold"),
    ("A no_quiero hold, B truco",                   "taken B truco"),
    ("A truco, B quiero, A no_quiero hold",         "taken A fold"),
    ("A envido, B no_quiero, A no_quiero hold",     "taken A fold"),
    ("A truco, B no_quiero hold",                   "taken B no_quiero"),
    ("A envido, B no_quiero hold",                  "question fold_pending"),
    ("A envido, B no_quiero hold, B quiero",        "taken B no_quiero + B fold"),
    ("A envido, B no_quiero hold, B no_quiero",     "taken B no_quiero"),
    ("A envido, A no_quiero hold",                  "refused ANSWER_FIRST"),
    ("A truco, B envido, A no_quiero hold, A quiero", "taken A fold"),
    ("A truco, B envido, A envido, B no_quiero hold, B quiero",
     "taken B no_quiero + B fold"),
    ("A tantos, A no_quiero hold, A no_quiero",
     "taken - new_hand + - first_trick_done + A fold"),
    # TANTOS.
    ("A tantos",                                    "taken A hand_won"),
    ("A truco, B quiero, A tantos",                 "taken A hand_won"),
    ("A envido, B quiero, B tantos",                "taken B envido_won"),
    ("A truco, B tantos",                           "taken B quiero + B hand_won"),
    ("A envido, B tantos",                          "taken B quiero + B envido_won"),
    ("A truco, A tantos",                           "question accepted_won"),
    ("A truco, A tantos, B quiero",                 "taken B quiero"),
    ("A truco, A tantos, B quiero, wait 3, B quiero", "taken A hand_won"),
    ("A truco, A tantos, B no_quiero",              "taken B no_quiero"),
    ("A truco, A tantos, A no_quiero",              "refused OWN_CALL"),
    ("A envido, A tantos, B quiero",                "taken B quiero"),
    ("A envido, A tantos, A quiero",                "refused OWN_CALL"),
    ("A envido, A tantos, B no_quiero",             "taken B no_quiero"),
    ("A truco, B envido, A tantos",                 "taken A quiero + A envido_won"),
    ("A tantos, wait 4, B tantos",                  "question hand_before"),
    ("A tantos, wait 4, B tantos, A quiero",        "taken - undo + B hand_won"),
    ("A tantos, wait 4, B tantos, B quiero",        "refused OWN_CALL"),
    ("A tantos, wait 4, A tantos",                  "guarded closed"),
    ("A tantos, wait 7, B tantos",                  "taken - new_hand + B hand_won"),
    # Both TANTOS.
    ("both tantos",                                 "question all_tied"),
    ("both tantos, B quiero",                       "taken - all_tied"),
    ("both tantos, A quiero",                       "refused OWN_CALL"),
    ("both tantos, A no_quiero",                    "taken nothing"),
    ("both tantos 0.5",                             "question hand_before"),
    ("A envido, B quiero, both tantos",             "question tied_bet"),
    ("A envido, B quiero, both tantos, B quiero",   "taken A envido_won"),
    ("A envido, B quiero, both tantos, B no_quiero", "taken nothing"),
    ("A envido, both tantos",                       "refused ANSWER_FIRST"),
    ("A truco, both tantos",                        "refused ANSWER_FIRST"),
    # UNDO and MENU.
    ("undo",                                        "refused NOTHING_TO_UNDO"),
    ("A truco, undo",                               "taken - undo"),
    ("A truco, B tantos, undo",                     "taken - undo + - undo"),
    ("A envido x2, undo",                           "taken - undo + A envido"),
    ("A envido x2, undo, undo",                     "taken - undo"),
    ("A envido x2, B quiero, undo",                 "taken - undo"),
    ("A truco, undo, undo hold",                    "taken - redo"),
    ("undo hold",                                   "refused NOTHING_TO_REDO"),
    ("menu",                                        "taken nothing"),
    ("menu, A truco",                               "taken A truco"),
    # A question steps aside.
    ("both tantos, A truco",                        "taken A truco"),
    ("both tantos, B tantos",                       "taken B hand_won"),
    ("both tantos, menu",                           "taken nothing"),
    ("both tantos, undo",                           "taken nothing"),
    ("both tantos, undo, A truco",                  "taken A truco"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "expected"), ARGENTINE)
def test_argentine_full(script: str, expected: str) -> None:
    assert told(SessionRig(), script) == expected


@pytest.mark.parametrize("caller", "AB")
@pytest.mark.parametrize("variant", variant_ids())
def test_truco_above_the_last_call_says_that_no_side_may_raise(variant: str, caller: str) -> None:
    desk = SessionRig(variant, settings=settings_with(count=3))
    for at in range(len(desk.game.rules.ladder)):
        desk.do(f"{'AB'[at % 2]} truco")
    assert desk.game.hand.truco.pending
    desk.do("A quiero", "B quiero", "C quiero")
    assert not sides_to_answer(desk.game)
    assert told(desk, f"{caller} truco") == "refused no_raise"


FLOR = [
    ("A flor",                                      "taken A flor"),
    ("A flor, A flor",                              "refused hold_flor"),
    ("A flor x2",                                   "refused hold_flor"),
    ("A flor hold",                                 "taken A flor + A flor"),
    ("A flor, A flor hold",                         "taken A flor"),
    ("A flor, A flor hold, A flor",                 "refused NO_MORE_FLORES"),
    ("A flor, B flor",                              "taken B flor"),
    ("A flor, B flor, B flor",                      "refused hold_raise"),
    ("A flor, B flor x2",                           "taken - undo + B contraflor"),
    ("A flor, B flor x3",                           "taken - undo + B contraflor_resto"),
    ("A flor, B flor x4",                           "taken - undo + B flor + B flor"),
    ("A flor, B flor x5",                           "taken - undo + - undo + B flor"),
    ("A flor, B flor hold, B quiero",               "taken B contraflor"),
    ("A flor, B flor, B flor hold, B quiero",       "taken - undo + B contraflor"),
    ("A flor, B flor, A flor",                      "refused hold_flor"),
    ("A flor, B flor, A flor hold",                 "taken A flor"),
    ("A flor, B flor x2, A flor",              "taken A contraflor_resto"),
    ("A flor, B flor x2, A flor, A flor",      "refused OWN_CALL"),
    ("A flor, B flor x3, A flor",      "refused OUT_OF_ORDER"),
    ("A envido, B flor",                            "taken B flor"),
    ("A flor, B quiero",                            "refused FLOR_OR_NO"),
    ("A flor, B no_quiero",                         "taken B no_flor"),
    ("A flor, B no_quiero hold",                    "question fold_pending"),
    ("A flor, B no_quiero hold, B quiero",          "taken B no_flor + B fold"),
    ("A flor, B no_quiero hold, B no_quiero",       "taken B no_flor"),
    ("A flor, A no_quiero hold",                    "refused ANSWER_FIRST"),
    ("A truco, B flor, A no_quiero hold, A quiero", "taken A fold"),
    ("A truco, B flor, A no_quiero hold, A no_quiero", "taken A no_flor"),
    ("A flor, B flor x2, A no_quiero hold, A quiero", "taken A no_quiero + A fold"),
    ("A flor, B flor x2, A no_quiero hold, A no_quiero", "taken A no_quiero"),
    ("A flor, A no_quiero",                         "refused OWN_CALL"),
    ("A flor, A tantos",                            "taken B no_flor"),
    ("A flor, B tantos",                            "refused FLOR_OR_NO"),
    ("A flor, B flor, B tantos",                    "taken B flor_won"),
    ("A flor, B flor x2, A quiero",            "taken A quiero"),
    ("A flor, B flor x2, A no_quiero",         "taken A no_quiero"),
    ("A flor, B flor x2, A tantos",            "taken A quiero + A flor_won"),
    ("A flor, B flor x2, B tantos",            "question accepted_won"),
    ("A flor, B flor x2, B tantos, A quiero",  "taken A quiero"),
    ("A flor, B flor x2, B tantos, A no_quiero", "taken A no_quiero"),
    ("A flor, B flor, both tantos, B quiero",       "taken A flor_won"),
    ("A truco, B flor, A no_quiero",                "taken A no_flor"),
    ("A truco, B quiero, A flor",                   "taken A flor"),
    ("A truco, B truco, A flor",                    "taken A flor"),
    ("A truco, B truco, B flor",                    "refused OWN_CALL"),
    ("A envido, B no_quiero, A truco, B quiero, A flor", "refused FLOR_CLOSED"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "expected"), FLOR)
def test_argentine_with_flor(script: str, expected: str) -> None:
    assert told(SessionRig("argentine_flor"), script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("A flor, B no_quiero",           "question achico"),
        ("A flor, B no_quiero, B quiero", "taken B me_achico"),
        ("A flor, B no_quiero, B no_quiero", "taken B no_flor"),
        ("A flor, B no_quiero hold",      "question fold_pending"),
        ("A flor, B no_quiero hold, B quiero", "taken B fold"),
        ("A flor, B no_quiero hold, B no_quiero, B no_quiero", "taken B no_flor"),
    ],
)  # fmt: skip
def test_no_to_a_flor_is_asked_about_only_where_it_pays_differently(
    script: str, expected: str
) -> None:
    assert told(SessionRig("argentine_flor", {"me_achico": 4}), script) == expected


ELEVEN = [
    ("A quiero",                                    "taken A mao_play"),
    ("A no_quiero",                                 "taken A mao_run"),
    ("B quiero",                                    "refused DECIDE_FIRST"),
    ("B no_quiero",                                 "refused DECIDE_FIRST"),
    ("A truco",                                     "refused DECIDE_FIRST"),
    ("B truco",                                     "refused DECIDE_FIRST"),
    ("A tantos",                                    "taken A mao_play + A hand_won"),
    ("B tantos",                                    "question mao_ran"),
    ("B tantos, A quiero",                          "taken A mao_play"),
    ("B tantos, A quiero, wait 3, A quiero",        "taken B hand_won"),
    ("B tantos, A no_quiero",                       "taken A mao_run"),
    ("B tantos, undo",                              "taken nothing"),
    ("both tantos",                                 "refused DECIDE_FIRST"),
    ("A quiero, B truco",                           "question mao_truco"),
    ("A quiero, B truco, B quiero",                 "taken B truco"),
    ("A quiero, B truco, B no_quiero",              "taken nothing"),
    ("A quiero, A no_quiero hold",                  "taken A fold"),
    ("A quiero, B tantos",                          "taken B hand_won"),
    ("A quiero, both tantos, B quiero",             "taken - all_tied"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "expected"), ELEVEN)
def test_mao_de_onze(script: str, expected: str) -> None:
    assert told(SessionRig("paulista", score={Side.A: 11, Side.B: 8}), script) == expected


def test_where_truco_is_forbidden_in_the_mao_it_is_refused_and_not_asked_about() -> None:
    desk = SessionRig("br_general", score={Side.A: 11, Side.B: 8})
    assert told(desk, "A quiero, B truco") == "refused NO_RAISING_HERE"


def test_calls_are_refused_in_the_iron_hand() -> None:
    desk = SessionRig("paulista", score={Side.A: 11, Side.B: 11})
    assert told(desk, "A truco") == "refused NO_RAISING_HERE"
    assert told(desk, "B tantos") == "taken B hand_won"


def test_the_mao_de_onze_is_answered_from_the_hand_over_screen() -> None:
    desk = SessionRig("paulista", score={Side.A: 10, Side.B: 8})
    assert told(desk, "A tantos") == "taken A hand_won"
    assert told(desk, "A quiero") == "taken - new_hand + A mao_play"


def test_a_mao_de_onze_answered_by_tantos_at_the_next_hand() -> None:
    desk = SessionRig("paulista", score={Side.A: 10, Side.B: 8})
    assert told(desk, "A tantos, wait 7, B tantos") == "question mao_ran"
    assert told(desk, "A no_quiero") == "taken - new_hand + A mao_run"


@pytest.mark.parametrize(
    ("variant", "script", "expected"),
    [
        ("argentine",      "A truco, B quiero",            "taken B quiero"),
        ("argentine",      "A truco, B quiero hold",       "taken B no_quiero"),
        ("argentine",      "A quiero",                     "refused NOTHING_TO_ANSWER"),
        ("argentine",      "A quiero hold",                "question fold_first"),
        ("argentine",      "A quiero hold, A quiero hold", "taken - first_trick_done + A fold"),
        ("argentine",      "A quiero hold, A quiero",      "taken A fold"),
        ("argentine",      "A envido x2",                  "taken - undo + A real_envido"),
        ("argentine",      "A envido, A envido",           "refused hold_raise"),
        ("argentine_flor", "A envido, A envido",           "question bid"),
        ("argentine_flor", "A envido, A envido, A quiero", "taken - undo + A real_envido"),
        ("argentine_flor", "A envido, A envido, B quiero", "taken B quiero"),
        ("argentine_flor", "A truco, B quiero, A envido",  "question late_envido"),
        ("argentine_flor", "A envido hold, A envido hold", "question bid"),
        ("argentine_flor", "A envido hold, A envido hold, A quiero", "taken A flor"),
        ("argentine_flor", "A envido hold",                "taken A flor"),
        ("argentine_flor", "A envido hold, B envido hold", "taken B flor"),
        ("paulista",       "A truco, B envido",            "taken B no_quiero"),
        ("paulista",       "A truco, B quiero",            "taken B quiero"),
        ("paulista",       "A envido",                     "refused tap_fold"),
        ("paulista",       "A envido hold",                "taken A fold"),
        ("argentine",      "undo hold",                    "taken nothing"),
        ("argentine",      "A truco, undo",                "taken - undo"),
    ],
)  # fmt: skip
def test_compact(variant: str, script: str, expected: str) -> None:
    assert told(SessionRig(variant, settings=COMPACT), script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("A tantos",                                        "taken - tricks A"),
        ("A tantos, B tantos",                              "taken - tricks A,B"),
        ("A tantos, B tantos, wait 3, both tantos",                 "taken - tricks A,B,tie"),
        ("both tantos",                                     "taken - tricks tie"),
        ("A truco, A tantos",                               "question accepted_won"),
        ("A envido, B quiero, B tantos, A tantos",          "question and_the_trick"),
        ("A envido, B quiero, B tantos, A tantos, B quiero", "taken - tricks A"),
        ("A envido, B quiero, B tantos, wait 7, A tantos",  "taken - tricks A"),
        ("A envido, B no_quiero, both tantos",              "question and_the_trick"),
    ],
)  # fmt: skip
def test_trick_by_trick(script: str, expected: str) -> None:
    assert told(SessionRig(settings=settings_with(trick_by_trick=True)), script) == expected


def test_two_tricks_of_one_side_end_the_hand() -> None:
    desk = SessionRig(settings=settings_with(trick_by_trick=True))
    desk.do("A tantos", "wait 3", "A tantos")
    assert desk.score == (1, 0)


@pytest.mark.parametrize(
    ("script", "sound"),
    [
        ("A truco",               Sound.CALL),
        ("A envido x2",           Sound.CALL),
        ("A truco, B quiero",     Sound.ACCEPT),
        ("A truco, B no_quiero",  Sound.REFUSE),
        ("A tantos",              Sound.POINT),
        ("A truco, undo",         Sound.UNDO),
        ("A quiero",              Sound.REFUSED),
        ("A tantos, A tantos",    Sound.REFUSED),
        ("menu",                  Sound.KEY),
        ("both tantos",           Sound.KEY),
    ],
)  # fmt: skip
def test_the_sounds_of_presses(script: str, sound: Sound) -> None:
    assert SessionRig().do(*script.split(", ")).sound is sound


def test_the_last_point_of_a_game_is_heard() -> None:
    desk = SessionRig(score={Side.A: 29, Side.B: 3})
    assert desk.do("A tantos").sound is Sound.WIN


def test_tantos_is_heard_at_once_and_booked_a_third_of_a_second_later() -> None:
    desk = SessionRig()
    desk.press_button("A.tantos")
    assert [each.sound for each in desk.reactions] == [Sound.POINT]
    assert desk.lines == []
    desk.pass_time(0.3)
    assert desk.lines == ["A hand_won"]
    assert [each.sound for each in desk.reactions] == [Sound.POINT, Sound.NONE]


def test_a_power_cut_between_the_sound_and_the_booking_books_nothing() -> None:
    desk = SessionRig()
    desk.press_button("A.tantos")
    desk.restart()
    desk.pass_time(2.0)
    assert desk.lines == []


def test_a_press_that_would_be_refused_is_not_heard_as_a_point() -> None:
    desk = SessionRig("argentine_flor")
    desk.do("A flor")
    desk.press_button("B.tantos")
    assert all(each.sound is Sound.NONE for each in desk.reactions[1:])
    desk.pass_time(0.3)
    assert desk.reactions[-1].sound is Sound.REFUSED


def test_a_button_of_a_console_without_players_does_nothing() -> None:
    desk = SessionRig()
    before = desk.session.record
    assert desk.send_gesture("C.truco").verdict is Verdict.NONE
    assert desk.session.record == before
