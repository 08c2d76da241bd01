"""Questions to one console: who sees them, who answers, what drops them."""

from __future__ import annotations

import pytest

from scorer.rules import variant_ids
from scorer.session import phone_press
from scorer.session.phone_press import PhonePress
from scorer.session.values.question import question_document
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.shown import Screen
from scorer.session.values.state import Reaction, Verdict
from scorer.session.view.build_view import view_of_rivals
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

COMPACT = settings_with(layout=Layout.COMPACT)


def key_of(desk: SessionRig) -> str:
    return desk.session.notice.key if desk.session.notice else ""


def from_phone(desk: SessionRig, key: str, console: str, question: str = "") -> Reaction:
    request = PhonePress(key, console, question=question)
    return desk.store_and_adopt(phone_press.press(desk.session, request, desk.time))


# A script that ends with an offer to a console, and that console.
OFFERS = [
    ("argentine",      "A envido hold",                            "A"),
    ("argentine",      "A envido, A envido hold",                  "A"),
    ("argentine",      "A envido, B no_quiero hold",               "B"),
    ("argentine",      "A envido, wait 1, B truco",                "B"),
    ("argentine_flor", "A flor, B flor hold",                      "B"),
    ("uruguayan",      "B envido hold",                            "B"),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "script", "console"), OFFERS)
def test_the_rivals_see_the_game_without_the_offer(variant: str, script: str, console: str) -> None:
    desk = SessionRig(variant)
    before = [line.strip() for line in script.split(",")]
    desk.do(*before[:-1])
    screen = desk.view.screen
    assert desk.do(before[-1]).verdict is Verdict.QUESTION
    hidden = view_of_rivals(desk.session)
    assert hidden is not None and desk.session.question is not None
    assert desk.session.question.console == console
    assert (desk.view.screen, hidden.screen) == (Screen.QUESTION, screen)
    assert hidden.question is None
    assert hidden.chooser == desk.session.question.side == "AB".index(console)


def test_a_question_to_the_whole_table_is_on_every_panel() -> None:
    desk = SessionRig()
    desk.do("both tantos")
    assert desk.view.screen is Screen.QUESTION
    assert view_of_rivals(desk.session) is None


@pytest.mark.parametrize(("variant", "script", "console"), OFFERS)
def test_an_answer_of_the_rivals_neither_answers_nor_drops_it(
    variant: str, script: str, console: str
) -> None:
    desk = SessionRig(variant)
    desk.do(*script.split(", "))
    asked, stored = desk.session.question, desk.lines
    rival = "B" if console == "A" else "A"
    for button in ("quiero", "no_quiero"):
        if desk.send_gesture(f"{rival}.{button}").verdict is Verdict.ACCEPTED:
            break  # B owes an answer to the call of A that is about to be raised
        assert desk.session.question == asked
        assert desk.lines == stored


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("gap", [0.3, 0.5, 0.9])
def test_an_answer_to_a_dropped_offer_accepts_nothing(
    variant: str, layout: Layout, gap: float
) -> None:
    desk = SessionRig(variant, settings=settings_with(layout=layout))
    if desk.do("A envido hold").verdict is not Verdict.QUESTION:
        return  # no bids to choose from, or ENVIDO held is FLOR
    if desk.session.question is None or not desk.session.question.console:
        return
    desk.send_gesture("B.truco")
    stored = list(desk.lines)
    desk.pass_time(gap)
    assert desk.send_gesture("A.quiero").verdict is Verdict.GUARDED
    assert desk.lines == stored


@pytest.mark.parametrize(
    ("settings", "waited", "verdict"),
    [
        (Settings(),           0.99, Verdict.GUARDED),
        (Settings(),           1.01, Verdict.ACCEPTED),
        (settings_with(offer=0),  0.1,  Verdict.ACCEPTED),
    ],
)  # fmt: skip
def test_the_answers_are_deaf_for_one_second(
    settings: Settings, waited: float, verdict: Verdict
) -> None:
    for button in ("A.quiero", "A.no_quiero"):
        desk = SessionRig(settings=settings)
        desk.do("A envido hold", "wait 3")
        desk.send_gesture("B.truco")
        desk.pass_time(waited)
        assert desk.send_gesture(button).verdict is verdict
        assert (key_of(desk) == "offer_dropped") is (verdict is Verdict.GUARDED)


def test_only_the_answers_of_that_console_are_deaf() -> None:
    desk = SessionRig()
    desk.do("B envido hold", "wait 3")
    desk.send_gesture("A.truco")
    desk.pass_time(0.9)
    assert desk.send_gesture("B.truco").verdict is Verdict.ACCEPTED
    assert desk.send_gesture("A.quiero").verdict is Verdict.ACCEPTED


