"""A hold that the panel has announced and that is released before it fires."""

from __future__ import annotations

import pytest

from scorer.session.values.settings import Layout, Settings
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

FULL, COMPACT = Settings(), settings_with(layout=Layout.COMPACT)


@pytest.mark.parametrize(
    ("settings", "variant", "before", "button", "shown"),
    [
        # Tap and hold mean different things.
        (COMPACT, "argentine",      "A truco",            "B.quiero",    "let_go"),
        (COMPACT, "argentine",      "A envido",           "B.quiero",    "let_go"),
        (COMPACT, "argentine",      "",                   "B.quiero",    "let_go"),
        (COMPACT, "argentine",      "both tantos",        "A.quiero",    "let_go"),
        (COMPACT, "argentine",      "A envido hold",      "A.quiero",    "let_go"),
        (COMPACT, "argentine_flor", "",                   "A.envido",    "let_go"),
        (COMPACT, "argentine",      "A truco",            "undo",        "let_go"),
        (FULL,    "argentine",      "A truco",            "undo",        "let_go"),
        (COMPACT, "argentine",      "undo hold, undo hold, undo hold", "undo", "let_go"),
        # The hold is more of the same: a slow tap counts.
        (FULL,    "argentine",      "",                   "A.envido",    ""),
        (COMPACT, "argentine",      "",                   "A.envido",    ""),
        (FULL,    "argentine_flor", "",                   "A.flor",      ""),
        (FULL,    "argentine",      "A envido",           "B.no_quiero", ""),
        (FULL,    "argentine",      "",                   "menu",        ""),
        # Refused as a tap too, with the way to do it.
        (FULL,    "argentine",      "",                   "B.no_quiero", "tap_fold"),
        # There is no hold.
        (FULL,    "argentine",      "A truco",            "B.quiero",    ""),
        (FULL,    "argentine",      "",                   "A.truco",     ""),
    ],
)  # fmt: skip
def test_it_does_nothing_if_the_tap_means_something_else(
    settings: Settings, variant: str, before: str, button: str, shown: str
) -> None:
    for held, key in ((0.2, None), (0.3, shown), (0.65, shown)):
        desk = SessionRig(variant, settings=settings)
        desk.do(*(before.split(", ") if before else ()), "wait 4")
        stored, asked, setup = list(desk.lines), desk.session.question, desk.session.setup
        desk.press_button(button, ["hold", str(held)])
        notice = desk.session.notice.key if desk.session.notice else ""
        if key is None:
            assert notice != "let_go", held
            continue
        assert notice == key, held
        if key == "let_go":
            assert (desk.lines, desk.session.question) == (stored, asked)
            assert (desk.session.setup is None) is (setup is None)


def test_set_up_of_a_compact_box_is_not_entered_by_a_short_hold() -> None:
    """QUIERO enters a line, held it goes back."""
    desk = SessionRig(settings=COMPACT)
    while desk.session.setup is None:
        desk.do("undo hold")
    levels = desk.session.setup.levels
    desk.press_button("A.quiero", ["hold", "0.5"])
    assert desk.session.setup is not None and desk.session.setup.levels == levels


def test_a_locked_box_still_says_how_to_unlock_it() -> None:
    desk = SessionRig()
    desk.session = desk.session._replace(locked=True)
    desk.press_button("undo", ["hold", "1"])
    assert desk.session.notice is not None and desk.session.notice.key == "locked"
