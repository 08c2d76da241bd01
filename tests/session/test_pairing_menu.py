"""Set-up > phones: codes are valid while shown, and phones can be unpaired."""

from __future__ import annotations

import pytest

from scorer.i18n import translator
from scorer.session.reducer import press
from scorer.session.setup import pairing_menu
from scorer.session.setup.reducer import open_setup
from scorer.session.values.box_settings import PairedPhone
from scorer.session.values.effects import ForgetPhones, Task
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture, GestureKind
from scorer.session.values.setup_view import PairingView
from scorer.session.values.shown import Screen
from scorer.session.values.state import Reaction, Verdict
from tests.session.rig import SessionRig
from tests.session.test_setup import content, listed, shown

DIGITS = "408153"
ANA, BETO = PairedPhone("a1", "Ana"), PairedPhone("b2", "Beto")


def paired_with(*known: PairedPhone) -> SessionRig:
    """A table that knows these phones, with set-up > phones open."""
    desk = SessionRig()
    desk.session = pairing_menu.set_phones(desk.session, known)
    gesture = Gesture(GestureKind.PRESS, "menu", desk.time, desk.time)
    desk.store_and_adopt(open_setup(desk.session, ButtonPress(ButtonMeaning.SETUP, gesture)))
    select(desk, "phones")
    return desk


def select(desk: SessionRig, key: str, text: str = "") -> Reaction:
    for _ in range(30):
        item = listed(desk).selected
        if item.key == key and text in (item.text, item.word, ""):
            return desk.do("A quiero")
        desk.do("B tantos")
    raise AssertionError(f"{key} is not offered: {listed(desk).items}")


def with_digits() -> SessionRig:
    """A table with digits on its panels."""
    desk = paired_with()
    assert select(desk, "new_phone").effects == (Task.PAIRING_CODE,)
    desk.session = pairing_menu.show_code(desk.session, DIGITS)
    return desk


def counts(desk: SessionRig) -> bool:
    return pairing_menu.open_pairing(desk.session, desk.time) is not None


def test_the_list_says_who_may_press() -> None:
    desk = paired_with(ANA, BETO)
    told = [(item.key, item.text) for item in listed(desk).items]
    phones = [("new_phone", ""), ("phone", "Ana"), ("phone", "Beto"), ("forget_all", "")]
    assert told == [*phones, ("own_wifi", "")]


@pytest.mark.parametrize(
    ("days", "shown_as"),
    [
        (None, ""),
        (0, "hoy"),
        (1, "ayer"),
        (2, "hace 2 días"),
        (3, "hace 3 días"),
        (59, "hace 59 días"),
        (60, "hace 2 meses"),
        (150, "hace 5 meses"),
        (365, "hace 12 meses"),
    ],
)
def test_the_list_shows_when_each_phone_was_last_used(days: int | None, shown_as: str) -> None:
    desk = paired_with(ANA._replace(unused_days=days))
    (line,) = [item for item in listed(desk).items if item.text == "Ana"]
    say = translator("es-AR")
    assert (say(line.value, number=line.number) if line.value else "") == shown_as


def test_set_up_says_how_many_there_are() -> None:
    desk = paired_with(ANA, BETO)
    desk.do("A no_quiero")
    assert listed(desk).selected.figure == "2"


def test_digits_are_wanted_and_shown() -> None:
    desk = with_digits()
    assert desk.view.screen is Screen.SETUP
    assert (shown(desk).title, content(desk, PairingView).code) == ("new_phone", DIGITS)
    assert counts(desk)


def test_digits_count_for_two_minutes_and_no_longer() -> None:
    desk = with_digits()
    desk.pass_time(pairing_menu.CODE_TIMEOUT_S - 1.5)
    assert counts(desk)
    desk.pass_time(3.0)
    assert not counts(desk)
    assert desk.view.setup is None


def test_digits_expire_even_without_a_tick() -> None:
    desk = with_digits()
    assert pairing_menu.open_pairing(desk.session, desk.time + pairing_menu.CODE_TIMEOUT_S) is None


@pytest.mark.parametrize("press", ["A truco", "undo", "menu", "A no_quiero", "B quiero"])
def test_what_takes_the_digits_from_the_panel_ends_them(press: str) -> None:
    desk = with_digits()
    desk.do(press)
    assert desk.view.setup is None or not isinstance(shown(desk).content, PairingView)
    assert not counts(desk)


def test_a_call_counts_though_digits_are_shown() -> None:
    desk = with_digits()
    desk.do("A truco")
    assert desk.newest_lines == ["A truco"]


def test_tantos_turns_nothing_there_and_costs_no_time() -> None:
    desk = with_digits()
    assert desk.session.setup is not None
    until = desk.session.setup.until
    desk.do("A tantos", "B tantos", "both tantos")
    assert desk.session.setup is not None
    assert (desk.session.setup.until, content(desk, PairingView).code) == (until, DIGITS)


