"""Set-up > boxes over Wi-Fi: a new key for a box, or none."""

from __future__ import annotations

import pytest

from scorer.session.setup.reducer import open_setup
from scorer.session.values.effects import ForgetBoxKey, NewBoxKey
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture, GestureKind
from scorer.session.values.state import Reaction
from tests.session.rig import SessionRig
from tests.session.test_setup import listed


def opened(*boxes: str) -> SessionRig:
    """A table with these boxes and open set-up."""
    desk = SessionRig()
    desk.session = desk.session._replace(box=desk.session.box._replace(radio_boxes=boxes))
    gesture = Gesture(GestureKind.PRESS, "menu", desk.time, desk.time)
    desk.store_and_adopt(open_setup(desk.session, ButtonPress(ButtonMeaning.SETUP, gesture)))
    return desk


def select(desk: SessionRig, text: str) -> Reaction:
    for _ in range(40):
        line = listed(desk).selected
        if text in (line.key, line.text):
            return desk.do("A quiero")
        desk.do("B tantos")
    raise AssertionError(f"{text} is not offered: {listed(desk).items}")


def test_a_table_without_boxes_over_wi_fi_offers_no_keys() -> None:
    with pytest.raises(AssertionError, match="radio_boxes is not offered"):
        select(opened(), "radio_boxes")


@pytest.mark.parametrize(
    ("line", "effect"),
    [("new_box_key", NewBoxKey("sur")), ("forget_box_key", ForgetBoxKey("sur"))],
)
def test_one_team_changes_the_key_of_one_box(line: str, effect: NewBoxKey | ForgetBoxKey) -> None:
    desk = opened("norte", "sur")
    select(desk, "radio_boxes")
    assert [each.text for each in listed(desk).items] == ["norte", "sur"]
    select(desk, "sur")
    assert [(each.key, each.word) for each in listed(desk).items] == [
        ("new_box_key", "sur"), ("forget_box_key", "sur"),
    ]  # fmt: skip
    assert select(desk, line).effects == (effect,)
    assert [each.text for each in listed(desk).items] == ["norte", "sur"], "back at the list"