def test_a_question_of_the_rivals_replaces_the_offer_and_is_not_answered_by_mistake() -> None:
    desk = SessionRig()
    desk.do("A envido hold")
    desk.press_button("B.no_quiero", ["hold"])
    assert desk.session.question is not None and desk.session.question.key == "fold_first"
    assert desk.send_gesture("A.quiero").verdict is Verdict.GUARDED
    assert desk.lines == []


def test_an_offer_that_undo_dropped_is_not_answered_either() -> None:
    desk = SessionRig()
    desk.do("B truco", "A envido hold")
    desk.send_gesture("undo")
    desk.pass_time(0.4)
    assert desk.send_gesture("A.quiero").verdict is Verdict.GUARDED
    assert key_of(desk) == "dropped"
    assert desk.lines == ["B truco"]


@pytest.mark.parametrize("settings", [Settings(), COMPACT])
def test_a_phone_of_the_rivals_presses_as_if_there_were_no_offer(settings: Settings) -> None:
    desk = SessionRig(settings=settings)
    desk.do("A envido hold", "wait 10")
    assert from_phone(desk, "quiero", "B").verdict is Verdict.REFUSED
    assert key_of(desk) == "NOTHING_TO_ANSWER"
    assert desk.session.question is not None
    assert from_phone(desk, "truco", "B").verdict is Verdict.ACCEPTED
    desk.pass_time(0.5)
    assert from_phone(desk, "quiero", "A", "bid").verdict is Verdict.GUARDED
    assert desk.lines == ["B truco"]


@pytest.mark.parametrize("settings", [Settings(), COMPACT])
def test_a_phone_says_no_quiero_and_truco_in_one_breath(settings: Settings) -> None:
    for yes in ("truco", "quiero"):
        desk = SessionRig(settings=settings)
        desk.do("A envido", "wait 10")
        assert from_phone(desk, "truco", "B").verdict is Verdict.QUESTION
        desk.pass_time(1.0)
        assert from_phone(desk, yes, "B", "no_and_truco").verdict is Verdict.ACCEPTED
        assert desk.newest_lines == ["B no_quiero", "B truco"]


def test_the_buttons_of_the_rivals_phone_are_judged_without_the_offer() -> None:
    desk = SessionRig()
    desk.do("A envido hold", "wait 10")
    judged = phone_press.judge_buttons(desk.session, desk.time)
    assert judged["B"]["truco"] is None
    assert judged["A"]["truco"] is None and judged["A"]["quiero"] is None


def document_of(desk: SessionRig) -> dict[str, object]:
    session = desk.session
    assert session.question is not None
    return question_document(session.question, session.rules.scoring_sides, session.answerers)


def test_the_document_names_the_console_that_is_asked() -> None:
    desk = SessionRig()
    desk.do("B envido hold")
    assert desk.session.question is not None
    told = document_of(desk)
    assert (told["console"], told["side"]) == ("B", "B")


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("chain", ["A envido", "A envido, B envido"])
def test_a_truco_that_refuses_the_envido_is_what_two_presses_are(variant: str, chain: str) -> None:
    """The yes to the question stores what NO QUIERO and then TRUCO store."""
    desk, plain = SessionRig(variant), SessionRig(variant)
    for each in (desk, plain):
        each.do(*chain.split(", "), "wait 1")
    answering = "A" if "," in chain else "B"
    if desk.do(f"{answering} truco").verdict is not Verdict.QUESTION:
        assert desk.lines == plain.lines or not desk.session.rules.bids
        return
    desk.do(f"{answering} quiero")
    plain.do(f"{answering} no_quiero", f"{answering} truco")
    assert (desk.lines, desk.score) == (plain.lines, plain.score)


@pytest.mark.parametrize(
    ("settings", "gap", "verdict"),
    [
        (Settings(),         0.79, Verdict.REFUSED),
        (Settings(),         0.81, Verdict.QUESTION),
        (settings_with(echo=0), 0.1,  Verdict.QUESTION),
    ],
)  # fmt: skip
def test_a_truco_at_once_with_the_envido_is_asked_nothing(
    settings: Settings, gap: float, verdict: Verdict
) -> None:
    desk = SessionRig(settings=settings)
    desk.send_gesture("A.envido")
    desk.pass_time(gap)
    assert desk.send_gesture("B.truco").verdict is verdict
    assert desk.lines == ["A envido"]