def left(desk: SessionRig, address: str) -> int:
    level = pairing_menu.open_pairing(desk.session, desk.time)
    assert level is not None
    return pairing_menu.tries_left(level, address)


def test_three_wrong_tries_close_an_address_and_no_other() -> None:
    desk = with_digits()
    for remaining in (2, 1, 0):
        assert desk.view.notice is None
        desk.session = pairing_menu.reject_code(desk.session, "192.168.1.9")
        assert (left(desk, "192.168.1.9"), left(desk, "192.168.1.7")) == (remaining, 3)
        assert content(desk, PairingView).code == DIGITS
    assert desk.view.notice is not None
    assert (desk.view.notice.key, desk.view.notice.word) == ("phone_blocked", "192.168.1.9")


def test_twenty_wrong_tries_end_the_digits_and_the_panel_names_the_last_address() -> None:
    desk = with_digits()
    addresses = [f"192.168.1.{at // 3 + 1}" for at in range(pairing_menu.MAX_TRIES)]
    for at, address in enumerate(addresses):
        assert counts(desk) and left(desk, "192.168.1.99") == min(3, 20 - at)
        desk.session = pairing_menu.reject_code(desk.session, address)
    assert not counts(desk)
    assert desk.view.notice is not None
    assert (desk.view.notice.key, desk.view.notice.word) == ("phone_guessed", "192.168.1.7")
    assert shown(desk).title == "phones"


def test_new_digits_have_all_tries() -> None:
    desk = with_digits()
    for _ in range(3):
        desk.session = pairing_menu.reject_code(desk.session, "192.168.1.9")
    desk.do("A no_quiero")
    desk.session = pairing_menu.show_code(desk.session, "111111")
    assert left(desk, "192.168.1.9") == 3


def test_a_paired_phone_is_named_and_the_code_is_used_up() -> None:
    desk = with_digits()
    desk.session = pairing_menu.set_phones(
        pairing_menu.confirm_pairing(desk.session, "Ana"), (ANA,)
    )
    assert not counts(desk)
    assert desk.view.notice is not None
    assert (desk.view.notice.key, desk.view.notice.word) == ("phone_paired", "Ana")
    assert [item.text for item in listed(desk).items] == ["", "Ana", ""]


def test_a_phone_is_forgotten_by_two_presses_of_quiero() -> None:
    desk = paired_with(ANA, BETO)
    assert select(desk, "phone", "Beto").stored_effects == ()
    assert [(item.key, item.word) for item in listed(desk).items] == [("forget", "Beto")]
    reaction = desk.do("A quiero")
    assert reaction.stored_effects == (ForgetPhones(("b2",)),)
    assert reaction.verdict is Verdict.ACCEPTED
    desk.session = pairing_menu.set_phones(desk.session, (ANA,))
    assert [item.text for item in listed(desk).items] == ["", "Ana", ""]
    assert listed(desk).at < len(listed(desk).items)


def test_no_quiero_unpairs_no_phone() -> None:
    desk = paired_with(ANA)
    select(desk, "phone")
    assert desk.do("A no_quiero").stored_effects == ()
    assert shown(desk).title == "phones"


def test_all_of_them_are_forgotten_at_once_where_there_are_several() -> None:
    desk = paired_with(ANA, BETO)
    select(desk, "forget_all")
    assert desk.do("A quiero").stored_effects == (ForgetPhones(("a1", "b2")),)
    assert "forget_all" not in [item.key for item in listed(paired_with(ANA)).items]


def test_a_box_that_knows_many_phones_wants_one_forgotten_first() -> None:
    many = (PairedPhone(f"p{n}", f"Phone {n}") for n in range(pairing_menu.MAX_PHONES))
    desk = paired_with(*many)
    reaction = select(desk, "new_phone")
    assert not reaction.effects
    assert desk.view.notice is not None and desk.view.notice.key == "phones_full"


def test_nothing_of_it_is_written() -> None:
    desk = with_digits()
    desk.session = pairing_menu.set_phones(
        pairing_menu.confirm_pairing(desk.session, "Ana"), (ANA,)
    )
    assert desk.rows == [[]]


def test_digits_are_not_shown_where_set_up_has_closed_meanwhile() -> None:
    desk = SessionRig()
    assert pairing_menu.show_code(desk.session, DIGITS) == desk.session


def test_a_new_session_keeps_who_may_press() -> None:
    desk = paired_with(ANA)
    desk.do("A no_quiero", "A no_quiero")
    gesture = Gesture(GestureKind.PRESS, "A.truco", desk.time, desk.time)
    assert press(desk.session, gesture, desk.time).session.box.phones == (ANA,)
