"""Set-up > hall > new password of the desk: both teams agree to it."""

from __future__ import annotations

import pytest

from scorer.session.reducer import press
from scorer.session.setup.hall_menu import PASSWORD_TIMEOUT_S, set_hall, show_password
from scorer.session.setup.reducer import open_setup
from scorer.session.values.effects import Task
from scorer.session.values.hall import Wish
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture, GestureKind
from scorer.session.values.setup_view import AgreementView, DeskPasswordView
from scorer.session.values.shown import HallState, HallView, LinkState, LinkView, NearbyHall, Notice
from scorer.session.values.state import Reaction
from tests.session.rig import SessionRig
from tests.session.test_setup import content, listed, shown

PASSWORD = "h4kwmzt7pd"
SHOWN = ("truco", PASSWORD, 8443)
MEMBER = HallView(HallState.ONLINE, "Copa", 7)
ALONE = HallView(HallState.ALONE, halls=(NearbyHall("1", "Copa"),))


def opened(hall: HallView = MEMBER, *, has_hub: bool = True) -> SessionRig:
    """A table with set-up open, on a machine with or without a hub."""
    desk = SessionRig()
    box = desk.session.box._replace(has_hub=has_hub)
    desk.session = set_hall(desk.session._replace(box=box), hall)
    gesture = Gesture(GestureKind.PRESS, "menu", desk.time, desk.time)
    desk.store_and_adopt(open_setup(desk.session, ButtonPress(ButtonMeaning.SETUP, gesture)))
    return desk


def select(desk: SessionRig, key: str) -> Reaction:
    for _ in range(40):
        if listed(desk).selected.key == key:
            return desk.do("A quiero")
        desk.do("B tantos")
    raise AssertionError(f"{key} is not offered: {listed(desk).items}")


def offered(desk: SessionRig) -> list[str]:
    return [line.key for line in listed(desk).items]


def asked(hall: HallView = MEMBER) -> SessionRig:
    """One in which both teams have been asked."""
    desk = opened(hall)
    select(desk, "hall")
    select(desk, "desk_password")
    return desk


def test_only_a_machine_with_a_hub_offers_it() -> None:
    for hall in (MEMBER, ALONE):
        desk = opened(hall, has_hub=False)
        select(desk, "hall")
        assert "desk_password" not in offered(desk)


@pytest.mark.parametrize("hall", [MEMBER, ALONE, HallView()], ids=["member", "alone", "no link"])
def test_a_hub_offers_it_whether_its_own_table_is_in_the_hall_or_not(hall: HallView) -> None:
    desk = opened(hall)
    select(desk, "hall")
    assert offered(desk)[-1] == "desk_password"


def test_without_a_hub_and_without_a_link_set_up_has_no_hall() -> None:
    desk = opened(HallView(), has_hub=False)
    with pytest.raises(AssertionError, match="hall is not offered"):
        select(desk, "hall")


def test_a_hub_that_ends_meanwhile_makes_none() -> None:
    desk = opened(HallView())
    select(desk, "hall")
    desk.session = desk.session._replace(box=desk.session.box._replace(has_hub=False))
    assert select(desk, "desk_password").effects == ()


def test_both_teams_must_agree() -> None:
    desk = asked()
    assert isinstance(shown(desk).content, AgreementView)
    assert desk.do("A quiero").effects == ()
    assert desk.do("A quiero").effects == ()
    assert desk.do("B quiero").effects == (Task.DESK_PASSWORD,)


def test_one_team_prevents_it() -> None:
    desk = asked()
    desk.do("A quiero")
    assert desk.do("B no_quiero").effects == ()
    assert offered(desk)[-1] == "desk_password"


def test_the_search_for_halls_goes_on_behind_it() -> None:
    desk = opened(ALONE)
    assert [type(each) for each in select(desk, "hall").effects] == [Wish]
    select(desk, "desk_password")
    desk.do("A quiero", "B quiero")
    desk.session = show_password(desk.session, *SHOWN)
    desk.do("A quiero")
    assert offered(desk) == ["hall_found", "desk_password"]


def test_the_panels_show_name_password_and_page() -> None:
    desk = asked()
    desk.do("A quiero", "B quiero")
    desk.session = show_password(desk.session, *SHOWN)
    assert content(desk, DeskPasswordView) == DeskPasswordView(
        "truco", PASSWORD, "truco.local:8443/desk"
    )


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("http://192.168.1.7:8080/", "https://192.168.1.7:8443/desk"),
        ("http://192.168.1.7/", "https://192.168.1.7:8443/desk"),
        ("https://192.168.1.7:8444/", "https://192.168.1.7:8443/desk"),
        ("http://[fd00::7]:8080/", "https://[fd00::7]:8443/desk"),
    ],
)
def test_the_page_is_that_of_the_machine(address: str, page: str) -> None:
    desk = asked()
    desk.session = desk.session._replace(link=LinkView(LinkState.ONLINE, address))
    desk.session = show_password(desk.session, *SHOWN)
    assert content(desk, DeskPasswordView).address == page


def test_it_is_shown_for_five_minutes() -> None:
    desk = asked()
    desk.session = show_password(desk.session, *SHOWN)
    desk.pass_time(PASSWORD_TIMEOUT_S - 1.5)
    assert desk.view.setup is not None
    desk.pass_time(3.0)
    assert desk.view.setup is None


@pytest.mark.parametrize("name", ["A truco", "undo", "menu", "A no_quiero", "B quiero"])
def test_any_press_takes_it_from_the_panels(name: str) -> None:
    desk = asked()
    desk.session = show_password(desk.session, *SHOWN)
    desk.do(name)
    assert desk.view.setup is None or not isinstance(shown(desk).content, DeskPasswordView)
    assert PASSWORD not in repr(desk.view)


def test_it_is_shown_though_set_up_was_closed_because_the_one_before_is_void() -> None:
    desk = asked()
    desk.do("A quiero", "B quiero", "menu")
    assert desk.view.setup is None
    desk.session = show_password(desk.session, *SHOWN)
    assert content(desk, DeskPasswordView).password == PASSWORD
    desk.do("B quiero")
    assert desk.view.setup is None


def test_no_notice_covers_it() -> None:
    desk = asked()
    desk.session = desk.session.with_notice(Notice(NoticeKey.DIRECTOR_CALLED))
    desk.session = show_password(desk.session, *SHOWN)
    assert desk.view.notice is None


def test_a_newer_one_takes_its_place() -> None:
    desk = asked()
    desk.session = show_password(desk.session, *SHOWN)
    desk.session = show_password(desk.session, "truco", "newer23456", 8443)
    assert content(desk, DeskPasswordView).password == "newer23456"
    desk.do("A quiero")
    assert not isinstance(shown(desk).content, DeskPasswordView)


def test_no_description_of_the_session_has_it() -> None:
    desk = asked()
    desk.session = show_password(desk.session, *SHOWN)
    assert PASSWORD not in repr(desk.session)
    assert PASSWORD not in repr(desk.view)


def test_a_call_counts_though_it_is_shown() -> None:
    desk = asked()
    desk.session = show_password(desk.session, *SHOWN)
    gesture = Gesture(GestureKind.PRESS, "A.truco", desk.time, desk.time)
    assert press(desk.session, gesture, desk.time).steps
