"""A hand with an accepted truco whose TANTOS is not pressed."""

from __future__ import annotations

import pytest

from scorer.session import phone_press
from scorer.session.phone_press import PhonePress
from scorer.session.values.dimming import Light, light_of
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

COMPACT = settings_with(layout=Layout.COMPACT)
OFF = settings_with(forgotten=0)


def played(
    seconds: float, settings: Settings | None = None, variant: str = "argentine", *more: str
) -> SessionRig:
    """``seconds`` after QUIERO accepted a truco, or after the presses behind it."""
    desk = SessionRig(variant, settings=settings)
    desk.do("A truco", "B quiero", *more)
    desk.pass_time(seconds - (desk.time - desk.session.accepted_at))
    return desk


def key_of(desk: SessionRig, button: str, *how: str) -> str:
    desk.press_button(button, how)
    return desk.session.notice.key if desk.session.notice else ""


@pytest.mark.parametrize(
    ("button", "before"),
    [
        ("A.envido",    "late_envido"),
        ("B.envido",    "late_envido"),
        ("A.truco",     "NOT_YOUR_RAISE"),
        ("A.quiero",    "NOTHING_TO_ANSWER"),
        ("B.no_quiero", "tap_fold"),
    ],
)  # fmt: skip
def test_a_refusal_asks_for_the_winner_after_twenty_seconds(button: str, before: str) -> None:
    for settings, waited, shown in (
        (Settings(), 19.5, before),
        (Settings(), 20.5, "who_won"),
        (OFF, 60.0, before),
    ):
        desk = played(waited, settings, "argentine_flor")
        assert key_of(desk, button) == shown, (settings, waited)
        assert desk.lines == ["A truco", "B quiero"]


@pytest.mark.parametrize(
    ("script", "button"),
    [
        ((),                          "A.quiero"),  # the bet is not accepted
        (("A truco",),                "A.quiero"),  # it waits for an answer
        (("A envido", "B no_quiero"), "A.quiero"),  # no truco
    ],
)  # fmt: skip
def test_other_hands_are_not_asked_about(script: tuple[str, ...], button: str) -> None:
    desk = SessionRig()
    desk.do(*script, "wait 60")
    assert key_of(desk, button) != "who_won"


def test_a_call_that_is_not_played_here_says_so_as_ever() -> None:
    assert key_of(played(60), "A.flor") == "NOT_IN_THIS_VARIANT"


def test_a_legal_raise_counts_however_late() -> None:
    desk = played(600)
    desk.press_button("B.truco")
    assert desk.lines[-1] == "B retruco"


def test_refused_presses_do_not_begin_the_twenty_seconds_again() -> None:
    desk = played(20.5)
    assert [key_of(desk, "A.quiero") for _ in range(3)] == ["who_won"] * 3


def test_an_accepted_press_does() -> None:
    desk = played(19.5, None, "argentine", "B truco", "A quiero")
    assert key_of(desk, "B.quiero") == "NOTHING_TO_ANSWER"


@pytest.mark.parametrize("variant", ["argentine", "argentine_flor"])
@pytest.mark.parametrize("settings", [Settings(), COMPACT])
def test_a_tap_of_envido_never_offers_the_late_envido_then(
    settings: Settings, variant: str
) -> None:
    desk = played(25, settings, variant)
    assert key_of(desk, "A.envido") == "who_won"
    assert desk.session.question is None


@pytest.mark.parametrize("settings", [Settings(), COMPACT])
def test_held_it_does(settings: Settings) -> None:
    desk = played(25, settings)
    desk.press_button("A.envido", ["hold"])
    assert desk.session.question is not None and desk.session.question.key == "late_envido"


def test_a_phone_gets_the_same_words() -> None:
    desk = played(25)
    reaction = phone_press.press(desk.session, PhonePress("envido", "B"), desk.time)
    assert reaction.verdict is Verdict.REFUSED
    assert reaction.session.notice is not None and reaction.session.notice.key == "who_won"


def test_after_two_minutes_both_lamps_ask_until_it_is_dark() -> None:
    desk = played(119)
    assert desk.lamps == (False, False)
    desk.pass_time(2)
    assert (desk.lamps, light_of(desk.session)) == ((True, True), Light.DIM)
    desk.pass_time(1200)
    assert (desk.lamps, light_of(desk.session)) == ((False, False), Light.DARK)


@pytest.mark.parametrize("settings", [OFF, settings_with(forgotten=0, dark=0)])
def test_switched_off_the_lamps_never_ask(settings: Settings) -> None:
    assert played(600, settings).lamps == (False, False)


def test_a_refused_press_leaves_the_lamps_on() -> None:
    desk = played(130)
    assert key_of(desk, "A.quiero") == "who_won"
    assert desk.lamps == (True, True)
    desk.do("wait 1", "B tantos")
    assert desk.lamps == (False, False)


def test_after_a_power_cut_the_seconds_begin_again() -> None:
    desk = played(60)
    desk.restart()
    assert key_of(desk, "A.quiero") == "NOTHING_TO_ANSWER"
    desk.pass_time(21)
    assert key_of(desk, "A.quiero") == "who_won"
