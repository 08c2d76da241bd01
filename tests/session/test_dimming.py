"""An idle table: the dimmed picture shifts, the buzzer is silent at night."""

from __future__ import annotations

import pytest

from scorer.session.values.dimming import Light, burn_in_shift, light_of
from scorer.session.values.settings import Settings, is_within, parse_hours
from tests.session.rig import SessionRig
from tests.support.settings import settings_with


@pytest.mark.parametrize(
    ("seconds", "moves"),
    [(0, 0), (117, 0), (121, 1), (177, 1), (181, 2), (600, 9)],
)
def test_a_dim_picture_moves_every_minute(seconds: int, moves: int) -> None:
    desk = SessionRig("argentine")
    desk.do("A truco", f"wait {seconds}")
    assert burn_in_shift(desk.session) == moves


@pytest.mark.parametrize(
    ("seconds", "light"),
    [(9.75, Light.ON), (10.0, Light.DIM), (29.75, Light.DIM), (30.0, Light.DARK)],
)
def test_a_panel_is_dim_and_dark_from_the_end_of_its_time_on(seconds: float, light: Light) -> None:
    session = SessionRig(settings=settings_with(dim=10.0, dark=30.0)).session
    assert light_of(session._replace(touched_at=100.0, now=100.0 + seconds)) is light


def test_a_press_brings_the_picture_back_to_its_place() -> None:
    desk = SessionRig("argentine")
    desk.do("A truco", "wait 500", "B quiero")
    assert burn_in_shift(desk.session) == 0


@pytest.mark.parametrize("settings", [settings_with(shift=0), settings_with(dim=0)])
def test_switched_off_it_stays_where_it_is(settings: Settings) -> None:
    desk = SessionRig("argentine")
    desk.session = desk.session._replace(settings=settings)
    desk.do("A truco", "wait 5000")
    assert burn_in_shift(desk.session) == 0


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("23:00-08:00", (1380, 480)),
        ("0:30-1:00", (30, 60)),
        ("24:00-08:00", None),
        ("23:60-08:00", None),
        ("23-8", None),
        ("23:00", None),
        ("a:b-c:d", None),
        ("", None),
    ],
)
def test_hours_are_written_from_one_to_the_other(text: str, hours: tuple[int, int] | None) -> None:
    assert parse_hours(text) == hours


@pytest.mark.parametrize(
    ("hours", "minute", "inside"),
    [
        ((1380, 480), 1379, False),
        ((1380, 480), 1380, True),
        ((1380, 480), 0, True),
        ((1380, 480), 479, True),
        ((1380, 480), 480, False),
        ((60, 120), 60, True),
        ((60, 120), 120, False),
        (None, 60, False),
        ((60, 120), None, False),
    ],
)
def test_the_night_is_from_its_first_minute_to_before_its_last(
    hours: tuple[int, int] | None, minute: int | None, inside: bool
) -> None:
    assert is_within(hours, minute) is inside
